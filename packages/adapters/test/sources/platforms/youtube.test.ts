// @module-tag long
import { afterAll, assert, layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { temporaryFolder } from "../harness.ts";
import { openPlatforms } from "./openPlatforms.ts";
import { assertRefused, fetched, filesOf, namesOf, seen } from "./visits.ts";
import { UNSCRAMBLED, videoId } from "./youtube.ts";
import { locatePrograms } from "../../../src/programs/ExternalPrograms.ts";
import { missingSince, readYtDlpVersion } from "../../../src/sources/yt-dlp/YtDlpVersion.ts";

const version = await Effect.runPromise(
  Effect.flatMap(locatePrograms({ ytDlp: process.env["WINNOW_YTDLP"] }), readYtDlpVersion)
);

const { asked, downloader } = await openPlatforms(temporaryFolder(), afterAll, {
  limits: { lookupRetryMs: 10 }
});

const address = (name: string) => `https://www.youtube.com/watch?v=${videoId(name)}`;

layer(downloader, { excludeTestServices: true })("YouTube", (it) => {
  it.effect("has a video with captions, chapters and counts", () =>
    Effect.gen(function* () {
      assert.deepInclude(yield* seen(address("talk")), {
        kind: "video",
        title: "How sieves are made",
        uploader: "Ada Fixture",
        uploadDate: "20250304",
        durationSeconds: 10,
        viewCount: 99,
        commentCount: 2,
        hasComments: true,
        captionLanguages: [
          { language: "en", origin: "people" },
          { language: "de", origin: "people" },
          { language: "en", origin: "automatic" }
        ],
        chapters: [
          { title: "Frame", startSeconds: 0 },
          { title: "Mesh", startSeconds: 4 },
          { title: "Rim", startSeconds: 8 }
        ]
      });
    })
  );

  it.effect("has separate video and audio, which become one file, and captions in every language", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* filesOf(address("talk")), { media: ["video.mp4"], warnings: [] });
      const names = yield* namesOf(address("talk"), ["transcript", "audio"]);
      const wanted = ["audio.m4a", "transcript.txt", "subtitles.en.vtt", "subtitles.de.vtt"];
      assert.includeMembers(names, wanted);
    })
  );

  // Older versions solve no scripts in Node.
  it.effect.skipIf(missingSince("--js-runtimes", version) !== null)(
    "has a video whose addresses its player script unscrambles, in Node",
    () =>
      Effect.gen(function* () {
        assert.include(yield* namesOf(address("scrambled"), ["video"]), "video.mp4");
        const media = asked.filter((line) => line.includes("googlevideo.com") && line.includes("scrambled"));
        assert.isNotEmpty(media);
        for (const line of media) {
          const { searchParams } = new URL(line.replace(/^\w+ /u, ""));
          const { n, sig } = Object.fromEntries(searchParams) as Record<string, string | undefined>;
          assert.deepStrictEqual({ n, sig }, UNSCRAMBLED);
        }
      })
  );

  it.effect("has its comments, newest first", () =>
    Effect.gen(function* () {
      assert.include(yield* namesOf(address("talk"), ["comments"]), "comments.json");
    })
  );

  it.effect("has a short film, under the same key as its watch page", () =>
    Effect.gen(function* () {
      const facts = yield* seen(`https://www.youtube.com/shorts/${videoId("talk")}?feature=share`);
      assert.deepInclude(facts, { kind: "video", webpageUrl: address("talk") });
    })
  );

  it.effect("has captions that a machine wrote, and no translations among them", () =>
    Effect.gen(function* () {
      const { captionLanguages } = yield* seen(address("automatic"));
      assert.deepStrictEqual(captionLanguages, [{ language: "en", origin: "automatic" }]);
      assert.include(yield* namesOf(address("automatic"), ["transcript"]), "transcript.txt");
    })
  );

  it.effect("has a video without captions", () =>
    Effect.gen(function* () {
      assert.deepInclude(yield* seen(address("silent")), { kind: "video", hasSubtitles: false });
    })
  );

  it.effect("refuses captions of a video, which is not reported as having none", () =>
    Effect.gen(function* () {
      assert.deepInclude(yield* seen(address("capless")), { kind: "video", hasSubtitles: true });
      yield* Effect.scoped(
        Effect.map(fetched(address("capless"), ["transcript"]), ({ failedLookups = {} }) => {
          assert.deepStrictEqual(
            Object.entries(failedLookups).map(([modality, { reason }]) => [modality, reason]),
            [["transcript", "rate_limited"]]
          );
        })
      );
      const questions = asked.filter((line) => line.includes("timedtext") && line.includes("lang=de"));
      assert.strictEqual(questions.filter((line) => line.includes("capless")).length, 3);
    })
  );

  it.effect("has a video that is too long to fetch", () =>
    Effect.gen(function* () {
      assert.deepInclude(yield* seen(address("long")), { durationSeconds: 3_661 });
      const failure = yield* Effect.flip(Effect.scoped(fetched(address("long"), ["transcript"])));
      assert.strictEqual(failure.reason, "too_long");
    })
  );

  for (const [name, is, reason] of [
    ["closed", "one of a closed account", "removed"],
    ["gone", "one that is not there any more", "removed"],
    ["paid", "one that must be bought", "login_required"],
    ["premiere", "a premiere", "live"],
    ["upcoming", "a broadcast to come", "live"],
    ["live", "a broadcast under way", "live"]
  ] as const) {
    it.effect(`reports ${is}: ${reason}`, () => assertRefused(address(name), reason));
  }
});
