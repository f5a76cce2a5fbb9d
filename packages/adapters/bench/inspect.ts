/**
 * A warm look at a page against a cold `yt-dlp -J` of it. Budget: 0.1x.
 * Run: `node packages/adapters/bench/inspect.ts [rounds]`.
 */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Downloader } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as MediaDownloader from "../src/download/MediaDownloader.ts";
import { Egress } from "../src/egress/Egress.ts";
import { PageReader } from "../src/page/PageReader.ts";
import { startSite } from "../test/download/site/Site.ts";

const run = promisify(execFile);

const ROUNDS = Number(process.argv[2] ?? 7);

const timed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const startMs = performance.now();
    yield* effect;
    return performance.now() - startMs;
  });

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

const PATHS = ["/watch/jsonld", "/watch/hls", "/fx/video", "/article"] as const;

const program = Effect.gen(function* () {
  const site = yield* startSite;
  const folder = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "winnow-bench-"))),
    (made) => Effect.promise(() => rm(made, { recursive: true, force: true }))
  );
  const plugins = new URL("../test/download/site/ytdlp-plugins", import.meta.url).pathname;
  const layer = MediaDownloader.layer({
    workDir: join(folder, "work"),
    ytDlpArgs: ["--plugin-dirs", plugins]
  }).pipe(Layer.provide([Egress.layer({ allow: [new URL(site.url).host] }), PageReader.layer]));
  yield* Effect.gen(function* () {
    const downloader = yield* Downloader;
    yield* downloader.inspect(`${site.url}/article?warm`);
    for (const path of PATHS) {
      const ours: Array<number> = [];
      const theirs: Array<number> = [];
      for (let round = 0; round < ROUNDS; round++) {
        const url = `${site.url}${path}?${round}`;
        ours.push(yield* timed(downloader.inspect(url)));
        const command = ["--ignore-config", "--plugin-dirs", plugins, "-J", url];
        theirs.push(
          yield* timed(Effect.promise(() => run("yt-dlp", command, { maxBuffer: 2 ** 26 }).catch(() => null)))
        );
      }
      const ratio = median(ours.map((value, index) => value / (theirs[index] ?? 1)));
      console.log(
        JSON.stringify({
          bench: "inspect",
          path,
          warmMs: Math.round(median(ours)),
          coldYtDlpMs: Math.round(median(theirs)),
          ratio: Number(ratio.toFixed(3)),
          budget: 0.1
        })
      );
    }
  }).pipe(Effect.provide(layer));
});

await Effect.runPromise(Effect.scoped(program));
