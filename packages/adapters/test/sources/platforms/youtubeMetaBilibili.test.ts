// @module-tag long
/** YouTube, Instagram, Facebook and Bilibili, with one replica and one downloader; the others are in platforms.test.ts. */
import { afterAll, assert, describe, layer } from "@effect/vitest";
import type { Modality } from "@winnow/core/domain/source/Modality";
import * as Effect from "effect/Effect";
import { temporaryFolder } from "../harness.ts";
import { openPlatforms } from "./openPlatforms.ts";
import { UNSCRAMBLED, videoId } from "./youtube.ts";
import { locatePrograms } from "../../../src/programs/ExternalPrograms.ts";
import { missingSince, readYtDlpVersion } from "../../../src/sources/yt-dlp/YtDlpVersion.ts";
import { assertRefused, fetched, filesOf, namesOf, seen } from "./visits.ts";

const version = await Effect.runPromise(
  Effect.flatMap(locatePrograms({ ytDlp: process.env["WINNOW_YTDLP"] }), readYtDlpVersion)
);

const { asked, downloader } = await openPlatforms(temporaryFolder(), afterAll, {
  limits: { lookupRetryMs: 10 }
});

const ofBilibili = (letter: string) => `https://www.bilibili.com/video/BV1GJ411x7h${letter}`;

/** Plain strings, because the inferred type of an expected value would be too narrow. */
interface Parts {
  readonly files: ReadonlyArray<string>;
  readonly refused: ReadonlyArray<ReadonlyArray<string>>;
}

const partsOf = (letter: string, wants: ReadonlyArray<Modality>) =>
  Effect.scoped(
    Effect.map(fetched(ofBilibili(letter), wants), ({ failedLookups = {}, files }): Parts => ({
      files: files
        .map(({ name }) => name)
        .filter((name) => /^(?:transcript\.txt|comments\.json)$/u.test(name)),
      refused: Object.entries(failedLookups).map(([modality, { reason }]) => [modality, reason])
    }))
  );

const timesAsked = (letter: string, path: string): number =>
  asked.filter((line) => line.includes(path) && line.includes(`h${letter}&`)).length;

const FOUND: Parts = { files: ["transcript.txt"], refused: [] };

const unknown = (reason: string): Parts => ({
  files: [],
  refused: [["transcript", reason]]
});

layer(downloader, { excludeTestServices: true })((it) => {
  describe("YouTube", () => {
    const address = (name: string) => `https://www.youtube.com/watch?v=${videoId(name)}`;

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
          const media = asked.filter(
            (line) => line.includes("googlevideo.com") && line.includes("scrambled")
          );
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

  describe("Instagram", () => {
    const address = (name: string) => `https://www.instagram.com/p/${name}/`;

    it.effect("has a reel", () =>
      Effect.gen(function* () {
        assert.deepInclude(yield* seen("https://www.instagram.com/reel/reelAAAAAAA/?igsh=x"), {
          kind: "video",
          description: "How sieves are made",
          durationSeconds: 10,
          likeCount: 5
        });
        assert.deepStrictEqual((yield* filesOf(address("reelAAAAAAA"))).media, ["video.mp4"]);
      })
    );

    it.effect("has a post of photos", () =>
      Effect.gen(function* () {
        assert.deepInclude(yield* seen(address("photosAAAAA")), { kind: "photos", imageCount: 2 });
      })
    );

    it.effect("has a post of photos and a video, which keeps all three", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* filesOf(address("mixAAAAAAAA")), {
          media: ["video.mp4", "image.01.jpg", "image.02.jpg"],
          warnings: []
        });
      })
    );

    it.effect("has such a post even if the extractor mistakes photos for videos without media", () =>
      Effect.gen(function* () {
        const { media, warnings } = yield* filesOf(address("lockedAAAAA"));
        assert.deepStrictEqual(media, ["video.mp4", "image.01.jpg", "image.02.jpg"]);
        assert.deepStrictEqual(warnings, []);
      })
    );

    it.effect("reports a post behind its wall as blocking programs", () =>
      Effect.gen(function* () {
        // The message differs between versions of the extractor, and with it the reason.
        const { reason } = yield* Effect.flip(seen(address("wallAAAAAAA")));
        assert.include(["rate_limited", "bot_blocked"], reason);
      })
    );
  });

  describe("Facebook", () => {
    const address = (id: string) => `https://www.facebook.com/watch/?v=${id}`;

    it.effect("has a video with captions", () =>
      Effect.gen(function* () {
        const facts = yield* seen(`https://m.facebook.com/ada/videos/1001/`);
        assert.deepInclude(facts, {
          kind: "video",
          title: "How sieves are made",
          durationSeconds: 10,
          hasSubtitles: true
        });
        const { media } = yield* filesOf(address("1001"));
        assert.deepStrictEqual(media, ["video.mp4"]);
        const names = yield* namesOf(address("1001"), ["transcript"]);
        assert.include(names, "transcript.txt");
      })
    );

    for (const [id, is, reason] of [
      ["2001", "behind its log-in", "login_required"],
      ["2002", "that was removed", "removed"],
      ["2003", "for an audience", "private"],
      ["2004", "that is not there", "removed"],
      ["2005", "asked for too often", "rate_limited"]
    ] as const) {
      it.effect(`reports a video ${is}: ${reason}`, () => assertRefused(address(id), reason));
    }
  });

  describe("A platform whose extractor asks for captions", () => {
    it.effect("has them with its video", () =>
      Effect.gen(function* () {
        assert.deepInclude(yield* seen(ofBilibili("a")), {
          kind: "video",
          uploader: "Ada Fixture",
          durationSeconds: 10,
          captionLanguages: [{ language: "en", origin: "people" }]
        });
        assert.deepStrictEqual(yield* partsOf("a", ["transcript"]), FOUND);
        const { files } = yield* partsOf("a", ["comments"]);
        assert.deepStrictEqual(files, ["comments.json"]);
      })
    );

    it.effect("and refuses them once is seen, and has them a moment later", () =>
      Effect.gen(function* () {
        assert.deepInclude(yield* seen(ofBilibili("b")), { kind: "video", hasSubtitles: true });
        assert.deepStrictEqual(yield* partsOf("b", ["transcript"]), FOUND);
        assert.strictEqual(timesAsked("b", "/x/player/wbi/v2"), 2);
      })
    );

    for (const [letter, status, reason] of [
      ["c", 429, "rate_limited"],
      ["d", 403, "bot_blocked"],
      ["e", 503, "unreachable"]
    ] as const) {
      it.effect(`and refuses them permanently (${status}) still has its video, and gets three requests`, () =>
        Effect.gen(function* () {
          assert.deepInclude(yield* seen(ofBilibili(letter)), {
            kind: "video",
            title: "How sieves are made"
          });
          assert.deepStrictEqual(yield* partsOf(letter, ["transcript"]), unknown(reason));
          assert.strictEqual(timesAsked(letter, "/x/player/wbi/v2"), 3);
        })
      );
    }

    it.effect("that are not there has none", () =>
      Effect.gen(function* () {
        assert.deepInclude(yield* seen(ofBilibili("h")), { kind: "video", hasSubtitles: false });
        const none: Parts = { files: [], refused: [] };
        assert.deepStrictEqual(yield* partsOf("h", ["transcript"]), none);
      })
    );

    it.effect("and whose extractor treats refused comments as none is not believed", () =>
      Effect.gen(function* () {
        const refused: Parts = { files: [], refused: [["comments", "bot_blocked"]] };
        assert.deepStrictEqual(yield* partsOf("f", ["comments"]), refused);
        assert.deepStrictEqual((yield* partsOf("g", ["comments"])).files, ["comments.json"]);
      })
    );
  });
});
