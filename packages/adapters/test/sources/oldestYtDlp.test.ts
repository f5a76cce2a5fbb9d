// @module-tag faults: installs the oldest supported yt-dlp
import { assert, describe, it } from "@effect/vitest";
import { Downloader } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import { OLDEST_SUPPORTED } from "../../src/sources/yt-dlp/YtDlpVersion.ts";
import { reportPrograms } from "../../src/sources/ProgramReport.ts";
import { downloaderOf, openSite, temporaryFolder } from "./harness.ts";
import { oldestYtDlp } from "./oldestYtDlp.ts";

const site = await openSite();

describe("the oldest supported yt-dlp", () => {
  it.live("reads and fetches, also a stretch", () =>
    Effect.gen(function* () {
      const programs = yield* oldestYtDlp;
      assert.deepInclude((yield* reportPrograms(programs))[0], { version: OLDEST_SUPPORTED });
      const work = Downloader.use((downloader) =>
        downloader.fetch({
          url: `${site.url}/watch/hls`,
          maxDurationSeconds: 3_600,
          range: { startSec: 4.5, endSec: 7 },
          wantsOf: () => ["video", "transcript"]
        })
      );
      const { facts, files, measuredDurationSeconds } = yield* Effect.scoped(work).pipe(
        Effect.provide(downloaderOf(site, temporaryFolder(), { programs }))
      );
      assert.deepInclude(facts, { kind: "video" });
      assert.includeMembers(
        files.map(({ name }) => name),
        ["video.mp4", "subtitles.en.vtt"]
      );
      assert.approximately(measuredDurationSeconds ?? 0, 2.5, 0.2);
      const segments = site.hits.filter((path) => path.includes("/video_"));
      assert.deepStrictEqual(segments.toSorted(), ["/media/hls/video_2.ts", "/media/hls/video_3.ts"]);
    })
  );
});
