import { assert, describe, it } from "@effect/vitest";
import type { JsonObject } from "../../../src/domain/json-schema/SchemaRules.ts";
import { meaningProblem } from "../../../src/domain/json-schema/SchemaMeaning.ts";
import { PREDEFINED } from "../../../src/domain/json-schema/Predefined.ts";

const [STRING, NUMBER] = [{ type: "string" }, { type: "number" }] as const;

const RECIPE: JsonObject = { type: "object", properties: { a: STRING } };

describe("a schema that names nothing", () => {
  const NOTHING: ReadonlyArray<JsonObject> = [
    { type: "object" },
    { type: "object", properties: {} },
    { type: "object", title: "Recipe", description: "A recipe.", additionalProperties: true },
    { type: "object", additionalProperties: false },
    { type: "object", additionalProperties: {}, required: [], patternProperties: {} },
    { type: ["object", "null"], properties: {}, maxProperties: 0, minProperties: 0 },
    { type: "object", properties: { a: false } },
    { $ref: "#/$defs/any", $defs: { any: { type: "object" }, used: RECIPE } },
    { type: "object", allOf: [{}, { properties: {} }], anyOf: [{ title: "a" }, true] }
  ];

  it("is refused", () => {
    for (const schema of NOTHING) {
      assert.deepInclude(
        meaningProblem(schema),
        { reason: "names_nothing", path: "" },
        JSON.stringify(schema)
      );
    }
    assert.include(meaningProblem({ type: "object" })?.message ?? "", '`schemaId: "auto"`');
  });

  const SOMETHING: ReadonlyArray<JsonObject> = [
    { type: "object", properties: { a: {} } },
    { type: "object", required: ["a"] },
    { type: "object", patternProperties: { "^price": NUMBER } },
    { type: "object", additionalProperties: STRING },
    { type: "object", unevaluatedProperties: STRING },
    { type: "object", propertyNames: { enum: ["a"] } },
    { type: "object", minProperties: 1 },
    { type: "object", dependentRequired: { a: ["b"] } },
    { type: "object", not: { required: ["a"] } },
    { enum: [{ a: 1 }] },
    { $ref: "#/$defs/recipe", $defs: { recipe: RECIPE } },
    { $ref: "#recipe", $defs: { recipe: { $anchor: "recipe", ...RECIPE } } },
    { type: "object", allOf: [{ properties: { a: STRING } }] },
    { type: "object", oneOf: [{ title: "nothing" }, { required: ["a"] }] },
    { type: "object", if: { title: "any" }, then: { properties: { a: STRING } } },
    { Recipe: { type: "object" } },
    ...[...PREDEFINED.values()].map(({ schema }) => schema)
  ];

  it("is one without any keyword that names or constrains members", () => {
    for (const schema of SOMETHING) assert.isNull(meaningProblem(schema), JSON.stringify(schema));
  });
});
