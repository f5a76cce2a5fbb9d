import { assert, describe, it } from "@effect/vitest";
import * as Schema from "effect/Schema";
import { cut, oneLine, tidyLines, visible } from "../../src/page/PlainText.ts";

describe("visible text", () => {
  it("loses controls, zero-width, bidirectional and tag characters", () => {
    assert.strictEqual(
      visible("a\u0000b\u200bc\u202ed\u{e0041}e\u00adf\ufeffg\u2066h\u3164i\u009b"),
      "abcdefghi"
    );
  });

  it("keeps joiners and selectors where they are spelling", () => {
    for (const text of ["می\u200cخواهم", "👩\u200d👩\u200d👧", "❤\ufe0f", "क\u094d\u200dष"])
      assert.strictEqual(visible(text), text);
    assert.strictEqual(visible("pa\u200dy\u200c me"), "pay me");
    assert.strictEqual(visible("x\ufe0f\ufe01\u{e0100}\u{e0101}"), "x\ufe0f");
  });

  it("ends its lines in one way and is well formed", () => {
    assert.strictEqual(visible("a\r\nb\rc\u2028d\ud800"), "a\nb\nc\nd\ufffd");
  });

  it.prop(
    "is the same when taken twice",
    { text: Schema.String },
    ({ text }) => {
      assert.strictEqual(visible(visible(text)), visible(text));
    },
    { arbitrary: { seed: 1 } }
  );
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
