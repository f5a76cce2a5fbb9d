import { isDeepStrictEqual } from "node:util";
import { assert, describe, it } from "@effect/vitest";
import { Ajv2020 } from "ajv/dist/2020.js";
import { modelAnswerSchema } from "../../../src/model/answer/ModelAnswer.ts";
import { isWithinStrictLimits, project } from "../../../src/model/schema/Projection.ts";
import { copied } from "./copied.ts";
import { breachesOfRoot } from "./strictRules.ts";

const wireOf = (schema: any) => {
  const projection = project(schema, { wants: "object" });
  const wire: any = modelAnswerSchema(projection);
  const admits = new Ajv2020({ strict: false, validateFormats: false }).compile(wire);
  const said = (value: any) => copied(projection, value).wire;
  const answer = (value: any) => ({
    verdict: "ok",
    reason: "",
    confidence: 1,
    evidence: [],
    data: said(value)
  });
  return {
    wire,
    admits: (value: any) => admits(answer(value)),
    back: (value: any) => projection.fromWire(said(value))
  };
};

/** Asserts that it follows the rules of strict mode and admits the value, which comes back as it was. */
const admitted = (schema: any, value: any) => {
  const { wire, admits, back } = wireOf(schema);
  assert.deepStrictEqual(breachesOfRoot(wire), []);
  assert.isTrue(admits(value));
  assert.deepStrictEqual(back(value), value);
  return { admits, back };
};

const text = (keywords: object) => ({
  type: "object",
  properties: { a: { type: "string", ...keywords } },
  required: ["a"]
});

const URI = text({ format: "uri" });
const PLACED = {
  type: "object",
  properties: { id: { type: "string" }, name: { type: "string" }, town: { type: "string" } },
  oneOf: [{ required: ["id"] }, { required: ["name", "town"] }]
};
const PRICES = { patternProperties: { "^[a-z]{3}$": { type: "number" } }, additionalProperties: false };
const SIZES = {
  type: "object",
  additionalProperties: { type: "integer" },
  propertyNames: { enum: ["small", "large"] }
};

describe("what the provider enforces", () => {
  it.each<[string, any, any, any]>([
    ["the least length of a text", text({ minLength: 3 }), { a: "a\nb" }, { a: "ab" }],
    ["the greatest length of a text", text({ maxLength: 2 }), { a: "価格" }, { a: "abc" }],
    ["an address", URI, { a: "https://example.com:80/a?b=c#d" }, { a: "example.com/a" }],
    ["an address by number", URI, { a: "ftp://ada@192.0.2.1//a" }, { a: "http://a b" }],
    ["an address without a host", URI, { a: "mailto:ada@example.com" }, { a: "no address" }],
    ["a pattern", text({ pattern: "^[a-z]+$" }), { a: "abc" }, { a: "abc1" }],
    ["bounds", { properties: { a: { minimum: 1, exclusiveMaximum: 3 } } }, { a: 1 }, { a: 3 }],
    ["patterns of names", { type: "object", ...PRICES }, { eur: 1 }, { EUR: 1 }],
    [
      "patterns of additional names",
      { properties: { a: {} }, ...PRICES },
      { a: 1, eur: 1 },
      { a: 1, euros: 1 }
    ],
    [
      "what a pattern says of a required name",
      { ...PRICES, type: "object", required: ["eur"] },
      { eur: 2 },
      { eur: "two" }
    ],
    [
      "one of members that exclude each other",
      PLACED,
      { name: "a", town: "b" },
      { id: "1", name: "a", town: "b" }
    ],
    [
      "listed objects",
      { type: "object", properties: { a: { enum: [{ b: 1 }, [2], "c"] } }, required: ["a"] },
      { a: { b: 1 } },
      { a: { b: 2 } }
    ],
    ["a list of names", SIZES, { small: 1 }, { medium: 1 }],
    [
      "bounds of draft-04 that are out themselves",
      {
        $schema: "http://json-schema.org/draft-04/schema#",
        type: "object",
        properties: { a: { type: "number", minimum: 0, exclusiveMinimum: true } }
      },
      { a: 1 },
      { a: 0 }
    ],
    [
      "items that must differ",
      { type: "object", properties: { a: { type: "array", uniqueItems: true, items: { type: "string" } } } },
      { a: ["x", "y"] },
      { a: ["x", "x"] }
    ],
    [
      "an anchor of draft-04",
      {
        $schema: "http://json-schema.org/draft-04/schema#",
        type: "object",
        properties: { gate: { $ref: "#gate" } },
        definitions: { gate: { id: "#gate", type: "object", properties: { width: { type: "number" } } } }
      },
      { gate: { width: 2 } },
      { gate: "wide" }
    ]
  ])("holds %s", (_, schema, fitting, forbidden) => {
    const { admits, back } = admitted(schema, fitting);
    assert.isFalse(admits(forbidden) && isDeepStrictEqual(back(forbidden), forbidden));
  });

  it.each<[string, any, any]>([
    [
      "members of any name, where the schema says that there may be some",
      { type: "object", properties: { a: { type: "string" } }, additionalProperties: true },
      { a: "b", more: [1, { b: null }] }
    ],
    [
      "a condition's members beside those of any name",
      {
        type: "object",
        properties: { kind: { enum: ["a", "b"] } },
        if: { properties: { kind: { const: "a" } } },
        then: { properties: { size: { type: "integer" } } },
        additionalProperties: true
      },
      { kind: "a", size: 1, more: true }
    ],
    [
      "nothing at all for a member that may be anything",
      { type: "object", properties: { a: {}, b: { type: "string" } } },
      { b: "c" }
    ],
    ["a text that is longer than providers count", text({ maxLength: 5_000 }), { a: "x".repeat(4_000) }]
  ])("leaves room for %s", (_, schema, value) => {
    assert.isTrue(admitted(schema, value).admits(value));
  });

  it.each<[string, any]>([
    ["lengths that are too long to be counted", { minLength: 200, maxLength: 900 }],
    ["what a value must not be", { not: { const: "x" } }],
    ["patterns with groups that providers refuse", { pattern: "^(?!x)[a-c]+$" }],
    ["patterns with needless escapes", { pattern: "^a\\-\\@" }],
    ["formats that providers do not know", { format: "iri" }]
  ])("leaves out %s, and describes them", (_, keywords) => {
    const { a } = (project(text(keywords)).schema as any).properties;
    assert.deepStrictEqual(a, {
      type: "string",
      description: `Must also satisfy ${JSON.stringify(keywords)}.`
    });
  });

  it("describes the order of a tuple", () => {
    const a = { type: "array", prefixItems: [{ type: "number" }, { type: "string" }], minItems: 2 };
    const { description } = (project({ properties: { a }, required: ["a"] }).schema as any).properties.a;
    assert.strictEqual(description, `Must also satisfy ${JSON.stringify({ prefixItems: a.prefixItems })}.`);
    admitted({ type: "object", properties: { a } }, { a: [1, "b"] });
  });

  it("describes a second choice of the same value, and conditions", () => {
    const more = { anyOf: [{ required: ["a"] }, { required: ["b"] }] };
    const dependent = { dependentRequired: { a: ["b"] } };
    const { wire } = wireOf({ type: "object", oneOf: [{ properties: { a: {} } }], allOf: [more, dependent] });
    const [{ description }] = wire.properties.data.anyOf;
    assert.include(description, `Must also satisfy ${JSON.stringify(more)}.`);
    assert.include(description, `Must also satisfy ${JSON.stringify(dependent)}.`);
  });

  it("requests an object even if nothing conforms", () => {
    const { wire } = wireOf({ type: "object", properties: { a: false }, required: ["a"] });
    assert.deepStrictEqual(breachesOfRoot(wire), []);
  });
});

const object = (properties: Record<string, unknown>): any => ({ type: "object", properties });
const listed = (count: number, chars: number) =>
  object({ a: { enum: Array(count).fill("x".repeat(chars)) } });
const nested = (levels: number): any => (levels === 0 ? {} : object({ a: { items: nested(levels - 1) } }));
const named = (count: number) =>
  object(Object.fromEntries(Array.from({ length: count }, (_, place) => [`p${place}`, { type: "null" }])));

describe("the limits of strict mode", () => {
  it.each<[string, any, any]>([
    ["properties", named(5_000), named(5_001)],
    ["levels, those of definitions apart", { ...nested(10), $defs: { a: nested(10) } }, nested(11)],
    ["listed values", listed(1_000, 10), listed(1_001, 10)],
    ["characters of long lists", listed(300, 50), listed(300, 51)],
    ["characters of names and values", listed(240, 499), listed(240, 500)],
    [
      "options and definitions too",
      { anyOf: [named(2_500)], $defs: { a: named(2_500) } },
      { anyOf: [named(2_500)], $defs: { a: named(2_501) } }
    ]
  ])("count %s", (_, within, beyond) => {
    assert.deepStrictEqual([within, beyond].map(isWithinStrictLimits), [true, false]);
  });
});
