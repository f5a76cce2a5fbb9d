import { isDeepStrictEqual } from "node:util";
import { assert, describe, it } from "@effect/vitest";
import { Ajv2020 } from "ajv/dist/2020.js";
import { modelAnswerSchema } from "../../../src/model/answer/ModelAnswer.ts";
import { project } from "../../../src/model/schema/Projection.ts";
import { encode } from "./Encode.ts";
import { breachesOfRoot } from "./strictRules.ts";

const wireOf = (schema: any) => {
  const projection = project(schema, { wants: "object" });
  const wire: any = modelAnswerSchema(projection);
  const admits = new Ajv2020({ strict: false, validateFormats: false }).compile(wire);
  const said = (value: any) => encode(projection.grammar, value);
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
    [
      "the length of a repeated set",
      text({ pattern: "^[a-z]+$", maxLength: 3 }),
      { a: "abc" },
      { a: "abcd" }
    ],
    ["groups that capture nothing", text({ pattern: "^(?:ab)+$" }), { a: "abab" }, { a: "aba" }],
    ["needless escapes", text({ pattern: "^\\@[\\_\\-a]\\-\\.$" }), { a: "@_-." }, { a: "@b-." }],
    ["an address", URI, { a: "https://example.com:80/a?b=c#d" }, { a: "example.com/a" }],
    ["an address by number", URI, { a: "ftp://ada@192.0.2.1//a" }, { a: "http://a b" }],
    ["an address without a host", URI, { a: "mailto:ada@example.com" }, { a: "no address" }],
    ["patterns of names", { type: "object", ...PRICES }, { eur: 1 }, { EUR: 1 }],
    ["patterns of further names", { properties: { a: {} }, ...PRICES }, { a: 1, eur: 1 }, { a: 1, euros: 1 }],
    ["a list of names", SIZES, { small: 1 }, { medium: 1 }],
    [
      "one of members that exclude each other",
      PLACED,
      { name: "a", town: "b" },
      { id: "1", name: "a", town: "b" }
    ],
    [
      "members that must not be together",
      {
        type: "object",
        properties: { file: { type: "string" }, text: { type: "string" } },
        not: { required: ["file", "text"] }
      },
      { file: "a" },
      { file: "a", text: "b" }
    ],
    [
      "that one of one member is there",
      { type: "object", properties: { a: { type: "string" } }, minProperties: 1 },
      { a: "b" },
      {}
    ],
    [
      "what a pattern says of a required name",
      { ...PRICES, type: "object", required: ["eur"] },
      { eur: 2 },
      { eur: "two" }
    ],
    [
      "members that bring others with them",
      {
        type: "object",
        properties: { card: { type: "string" }, holder: { type: "string" } },
        dependentRequired: { card: ["holder"] }
      },
      { card: "1", holder: "Ada" },
      { card: "1" }
    ],
    [
      "types that a value must not have",
      { properties: { a: { not: { type: "string" } } } },
      { a: 1 },
      { a: "1" }
    ],
    [
      "listed values that are taken back",
      { type: "object", properties: { a: { enum: ["x", "y"], not: { enum: ["y"] } } }, required: ["a"] },
      { a: "x" },
      { a: "y" }
    ],
    [
      "a length that leaves no room beside a pattern",
      text({ pattern: "([A-Z]{2})", maxLength: 2 }),
      { a: "AB" },
      { a: "A" }
    ],
    [
      "a length that a repeated set fills",
      text({ pattern: "[a-f]+", minLength: 3, maxLength: 3 }),
      { a: "abc" },
      { a: "abcd" }
    ],
    ["a reference to an address", text({ format: "uri-reference" }), { a: "../a?b#c" }, { a: "a b" }],
    [
      "whole numbers of OpenAPI",
      { properties: { a: { type: "number", format: "int64" } } },
      { a: 2 },
      { a: 0.5 }
    ],
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
      "what each of several patterns says of its names",
      {
        type: "object",
        patternProperties: { "^n_": { type: "integer" }, "^t_": { type: "string" } },
        additionalProperties: false
      },
      { n_1: 1, t_1: "one" },
      { n_1: "one" }
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

  it("requests an object even if nothing conforms", () => {
    const { wire } = wireOf({ type: "object", properties: { a: false }, required: ["a"] });
    assert.deepStrictEqual(breachesOfRoot(wire), []);
  });
});
