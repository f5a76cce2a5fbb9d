import { assert, describe, it } from "@effect/vitest";
import * as Arbitrary from "effect/Arbitrary";
import { inSubtitles, withAlignedWords } from "../../src/speech/SpokenWords.ts";
import { intBetween } from "@winnow/core/test/domain/Arbitraries";

/** A word a second. */
const spoken = (text: string, words: ReadonlyArray<string>) => ({
  text,
  startSeconds: 0,
  endSeconds: words.length,
  words: words.map((word, index) => ({ text: word, startSeconds: index, endSeconds: index + 0.8 }))
});

const textsOf = (segments: ReadonlyArray<{ readonly text: string }>) => segments.map(({ text }) => text);

describe("the words of a segment", () => {
  it("are written as in its text, although the recogniser states them without punctuation", () => {
    const { words = [] } = withAlignedWords(spoken("“Well,” she said: No!", ["well", "she", "said", "no"]));
    assert.deepStrictEqual(textsOf(words), ["“Well,”", "she", "said:", "No!"]);
  });

  it("are left out if they are not those of its text", () => {
    for (const words of [["another", "text"], ["said", "she"], ["..."]]) {
      assert.notProperty(withAlignedWords(spoken("She said no.", words)), "words");
    }
  });

  it("lie within the segment, in order", () => {
    const { words } = withAlignedWords({
      text: "One two.",
      startSeconds: 1,
      endSeconds: 2,
      words: [
        { text: "one", startSeconds: 0.5, endSeconds: 1.6 },
        { text: "two", startSeconds: 1.5, endSeconds: 2.4 }
      ]
    });
    assert.deepStrictEqual(words, [
      { text: "One", startSeconds: 1, endSeconds: 1.6 },
      { text: "two.", startSeconds: 1.6, endSeconds: 2 }
    ]);
  });
});

describe("a long segment", () => {
  const subtitles = (text: string, words: ReadonlyArray<string>) =>
    inSubtitles(withAlignedWords(spoken(text, words)));

  it("is split after a sentence, else at a comma, near the middle", () => {
    const text = "It rains today. We stay at home, all of us.";
    const words = text.split(" ");
    assert.deepStrictEqual(textsOf(subtitles(text, words)), [
      "It rains today.",
      "We stay at home, all of us."
    ]);
  });

  it("in a script without spaces keeps it so", () => {
    const words = ["今日", "は", "天気", "が", "良い", "ので", "散歩", "に", "行き", "ます"];
    const split = subtitles(`${words.join("")}。`, words);
    assert.isAbove(split.length, 1);
    assert.strictEqual(textsOf(split).join(""), `${words.join("")}。`);
  });

  it("stays whole without words", () => {
    const whole = { text: "One two three.", startSeconds: 0, endSeconds: 120 };
    assert.deepStrictEqual(inSubtitles(withAlignedWords(whole)), [whole]);
  });

  it.prop(
    "loses no word, and none of its parts is longer than seven seconds",
    { numbers: Arbitrary.array(intBetween(0, 99), { minLength: 1, maxLength: 60 }) },
    ({ numbers }) => {
      const words = numbers.map((number) => `w${number}${number % 7 === 0 ? "." : ""}`);
      const split = subtitles(words.join(" "), words);
      assert.strictEqual(textsOf(split).join(" "), words.join(" "));
      let before = 0;
      for (const { startSeconds, endSeconds } of split) {
        assert.isAtMost(endSeconds - startSeconds, 7);
        assert.isAtLeast(startSeconds, before);
        before = endSeconds;
      }
    }
  );
});
