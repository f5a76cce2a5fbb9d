import { assert, describe, it } from "@effect/vitest";
import type { InputText } from "../../../src/domain/text/InputText.ts";
import { isSufficient, WORDS_TO_JUDGE_MIN } from "../../../src/domain/evidence/Sufficiency.ts";

const textOf = (...texts: ReadonlyArray<string>): ReadonlyArray<InputText> => [
  {
    source: "page",
    segments: texts.map((text) => ({ text, startSeconds: null, endSeconds: null, author: null }))
  }
];

const words = (count: number): string => Array.from({ length: count }, (_, n) => `word${n}`).join(" ");

describe("enough to read", () => {
  it("is a number of words, however they are split", () => {
    assert.isFalse(isSufficient(textOf(words(WORDS_TO_JUDGE_MIN - 1)), 0));
    assert.isTrue(isSufficient(textOf(words(WORDS_TO_JUDGE_MIN)), 0));
    assert.isFalse(isSufficient(textOf(words(4), words(WORDS_TO_JUDGE_MIN - 5)), 0));
    assert.isTrue(isSufficient([...textOf(words(4)), ...textOf(words(WORDS_TO_JUDGE_MIN - 4))], 0));
  });

  it("is any image or audio", () => {
    assert.isTrue(isSufficient([], 1));
    assert.isFalse(isSufficient([], 0));
  });

  it("does not count punctuation, rules and spaces as words", () => {
    assert.isFalse(isSufficient(textOf(" - ".repeat(200), "*** ### ... !!! \u{1f600} ".repeat(100)), 0));
    assert.isFalse(isSufficient(textOf("don't ".repeat(WORDS_TO_JUDGE_MIN - 1)), 0));
  });

  it("counts two characters as a word in scripts without spaces", () => {
    const poem = "春眠不覚暁処処";
    assert.isTrue(isSufficient(textOf(poem.repeat(4)), 0));
    assert.isFalse(isSufficient(textOf(poem), 0));
    assert.isTrue(isSufficient(textOf(`${words(4)} ${poem}`), 0));
    assert.isFalse(isSufficient(textOf("오늘은 날씨가 좋습니다 ".repeat(2)), 0));
  });
});
