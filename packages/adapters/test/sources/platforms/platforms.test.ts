// @module-tag smoke: the programs read and fetch each source of ten platforms
/** The files of sources on the replicas, by the real programs; what is told of them is in facts.test.ts. */
import { afterAll, assert, describe, layer } from "@effect/vitest";
import type { Modality } from "@winnow/core/domain/source/Modality";
import type { Captions } from "@winnow/core/domain/source/SourceFacts";
import * as Effect from "effect/Effect";
import { locatePrograms } from "../../../src/programs/ExternalPrograms.ts";
import { missingSince, readYtDlpVersion } from "../../../src/sources/yt-dlp/YtDlpVersion.ts";
import { temporaryFolder } from "../harness.ts";
import { openPlatforms } from "./openPlatforms.ts";
import { bilibili, facebook, instagram, reddit, vimeo, youtube } from "./platformFacts.ts";
import { PROGRAMS } from "./Replica.ts";
import { fetched, filesOf, namesOf, seen } from "./visits.ts";
import { UNSCRAMBLED } from "./youtube.ts";

/** In `npm run test:faults`; otherwise a source for each way in which the programs work together. */
const isWhole = process.env["WINNOW_TEST_FAULTS"] !== undefined;

const version = await Effect.runPromise(Effect.flatMap(locatePrograms(PROGRAMS), readYtDlpVersion));

const { asked, downloader } = await openPlatforms(temporaryFolder(), afterAll, {
  limits: { lookupRetryMs: 10 }
});

const VIDEO = ["video.mp4"];
const TWO_VIDEOS = ["video.mp4", "video.02.mp4"];
const TWO_PHOTOS = ["image.01.jpg", "image.02.jpg"];

/** The video and the pictures of posts, in order. */
const MEDIA: ReadonlyArray<readonly [what: string, url: string, media: ReadonlyArray<string>]> = [
  ["X, a photo, a video and a photo", "https://x.com/ada/status/103", [...VIDEO, ...TWO_PHOTOS]],
  [
    "Instagram, photos that the extractor mistakes for videos",
    instagram("lockedAAAAA"),
    [...VIDEO, ...TWO_PHOTOS]
  ],
  ["X, a video", "https://x.com/ada/status/100", VIDEO],
  ["X, two videos", "https://x.com/ada/status/101", TWO_VIDEOS],
  ["X, three photos", "https://x.com/ada/status/102", [...TWO_PHOTOS, "image.03.jpg"]],
  ["Bluesky, a video", "https://bsky.app/profile/ada.bsky.social/post/aaa", VIDEO],
  ["Bluesky, two photos", "https://bsky.app/profile/ada.bsky.social/post/bbb", TWO_PHOTOS],
  ["TikTok", "https://www.tiktok.com/@ada/video/7000000000000000001", VIDEO],
  ["Reddit, two videos", reddit("videos"), TWO_VIDEOS],
  ["Reddit, a gallery", reddit("gallery"), TWO_PHOTOS],
  ["YouTube, whose video and audio are separate", youtube("talk"), VIDEO],
  ["Instagram, a reel", instagram("reelAAAAAAA"), VIDEO],
  ["Instagram, photos and a video", instagram("mixAAAAAAAA"), [...VIDEO, ...TWO_PHOTOS]],
  ["Facebook", facebook("1001"), VIDEO]
];

const ENGLISH = ["transcript.txt", "subtitles.en.vtt"];

/** Some of the files with these parts. */
const PARTS: ReadonlyArray<
  readonly [what: string, url: string, wants: ReadonlyArray<Modality>, names: ReadonlyArray<string>]
> = [
  [
    "Reddit, a video",
    reddit("video"),
    ["video", "audio", "transcript"],
    [...VIDEO, "audio.m4a", "transcript.txt"]
  ],
  ["Vimeo", vimeo("1001"), ["video", "transcript"], [...VIDEO, ...ENGLISH, "subtitles.de.vtt"]],
  ["Vimeo, in the player", vimeo("1006"), ["video", "transcript"], [...VIDEO, ...ENGLISH]],
  ["YouTube", youtube("talk"), ["transcript", "audio"], ["audio.m4a", ...ENGLISH, "subtitles.de.vtt"]],
  ["YouTube, comments", youtube("talk"), ["comments"], ["comments.json"]],
  ["YouTube, by a machine", youtube("automatic"), ["transcript"], ["transcript.txt"]],
  ["Facebook", facebook("1001"), ["transcript"], ["transcript.txt"]],
  ["Bilibili", bilibili("a"), ["transcript"], ["transcript.txt"]],
  ["Bilibili, comments", bilibili("a"), ["comments"], ["comments.json"]],
  ["Bilibili, comments refused once", bilibili("g"), ["comments"], ["comments.json"]]
];

/** Look-ups that failed, by part. */
const refusedOf = (url: string, wants: ReadonlyArray<Modality>) =>
  Effect.scoped(
    Effect.map(fetched(url, wants), ({ failedLookups = {} }) =>
      Object.entries(failedLookups).map(([modality, { reason }]) => [modality, reason])
    )
  );

/** Origin of the transcript; null without one. */
const originOf = (url: string, captions: Captions) =>
  Effect.scoped(
    Effect.map(fetched(url, ["transcript"], { captions }), ({ failedLookups, files }) => {
      assert.deepStrictEqual(failedLookups, {});
      const source = files.find(({ name }) => name === "transcript.json")?.source;
      return source?._tag === "Bytes" ? JSON.parse(new TextDecoder().decode(source.bytes)).origin : null;
    })
  );

const timesAsked = (letter: string): number =>
  asked.filter((line) => line.includes("/x/player/wbi/v2") && line.includes(`h${letter}&`)).length;

layer(downloader, { excludeTestServices: true })((it) => {
  describe("The media of a post", () => {
    it.effect.each(isWhole ? MEDIA : MEDIA.slice(0, 2))("on %s, are all there", ([, url, media]) =>
      Effect.map(filesOf(url), (files) => assert.deepStrictEqual(files, { media: [...media], warnings: [] }))
    );

    it.effect("are those of the first video if a stretch is asked for", () =>
      Effect.gen(function* () {
        const { files, measuredDurationSeconds } = yield* fetched("https://x.com/ada/status/101", ["video"], {
          range: { startSec: 2, endSec: 5 }
        });
        const videos = files.map(({ name }) => name).filter((name) => TWO_VIDEOS.includes(name));
        assert.deepStrictEqual(videos, VIDEO);
        assert.strictEqual(measuredDurationSeconds, 3);
      }).pipe(Effect.scoped)
    );
  });

  describe.runIf(isWhole)("The files of a source", () => {
    it.effect.each(PARTS)("on %s, are those of its parts", ([, url, wants, names]) =>
      Effect.map(namesOf(url, wants), (found) => assert.includeMembers(found, [...names]))
    );

    it.effect("are not fetched if it is too long", () =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(Effect.scoped(fetched(youtube("long"), ["transcript"])));
        assert.strictEqual(failure.reason, "too_long");
      })
    );
  });

  // Older versions solve no scripts in Node.
  describe.skipIf(missingSince("--js-runtimes", version) !== null)("YouTube", () => {
    it.effect("has a video whose addresses its player script unscrambles, in Node", () =>
      Effect.gen(function* () {
        assert.include(yield* namesOf(youtube("scrambled"), ["video"]), "video.mp4");
        const media = asked.filter((line) => line.includes("googlevideo.com") && line.includes("scrambled"));
        assert.isNotEmpty(media);
        for (const line of media) {
          const { searchParams } = new URL(line.replace(/^\w+ /u, ""));
          const { n, sig } = Object.fromEntries(searchParams) as Record<string, string | undefined>;
          assert.deepStrictEqual({ n, sig }, UNSCRAMBLED);
        }
      })
    );
  });

  describe("Captions and comments", () => {
    it.effect("are those of the choice, and none become the other kind", () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* originOf(youtube("talk"), "any"), "people");
        assert.strictEqual(yield* originOf(youtube("talk"), "people"), "people");
        assert.strictEqual(yield* originOf(youtube("talk"), "automatic"), "automatic");
        assert.strictEqual(yield* originOf(youtube("automatic"), "any"), "automatic");
        assert.isNull(yield* originOf(youtube("automatic"), "people"));
      })
    );

    it.effect("that are listed and refused are asked for three times, and not reported as none", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* refusedOf(youtube("capless"), ["transcript"]), [
          ["transcript", "rate_limited"]
        ]);
        const questions = asked.filter((line) => line.includes("timedtext") && line.includes("lang=de"));
        assert.lengthOf(
          questions.filter((line) => line.includes("capless")),
          3
        );
      })
    );

    it.effect("that the extractor asks for and is refused once are there a moment later", () =>
      Effect.gen(function* () {
        assert.deepInclude(yield* seen(bilibili("b")), { kind: "video", hasSubtitles: true });
        assert.include(yield* namesOf(bilibili("b"), ["transcript"]), "transcript.txt");
        assert.strictEqual(timesAsked("b"), 2);
      })
    );

    const refusals = [
      ["c", 429, "rate_limited"],
      ["d", 403, "bot_blocked"],
      ["e", 503, "unreachable"]
    ] as const;

    it.effect.each(isWhole ? refusals : [])(
      "that the extractor asks for and is refused always (%s, %d) get three requests",
      ([letter, , reason]) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* refusedOf(bilibili(letter), ["transcript"]), [
            ["transcript", reason]
          ]);
          assert.strictEqual(timesAsked(letter), 3);
        })
    );

    it.effect("are not believed to be none if the extractor treats refused ones so", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* refusedOf(bilibili("f"), ["comments"]), [["comments", "bot_blocked"]]);
        assert.deepStrictEqual(yield* refusedOf(bilibili("h"), ["transcript"]), []);
      })
    );
  });
});
