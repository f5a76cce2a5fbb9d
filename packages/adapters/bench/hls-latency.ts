/**
 * All parts of a ten-minute HLS talk from a server that delays every response by 60 ms: our run compared with
 * the five yt-dlp commands a person would type (budget 0.12x), and with the fastest single command that
 * produces the same files (budget 0.8x). A round takes two minutes.
 *
 *   node packages/adapters/bench/hls-latency.ts [rounds] [--profile]
 *
 * `--profile` skips the five commands.
 */
import { once } from "node:events";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { Downloader } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import { benchFolder, downloaderOf, fetchAll, fiveCommands, ytDlp } from "./downloads.ts";
import { median, timed } from "./timing.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { profile: { type: "boolean", default: false } }
});

const ROUNDS = Number(positionals[0] ?? 3);

const LATENCY_MS = 60;

/** Our files in one command: merged video, separate audio, subtitles and thumbnail. */
const ONE_COMMAND = [
  "-f",
  "bv+ba/b",
  "--hls-prefer-native",
  "--merge-output-format",
  "mp4",
  "--keep-video",
  "--write-subs",
  "--write-thumbnail",
  "--write-info-json"
];

/** The fastest of these is determined in every round, because it depends on the machine. */
const VARIANTS: ReadonlyArray<ReadonlyArray<string>> = [
  ["-N", "4"],
  ["-N", "8"],
  ["-N", "16"],
  ["-N", "32"],
  ["-N", "16", "--fixup", "never"],
  ["-N", "16", "--ies", "generic"],
  ["-N", "16", "--fixup", "never", "--ies", "generic"]
];

const startSite = Effect.fnUntraced(function* (folder: string) {
  const worker = yield* Effect.acquireRelease(
    Effect.sync(
      () =>
        new Worker(new URL("./hls-latency/site.ts", import.meta.url), {
          workerData: { folder, latencyMs: LATENCY_MS }
        })
    ),
    (started) => Effect.promise(() => started.terminate())
  );
  const next = Effect.map(
    Effect.promise(() => once(worker, "message")),
    ([said]) => Number(said)
  );
  const url = `http://127.0.0.1:${yield* next}`;
  const requests = Effect.suspend(() => {
    worker.postMessage("count");
    return next;
  });
  return { url, requests };
});

/** In its own folder, removed before the next command, so that none finds files of another. */
const inFolder = <A, E, R>(folder: string, work: (inside: string) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const inside = join(folder, "typed");
    yield* Effect.promise(() => mkdir(inside));
    const tookMs = yield* timed(work(inside));
    yield* Effect.promise(() => rm(inside, { recursive: true }));
    return tookMs;
  });

const NAIVE = "five commands";

/** Milliseconds of every round, by command. */
type Times = Map<string, Array<number>>;

const note = (times: Times, name: string, tookMs: number): void => {
  times.set(name, [...(times.get(name) ?? []), tookMs]);
};

const report = (times: Times): void => {
  const ours = times.get("ours") ?? [];
  for (const [name, each] of times) {
    console.log(`${(median(each) / 1_000).toFixed(2).padStart(7)} s  ${name}`);
  }
  const single = [...times].filter(([name]) => name.startsWith("-N"));
  const best = single.toSorted(([, one], [, other]) => median(one) - median(other))[0]?.[0] ?? "";
  for (const [name, budget] of [
    [NAIVE, 0.12],
    [best, 0.8]
  ] as const) {
    const theirs = times.get(name);
    if (theirs === undefined) continue;
    const ratio = median(ours.map((value, round) => value / (theirs[round] ?? Number.NaN)));
    console.log(`ratio to ${name}: ${ratio.toFixed(3)} (budget ${budget})`);
  }
};

const program = Effect.gen(function* () {
  const folder = yield* benchFolder;
  const site = yield* startSite(join(folder, "talk"));
  const times: Times = new Map();
  yield* Effect.gen(function* () {
    yield* Downloader.use((downloader) => downloader.inspect(`${site.url}/watch?warm`, {}));
    for (let round = 0; round < ROUNDS; round++) {
      const url = `${site.url}/watch?${round}`; // a new URL each time, so that no inspection is reused
      yield* site.requests;
      note(times, "ours", yield* timed(fetchAll(url)));
      console.log(`round ${round + 1}: ours asked ${yield* site.requests} times`);
      for (const variant of VARIANTS) {
        const args = [...ONE_COMMAND, ...variant, "-o", "talk.%(ext)s", url];
        note(times, variant.join(" "), yield* inFolder(folder, (inside) => ytDlp(args, inside)));
      }
      if (values.profile) continue;
      note(times, NAIVE, yield* inFolder(folder, (inside) => fiveCommands(url, inside)));
      console.log(`round ${round + 1}: the others asked ${yield* site.requests} times`);
    }
  }).pipe(Effect.provide(downloaderOf(site.url, folder)));
  report(times);
});

await Effect.runPromise(Effect.scoped(program));
