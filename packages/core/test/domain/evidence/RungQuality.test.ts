import { assert, describe, it } from "@effect/vitest";
import type { Evidence } from "../../../src/domain/evidence/Evidence.ts";
import {
  isBetter,
  isFilled,
  isGoodEnough,
  NO_MATCH_WORDS,
  qualityOf,
  requiredShare,
  type RungQuality
} from "../../../src/domain/evidence/RungQuality.ts";

const PLACE = [{ source: "page" as const, quote: "x" }];
const SCHEMA = {
  type: "object",
  required: ["title", "servings", "items"],
  properties: {
    title: { type: "string" },
    servings: { type: ["number", "null"] },
    items: { type: "array", items: { $ref: "#/$defs/item" } }
  },
  $defs: { item: { type: "object", required: ["name", "amount"], properties: { name: { type: "string" } } } }
};
const EXTRACTION = { title: "Bread", servings: null, items: [{ name: "egg", amount: "n/a" }] };

const judged = (evidence: Evidence, confidence: number | null, outcome: "ok" | "uncertain" = "ok") =>
  qualityOf(SCHEMA, { outcome, extraction: EXTRACTION, evidence, confidence, wordless: null });

describe("the quality of an answer", () => {
  it("is 0.5 of the grounded, 0.3 of the filled, and 0.2 of the confidence", () => {
    // Filled values: title and name. Required: title, items and name of title, servings, items, name, amount.
    assert.deepStrictEqual(requiredShare(SCHEMA, EXTRACTION), { count: 3, total: 5 });
    assert.approximately(judged({}, 0), 0.3 * 0.6, 1e-12);
    assert.approximately(judged({ "/title": PLACE }, 0), 0.5 * 0.5 + 0.3 * 0.6, 1e-12);
    assert.approximately(judged({ "/title": PLACE, "/items/0/name": PLACE }, 1), 0.5 + 0.18 + 0.2, 1e-12);
  });

  it("counts values that can only have been seen, unless the previous rung had them", () => {
    const seen = (before: typeof EXTRACTION | null, evidence: Evidence = {}) =>
      qualityOf(SCHEMA, {
        outcome: "ok",
        extraction: EXTRACTION,
        evidence,
        confidence: 0,
        wordless: { before }
      });
    const filled = 0.3 * 0.6;
    assert.approximately(seen(null), 0.25 + filled, 1e-12);
    assert.approximately(seen(null, { "/title": PLACE }), 0.375 + filled, 1e-12);
    // The same values were claimed without images and are not grounded: images add nothing.
    assert.approximately(seen(EXTRACTION), judged({}, 0), 1e-12);
    assert.approximately(seen({ ...EXTRACTION, title: "?" }), 0.125 + filled, 1e-12);
  });

  it("uses 0.5 for a missing confidence, and clamps one out of range", () => {
    assert.approximately(judged({}, null) - judged({}, 0), 0.1, 1e-12);
    assert.strictEqual(judged({}, 7), judged({}, 1));
    assert.strictEqual(judged({}, -1), judged({}, 0));
  });

  it("is 0 without an answer", () => {
    assert.strictEqual(judged({ "/title": PLACE }, 1, "uncertain"), 0);
    const empty = { outcome: "ok", extraction: {}, evidence: {}, confidence: 0, wordless: null } as const;
    assert.strictEqual(qualityOf({ type: "object" }, empty), 0);
  });

  it("does not count placeholders that models write for missing values", () => {
    for (const nothing of [
      null,
      "",
      " ",
      "N/A",
      "n.a.",
      "unknown",
      "Not specified.",
      "-",
      "\u2014",
      [],
      {}
    ]) {
      assert.isFalse(isFilled(nothing), JSON.stringify(nothing));
    }
    for (const something of ["No", "Nonesuch", 0, false, [null], { a: null }, "0"])
      assert.isTrue(isFilled(something));
  });

  it("terminates on recursive schemas", () => {
    const circle = { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } };
    assert.deepStrictEqual(requiredShare(circle, { x: 1 }), { count: 0, total: 0 });
  });
});

describe("a rung", () => {
  const rung = (over: Partial<RungQuality>): RungQuality => ({
    outcome: "ok",
    quality: 0,
    words: 0,
    ...over
  });

  it("is good enough from 0.7, in spite of rounding errors", () => {
    assert.isTrue(isGoodEnough(rung({ quality: 0.7 })));
    assert.isTrue(isGoodEnough(rung({ quality: 0.5 * 0.8 + 0.3 * 0.6 + 0.2 * 0.6 })));
    assert.isFalse(isGoodEnough(rung({ quality: 0.699 })));
  });

  it("with no_match is accepted after 300 words, and an uncertain one never", () => {
    assert.isTrue(isGoodEnough(rung({ outcome: "no_match", words: NO_MATCH_WORDS })));
    assert.isFalse(isGoodEnough(rung({ outcome: "no_match", words: NO_MATCH_WORDS - 1 })));
    assert.isFalse(isGoodEnough(rung({ outcome: "uncertain", words: 10_000 })));
  });

  it("is better by outcome, then by quality; an equal one is not better", () => {
    const ordered = [
      rung({ outcome: "uncertain" }),
      rung({ outcome: "no_match" }),
      rung({ quality: 0 }),
      rung({ quality: 0.5 })
    ];
    for (const [index, one] of ordered.entries()) {
      for (const [place, other] of ordered.entries()) assert.strictEqual(isBetter(one, other), index > place);
    }
  });
});
