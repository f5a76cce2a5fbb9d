// @module-tag long
import { assert, describe, layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { downloaderOf, openSite, temporaryFolder } from "../harness.ts";
import { CAPTIONS, SECONDS } from "../site/media.ts";
import { assertOutcome, type Expected, fetch, textOf, UNTOLD } from "./outcome.ts";

const site = await openSite();

const THUMBNAIL = `${site.url}/media/thumb.webp`;

/** The values in the talk's JSON-LD; its date is the 5th in UTC. */
const TOLD = {
  ...UNTOLD,
  title: "The talk",
  uploader: "Ada Fixture",
  description: "A talk about nothing.",
  thumbnailUrl: THUMBNAIL,
  durationSeconds: SECONDS,
  viewCount: 12_345,
  likeCount: 678,
  commentCount: 9,
  uploadDate: "20250304"
};

const MEDIA = ["video.mp4", "audio.m4a"];
const ENGLISH = ["transcript.txt", "transcript.json", "subtitles.en.vtt", "subtitles.en.srt"];
const BOTH = [...ENGLISH, "subtitles.de.vtt", "subtitles.de.srt"];

const untold = (title: string, more: Partial<Expected["facts"]> = {}) => ({
  ...UNTOLD,
  title,
  durationSeconds: SECONDS,
  ...more
});

const MEASURED = { measuredSeconds: SECONDS } as const;

const FIXTURE = { title: "A fixture", uploader: "Ada Fixture", durationSeconds: SECONDS, commentCount: 0 };

const OUTCOMES: Readonly<Record<string, Expected>> = {
  "/watch/talk": {
    facts: { ...TOLD, hasSubtitles: true },
    files: [...MEDIA, ...BOTH, "thumbnail.jpg", "description.txt"],
    ...MEASURED
  },
  "/watch/jsonld-hls": {
    facts: { ...TOLD, hasSubtitles: true },
    files: [...MEDIA, ...BOTH, "thumbnail.jpg", "description.txt"],
    ...MEASURED
  },
  "/watch/og": {
    facts: untold("Open Graph only", { description: "No schema.", thumbnailUrl: THUMBNAIL }),
    files: [...MEDIA, "thumbnail.jpg", "description.txt"],
    ...MEASURED
  },
  "/watch/hls": {
    facts: untold("An HLS talk", { hasSubtitles: true }),
    files: [...MEDIA, ...BOTH, "thumbnail.jpg"],
    ...MEASURED
  },
  "/watch/dash": {
    facts: untold("A DASH talk"),
    files: [...MEDIA, "thumbnail.jpg"],
    ...MEASURED
  },
  "/watch/jwplayer": {
    facts: untold("JW talk", { description: "By the player.", thumbnailUrl: THUMBNAIL, hasSubtitles: true }),
    files: [...MEDIA, ...ENGLISH, "thumbnail.jpg", "description.txt"],
    ...MEASURED
  },
  "/watch/nodur": {
    facts: untold("Hidden length", { durationSeconds: null }),
    files: [...MEDIA, "thumbnail.jpg"],
    codecs: ["avc1"],
    ...MEASURED
  },
  "/watch/vp9": {
    facts: untold("An open codec"),
    files: [...MEDIA, "thumbnail.jpg"],
    codecs: ["vp09", "mp4a"],
    ...MEASURED
  },
  "/watch/short-claim": {
    facts: { ...TOLD, durationSeconds: 5 },
    files: [...MEDIA, "thumbnail.jpg", "description.txt"],
    ...MEASURED
  },
  "/redirect?to=/watch/jsonld": {
    facts: TOLD,
    files: [...MEDIA, "thumbnail.jpg", "description.txt"],
    ...MEASURED
  },
  "/podcast-one.xml": {
    facts: untold("Episode 1"),
    files: ["audio.m4a"],
    ...MEASURED
  },
  "/media/talk.mp4": { facts: untold("talk"), files: [...MEDIA, "thumbnail.jpg"], ...MEASURED },
  "/mistyped/talk": { facts: untold("talk"), files: [...MEDIA, "thumbnail.jpg"], ...MEASURED },
  "/media/silent.mp4": {
    facts: untold("silent"),
    files: ["video.mp4", "thumbnail.jpg"],
    ...MEASURED
  },
  "/media/talk.m4a": {
    facts: untold("talk"),
    files: ["audio.m4a"],
    ...MEASURED
  },
  "/media/hls/master.m3u8": {
    facts: untold("master", { hasSubtitles: true }),
    files: [...MEDIA, ...BOTH, "thumbnail.jpg"],
    ...MEASURED
  },
  "/media/hls/video.m3u8": {
    facts: untold("video"),
    files: ["video.mp4", "thumbnail.jpg"],
    ...MEASURED
  },
  "/fx/video": {
    facts: {
      ...UNTOLD,
      ...FIXTURE,
      description: "As told by the extractor.",
      viewCount: 10,
      commentCount: 30,
      uploadDate: "20250304",
      hasSubtitles: true,
      hasComments: true
    },
    files: [
      ...MEDIA,
      "transcript.txt",
      "transcript.json",
      "subtitles.de.vtt",
      "subtitles.de.srt",
      "comments.json",
      "thumbnail.jpg",
      "description.txt"
    ],
    ...MEASURED
  }
};

layer(downloaderOf(site, temporaryFolder()), { excludeTestServices: true })((it) => {
  describe("A video", () => {
    for (const [path, expected] of Object.entries(OUTCOMES)) {
      it.effect(`at ${path} has exactly its facts and its files, which players can stream`, () =>
        assertOutcome(site, path, expected)
      );
    }

    it.effect("that a page links to but that is gone fails, even though the page exists", () =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(Effect.scoped(fetch(`${site.url}/watch/gone`)));
        assert.strictEqual(failure.reason, "removed");
      })
    );
  });

  describe("A transcript", () => {
    const words = (path: string, language: string) =>
      fetch(site.url + path, { wantsOf: () => ["transcript"], language });

    it.effect("is in the requested language, and says so", () =>
      Effect.gen(function* () {
        for (const language of ["de", "de-AT"]) {
          const german = yield* words("/watch/talk", language);
          assert.isFalse(german.languageMissing);
          assert.strictEqual(textOf(german, "transcript.txt"), `${CAPTIONS.de.join("\n")}\n`);
          assert.deepInclude(JSON.parse(textOf(german, "transcript.json")), {
            language: "de",
            origin: "people"
          });
          assert.include(
            german.files.map(({ name }) => name),
            "subtitles.en.vtt"
          );
        }
      })
    );

    it.effect("may be automatic in the spoken language, if requested", () =>
      Effect.gen(function* () {
        const english = yield* words("/fx/video", "en");
        assert.isFalse(english.languageMissing);
        assert.strictEqual(textOf(english, "transcript.txt"), `${CAPTIONS.en.join("\n")}\n`);
        assert.strictEqual(JSON.parse(textOf(english, "transcript.json")).origin, "automatic");
        assert.match(
          textOf(english, "subtitles.en.srt"),
          /^1\n\d\d:\d\d:\d\d,\d{3} --> \d\d:\d\d:\d\d,\d{3}\n[^\n]+\n\n2\n/u
        );
        assert.includeMembers(
          english.files.map(({ name }) => name),
          ["subtitles.en.vtt", "subtitles.de.vtt"]
        );
      })
    );

    it.effect("is never a machine translation: the original is used instead, with a warning", () =>
      Effect.gen(function* () {
        const french = yield* words("/fx/translated", "fr");
        assert.isTrue(french.languageMissing);
        assert.strictEqual(textOf(french, "transcript.txt"), `${CAPTIONS.en.join("\n")}\n`);
        assert.strictEqual(JSON.parse(textOf(french, "transcript.json")).language, "en");
        assert.notInclude(
          french.files.map(({ name }) => name),
          "subtitles.fr.vtt"
        );
      })
    );

    it.effect("that does not exist is missing in every language", () =>
      Effect.gen(function* () {
        const none = yield* words("/watch/jsonld", "de");
        assert.deepStrictEqual(
          [none.languageMissing, none.files.some(({ name }) => name === "transcript.txt")],
          [false, false]
        );
      })
    );
  });
});
