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

/** Patterns that look as if they had other literals, with those that they have. */
const PATTERNS: Readonly<Record<string, ReadonlyArray<string>>> = {
  "https?://(?:(?:www|go|m)\\.)?twitch\\.tv/": ["twitch.tv/"],
  "https?://(?:a-site\\.com|(?:www\\.)?b-site\\.org)/(?P<id>\\d+)": ["a-site.com", "b-site.org"],
  "(?P<base>https?://(?:www\\.)?raiplay\\.it)/videos?/": ["raiplay.it"],
  "(?i)https?://BostonGlobe\\.com": ["bostonglobe.com"],
  "one\\.com|two\\.com": ["one.com", "two.com"],
  "one\\.com|\\w+": [],
  "one\\.com|": [],
  "(?:one\\.com)?/\\d": [],
  "(?:one\\.com){0,2}/\\d": [],
  "(?:one\\.com)+/\\d": ["one.com"],
  "(?!one\\.com)\\d+": [],
  "(?<!one\\.com)\\d+": [],
  "(\\d)?(?(1)one\\.com|three)": [],
  "[(one.com]x": [],
  "[])one.com|]x": [],
  "[^\\])one.com]x": [],
  "\\(one\\.com": ["(one.com"],
  "one\\.coms?": ["one.com"],
  "one\\.com{2}": ["one.co"],
  "videos\\.?": ["videos"],
  "\\d{1000,2000}": [],
  "a{one}b": [],
  "\\x41long": ["long"],
  "\\dlong\\Blong\\u0041": ["long"],
  "(?#one.com|[)two\\.com": ["two.com"],
  "(?x) one \\.com # or two.com | (three": ["one.com"],
  "(?x) [#] one\\.com # [": ["one.com"],
  "(?x)one\\.co m ?/": ["one.co"],
  "(?x)(?:one\\.com # [)\n | two\\.com ) ?": [],
  "(?x:one\\.com # two.com\n)": [],
  "(?s:one\\.com)": [],
  "(?P<q>a)one\\.com(?P=q)": ["one.com"]
};

describe("The index of extractors", () => {
  it.live("names the extractor that yt-dlp chooses, and those for which a pattern can match", () =>
    Effect.gen(function* () {
      const input = JSON.stringify(Object.keys(PATTERNS));
      const printed = yield* runPython({ program: [CHECK], args: [EVERY], input });
      const {
        askedMedian,
        extractors,
        indexed,
        leftOut,
        others,
        patterns,
        silent,
        unproven,
        urls,
        wronglyProven
      } = JSON.parse(printed);
      assert.deepStrictEqual(others, PATTERNS);
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
