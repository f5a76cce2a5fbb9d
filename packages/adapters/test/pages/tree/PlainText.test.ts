import { assert, describe, it } from "@effect/vitest";
import { cut, oneLine, tidyLines } from "../../../src/pages/tree/PlainText.ts";

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
