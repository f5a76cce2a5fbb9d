import { assert, describe, it } from "@effect/vitest";
import * as fc from "fast-check";
import { Repeats, textShape } from "../../../src/pages/text/blocks/WordFeatures.ts";
import { charsOf, folded } from "../../../src/pages/tree/PlainText.ts";

const TEXTS = fc.string({
  unit: fc.oneof(
    fc.constantFrom(..."aZ ,.!?。\n\t\u00a0\u2003é九٣½ǅªﬁ\ud83d\ude00𝒳𝟙𐐀".split("")),
    fc.constantFrom("😀", "𝒳", "𝟙", "𐐀", "ﬁ", " ", "word"),
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 })
  ),
  maxLength: 60
});
const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

describe("character kinds", () => {
  it("are counted as Unicode patterns count them", () => {
    fc.assert(
      fc.property(TEXTS, (text) => {
        assert.deepStrictEqual(textShape(text), {
          pieces: text.split(/\s+/).length,
          sentenceEnds: countOf(text, /[.!?。]/g),
          commas: countOf(text, /,/g),
          lineEnds: countOf(text, /\n/g),
          upperLetters: countOf(text, /\p{Lu}/gu),
          numbers: countOf(text, /\p{N}/gu),
          signs: countOf(text, /[^\p{L}\p{N}\s]/gu)
        });
        assert.strictEqual(charsOf(text), text.replace(/\s+/g, "").length);
      })
    );
  });

  it("reduce a text to letters and digits in lower case", () => {
    fc.assert(
      fc.property(TEXTS, (text) =>
        assert.strictEqual(
          folded(text),
          text
            .toLowerCase()
            .normalize("NFKC")
            .replace(/[^\p{L}\p{N}]+/gu, " ")
            .trim()
        )
      )
    );
  });
});

describe("repeated text", () => {
  it("is found by whole texts and by sequences of three words", () => {
    const repeats = new Repeats();
    assert.deepStrictEqual(repeats.add("One two three four"), [0, 0]);
    assert.deepStrictEqual(repeats.add("one two"), [0, -1]);
    assert.deepStrictEqual(repeats.add("…two, three; FOUR five"), [0, 1 / 2]);
    assert.deepStrictEqual(repeats.add("One two three four"), [1, 1]);
  });
});
