// @module-tag smoke: a property over many schemas
/** What is refused as contradictory: mistakes at one place, and nothing else that some value fulfils. */
import * as Arbitrary from "effect/Arbitrary";
import * as Schema from "effect/Schema";
import { assert, describe, it } from "@effect/vitest";
import { isJsonObject } from "@winnow/core/domain/text/Json";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
import { compileSchema, isProblem } from "../../src/schema-check/CompiledSchema.ts";
import { mistakeIn } from "../../src/schema-check/SchemaMistakes.ts";
import { linkSchema } from "../../src/schema-check/SchemaLinks.ts";
import { DRAFTS, groupsOf } from "./officialSuite.ts";

const compiled = (schema: JsonObject) => {
  const found = compileSchema(schema);
  return isProblem(found)
    ? assert.fail(`${found.reason} at ${found.path}: ${JSON.stringify(schema)}`)
    : found;
};

/** An object with one member that must be there. */
const withMember = (member: JsonObject[string], more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties: { a: member },
  required: ["a"],
  ...more
});

const [STRING, NUMBER] = [{ type: "string" }, { type: "number" }] as const;
const REVERSED = { type: "number", minimum: 2, maximum: 1 } as const;

const CLOSED = { properties: { title: STRING }, required: ["titel"], additionalProperties: false };
const LIST = { type: "array" } as const;

const A = "/properties/a";
const members = (...all: ReadonlyArray<JsonObject>) => all.map((each) => [A, withMember(each)] as const);

/** By the message, each with the pointer to the mistake. */
const MISTAKES: Readonly<Record<string, ReadonlyArray<readonly [path: string, schema: JsonObject]>>> = {
  "No number is from 2 to 1.": [
    [A, withMember(REVERSED)],
    ["/properties/b", { type: "object", properties: { a: STRING, b: REVERSED } }],
    [`${A}/anyOf/1`, withMember({ anyOf: [STRING, REVERSED] })],
    ["/$defs/b", withMember({ $ref: "#/$defs/b" }, { $defs: { b: REVERSED } })]
  ],
  "No number is from 5 and below 5.": members({ minimum: 5, exclusiveMaximum: 5 }),
  "No number is above 5 to 5.": members({ minimum: 5, maximum: 5, exclusiveMinimum: true }),
  "No whole number is from 1.2 to 1.8.": members({ type: "integer", minimum: 1.2, maximum: 1.8 }),
  "No whole number is above 1 and below 2.": members({
    type: "integer",
    exclusiveMinimum: 1,
    exclusiveMaximum: 2
  }),
  "No multiple of 10 is from 11 to 19.": members({ minimum: 11, maximum: 19, multipleOf: 10 }),
  "`minLength` is 5, but `maxLength` is 3.": members({ minLength: 5, maxLength: 3 }),
  "`minItems` is 3, but `maxItems` is 2.": members({ minItems: 3, maxItems: 2 }),
  "`minProperties` is 2, but `maxProperties` is 1.": members({ minProperties: 2, maxProperties: 1 }),
  "It must contain at least 1, but at most 0 items.": members({ contains: STRING, maxItems: 0 }),
  "It must contain at least 3, but at most 2 items.": members({
    contains: STRING,
    minContains: 3,
    maxContains: 2
  }),
  "2 properties are required, but at most 1 allowed.": [["", { required: ["a", "b"], maxProperties: 1 }]],
  "`minProperties` is more than the 1 properties that are allowed.": [
    ["", { properties: { a: STRING, b: false }, minProperties: 2, additionalProperties: false }]
  ],
  'The property "titel" is required, but not allowed.': [
    ["", CLOSED],
    ["/properties/list/items", { properties: { list: { items: CLOSED } } }]
  ],
  "None of the listed values is allowed here.": members(
    { type: "string", enum: [1, 2] },
    { type: "integer", enum: [1.5] },
    { enum: [] },
    { const: 1, type: ["string", "null"] },
    { const: 1, enum: [2, 3] }
  ),
  "Nothing is allowed here.": [
    [A, withMember(false)],
    ...members({ not: {} }, { not: true }),
    [`${A}${A}`, withMember(withMember(false))],
    [`/allOf/0${A}`, { type: "object", allOf: [withMember(false)] }]
  ]
};

/** Something fulfils these, or what excludes it is at several places or between other keywords. */
const ACCEPTED: ReadonlyArray<JsonObject> = [
  withMember({ type: "number", minimum: 5, maximum: 5 }),
  withMember({ type: "number", minimum: 0.1, maximum: 0.3, multipleOf: 0.1 }),
  withMember({ type: "integer", minimum: 1.2, maximum: 2 }),
  withMember({ ...LIST, contains: STRING, minContains: 0, maxItems: 0 }),
  withMember({ ...LIST, items: false }),
  withMember({ ...LIST, minItems: 1, items: false }),
  withMember({ ...LIST, contains: { not: {} } }),
  withMember({ const: "abc", maxLength: 2 }),
  withMember({ enum: [1, 2], exclusiveMinimum: 2 }),
  { required: ["a"], additionalProperties: { not: {} } },
  withMember({ type: ["array", "null"], items: false, minItems: 1 }),
  withMember({ type: ["string", "number"], enum: ["x", 1], minLength: 2 }),
  withMember({ type: "string", minimum: 2, maximum: 1 }),
  withMember({ type: "string", required: ["titel"], additionalProperties: false }),
  {
    type: "object",
    properties: { a: STRING, never: false, nor: { not: {} }, list: { ...LIST, enum: ["x"] } }
  },
  { type: "object", required: ["a1"], patternProperties: { "^a": STRING }, additionalProperties: false },
  { type: "object", properties: { a: NUMBER }, not: { properties: { a: REVERSED } } },
  { type: "object", properties: { a: STRING }, $defs: { unused: REVERSED } },
  {
    $schema: "http://json-schema.org/draft-07/schema#",
    ...withMember({ $ref: "#/definitions/s", type: "number", enum: ["x"], not: {} }),
    definitions: { s: STRING }
  },
  withMember({ type: "string", allOf: [NUMBER] }),
  withMember({ type: "number", allOf: [{ minimum: 10 }, { maximum: 5 }] }),
  withMember({ $ref: "#/$defs/s", type: "number" }, { $defs: { s: STRING } }),
  withMember({ $ref: "#" })
];

describe("a contradiction", () => {
  it.each(Object.entries(MISTAKES))("at one place is found: %s", (message, schemas) => {
    for (const [path, schema] of schemas) {
      assert.deepStrictEqual(compiled(schema).contradiction, { reason: "contradiction", path, message });
    }
  });

  it("is not what is impossible only across places, for optional members or for other types", () => {
    for (const schema of ACCEPTED) assert.isNull(compiled(schema).contradiction, JSON.stringify(schema));
  });
});

const keywords = (value: Record<string, Arbitrary.Arbitrary<unknown>>) =>
  Arbitrary.map(Arbitrary.all(value), (found) =>
    Object.fromEntries(Object.entries(found).filter(([, held]) => held !== undefined))
  );

/** One of the values, or more often none. */
const maybe = (...values: ReadonlyArray<unknown>): Arbitrary.Arbitrary<unknown> =>
  Arbitrary.map(
    Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 * values.length }))),
    (index) => values[index]
  );

/** Without bounds and required members that are refused even where a value may be left out. */
const small = (more: Record<string, Arbitrary.Arbitrary<unknown>>) =>
  keywords({
    type: maybe("string", "number", "integer", "null", ["array", "null"], ["object", "string"]),
    minimum: maybe(0, 2),
    exclusiveMaximum: maybe(3),
    multipleOf: maybe(2, 0.5),
    minLength: maybe(1),
    maxLength: maybe(1),
    minItems: maybe(1),
    maxItems: maybe(1),
    enum: maybe([1, "a"], [null, 2], ["", []]),
    const: maybe(1, "a"),
    not: maybe({ type: "string" }, { const: 1 }, { required: ["a"] }, {}),
    contains: maybe({ type: "string" }, false),
    required: maybe(["a"], ["a", "b"]),
    additionalProperties: maybe({ not: {} }, { type: "string" }),
    maxProperties: maybe(0, 1),
    ...more
  });

const leaf = small({});
const inner = small({
  items: maybe(false, { type: "number" }),
  properties: Arbitrary.map(leaf, (a) => ({ a })),
  anyOf: Arbitrary.map(Arbitrary.all({ leaf, other: small({}) }), Object.values),
  allOf: Arbitrary.map(leaf, (one) => [one])
});
const Schemas = Arbitrary.map(inner, (a) => ({ type: "object", properties: { a }, required: ["a"] }));

const MEMBERS = [
  0,
  1,
  2,
  0.5,
  -1,
  "",
  "a",
  "ab",
  null,
  true,
  [],
  [1],
  ["a"],
  {},
  { a: 1 },
  { a: "a" },
  { a: null }
];
const VALUES = MEMBERS.flatMap((a) => [{ a }, { a: { a } }, { a: [a] }, { a: { a, b: a } }]);

describe("a schema that is refused as contradictory", () => {
  it("is fulfilled by no object of the official suite", () => {
    let fulfilled = 0;
    for (const [draft, file, groups] of DRAFTS.flatMap((draft) =>
      groupsOf(draft).map(([file, groups]) => [draft, file, groups] as const)
    )) {
      const dialect = draft === "draft7" ? "draft-07" : "2020-12";
      for (const { schema, tests } of groups) {
        if (!isJsonObject(schema) || !tests.some(({ data, valid }) => valid && isJsonObject(data))) continue;
        const linked = linkSchema(schema, dialect);
        if ("reason" in linked) continue;
        fulfilled += 1;
        assert.isNull(mistakeIn(linked), `${file}: ${JSON.stringify(schema)}`);
      }
    }
    assert.isAbove(fulfilled, 200);
  });

  it.prop(
    "is fulfilled by no generated value",
    { schema: Schemas },
    ({ schema }) => {
      const linked = linkSchema(schema as JsonObject, "2020-12");
      if ("reason" in linked || mistakeIn(linked) === null) return;
      const { contradiction, faultsOf } = compiled(schema as JsonObject);
      for (const value of VALUES) {
        const isValid = faultsOf(value).length === 0;
        assert.isFalse(isValid, `${JSON.stringify(schema)} ${JSON.stringify(value)} ${contradiction?.path}`);
      }
    },
    { arbitrary: { runs: process.env["WINNOW_TEST_FAULTS"] === undefined ? 150 : 1_500 } }
  );
});
