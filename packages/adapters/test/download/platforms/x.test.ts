import { afterAll, assert, layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { temporaryFolder } from "../harness.ts";
import { openPlatforms } from "./openPlatforms.ts";
import { filesOf, seen } from "./visits.ts";

const { downloader } = await openPlatforms(temporaryFolder(), afterAll);

layer(downloader, { excludeTestServices: true })("A post on X", (it) => {
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

  it.effect("of two videos keeps both, and its own address is the one that is told", () =>
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

  it.effect("of a photo, a video and a photo keeps all three", () =>
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

  for (const [id, is, reason] of [
    ["104", "is for adults who signed in", "age_restricted"],
    ["105", "is protected", "private"],
    ["106", "is of a suspended account", "removed"],
    ["108", "is asked for too often", "rate_limited"]
  ] as const) {
    it.effect(`that ${is} is ${reason}`, () =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(seen(`https://x.com/ada/status/${id}`));
        assert.strictEqual(failure.reason, reason);
      })
    );
  }
});
