import { assert, describe, it } from "@effect/vitest";
import { coerced } from "../../src/openai/Coercions.ts";
import { project } from "../../src/openai/projection/Projection.ts";

/** What becomes of an answer to a schema of one member. */
const mended = (schema: any, given: any, required = true): any => {
  const projection = project({
    type: "object",
    properties: { it: schema },
    ...(required ? { required: ["it"] } : {})
  });
  return (projection.fromWire(coerced(projection, given === undefined ? {} : { it: given })) as any).it;
};

const choice = { anyOf: [{ type: "number" }, { type: "array", items: { type: "number" } }] };

describe("a coercion", () => {
  it.each<[string, any, any, any]>([
    ["digits are a number", { type: "number" }, " 12.50 ", 12.5],
    ["digits in groups are a number", { type: "number" }, "1,234,567.8", 1_234_567.8],
    ["what may be a decimal comma stays", { type: "number" }, "1,234", "1,234"],
    ["a quantity with its unit stays", { type: "number" }, "12 kg", "12 kg"],
    ["a part is no integer", { type: "integer" }, 12.5, 12.5],
    ["a number is a string where one is wanted", { type: "string" }, 12, "12"],
    ["spaces around a string go", { type: "string" }, "  a b ", "a b"],
    ["yes is true", { type: "boolean" }, "Yes", true],
    ["maybe is neither", { type: "boolean" }, "maybe", "maybe"],
    ["one value is a list of one", { type: "array", items: { type: "number" } }, "3", [3]],
    ["a word for nothing is an empty list", { type: "array", items: { type: "string" } }, "none", []],
    ["case does not make another listed value", { enum: ["Easy", "Hard"] }, "easy ", "Easy"],
    ["a value that is not listed stays", { enum: ["Easy", "Hard"] }, "medium", "medium"],
    [
      "a map may come as an object",
      { type: "object", additionalProperties: { type: "number" } },
      { a: "1" },
      { a: 1 }
    ],
    [
      "a tuple may come as a list",
      { type: "array", prefixItems: [{ type: "number" }, { type: "string" }], minItems: 2 },
      ["1", 2],
      [1, "2"]
    ],
    ["a choice takes the first option that can be met", choice, "5", 5],
    ["a choice that fits stays", choice, [5], [5]]
  ])("%s", (_name, schema, given, expected) => {
    assert.deepStrictEqual(mended(schema, given), expected);
  });

  it("a word for nothing is the absence of an optional value, and no value of a required one", () => {
    assert.isUndefined(mended({ type: "number" }, "n/a", false));
    assert.isUndefined(mended({ type: "number" }, undefined, false));
    assert.strictEqual(mended({ type: "number" }, "n/a", true), "n/a");
    assert.strictEqual(mended({ type: "string" }, "unknown", false), "unknown");
  });
});
