import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import sharp from "sharp";
import { decodeHeic } from "../../src/download/heic/decodeHeic.ts";
import { makeJpeg } from "../../src/download/Images.ts";
import { HEIC } from "./site/media.ts";

describe("images", () => {
  it.live("many at once leave threads for everything else of this process", () =>
    Effect.gen(function* () {
      const image = yield* Effect.promise(() =>
        sharp({ create: { width: 2_000, height: 2_000, channels: 3, background: "#345" } })
          .webp()
          .toBuffer()
      );
      let most = 0;
      // `queue` is not added: an image that moves from it to `process` between the two reads counts twice.
      const timer = setInterval(() => {
        most = Math.max(most, sharp.counters().process);
      }, 1);
      const made = yield* Effect.forEach(
        Array.from({ length: 12 }, () => image),
        (bytes) => makeJpeg(bytes, { sideMaxPixels: 1_000, quality: 80 }),
        { concurrency: "unbounded" }
      );
      clearInterval(timer);
      assert.lengthOf(made, 12);
      assert.isAbove(most, 0);
      assert.isAtMost(most, 2);
    })
  );

  it.live("pictures of telephones are decoded up to a number of pixels, broken ones are refused", () =>
    Effect.gen(function* () {
      const { data, width, height } = yield* decodeHeic(HEIC, 64 * 48);
      assert.deepStrictEqual([width, height, data.length], [64, 48, 64 * 48 * 4]);
      for (const [bytes, pixelsMax] of [
        [HEIC, 64 * 48 - 1],
        [HEIC.subarray(0, 400), 64 * 48]
      ] as const) {
        const { _tag } = yield* Effect.flip(decodeHeic(bytes, pixelsMax));
        assert.strictEqual(_tag, "HeicUnreadable");
      }
    })
  );
});
