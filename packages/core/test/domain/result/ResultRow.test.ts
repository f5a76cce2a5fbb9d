/** Corrections of values: where one has a place. */
import { assert, describe, it } from "@effect/vitest";
import { correctedValues, isCorrectable } from "../../../src/domain/result/ResultRow.ts";

const VALUES = { name: "Ada", tags: ["x", "y"], nested: { deep: null }, "a/b~c": 1 };

describe("a correction", () => {
  it("names a value, an item, or a member of an object that exists", () => {
    for (const pointer of [
      "/name",
      "/tags",
      "/tags/1",
      "/nested",
      "/nested/deep",
      "/nested/new",
      "/new",
      "/a~1b~0c"
    ])
      assert.isTrue(isCorrectable(VALUES, pointer), pointer);
  });

  it("has no place elsewhere", () => {
    for (const pointer of [
      "",
      "name",
      "/name/x",
      "/new/x",
      "/tags/2",
      "/tags/-",
      "/tags/00",
      "/tags/length",
      "/a~2b",
      "/a~",
      "/__proto__/x",
      "/constructor/prototype"
    ])
      assert.isFalse(isCorrectable(VALUES, pointer), pointer);
  });

  it("of a member named as one of every object changes nothing else", () => {
    const corrected = correctedValues({ values: { a: 1 }, corrections: { "/__proto__": { b: 2 } } });
    assert.strictEqual(JSON.stringify(corrected), '{"a":1,"__proto__":{"b":2}}');
    assert.notProperty({}, "b");
  });
});
