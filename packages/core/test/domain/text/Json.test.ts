import { assert, describe, it } from "@effect/vitest";
import { pointerBelow, valueAt } from "../../../src/domain/text/Json.ts";

describe("a pointer", () => {
  it("escapes its segments", () => {
    assert.strictEqual(pointerBelow("/a", "b/c", "~", 0), "/a/b~1c/~0/0");
  });

  it("resolves to its value, through own members only", () => {
    const value = { "b/c": { "~": ["here"] } };
    assert.strictEqual(valueAt(value, ""), value);
    assert.strictEqual(valueAt(value, pointerBelow("", "b/c", "~", 0)), "here");
    for (const nowhere of ["/b", "/b~1c/~0/1", "/constructor", "/b~1c/~0/0/length"])
      assert.isUndefined(valueAt(value, nowhere), nowhere);
  });
});
