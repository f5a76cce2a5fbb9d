// @module-tag long
import { fileURLToPath } from "node:url";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { runPython } from "./runPython.ts";

const CHECK = fileURLToPath(new URL("./extractor_index.py", import.meta.url));

/** Every 100th of 19,000 URLs is tried, because each is matched against 1,900 patterns. */
const EVERY = "100";

/** Upper limit of the median number of extractors that the index selects for a URL, as of 2025-04-30. */
const ASKED_MAX = 200;

describe("The index of extractors", () => {
  it.live("names the extractor that yt-dlp chooses, and those for which a pattern can match", () =>
    Effect.gen(function* () {
      const printed = yield* runPython({ program: [CHECK], args: [EVERY] });
      const { askedMedian, extractors, indexed, leftOut, patterns, silent, unproven, urls, wronglyProven } =
        JSON.parse(printed);
      assert.deepStrictEqual(
        { leftOut, silent, unproven, wronglyProven },
        { leftOut: [], silent: [], unproven: [], wronglyProven: [] }
      );
      assert.isAbove(urls, 150);
      assert.isAbove(extractors, 1_000);
      assert.isAbove(indexed, 0.95 * patterns);
      assert.isBelow(askedMedian, ASKED_MAX);
    })
  );
});
