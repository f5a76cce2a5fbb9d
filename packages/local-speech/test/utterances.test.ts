import { assert, describe, it } from "@effect/vitest";
import { SAMPLE_HERTZ } from "../src/RecogniserMessages.ts";
import { gapsOf, segmentOf } from "../src/utterances.ts";

const said = (tokens: ReadonlyArray<string>, lengthSeconds = 2) => ({
  startSample: SAMPLE_HERTZ,
  endSample: SAMPLE_HERTZ * (1 + lengthSeconds),
  text: tokens.join("").replaceAll("▁", " "),
  language: "",
  tokens,
  timestamps: tokens.map((_, index) => index / 10)
});

describe("what a local model recognised", () => {
  it("has times of words, unless its pieces are none", () => {
    const long = ["▁The", "▁Donau", "dampf", "schiff", "fahrts", "gesell", "schaft"];
    assert.deepStrictEqual(
      segmentOf(said(long))?.words?.map(({ text, startSeconds, endSeconds }) => [
        text,
        startSeconds,
        endSeconds
      ]),
      [
        ["The", 1, 1.1],
        ["Donaudampfschifffahrtsgesellschaft", 1.1, 3]
      ]
    );
    assert.isUndefined(
      segmentOf(said([..."今日は天気がとても良いので散歩に行きましょう。".repeat(2)]))?.words
    );
  });

  it("has a gap where a second of speech has no word, not for a breath", () => {
    assert.deepStrictEqual(gapsOf([said([], 0.9), said(["▁a"], 3)]), []);
    assert.deepStrictEqual(gapsOf([said([], 1)]), [{ startSeconds: 1, endSeconds: 2 }]);
  });
});
