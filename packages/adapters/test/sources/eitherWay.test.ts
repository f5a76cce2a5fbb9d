// @module-tag faults: the command of yt-dlp starts anew for each case
/** yt-dlp as a command agrees with the fork server, which outcomes and platforms test; see also delegation.test.ts. */
import { assert, layer } from "@effect/vitest";
import type { Modality } from "@winnow/core/domain/source/Modality";
import { Downloader, type FetchRequest } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import { downloaderOf, openSite, temporaryFolder } from "./harness.ts";

const site = await openSite();

const fetch = (path: string, wants: ReadonlyArray<Modality>, over: Partial<FetchRequest> = {}) =>
  Downloader.use((downloader) =>
    downloader.fetch({
      url: site.url + path,
      maxDurationSeconds: 3_600,
      wantsOf: () => wants,
      ...over
    })
  ).pipe(Effect.scoped);

const REASONS = [
  ["/fx/private", "private"],
  ["/fx/geo", "geo_restricted"],
  ["/fx/broken", "internal"],
  ["/status/404", "removed"],
  ["/fx/bot", "bot_blocked"],
  ["/fx/drm", "drm"],
  ["/fx/upcoming", "live"]
] as const;

layer(downloaderOf(site, temporaryFolder(), { forkServer: false, limits: { lookupRetryMs: 10 } }), {
  excludeTestServices: true
})("yt-dlp as a command", (it) => {
  it.effect("fails for its reason", () =>
    Effect.gen(function* () {
      for (const [path, reason] of REASONS) {
        assert.strictEqual((yield* Effect.flip(fetch(path, ["video"]))).reason, reason, path);
      }
    })
  );

  it.effect("downloads only the segments of a stretch", () =>
    Effect.gen(function* () {
      const { measuredDurationSeconds } = yield* fetch("/watch/hls", ["audio"], {
        range: { startSec: 4.5, endSec: 7 }
      });
      assert.approximately(measuredDurationSeconds ?? 0, 2.5, 0.2);
      const segments = site.hits.filter((path) => path.endsWith(".ts"));
      assert.deepStrictEqual(segments.toSorted(), ["/media/hls/audio_2.ts", "/media/hls/audio_3.ts"]);
    })
  );

  it.effect("reads a video whose captions are refused, and says so", () =>
    Effect.gen(function* () {
      const {
        facts,
        failedLookups = {},
        files
      } = yield* fetch("/fx/captions-refused", ["audio", "transcript"]);
      assert.isTrue(facts.hasSubtitles);
      assert.includeMembers(
        files.map(({ name }) => name),
        ["audio.m4a"]
      );
      assert.deepStrictEqual(
        Object.entries(failedLookups).map(([modality, { reason }]) => [modality, reason]),
        [["transcript", "rate_limited"]]
      );
    })
  );
});
