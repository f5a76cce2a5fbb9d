/**
 * A whole download-only run of an HLS talk against the five yt-dlp commands a person would type for the
 * same files. Budget: 0.4x. Run: `node packages/adapters/bench/download-run.ts [rounds]`.
 */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { MODALITIES } from "@winnow/core/domain/Modality";
import { Downloader } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as MediaDownloader from "../src/download/MediaDownloader.ts";
import { Egress } from "../src/egress/Egress.ts";
import { PageReader } from "../src/page/PageReader.ts";
import { startSite } from "../test/download/site/Site.ts";

const run = promisify(execFile);

const ROUNDS = Number(process.argv[2] ?? 3);

const COMMANDS: ReadonlyArray<ReadonlyArray<string>> = [
  ["-J"],
  ["-f", "bv+ba/b"],
  ["-x", "--audio-format", "m4a"],
  ["--write-subs", "--skip-download"],
  ["--write-thumbnail", "--skip-download"]
];

const typed = (url: string, folder: string) =>
  Effect.promise(async () => {
    for (const [index, args] of COMMANDS.entries()) {
      await run("yt-dlp", [...args, "-o", `${index}.%(ext)s`, url], { cwd: folder, maxBuffer: 2 ** 26 });
    }
  });

const timed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const startMs = performance.now();
    yield* effect;
    return performance.now() - startMs;
  });

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

const program = Effect.gen(function* () {
  const site = yield* startSite;
  const folder = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "winnow-bench-"))),
    (made) => Effect.promise(() => rm(made, { recursive: true, force: true }))
  );
  const layer = MediaDownloader.layer({ workDir: join(folder, "work") }).pipe(
    Layer.provide([Egress.layer({ allow: [new URL(site.url).host] }), PageReader.layer])
  );
  yield* Effect.gen(function* () {
    const downloader = yield* Downloader;
    const fetch = (url: string) =>
      Effect.scoped(downloader.fetch({ url, wants: MODALITIES, onProgress: () => Effect.void }));
    yield* fetch(`${site.url}/watch/hls?warm`);
    const ours: Array<number> = [];
    const theirs: Array<number> = [];
    for (let round = 0; round < ROUNDS; round++) {
      const url = `${site.url}/watch/hls?${round}`; // another URL each time: no look is reused
      ours.push(yield* timed(fetch(url)));
      theirs.push(yield* timed(typed(url, folder)));
    }
    const ratio = median(ours.map((value, index) => value / (theirs[index] ?? 1)));
    console.log(
      JSON.stringify({
        bench: "download-run",
        runMs: Math.round(median(ours)),
        fiveCommandsMs: Math.round(median(theirs)),
        ratio: Number(ratio.toFixed(3)),
        budget: 0.4
      })
    );
  }).pipe(Effect.provide(layer));
});

await Effect.runPromise(Effect.scoped(program));
