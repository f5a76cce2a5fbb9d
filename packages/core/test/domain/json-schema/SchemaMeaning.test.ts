import { assert, describe, it } from "@effect/vitest";
import type { JsonObject } from "../../../src/domain/json-schema/SchemaRules.ts";
import { meaningProblem } from "../../../src/domain/json-schema/SchemaMeaning.ts";
import { PREDEFINED } from "../../../src/domain/json-schema/Predefined.ts";
import { spentMs } from "../Processor.ts";

const found = (schema: JsonObject) => {
  const problem = meaningProblem(schema);
  return problem === null ? null : [problem.reason, problem.path];
};

/** An object with one member that must be there. */
const withMember = (member: JsonObject[string], more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties: { a: member },
  required: ["a"],
  ...more
});

const [STRING, NUMBER] = [{ type: "string" }, { type: "number" }] as const;

describe("a schema that names nothing", () => {
  const NOTHING: ReadonlyArray<JsonObject> = [
    { type: "object" },
    { type: "object", properties: {} },
    { type: "object", title: "Recipe", description: "A recipe.", additionalProperties: true },
    { type: "object", additionalProperties: false },
    { type: "object", additionalProperties: {}, required: [], patternProperties: {} },
    { type: ["object", "null"], properties: {}, maxProperties: 0, minProperties: 0 },
    { type: "object", properties: { a: false } },
    { $ref: "#/$defs/any", $defs: { any: { type: "object" }, used: withMember(STRING) } },
    { type: "object", allOf: [{}, { properties: {} }], anyOf: [{ title: "a" }, true] }
  ];

  it("is refused", () => {
    for (const schema of NOTHING) {
      assert.deepStrictEqual(found(schema), ["names_nothing", ""], JSON.stringify(schema));
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
    { $ref: "#/$defs/recipe", $defs: { recipe: withMember(STRING) } },
    { $ref: "#recipe", $defs: { recipe: { $anchor: "recipe", ...withMember(STRING) } } },
    { type: "object", allOf: [{ properties: { a: STRING } }] },
    { type: "object", oneOf: [{ title: "nothing" }, { required: ["a"] }] },
    { type: "object", if: { title: "any" }, then: { properties: { a: STRING } } },
    { Recipe: { type: "object" } },
    ...[...PREDEFINED.values()].map(({ schema }) => schema)
  ];

  it("is one without any keyword that names or constrains members", () => {
    for (const schema of SOMETHING) assert.isNull(found(schema), JSON.stringify(schema));
  });
});

/** With the pointer to what excludes the rest. */
const IMPOSSIBLE: ReadonlyArray<readonly [string, JsonObject]> = [
  ["/properties/a", withMember({ type: "number", minimum: 10, maximum: 5 })],
  ["/properties/a", withMember({ type: "number", minimum: 5, exclusiveMaximum: 5 })],
  ["/properties/a", withMember({ type: "number", minimum: 5, maximum: 5, exclusiveMinimum: true })],
  ["/properties/a", withMember({ type: "integer", minimum: 1.2, maximum: 1.8 })],
  ["/properties/a", withMember({ type: "integer", exclusiveMinimum: 1, exclusiveMaximum: 2 })],
  ["/properties/a", withMember({ type: "number", minimum: 11, maximum: 19, multipleOf: 10 })],
  ["/properties/a", withMember({ type: "string", minLength: 5, maxLength: 3 })],
  ["/properties/a", withMember({ type: "array", minItems: 3, maxItems: 2 })],
  ["/properties/a", withMember({ type: "array", contains: STRING, maxItems: 0 })],
  ["/properties/a", withMember({ type: "array", contains: STRING, minContains: 3, maxContains: 2 })],
  ["/properties/a", withMember({ type: "object", minProperties: 2, maxProperties: 1 })],
  ["", { type: "object", properties: { a: STRING, b: STRING }, required: ["a", "b"], maxProperties: 1 }],
  ["", { type: "object", properties: { a: STRING }, minProperties: 2, additionalProperties: false }],
  ["", withMember(STRING, { required: ["a", "b"], additionalProperties: false })],
  ["", withMember(STRING, { propertyNames: { maxLength: 0 } })],
  ["", withMember(STRING, { propertyNames: { enum: ["b"] } })],
  ["/properties/a", withMember(false)],
  ["/properties/a", withMember({ not: {} })],
  ["/properties/a", withMember({ not: true })],
  ["/properties/a", withMember({ type: "string", not: { type: ["string", "null"] } })],
  ["/properties/a", withMember({ type: "string", enum: [1, 2] })],
  ["/properties/a", withMember({ enum: [] })],
  ["/properties/a", withMember({ const: 1, type: ["string", "null"] })],
  ["/properties/a", withMember({ const: "abc", maxLength: 2 })],
  ["/properties/a", withMember({ const: 1, enum: [2, 3] })],
  ["/properties/a", withMember({ enum: ["x"], not: { const: "x" } })],
  ["/properties/a", withMember({ enum: [1, 2], minimum: 3 })],
  ["/properties/a", withMember({ type: "string", allOf: [NUMBER] })],
  ["/properties/a/allOf/1", withMember({ type: "number", allOf: [{ minimum: 10 }, { maximum: 5 }] })],
  ["/properties/a/anyOf/0", withMember({ anyOf: [false, { not: {} }] })],
  ["/properties/a/anyOf/0", withMember({ type: "string", anyOf: [NUMBER, { type: "null" }] })],
  [
    "/properties/a/oneOf/0",
    withMember({ type: "number", minimum: 9, oneOf: [{ maximum: 5 }, { maximum: 8 }] })
  ],
  ["/properties/a/items", withMember({ type: "array", minItems: 1, items: false })],
  ["/properties/a/items", withMember({ type: "array", prefixItems: [STRING], items: false, minItems: 2 })],
  ["/properties/a/contains", withMember({ type: "array", contains: STRING, items: NUMBER })],
  ["/properties/a", withMember({ type: "array", items: { enum: [1, 2] }, minItems: 3, uniqueItems: true })],
  ["/properties/a/properties/a", withMember(withMember(false))],
  ["/additionalProperties", { type: "object", required: ["a"], additionalProperties: { not: {} } }],
  [
    "/$defs/price",
    withMember({ $ref: "#/$defs/price" }, { $defs: { price: { minimum: 2, maximum: 1, type: "number" } } })
  ],
  ["/properties/a", withMember({ $ref: "#" })],
  ["/not", withMember(STRING, { not: { required: ["a"] } })],
  ["", withMember(STRING, { dependentRequired: { a: ["b"] }, additionalProperties: false })],
  ["/then", withMember(STRING, { if: true, then: false })],
  ["/else", withMember(STRING, { if: false, else: { not: {} } })],
  ["/dependentSchemas/a", withMember(STRING, { dependentSchemas: { a: false } })],
  ["", withMember(STRING, { dependentSchemas: { a: { required: ["b"], maxProperties: 1 } } })],
  [
    "/properties/optional",
    withMember(STRING, { properties: { a: STRING, optional: { minimum: 2, maximum: 1 } } })
  ]
];

describe("a schema that nothing can fulfil", () => {
  for (const [path, schema] of IMPOSSIBLE) {
    it(`is refused: ${JSON.stringify(schema)}`, () => {
      assert.deepStrictEqual(found(schema), ["contradiction", path]);
    });
  }

  const POSSIBLE: ReadonlyArray<JsonObject> = [
    withMember({ type: "number", minimum: 5, maximum: 5 }),
    withMember({ type: "number", minimum: 0.1, maximum: 0.3, multipleOf: 0.1 }),
    withMember({ type: "integer", minimum: 1.2, maximum: 2 }),
    withMember({ type: "array", contains: STRING, minContains: 0, maxItems: 0 }),
    withMember({ type: "array", items: false }),
    withMember({ type: "array", prefixItems: [STRING], items: NUMBER, contains: STRING }),
    withMember({ type: ["string", "number"], enum: ["x", 1], minLength: 2 }),
    withMember({ type: "string", anyOf: [NUMBER, { minLength: 2 }] }),
    withMember({ type: ["object", "null"], properties: { a: { $ref: "#/properties/a" } }, required: ["a"] }),
    withMember({ type: "array", items: { $ref: "#" } }),
    { type: "object", properties: { a: STRING, never: false, nor: { not: {} } } },
    { type: "object", required: ["a1"], patternProperties: { "^a": STRING }, additionalProperties: false },
    { type: "object", properties: { a: STRING }, allOf: [{ required: ["b"] }], minProperties: 2 },
    {
      $schema: "http://json-schema.org/draft-07/schema#",
      ...withMember({ $ref: "#/definitions/s", type: "null" }),
      definitions: { s: STRING }
    },
    { type: "object", properties: { a: NUMBER }, not: { properties: { a: { minimum: 2, maximum: 1 } } } }
  ];

  it("is not one in which only optional members or other types are impossible", () => {
    for (const schema of POSSIBLE) assert.isNull(found(schema), JSON.stringify(schema));
  });

  it("is found within a bounded time", () => {
    const branches = (depth: number): JsonObject =>
      depth === 0
        ? { type: "string" }
        : { anyOf: Array.from({ length: 8 }, () => withMember(branches(depth - 1))) };
    const startMs = spentMs();
    assert.isNull(found(withMember(branches(3))));
    assert.isBelow(spentMs() - startMs, 1_000);
  });
});
