import { assert, it } from "@effect/vitest";
import * as Arbitrary from "effect/Arbitrary";
import { makeFirstEnds } from "../../../src/domain/evidence/MultiPatternSearch.ts";
import { oneOf } from "../Arbitraries.ts";

const Word = Arbitrary.map(Arbitrary.array(oneOf(["a", "b", "🍅", "c"]), { maxLength: 8 }), (letters) =>
  letters.join("")
);

it.prop(
  "each needle is found where its first occurrence ends, as a search for it alone would find it",
  { needles: Arbitrary.array(Word, { maxLength: 6 }), texts: Arbitrary.array(Word, { maxLength: 8 }) },
  ({ needles, texts }) => {
    const text = texts.join("");
    assert.deepStrictEqual(
      makeFirstEnds(needles)(text),
      needles.map((needle) => {
        const at = needle === "" ? -1 : text.indexOf(needle);
        return at === -1 ? -1 : at + needle.length;
      })
    );
  }
);
