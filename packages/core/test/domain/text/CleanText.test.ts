import { assert, describe, it } from "@effect/vitest";
import * as Schema from "effect/Schema";
import { cleanLine, cleanText, escapeInvisible } from "../../../src/domain/text/CleanText.ts";
import { HOSTILE_TEXT } from "@winnow/testing/samples/samples";

describe("untrusted text", () => {
  it("loses controls, zero-width, bidirectional and tag characters", () => {
    assert.strictEqual(
      cleanText("a\u0000b\u200bc\u202ed\u{e0041}e\u00adf\ufeffg\u2066h\u3164i\u009b"),
      "abcdefghi"
    );
  });

  it("keeps joiners and selectors that are part of the spelling", () => {
    for (const text of ["می\u200cخواهم", "👩\u200d👩\u200d👧", "❤\ufe0f", "क\u094d\u200dष"])
      assert.strictEqual(cleanText(text), text);
    assert.strictEqual(cleanText("pa\u200dy\u200c me"), "pay me");
    assert.strictEqual(cleanText("x\ufe0f\ufe01\u{e0100}\u{e0101}"), "x\ufe0f");
  });

  it("has uniform line ends and is well formed", () => {
    assert.strictEqual(cleanText("a\r\nb\rc\u2028d\ud800"), "a\nb\nc\nd\ufffd");
  });

  it.prop(
    "does not change when cleaned twice",
    { text: Schema.String },
    ({ text }) => {
      assert.strictEqual(cleanText(cleanText(text)), cleanText(text));
    },
    { arbitrary: { seed: 1 } }
  );

  it("contains nothing that moves a terminal's cursor, or hides or reverses text", () => {
    assert.strictEqual(cleanText(HOSTILE_TEXT), "Price\n free");
    assert.strictEqual(cleanLine(HOSTILE_TEXT), "Price free");
    assert.isNull(cleanLine(" \u200b\n "));
  });
});

describe("JSON for a terminal", () => {
  it.prop(
    "parses to the same value and contains no invisible characters",
    { text: Schema.String },
    ({ text }) => {
      const json = escapeInvisible(JSON.stringify({ text: text + HOSTILE_TEXT }, null, 2));
      assert.strictEqual(JSON.parse(json).text, text + HOSTILE_TEXT);
      assert.strictEqual(
        cleanText(json).replace(/[\u200c\u200d\p{Variation_Selector}]/gu, ""),
        json.replace(/[\u200c\u200d\p{Variation_Selector}]/gu, "")
      );
    }
  );
});
