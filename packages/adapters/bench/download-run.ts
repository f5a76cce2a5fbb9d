/**
 * A whole download-only run of an HLS talk, compared with the five yt-dlp commands a person would type for the
 * same files. Budget: 0.4x. Run: `node packages/adapters/bench/download-run.ts [rounds]`.
 */
import * as Effect from "effect/Effect";
import { startSite } from "../test/sources/site/Site.ts";
import { benchFolder, downloaderOf, fetchAll, fiveCommands } from "./downloads.ts";
import { median, timed } from "./timing.ts";

const ROUNDS = Number(process.argv[2] ?? 3);

const program = Effect.gen(function* () {
  const site = yield* startSite;
  const folder = yield* benchFolder;
  yield* Effect.gen(function* () {
    yield* fetchAll(`${site.url}/watch/hls?warm`);
    const ours: Array<number> = [];
    const theirs: Array<number> = [];
    for (let round = 0; round < ROUNDS; round++) {
      const url = `${site.url}/watch/hls?${round}`; // a new URL each time, so that no inspection is reused
      ours.push(yield* timed(fetchAll(url)));
      theirs.push(yield* timed(fiveCommands(url, folder)));
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
  }).pipe(Effect.provide(downloaderOf(site.url, folder)));
});

await Effect.runPromise(Effect.scoped(program));
