import { assert, describe, it } from "@effect/vitest";
import * as Schema from "effect/Schema";
import { canonicalDigest, canonicalJson } from "../../../src/domain/text/CanonicalJson.ts";

/**
 * Names without a backslash: once an object had such a name, JSON.parse of this Node may return it for another
 * one, `{"\n":1}` as `{"\\":1}` (nodejs/node#63785).
 */
const Name = Schema.String.check(Schema.makeFilter((name) => !name.includes("\\")));
const Json: Schema.Codec<Schema.Json> = Schema.Union([
  Schema.Null,
  Schema.Finite,
  Schema.Boolean,
  Schema.String,
  Schema.Array(Schema.suspend(() => Json)),
  Schema.Record(
    Name,
    Schema.suspend(() => Json)
  )
]);

/** The same value with the members of every object in the opposite order. */
const turned = (value: Schema.Json): Schema.Json => {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, turned(member)])
  );
};

describe("canonical JSON", () => {
  it("sorts members by code unit, keeps arrays in order and has no white space", () => {
    const value = { b: 1, a: [true, null, { z: "é", y: -0 }], "\u{1f600}": 1.5e21, "\ufb33": "" };
    assert.strictEqual(
      canonicalJson(value),
      '{"a":[true,null,{"y":0,"z":"é"}],"b":1,"😀":1.5e+21,"\ufb33":""}'
    );
  });

  it("omits undefined members and treats __proto__ as an ordinary name", () => {
    assert.strictEqual(canonicalJson({ a: undefined, b: 1 }), '{"b":1}');
    assert.strictEqual(canonicalJson(JSON.parse('{"__proto__":1,"a":2}')), '{"__proto__":1,"a":2}');
  });

  it("accepts any depth that a parser accepts", () => {
    const depth = 120_000;
    const text = "[".repeat(depth) + "]".repeat(depth);
    assert.strictEqual(canonicalJson(JSON.parse(text)), text);
    const nested = '{"a":'.repeat(depth) + "1" + "}".repeat(depth);
    assert.strictEqual(canonicalJson(JSON.parse(nested)), nested);
  });

  it.prop("ignores the order of members and white space", { value: Json }, ({ value }) => {
    const text = canonicalJson(value);
    assert.strictEqual(canonicalJson(turned(value)), text);
    assert.strictEqual(canonicalJson(JSON.parse(JSON.stringify(value, null, 2))), text);
    assert.strictEqual(canonicalDigest(turned(value)), canonicalDigest(value));
  });

  it.prop("parses back to the same value and is its own canonical form", { value: Json }, ({ value }) => {
    const text = canonicalJson(value);
    const back: unknown = JSON.parse(text);
    assert.deepStrictEqual(back, JSON.parse(JSON.stringify(value)));
    assert.strictEqual(canonicalJson(back), text);
  });

  it.prop("distinguishes different values", { left: Json, right: Json }, ({ left, right }) => {
    const equal = JSON.stringify(turned(turned(left))) === JSON.stringify(turned(turned(right)));
    if (canonicalJson(left) === canonicalJson(right)) {
      assert.deepStrictEqual(JSON.parse(JSON.stringify(left)), JSON.parse(JSON.stringify(right)));
    } else assert.isFalse(equal);
  });

  // Must be the last test of this file, because no JSON may be parsed after it (see `Name`).
  it("writes and sorts names with backslashes as they are", () => {
    assert.strictEqual(canonicalJson({ "\\n": 3, "\\": 2, "\n": 1 }), '{"\\n":1,"\\\\":2,"\\\\n":3}');
  });
});
