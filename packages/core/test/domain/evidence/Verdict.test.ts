import { assert, describe, it } from "@effect/vitest";
import { countWords, verdictOf, type Verdict } from "../../../src/domain/evidence/Verdict.ts";

const told = (over: Partial<Verdict>): Verdict =>
  verdictOf({ outcome: "no_match", verdictReason: "It is about cars.", extraction: null, ...over });

describe("a verdict", () => {
  it("other than ok has one sentence and no extraction, whatever the model returned", () => {
    assert.deepStrictEqual(told({ extraction: { a: 1 } }), {
      outcome: "no_match",
      verdictReason: "It is about cars.",
      extraction: null
    });
    const reasons = [
      ["It is about\n v1.5 of cars. So what? No.", "It is about v1.5 of cars."],
      ["\u8fd9\u662f\u8f66\u3002\u4e0d\u662f\u9762\u5305\u3002", "\u8fd9\u662f\u8f66\u3002"],
      ["  ", "The content is not about what the schema describes."],
      [null, "The content is not about what the schema describes."]
    ] as const;
    for (const [verdictReason, sentence] of reasons)
      assert.strictEqual(told({ verdictReason }).verdictReason, sentence);
    assert.lengthOf(told({ verdictReason: "x".repeat(1_000) }).verdictReason ?? "", 300);
  });

  it("of ok has no reason", () => {
    const ok = told({ outcome: "ok", extraction: { a: 0 }, verdictReason: "Because." });
    assert.deepStrictEqual(ok, { outcome: "ok", verdictReason: null, extraction: { a: 0 } });
  });

  it("of ok with only empty values is uncertain; an empty list may be the answer", () => {
    assert.strictEqual(
      told({ outcome: "ok", extraction: { a: null, b: [{ c: " " }] } }).outcome,
      "uncertain"
    );
    for (const extraction of [{}, { a: [] }, { a: null, b: false }]) {
      assert.strictEqual(told({ outcome: "ok", extraction }).outcome, "ok");
    }
  });
});

describe("words", () => {
  it("are counted in scripts with and without spaces", () => {
    const counted = (...texts: ReadonlyArray<string>): number =>
      countWords([
        {
          source: "page",
          segments: texts.map((text) => ({ text, startSeconds: null, endSeconds: null, author: null }))
        }
      ]);
    assert.strictEqual(counted("It's  v1.5 \u2014 na\u00efve", "two\nlines"), 5);
    assert.strictEqual(counted("\u4f60\u597d\u4e16\u754c, hello"), 3);
    assert.strictEqual(counted("", " - \u{1f600} "), 0);
  });
});
