// @module-tag smoke: a property over many schemas
/** What is refused as contradictory against a validator: nothing that some value fulfils. */
import * as Arbitrary from "effect/Arbitrary";
import * as Schema from "effect/Schema";
import { assert, describe, it } from "@effect/vitest";
import { impossibilityIn } from "@winnow/core/domain/json-schema/SchemaContradictions";
import { isJsonObject } from "@winnow/core/domain/text/Json";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
import { compileSchema, isProblem } from "../../src/schema-check/CompiledSchema.ts";
import { DRAFTS, groupsOf } from "./officialSuite.ts";

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

const small = (more: Record<string, Arbitrary.Arbitrary<unknown>>) =>
  keywords({
    type: maybe("string", "number", "integer", "null", ["array", "null"], ["object", "string"]),
    minimum: maybe(0, 2),
    exclusiveMaximum: maybe(1, 2),
    multipleOf: maybe(2, 0.5),
    minLength: maybe(1),
    maxLength: maybe(0, 1),
    minItems: maybe(1),
    maxItems: maybe(0, 1),
    enum: maybe([1, "a"], [null, 2], ["", []]),
    const: maybe(1, "a"),
    not: maybe({ type: "string" }, { const: 1 }, { required: ["a"] }, {}),
    contains: maybe({ type: "string" }, false),
    required: maybe(["a"], ["a", "b"]),
    additionalProperties: maybe(false, { type: "string" }),
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
      const older = draft === "draft7" ? { $schema: "http://json-schema.org/draft-07/schema#" } : {};
      for (const { schema, tests } of groups) {
        if (!isJsonObject(schema) || !tests.some(({ data, valid }) => valid && isJsonObject(data))) continue;
        fulfilled += 1;
        assert.isNull(impossibilityIn({ ...older, ...schema }), `${file}: ${JSON.stringify(schema)}`);
      }
    }
    assert.isAbove(fulfilled, 200);
  });

  it.prop(
    "is fulfilled by no generated value",
    { schema: Schemas },
    ({ schema }) => {
      const contradiction = impossibilityIn(schema as JsonObject);
      if (contradiction === null) return;
      const compiled = compileSchema(schema as JsonObject);
      if (isProblem(compiled)) return;
      for (const value of VALUES) {
        const isValid = compiled.faultsOf(value).length === 0;
        assert.isFalse(isValid, `${JSON.stringify(schema)} ${JSON.stringify(value)} ${contradiction.path}`);
      }
    },
    { arbitrary: { runs: process.env["WINNOW_TEST_FAULTS"] === undefined ? 150 : 1_500 } }
  );
});
