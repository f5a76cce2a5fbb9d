import { assert, describe, it } from "@effect/vitest";
import { sectionSchema } from "../../../src/model/answer/SectionSchema.ts";

describe("the schema of a section", () => {
  it("requires nothing, at any depth", () => {
    assert.deepStrictEqual(
      sectionSchema({
        type: "object",
        required: ["a"],
        properties: { a: { type: "array", minItems: 2, maxItems: 9, items: { $ref: "#/$defs/b" } } },
        $defs: {
          b: { type: "object", required: ["c"], minProperties: 1, properties: { c: { type: "string" } } }
        },
        anyOf: [{ required: ["x"] }, { required: ["y"] }],
        additionalProperties: { type: "object", required: ["z"] }
      }),
      {
        type: "object",
        properties: { a: { type: "array", maxItems: 9, items: { $ref: "#/$defs/b" } } },
        $defs: { b: { type: "object", properties: { c: { type: "string" } } } },
        anyOf: [{}, {}],
        additionalProperties: { type: "object" }
      }
    );
  });

  it("treats properties named like keywords as properties, and values as values", () => {
    const schema = {
      type: "object",
      properties: { required: { type: "boolean" }, minItems: { type: "integer", minimum: 3 } },
      default: { required: ["kept"] },
      enum: [{ minItems: 1 }],
      if: { required: ["a"] },
      additionalProperties: false
    };
    assert.deepStrictEqual(sectionSchema(schema), schema);
  });

  it("keeps the branches of oneOf beside those of anyOf", () => {
    const [a, b] = [{ required: ["a"] }, { properties: { b: { type: "string" } } }];
    assert.deepStrictEqual(sectionSchema({ anyOf: [a], oneOf: [b], allOf: [a] }), {
      anyOf: [{}],
      allOf: [{}, { anyOf: [b] }]
    });
  });

  it("allows several branches to match", () => {
    const branches = [
      { type: "object", required: ["a"] },
      { type: "object", required: ["b"] }
    ];
    assert.deepStrictEqual(sectionSchema({ oneOf: branches }), {
      anyOf: [{ type: "object" }, { type: "object" }]
    });
  });
});
