// @module-tag long
import { afterAll, assert, describe, layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { temporaryFolder } from "../harness.ts";
import { openPlatforms } from "./openPlatforms.ts";
import { assertRefused, filesOf, namesOf, seen } from "./visits.ts";

const { downloader } = await openPlatforms(temporaryFolder(), afterAll);

layer(downloader, { excludeTestServices: true })((it) => {
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
});
