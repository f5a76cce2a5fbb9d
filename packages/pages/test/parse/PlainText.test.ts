import { assert, describe, it } from "@effect/vitest";
import * as fc from "fast-check";
import { cut, folded, oneLine, tidyLines } from "../../src/parse/PlainText.ts";

const TEXTS = fc.string({
  unit: fc.oneof(
    fc.constantFrom(..."aZ ,.!?。\n\t\u00a0\u2003é九٣½ǅªﬁ\ud83d\ude00𝒳𝟙𐐀".split("")),
    fc.constantFrom("😀", "𝒳", "𝟙", "𐐀", "ﬁ", " ", "word"),
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 })
  ),
  maxLength: 60
});

describe("lines", () => {
  it("are tidied without being joined", () => {
    assert.strictEqual(tidyLines("  a\t\tb \n \n  c\u00a0d\n"), "a b\nc d");
  });

  it("become one line or nothing", () => {
    assert.strictEqual(oneLine(" a\nb  c ", 10), "a b c");
    assert.isNull(oneLine(" \u200b\n ", 10));
  });

  it("are never cut inside a character", () => {
    assert.strictEqual(cut("ab😀", 3), "ab");
    assert.strictEqual(cut("ab😀", 4), "ab😀");
  });
});

describe("a folded text", () => {
  it("has its letters and digits in lower case", () => {
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
