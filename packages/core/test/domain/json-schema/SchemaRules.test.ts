import { assert, describe, it } from "@effect/vitest";
import * as Result from "effect/Result";
import { BODY_DEPTH_MAX } from "../../../src/domain/request/BodyFields.ts";
import { PREDEFINED } from "../../../src/domain/json-schema/Predefined.ts";
import { readSchemaBody } from "../../../src/domain/json-schema/SavedSchema.ts";
import { NAME_CHARS_MAX } from "../../../src/domain/text/NameText.ts";
import {
  checkSchema,
  PROMPT_BYTES_MAX,
  SCHEMA_BYTES_MAX,
  type JsonObject
} from "../../../src/domain/json-schema/SchemaRules.ts";

const OBJECT = { type: "object" };

const detailsOf = (checked: Result.Result<unknown, { readonly details: unknown }>): unknown =>
  Result.isFailure(checked) ? checked.failure.details : "accepted";

const nested = (levels: number): JsonObject => (levels === 0 ? {} : { next: nested(levels - 1) });

describe("the root of a schema", () => {
  it.each<JsonObject>([
    OBJECT,
    { type: ["object"] },
    { properties: { a: true } },
    { required: ["a"] },
    { $ref: "#/$defs/thing", $defs: { thing: OBJECT } },
    { $ref: "#/$defs/a~1b", $defs: { "a/b": { $ref: "#/$defs/c" }, c: OBJECT } },
    { allOf: [{ description: "x" }, OBJECT] },
    { oneOf: [OBJECT, { $ref: "#/oneOf/0" }] },
    { type: ["object", "null"] },
    { anyOf: [OBJECT, { type: "null" }] },
    { oneOf: [{ type: "array" }, { properties: {} }] },
    { $ref: "#/$defs/a", $defs: { a: { anyOf: [{ $ref: "#/$defs/a" }, OBJECT] } } },
    { enum: [{ a: 1 }, 2] },
    { $ref: "#anchor" },
    { Recipe: { type: "object", properties: { dish: { type: "string" } } } },
    { $ref: "https://example.com/other.json" }
  ])("%j allows an object", (schema) => {
    assert.strictEqual(detailsOf(checkSchema(schema)), "accepted");
  });

  it.each<JsonObject>([
    {},
    { description: "anything", definitions: { thing: OBJECT } },
    { minLength: 2, items: OBJECT },
    { type: "array" },
    { type: ["array", "null"] },
    { type: "string", properties: {} },
    { allOf: [OBJECT, { type: "null" }] },
    { enum: ["a"], properties: {} },
    { $ref: "#" },
    { $ref: "#/$defs/a", $defs: { a: { anyOf: [{ $ref: "#/$defs/a" }, { $ref: "#/$defs/a" }] } } },
    { $ref: "#/$defs/list", $defs: { list: { type: "array" } } },
    { anyOf: [{ type: "array" }, { type: "null" }] },
    { anyOf: [] }
  ])("%j allows none, or says nothing of them", (schema) => {
    assert.deepStrictEqual(detailsOf(checkSchema(schema)), { param: "schema", reason: "not_an_object" });
  });
});

describe("a schema to save", () => {
  const body = { name: "Talk", schema: OBJECT };

  it("is accepted unchanged", () => {
    const named = { ...body, name: " \u{1f600}".repeat(100), prompt: "" };
    assert.deepStrictEqual(Result.getOrThrow(readSchemaBody(body)), body);
    assert.deepStrictEqual(Result.getOrThrow(readSchemaBody(named)), named);
  });

  it.each([
    [[], { param: "body" }],
    [{ name: "Talk" }, { param: "schema" }],
    [{ schema: OBJECT }, { param: "name" }],
    [{ ...body, name: "" }, { param: "name" }],
    [{ ...body, name: " " }, { param: "name" }],
    [{ ...body, name: "a\u0000" }, { param: "name" }],
    [{ ...body, name: "\ud800" }, { param: "name" }],
    [{ ...body, name: "x".repeat(NAME_CHARS_MAX + 1) }, { param: "name" }],
    [{ ...body, prompt: null }, { param: "prompt" }],
    [
      { ...body, prompt: "x".repeat(PROMPT_BYTES_MAX + 1) },
      { param: "prompt", reason: "too_large", maxBytes: PROMPT_BYTES_MAX }
    ],
    [
      { ...body, schema: { ...OBJECT, description: "x".repeat(SCHEMA_BYTES_MAX) } },
      { param: "schema", reason: "too_large", maxBytes: SCHEMA_BYTES_MAX }
    ],
    [
      { ...body, schema: { type: "array" } },
      { param: "schema", reason: "not_an_object" }
    ],
    [
      { ...body, schema: { ...OBJECT, deep: nested(BODY_DEPTH_MAX) } },
      { param: "schema", reason: "too_deep" }
    ],
    [
      { ...body, version: 7 },
      { param: "version", reason: "unknown_field" }
    ]
  ])("%# is refused, naming the field", (wrong, details) => {
    assert.deepStrictEqual(detailsOf(readSchemaBody(wrong)), details);
  });
});

describe("the predefined schemas", () => {
  it("follow the rules for saved ones, with ids in their namespace", () => {
    assert.isAtLeast(PREDEFINED.size, 12);
    for (const [id, { name, schema, prompt, version }] of PREDEFINED) {
      assert.strictEqual(id, `winnow.predefined.${name}.v${version}`);
      assert.match(id, /^winnow\.predefined\.[a-z][a-z-]*\.v[1-9]\d*$/u);
      assert.strictEqual(detailsOf(readSchemaBody({ name, schema, prompt })), "accepted");
      assert.isNotEmpty(prompt);
    }
  });

  it("require every member and allow no others, as strict modes of models demand", () => {
    const check = (schema: unknown): void => {
      if (typeof schema !== "object" || schema === null) return;
      const { type, properties, required, additionalProperties } = schema as Record<string, unknown>;
      if (type === "object") {
        assert.sameMembers(required as Array<string>, Object.keys(properties as object));
        assert.isFalse(additionalProperties);
      }
      for (const part of Object.values(schema)) check(part);
    };
    for (const { schema } of PREDEFINED.values()) check(schema);
  });
});
