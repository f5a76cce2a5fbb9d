/**
 * A warm inspection of a page, compared with a cold `yt-dlp -J`. Budget: 0.1x.
 * Run: `node packages/adapters/bench/inspect.ts [rounds]`.
 */
import { Downloader } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import { startSite } from "../test/sources/site/Site.ts";
import { benchFolder, downloaderOf, ytDlp } from "./downloads.ts";
import { median, timed } from "./timing.ts";

const ROUNDS = Number(process.argv[2] ?? 7);

const PATHS = ["/watch/jsonld", "/watch/hls", "/fx/video", "/article"] as const;

const program = Effect.gen(function* () {
  const site = yield* startSite;
  const folder = yield* benchFolder;
  const plugins = new URL("../test/sources/site/ytdlp-plugins", import.meta.url).pathname;
  yield* Effect.gen(function* () {
    const downloader = yield* Downloader;
    yield* downloader.inspect(`${site.url}/article?warm`, {});
    for (const path of PATHS) {
      const ours: Array<number> = [];
      const theirs: Array<number> = [];
      for (let round = 0; round < ROUNDS; round++) {
        const url = `${site.url}${path}?${round}`;
        ours.push(yield* timed(downloader.inspect(url, {})));
        const command = ["--ignore-config", "--plugin-dirs", plugins, "-J", url];
        // It may report the page as unsupported, which takes as long.
        theirs.push(yield* timed(Effect.exit(ytDlp(command, folder))));
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
  }).pipe(Effect.provide(downloaderOf(site.url, folder, { ytDlpArgs: ["--plugin-dirs", plugins] })));
});

await Effect.runPromise(Effect.scoped(program));
