import { afterAll, assert, layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { temporaryFolder } from "../harness.ts";
import { openPlatforms } from "./openPlatforms.ts";
import { filesOf, seen } from "./visits.ts";

const { downloader } = await openPlatforms(temporaryFolder(), afterAll);

layer(downloader, { excludeTestServices: true })("Bluesky", (it) => {
  it.effect("has a video with its words", () =>
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

  it.effect("has no post that is gone", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(seen("https://bsky.app/profile/ada.bsky.social/post/zzz"));
      // yt-dlp passes on no more than status 400.
      assert.include(["removed", "not_extractable"], failure.reason);
    })
  );
});

layer(downloader, { excludeTestServices: true })("TikTok", (it) => {
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

  for (const [id, reasons] of [
    ["7000000000000000002", ["bot_blocked"]],
    ["7000000000000000003", ["private", "login_required"]]
  ] as const) {
    it.effect(`says of ${id} that it is ${reasons.join(" or ")}`, () =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(seen(`https://www.tiktok.com/@ada/video/${id}`));
        assert.include(reasons, failure.reason);
      })
    );
  }
});
