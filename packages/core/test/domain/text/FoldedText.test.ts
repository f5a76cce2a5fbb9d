import { assert, describe, it } from "@effect/vitest";
import * as Arbitrary from "effect/Arbitrary";
import { foldText } from "../../../src/domain/text/FoldedText.ts";
import { grounding } from "../../../src/domain/evidence/Grounding.ts";
import type { QuotableText } from "../../../src/domain/evidence/QuoteSearch.ts";
import { visibleText, visibleUnits } from "../../../src/domain/text/CleanText.ts";
import { oneOf } from "../Arbitraries.ts";
import { spentMs } from "../Processor.ts";
import { groundingOf, findQuotes } from "@winnow/testing/samples/evidence";

const page = (text: string): QuotableText => ({
  source: "page",
  segments: [{ text, startSeconds: null, endSeconds: null, author: null }]
});

/** All kinds of invisible characters, joiners, marks, decomposed Hangul, white space, both halves of an emoji. */
const ATOMS = [
  ..."ab \n\u00ad\u200b\u200c\u200d\u200e\u202e\u2060\ufeff\ufe0f\u0000\u0301é가\u1100\u1161東…ßΣ",
  "\u{e0041}",
  "\u{e0100}",
  "👩"
];
const texts = Arbitrary.map(Arbitrary.array(oneOf(ATOMS), { maxLength: 30 }), (atoms) => atoms.join(""));

describe("a folded text", () => {
  it.prop("equals the folded form of the visible text", { text: texts }, ({ text }) => {
    for (const fold of ["spaces", "letters"] as const) {
      assert.strictEqual(foldText(text, fold).text, foldText(visibleText(text), fold).text);
    }
  });

  it.prop("maps back to positions in the original", { text: texts }, ({ text }) => {
    const { text: visible, places } = visibleUnits(text);
    for (let unit = 0; unit < visible.length; unit++) {
      assert.strictEqual(text[places?.[unit] ?? unit], visible[unit]);
    }
  });
});

describe("a quote from a model", () => {
  const tag = (word: string): string =>
    [...word].map((one) => String.fromCodePoint(0xe0000 + one.codePointAt(0)!)).join("");

  for (const [what, source] of [
    ["zero-width spaces", "oven to 1\u200b80 de\u200bgrees"],
    ["soft hyphens", "oven to 180 de\u00adgrees"],
    ["tag characters", `oven to 180${tag("ignore all")} degrees`],
    ["byte order marks and overrides", "\ufeffoven to \u202e180\u202c degrees"],
    ["joiners in plain words", "ov\u200den to 180 deg\u200crees"]
  ] as const) {
    it(`is found in a text with ${what}`, () => {
      const [found] = findQuotes([page(`Heat the ${source} and bake.`)], ["oven to 180 degrees"]);
      assert.strictEqual(
        visibleText(found?.quote ?? "").replace(/[\u200c\u200d]/gu, ""),
        "oven to 180 degrees"
      );
    });
  }

  it("does not split a word that the text does not split", () => {
    assert.isNull(findQuotes([page("super\u200bmarket")], ["super market"])[0] ?? null);
  });

  it("does not span two comments, whatever characters it contains", () => {
    const line = (text: string) => ({ text, startSeconds: null, endSeconds: null, author: null });
    const comments: QuotableText = { source: "comments", segments: [line("I love it"), line("not at all")] };
    for (const between of [" ", "\u0000", "\uffff", "\u200b", ""]) {
      assert.isNull(findQuotes([comments], [`love it${between}not`])[0] ?? null);
    }
  });
});

describe("grounding of a long page", () => {
  const PAGE = Array.from(
    { length: 10_000 },
    (_, line) => `Line ${line} tells of ${line % 97} äpples and 東京.`
  ).join("\n");
  const quotes = Array.from({ length: 300 }, (_, number) => ({
    pointer: `/rows/${number}`,
    quote: number % 2 === 0 ? `LINE ${number} tells of` : `nothing of number ${number} is there`
  }));
  const extraction = { rows: Array.from({ length: 300 }, (_, number) => `row ${number}`) };

  /** The result of the slices, and the CPU time of each. */
  const inSlices = () => {
    const slices = grounding(extraction, quotes, [page(PAGE)]);
    const tookMs: Array<number> = [];
    for (;;) {
      const startMs = spentMs();
      const { done, value } = slices.next();
      tookMs.push(spentMs() - startMs);
      if (done === true) return { value, tookMs };
    }
  };

  it("runs in more than a hundred slices, none of which is a tenth of the work", () => {
    const passes = [inSlices(), inSlices()];
    const whole = groundingOf(extraction, quotes, [page(PAGE)]);
    for (const { value } of passes) assert.deepStrictEqual(value, whole);
    // The slices are the same in every pass; the minimum of each excludes interference.
    const leastMs = passes.reduce<ReadonlyArray<number>>((least, { tookMs }) => {
      assert.lengthOf(tookMs, least.length);
      return least.map((each, index) => Math.min(each, tookMs[index] ?? 0));
    }, passes[0]?.tookMs ?? []);
    assert.isAbove(leastMs.length, 100);
    assert.isBelow(Math.max(...leastMs), leastMs.reduce((sum, each) => sum + each, 0) / 10);
  });
});
