/**
 * One account's thumbnails and its whole run of a 6-second video while another converts 70 images of 8000 x
 * 8000, alternating with the same alone, and the memory of this process and its child processes. Budget: p95 of
 * thumbnails at most 3x; at most 600 MB at the peak, within 20 % of the start after a minute.
 *
 *     [WINNOW_SANDBOX=off] node packages/adapters/bench/picture-shares.ts [rounds] [seconds to wait for memory to return]
 */
import { fork, spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Downloader } from "@winnow/core/ports/Downloader";
import { CurrentRun, runFor } from "@winnow/core/ports/CurrentRun";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Scope from "effect/Scope";
import sharp from "sharp";
import { examineSandbox } from "@winnow/isolation/sandbox/Sandbox";
import { makePictures } from "../src/programs/images/PooledPictures.ts";
import { startSite } from "../test/sources/site/Site.ts";
import { benchFolder, downloaderOf, fetchAll } from "./downloads.ts";
import { median, timed } from "./timing.ts";

const [rounds = 8, waitSeconds = 60] = process.argv.slice(2).map(Number);
const SIDE_PIXELS = 8_000;
const PICTURES = 70;
const THUMBNAILS = 20;
const SIZE = { sideMaxPixels: 4_096, quality: 88 };
const BYTES_PER_MB = 1_000_000;
const BYTES_PER_KIB = 1_024;

const pictureOf = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: "#345",
      noise: { type: "gaussian", mean: 120, sigma: 12 }
    }
  });

/** Parents of processes by id, without processes that have ended. */
const parentsOf = (pids: ReadonlyArray<number>): ReadonlyMap<number, number> =>
  new Map(
    pids.flatMap((pid) => {
      try {
        const [, parent] = /\) \S (\d+)/u.exec(readFileSync(`/proc/${pid}/stat`, "latin1")) ?? [];
        return [[pid, Number(parent)] as const];
      } catch {
        return [];
      }
    })
  );

/** Memory of a process and its descendants except `without`, in bytes, counting shared memory once (PSS). */
const memoryBytes = (root = process.pid, without = 0): number => {
  const pids = readdirSync("/proc")
    .filter((pid) => /^\d+$/u.test(pid))
    .map(Number);
  const parents = parentsOf(pids);
  const isBelow = (pid: number | undefined): boolean =>
    pid === root || (pid !== undefined && pid > 1 && pid !== without && isBelow(parents.get(pid)));
  return pids.filter(isBelow).reduce((sum, pid) => {
    try {
      const [, kib] = /^Pss:\s+(\d+)/mu.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "latin1")) ?? [];
      return sum + Number(kib) * BYTES_PER_KIB;
    } catch {
      return sum;
    }
  }, 0);
};

const p95 = (values: ReadonlyArray<number>): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length * 0.95)] ?? Number.NaN;

const report = await examineSandbox();
const sandbox = report.works && process.env["WINNOW_SANDBOX"] !== "off" ? report.sandbox : null;

const { makeJpeg } = await Effect.runPromise(Scope.provide(makePictures(sandbox), Scope.makeUnsafe()));

const convert = (accountId: string, bytes: Uint8Array) =>
  Effect.provideService(makeJpeg(bytes, SIZE), CurrentRun, runFor(accountId));

const makeLarge = (): Buffer =>
  spawnSync(process.execPath, [import.meta.filename, "large"], { maxBuffer: 2 ** 28 }).stdout;

const SAMPLE_EVERY_MS = 200;

/** In a separate process, because reading a process's memory waits for that process. */
const startSampling = () => {
  let peakBytes = 0;
  const child = fork(import.meta.filename, ["memory", String(process.pid)]);
  child.on("message", (bytes) => (peakBytes = Math.max(peakBytes, Number(bytes))));
  return () => {
    child.disconnect();
    return peakBytes;
  };
};

const sample = (root: number): void => {
  setInterval(() => process.send?.(memoryBytes(root, process.pid)), SAMPLE_EVERY_MS);
  process.once("disconnect", () => process.exit(0));
  // A sample in flight when the parent exited.
  process.once("error", () => process.exit(0));
};

interface Times {
  readonly thumbnails: Array<number>;
  readonly videos: Array<number>;
}

const measure = Effect.fnUntraced(function* (
  times: Times,
  thumbnail: Uint8Array,
  videoUrl: string
): Effect.fn.Return<void, unknown, Downloader> {
  for (let n = 0; n < THUMBNAILS; n++) times.thumbnails.push(yield* timed(convert("victim", thumbnail)));
  times.videos.push(yield* timed(fetchAll(videoUrl)));
});

const tell = (what: string, alone: ReadonlyArray<number>, beside: ReadonlyArray<number>): void => {
  const [medians, p95s] = [median, p95].map(
    (of) => `${of(alone).toFixed(0)} and ${of(beside).toFixed(0)} ms (${(of(beside) / of(alone)).toFixed(2)})`
  );
  console.log(`${what}, alone and beside: median ${medians}, p95 ${p95s}`);
};

const mb = (bytes: number): string => (bytes / BYTES_PER_MB).toFixed(0);

const program = Effect.gen(function* () {
  const thumbnail = yield* Effect.promise(() => pictureOf(1_280, 720).jpeg().toBuffer());
  const large = makeLarge();
  const site = yield* startSite;
  const folder = yield* benchFolder;
  const [alone, beside]: [Times, Times] = [
    { thumbnails: [], videos: [] },
    { thumbnails: [], videos: [] }
  ];
  let converted = 0;
  const url = (name: string | number) => `${site.url}/watch/hls?${name}`;
  yield* Effect.gen(function* () {
    yield* measure({ thumbnails: [], videos: [] }, thumbnail, url("warm"));
    const startBytes = memoryBytes();
    const endSampling = startSampling();
    for (let round = 0; round < rounds; round++) {
      yield* measure(alone, thumbnail, url(`alone${round}`));
      // Released at once, as in a run, which stores each image: otherwise they would count as memory here.
      const one = Effect.tap(convert("burst", large), () => Effect.sync(() => (converted += 1)));
      const burst = yield* Effect.forkChild(
        Effect.forEach(Array.from({ length: PICTURES }), () => Effect.asVoid(one), {
          concurrency: "unbounded",
          discard: true
        }),
        { startImmediately: true }
      );
      yield* measure(beside, thumbnail, url(`beside${round}`));
      yield* Fiber.interrupt(burst);
    }
    const peakBytes = endSampling();
    tell("a thumbnail", alone.thumbnails, beside.thumbnails);
    tell("a run of a 6-second video", alone.videos, beside.videos);
    yield* Effect.promise(() => sleep(waitSeconds * 1_000));
    console.log(
      `memory: ${mb(startBytes)} MB before, ${mb(peakBytes)} MB at the peak (budget 600), ${mb(memoryBytes())} MB ${waitSeconds} s after; ${converted} of ${SIDE_PIXELS} x ${SIDE_PIXELS} converted`
    );
  }).pipe(Effect.provide(downloaderOf(site.url, folder)));
});

if (process.argv[2] === "large") {
  process.stdout.write(await pictureOf(SIDE_PIXELS, SIDE_PIXELS).jpeg({ quality: 60 }).toBuffer());
} else if (process.argv[2] === "memory") {
  sample(Number(process.argv[3]));
} else {
  await Effect.runPromise(Effect.scoped(program));
  process.exit(0);
}
