import { assert, describe, it } from "@effect/vitest";
import * as Schema from "effect/Schema";
import { pointerBelow, valueAt, wholePartOf } from "../../../src/domain/text/Json.ts";

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

describe("JSON that is cut off", () => {
  const Entries = Schema.Array(
    Schema.Struct({ text: Schema.String, by: Schema.optionalKey(Schema.Tuple([])) })
  );

  it.prop("is read up to its last whole entry", { entries: Entries, share: Schema.Finite }, (given) => {
    const json = JSON.stringify(given.entries);
    const share = Math.abs(given.share) % 1;
    const cut = json.slice(0, Math.ceil(json.length * (share < 0.1 ? 1 : share)));
    const whole = wholePartOf(cut);
    const read = (whole === "" ? [] : JSON.parse(whole)) as typeof given.entries;
    // The last one may lack members.
    assert.deepStrictEqual(read.slice(0, -1), given.entries.slice(0, Math.max(0, read.length - 1)));
    const isWhole = cut.length === json.length;
    assert.isTrue(!isWhole || read.length === given.entries.length);
  });
});
