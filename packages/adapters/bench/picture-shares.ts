/**
 * One account's thumbnails and its whole run of a 6-second video while another converts 70 images of 8000 x
 * 8000, alternating with the same alone, and the memory of this process and its child processes, without the site and
 * what makes the pictures, which are not a server's. Budget: p95 of thumbnails at most 3x; at most 600 MB at the peak,
 * within 20 % of the start after a minute.
 *
 *     [WINNOW_SANDBOX=off] node packages/adapters/bench/picture-shares.ts [rounds] [seconds to wait for memory to return]
 */
import { fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Downloader } from "@winnow/core/ports/Downloader";
import { CurrentRun, runFor } from "@winnow/core/ports/CurrentRun";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Scope from "effect/Scope";
import { examineSandbox } from "@winnow/isolation/sandbox/Sandbox";
import { makePictures } from "../src/programs/images/PooledPictures.ts";
import { benchFolder, downloaderOf, fetchAll } from "./downloads.ts";
import { median, timed } from "./timing.ts";

const [rounds = 8, waitSeconds = 60] = process.argv.slice(2).map(Number);
const SIDE_PIXELS = 8_000;
const PICTURES = 70;
const THUMBNAILS = 20;
const QUALITY = 60;
const SIZE = { sideMaxPixels: 4_096, quality: 88 };
const BYTES_PER_MB = 1_000_000;
const BYTES_PER_KIB = 1_024;

const printPicture = async (width: number, height: number): Promise<void> => {
  const { default: sharp } = await import("sharp");
  const noise = { type: "gaussian", mean: 120, sigma: 12 } as const;
  const create = { width, height, channels: 3, background: "#345", noise } as const;
  process.stdout.write(await sharp({ create }).jpeg({ quality: QUALITY }).toBuffer());
};

const makePicture = (width: number, height = width): Buffer =>
  spawnSync(process.execPath, [import.meta.filename, "picture", String(width), String(height)], {
    maxBuffer: 2 ** 28
  }).stdout;

const serveSite = async (): Promise<void> => {
  const { startSite } = await import("../test/sources/site/Site.ts");
  const serve = Effect.flatMap(startSite, ({ url }) => {
    process.send?.(url);
    return Effect.promise(() => once(process, "disconnect"));
  });
  await Effect.runPromise(Effect.scoped(serve));
};

const openSite = Effect.acquireRelease(
  Effect.promise(async () => {
    const child = fork(import.meta.filename, ["site"]);
    const [url] = await once(child, "message");
    return { url: String(url), pid: Number(child.pid), end: () => child.disconnect() };
  }),
  ({ end }) => Effect.sync(end)
);

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
const memoryBytes = (without: ReadonlyArray<number>, root = process.pid): number => {
  const pids = readdirSync("/proc")
    .filter((pid) => /^\d+$/u.test(pid))
    .map(Number);
  const parents = parentsOf(pids);
  const isBelow = (pid: number | undefined): boolean =>
    pid === root || (pid !== undefined && pid > 1 && !without.includes(pid) && isBelow(parents.get(pid)));
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

const SAMPLE_EVERY_MS = 200;

/** In a separate process, because reading a process's memory waits for that process. */
const startSampling = (sitePid: number) => {
  let peakBytes = 0;
  const child = fork(import.meta.filename, ["memory", String(process.pid), String(sitePid)]);
  child.on("message", (bytes) => (peakBytes = Math.max(peakBytes, Number(bytes))));
  return () => {
    child.disconnect();
    return peakBytes;
  };
};

const sample = (root: number, sitePid: number): void => {
  setInterval(() => process.send?.(memoryBytes([process.pid, sitePid], root)), SAMPLE_EVERY_MS);
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
  const thumbnail = makePicture(1_280, 720);
  const large = makePicture(SIDE_PIXELS);
  const site = yield* openSite;
  const folder = yield* benchFolder;
  const [alone, beside]: [Times, Times] = [
    { thumbnails: [], videos: [] },
    { thumbnails: [], videos: [] }
  ];
  let converted = 0;
  const url = (name: string | number) => `${site.url}/watch/hls?${name}`;
  yield* Effect.gen(function* () {
    yield* measure({ thumbnails: [], videos: [] }, thumbnail, url("warm"));
    const startBytes = memoryBytes([site.pid]);
    const endSampling = startSampling(site.pid);
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
      `memory: ${mb(startBytes)} MB before, ${mb(peakBytes)} MB at the peak (budget 600), ${mb(memoryBytes([site.pid]))} MB ${waitSeconds} s after; ${converted} of ${SIDE_PIXELS} x ${SIDE_PIXELS} converted`
    );
  }).pipe(Effect.provide(downloaderOf(site.url, folder)));
});

const [, , mode, ...numbers] = process.argv;
const [first = 0, second = 0] = numbers.map(Number);
if (mode === "picture") await printPicture(first, second);
else if (mode === "site") await serveSite();
else if (mode === "memory") sample(first, second);
else {
  await Effect.runPromise(Effect.scoped(program));
  process.exit(0);
}
