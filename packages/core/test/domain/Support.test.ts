import { assert, describe, it } from "@effect/vitest";
import { groundingOf } from "../../src/domain/Grounding.ts";
import { unprovenOf } from "../../src/domain/EvidenceRule.ts";
import { isSupported } from "../../src/domain/Support.ts";

describe("words of the content", () => {
  it.each<[string | number | boolean | null, string]>([
    [1_200, "costs 1,200 dollars"],
    [1_200, "kostet 1.200 Euro"],
    [1_200, "1 200 kr"],
    [12.5, "only €12,50"],
    [0.12, "a share of 12 %"],
    [1_200, "bake for 20 minutes"],
    [5_400, "1 hour 30 minutes"],
    [3_000_000, "3 million people"],
    [4, "serves four"],
    [20, "for twenty minutes"],
    [25, "twenty-five of them"],
    [250, "two hundred and fifty grams"],
    [3_723, "at 1:02:03"],
    [4, "für vier Personen"],
    [-3, "minus 3 degrees"],
    ["2024-05-06", "on May 6th"],
    ["2024-05-06", "6. Mai"],
    ["Tomato soup", "a TOMATO  soup"],
    ["1200", "costs 1,200"],
    ["Chop the tomatoes finely", "now we are chopping our tomatoes"],
    ["番茄汤", "今天做番茄"],
    [true, "it is vegan"],
    [null, "no price is given"]
  ])("bear %j out: %s", (value, quote) => {
    assert.isTrue(isSupported(value, quote));
  });

  it.each<[string | number, string]>([
    [999, "the"],
    [999, "costs 12 dollars"],
    [4, "the soup"],
    [12, "in 1984"],
    ["Tomato soup", "the weather is fine"],
    ["2024-05-06", "some day in spring"],
    ["hard", "takes five minutes"],
    ["1200", "the price"]
  ])("do not bear %j out: %s", (value, quote) => {
    assert.isFalse(isSupported(value, quote));
  });

  it("that stand in the content and say something else are told as such, and prove nothing", () => {
    const extraction = { price: 999, title: "Tomato soup" };
    const texts = [
      {
        source: "page" as const,
        segments: [{ text: "the Tomato soup of today", startSeconds: null, endSeconds: null, author: null }]
      }
    ];
    const quotes = [
      { pointer: "/price", quote: "the" },
      { pointer: "/title", quote: "of today" }
    ];
    const evidence = groundingOf(extraction, quotes, texts);
    assert.deepStrictEqual(evidence, {
      "/price": [{ source: "page", quote: "the", supported: false }],
      "/title": [
        { source: "page", quote: "of today", supported: false },
        { source: "page", quote: "Tomato soup" }
      ]
    });
    assert.deepStrictEqual([...unprovenOf(extraction, evidence)], ["/price"]);
  });
});
