// @module-tag long
import { afterAll, assert, describe, layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { temporaryFolder } from "../harness.ts";
import { openPlatforms } from "./openPlatforms.ts";
import { assertRefused, filesOf, namesOf, seen } from "./visits.ts";

const { downloader } = await openPlatforms(temporaryFolder(), afterAll);

// Without the refusals that situations.test.ts has.
layer(downloader, { excludeTestServices: true })((it) => {
  describe("A post on X", () => {
    it.effect("of one video is that video", () =>
      Effect.gen(function* () {
        assert.deepInclude(yield* seen("https://x.com/ada/status/100"), {
          kind: "video",
          title: "Ada Fixture - One video",
          uploader: "Ada Fixture",
          durationSeconds: 10,
          likeCount: 7
        });
        assert.deepStrictEqual(yield* filesOf("https://x.com/ada/status/100"), {
          media: ["video.mp4"],
          warnings: []
        });
      })
    );

    it.effect("with two videos keeps both, and has its own URL", () =>
      Effect.gen(function* () {
        const facts = yield* seen("https://x.com/ada/status/101");
        assert.deepInclude(facts, { kind: "video", durationSeconds: 10 });
        assert.include(facts.webpageUrl, "101");
        assert.deepStrictEqual(yield* filesOf("https://x.com/ada/status/101"), {
          media: ["video.mp4", "video.02.mp4"],
          warnings: []
        });
      })
    );

    it.effect("with a photo, a video and a photo keeps all three", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* filesOf("https://x.com/ada/status/103"), {
          media: ["video.mp4", "image.01.jpg", "image.02.jpg"],
          warnings: []
        });
      })
    );

    it.effect("of photos is a photo post", () =>
      Effect.gen(function* () {
        assert.deepInclude(yield* seen("https://x.com/ada/status/102"), { kind: "photos", imageCount: 3 });
        const { media } = yield* filesOf("https://x.com/ada/status/102");
        assert.deepStrictEqual(media, ["image.01.jpg", "image.02.jpg", "image.03.jpg"]);
      })
    );
  });

  describe("Bluesky", () => {
    it.effect("has a video with its text", () =>
      Effect.gen(function* () {
        const url = "https://bsky.app/profile/ada.bsky.social/post/aaa";
        assert.deepInclude(yield* seen(url), { kind: "video", uploader: "Ada Fixture", likeCount: 5 });
        assert.deepStrictEqual(yield* filesOf(url), { media: ["video.mp4"], warnings: [] });
      })
    );

    it.effect("has a photo post", () =>
      Effect.gen(function* () {
        const url = "https://bsky.app/profile/ada.bsky.social/post/bbb";
        assert.deepInclude(yield* seen(url), { kind: "photos", imageCount: 2, description: "Two photos" });
        assert.deepStrictEqual((yield* filesOf(url)).media, ["image.01.jpg", "image.02.jpg"]);
      })
    );

    it.effect("does not have a deleted post", () =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(seen("https://bsky.app/profile/ada.bsky.social/post/zzz"));
        // yt-dlp reports only status 400.
        assert.include(["removed", "not_extractable"], failure.reason);
      })
    );
  });

  describe("TikTok", () => {
    it.effect("has a video with its counts", () =>
      Effect.gen(function* () {
        const url = "https://www.tiktok.com/@ada/video/7000000000000000001";
        assert.deepInclude(yield* seen(url), {
          kind: "video",
          durationSeconds: 10,
          likeCount: 5,
          viewCount: 99
        });
        assert.deepStrictEqual(yield* filesOf(url), { media: ["video.mp4"], warnings: [] });
      })
    );
  });

  describe("Reddit", () => {
    const address = (id: string) => `https://www.reddit.com/r/sieves/comments/${id}/a_sieve/`;

    it.effect("has a video with its sound and its captions", () =>
      Effect.gen(function* () {
        assert.deepInclude(yield* seen(address("video")), {
          kind: "video",
          title: "One video",
          uploader: "ada",
          durationSeconds: 10,
          likeCount: 5,
          commentCount: 2,
          captionLanguages: [{ language: "en", origin: "people" }]
        });
        assert.includeMembers(yield* namesOf(address("video")), ["video.mp4", "audio.m4a", "transcript.txt"]);
      })
    );

    it.effect("has a video that another post of it shows, or that is for adults", () =>
      Effect.gen(function* () {
        for (const id of ["crosspost", "adults"]) {
          assert.deepInclude(yield* seen(address(id)), { kind: "video", durationSeconds: 10 });
        }
      })
    );

    it.effect("has a text with two videos", () =>
      Effect.gen(function* () {
        assert.deepInclude(yield* seen(address("videos")), { kind: "video", description: "Twice" });
        const files = { media: ["video.mp4", "video.02.mp4"], warnings: [] };
        assert.deepStrictEqual(yield* filesOf(address("videos")), files);
      })
    );

    it.effect("has one picture", () =>
      Effect.gen(function* () {
        const facts = yield* seen(address("picture"));
        assert.deepInclude(facts, { kind: "photos", title: "One picture", imageCount: 1, likeCount: 5 });
      })
    );

    it.effect("has a gallery in the order of its author", () =>
      Effect.gen(function* () {
        const facts = yield* seen(address("gallery"));
        assert.deepInclude(facts, { kind: "photos", imageCount: 2, uploader: "ada" });
        assert.include(facts.thumbnailUrl, "p2.jpg");
        assert.deepStrictEqual((yield* filesOf(address("gallery"))).media, ["image.01.jpg", "image.02.jpg"]);
      })
    );

    it.effect("has a text-only post, which is read from its page", () =>
      Effect.gen(function* () {
        assert.deepInclude(yield* seen(address("words")), { kind: "webpage", title: "Words alone" });
      })
    );

    it.effect("has a link to a video elsewhere, under the title that it has here", () =>
      Effect.gen(function* () {
        const facts = yield* seen(address("link"));
        assert.deepInclude(facts, {
          kind: "video",
          title: "Seen on YouTube",
          uploader: "ada",
          viewCount: 99
        });
      })
    );

    for (const [id, is, reason] of [
      ["gone", "that is gone", "removed"],
      ["fresh", "whose video is not ready", "live"],
      ["poll", "of a poll alone, whose page shows nothing", "not_extractable"]
    ] as const) {
      it.effect(`reports a post ${is}: ${reason}`, () => assertRefused(address(id), reason));
    }
  });

  describe("Vimeo", () => {
    it.effect("has a video with captions and chapters", () =>
      Effect.gen(function* () {
        assert.deepInclude(yield* seen("https://vimeo.com/1001"), {
          kind: "video",
          title: "How sieves are made",
          uploader: "Ada Fixture",
          durationSeconds: 10,
          captionLanguages: [
            { language: "en", origin: "people" },
            { language: "de", origin: "people" }
          ],
          chapters: [
            { title: "Frame", startSeconds: 0 },
            { title: "Mesh", startSeconds: 4 }
          ]
        });
        const files = ["video.mp4", "transcript.txt", "subtitles.en.vtt", "subtitles.de.vtt"];
        assert.includeMembers(yield* namesOf("https://vimeo.com/1001"), files);
      })
    );

    it.effect("provides details of a video that its player lacks", () =>
      Effect.gen(function* () {
        const told = { uploadDate: "20250304", viewCount: 99, likeCount: 5, commentCount: 2 };
        assert.deepInclude(yield* seen("https://vimeo.com/1001"), told);
      })
    );

    it.effect("shows in its player a video whose page requires an account, under the page's URL", () =>
      Effect.gen(function* () {
        const url = "https://vimeo.com/1006";
        const facts = yield* seen(url);
        assert.deepInclude(facts, { kind: "video", title: "How sieves are made", webpageUrl: url });
        assert.includeMembers(yield* namesOf(url), ["video.mp4", "transcript.txt", "subtitles.en.vtt"]);
      })
    );

    it.effect("shows in its player a video without a page", () =>
      Effect.gen(function* () {
        const facts = yield* seen("https://vimeo.com/1007");
        assert.deepInclude(facts, { kind: "video", title: "How sieves are made", hasSubtitles: true });
      })
    );

    it.effect("has the same video in its player", () =>
      Effect.gen(function* () {
        const facts = yield* seen("https://player.vimeo.com/video/1001");
        assert.deepInclude(facts, { kind: "video", title: "How sieves are made", hasSubtitles: true });
      })
    );

    it.effect("has an unlisted video for those who know its hash", () =>
      Effect.gen(function* () {
        const facts = yield* seen("https://vimeo.com/1002/abcdef1234");
        assert.deepInclude(facts, { kind: "video", webpageUrl: "https://vimeo.com/1002/abcdef1234" });
      })
    );

    for (const [path, is, reason] of [
      ["vimeo.com/1004", "a live stream", "live"],
      ["vimeo.com/1005", "a broadcast that has not begun", "live"],
      ["player.vimeo.com/video/2005", "a player that only other sites may show", "private"]
    ] as const) {
      it.effect(`reports ${is}: ${reason}`, () => assertRefused(`https://${path}`, reason));
    }
  });

  describe("A listing of a platform without a table", () => {
    for (const [url, what] of [
      ["https://sieves.bandcamp.com/music", "with several works for yt-dlp"],
      ["https://bsky.app/profile/ada.bsky.social", "with several posts for gallery-dl"],
      ["https://bsky.app/profile/empty.bsky.social", "in which gallery-dl finds nothing"]
    ] as const) {
      it.effect(`${what}, is refused although its page could be read as an article`, () =>
        assertRefused(url, "not_extractable")
      );
    }
  });
});
