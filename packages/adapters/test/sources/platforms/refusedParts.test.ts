// @module-tag long
import { afterAll, assert, layer } from "@effect/vitest";
import type { Modality } from "@winnow/core/domain/source/Modality";
import * as Effect from "effect/Effect";
import { temporaryFolder } from "../harness.ts";
import { openPlatforms } from "./openPlatforms.ts";
import { fetched, seen } from "./visits.ts";

const { asked, downloader } = await openPlatforms(temporaryFolder(), afterAll, {
  limits: { lookupRetryMs: 10 }
});

const address = (letter: string) => `https://www.bilibili.com/video/BV1GJ411x7h${letter}`;

/** Plain strings, because the inferred type of an expected value would be too narrow. */
interface Parts {
  readonly files: ReadonlyArray<string>;
  readonly refused: ReadonlyArray<ReadonlyArray<string>>;
}

const partsOf = (letter: string, wants: ReadonlyArray<Modality>) =>
  Effect.scoped(
    Effect.map(fetched(address(letter), wants), ({ failedLookups = {}, files }): Parts => ({
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

layer(downloader, { excludeTestServices: true })("A platform whose extractor asks for captions", (it) => {
  it.effect("has them with its video", () =>
    Effect.gen(function* () {
      assert.deepInclude(yield* seen(address("a")), {
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
      assert.deepInclude(yield* seen(address("b")), { kind: "video", hasSubtitles: true });
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
        assert.deepInclude(yield* seen(address(letter)), { kind: "video", title: "How sieves are made" });
        assert.deepStrictEqual(yield* partsOf(letter, ["transcript"]), unknown(reason));
        assert.strictEqual(timesAsked(letter, "/x/player/wbi/v2"), 3);
      })
    );
  }

  it.effect("that are not there has none", () =>
    Effect.gen(function* () {
      assert.deepInclude(yield* seen(address("h")), { kind: "video", hasSubtitles: false });
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
