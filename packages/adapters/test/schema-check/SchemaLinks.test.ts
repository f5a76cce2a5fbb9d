/** References inside a schema, and the linked schema made from them. */
import { assert, describe, it } from "@effect/vitest";
import type { SchemaDialect } from "@winnow/core/domain/json-schema/SchemaKeywords";
import { SCHEMA_REFERENCES_MAX } from "@winnow/core/domain/json-schema/SchemaLimits";
import { linkSchema, type LinkedSchema } from "../../src/schema-check/SchemaLinks.ts";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";

const linked = (schema: JsonObject, dialect: SchemaDialect = "2020-12"): LinkedSchema => {
  const found = linkSchema(schema, dialect);
  if ("reason" in found) throw new Error(`${found.reason} at ${found.path}`);
  return found;
};

const problem = (schema: JsonObject, dialect: SchemaDialect = "2020-12"): string => {
  const found = linkSchema(schema, dialect);
  return "reason" in found ? `${found.reason} ${found.path}` : "none";
};

const TEXT = { type: "string" };

describe("a linked schema", () => {
  it("has numbered references, each target once, and no keywords but those of validity and for a model", () => {
    const schema = {
      $id: "https://example.com/root",
      title: "A title",
      default: {},
      properties: { a: { $ref: "#/$defs/x" }, b: { $ref: "/root#name" }, c: { $ref: "#/$defs/unused~1not" } },
      $defs: { x: { ...TEXT, default: "d" }, y: { $anchor: "name", minimum: 1 }, "unused/not": true, z: TEXT }
    };
    assert.deepStrictEqual(linked(schema).schema, {
      title: "A title",
      properties: { a: { $ref: "#/$defs/0" }, b: { $ref: "#/$defs/1" }, c: { $ref: "#/$defs/2" } },
      $defs: { 0: TEXT, 1: { minimum: 1 }, 2: true }
    });
  });

  it("maps the path of each target, including the root", () => {
    assert.deepStrictEqual(linked({ properties: { a: { items: { $ref: "#/properties/a" } } } }).schema, {
      properties: { a: { $ref: "#/$defs/0" } },
      $defs: { 0: { items: { $ref: "#/$defs/0" } } }
    });
    assert.deepStrictEqual(linked({ items: { $ref: "#" } }).schema, {
      $ref: "#/$defs/0",
      $defs: { 0: { items: { $ref: "#/$defs/0" } } }
    });
  });

  it("keeps property names that are keywords elsewhere, and lists of names", () => {
    const schema = {
      properties: { $id: TEXT, $ref: TEXT, title: TEXT },
      dependencies: { a: ["b"], c: { required: ["d"], $comment: "gone" } },
      const: { $ref: "http://example.com/" }
    };
    assert.deepStrictEqual(linked(schema).schema, {
      ...schema,
      dependencies: { a: ["b"], c: { required: ["d"] } }
    });
  });

  it("lists the original paths of patterns and of schemas under unknown keywords", () => {
    const found = linked({
      patternProperties: { "a/b": { pattern: "c" } },
      items: { $ref: "#/x-own/d" },
      "x-own": { d: { pattern: "e" } }
    });
    assert.deepStrictEqual(
      found.index.patterns.map(({ pattern, path }) => `${pattern} ${path}`),
      ["a/b /patternProperties/a~1b", "c /patternProperties/a~1b/pattern", "e /x-own/d/pattern"]
    );
    assert.deepStrictEqual(
      found.outlying.map(({ path }) => path),
      ["/x-own/d"]
    );
  });

  it("of draft-07 ignores keywords next to a reference, and resolves $id", () => {
    const schema = { $ref: "#text", maxLength: 1, definitions: { a: { $id: "#text", type: "string" } } };
    assert.deepStrictEqual(linked(schema, "draft-07").schema, { $ref: "#/$defs/0", $defs: { 0: TEXT } });
  });

  it("has the tuples of 2020-12", () => {
    const tuple = { items: [TEXT, { items: TEXT }], additionalItems: { items: [TEXT] } };
    assert.deepStrictEqual(linked(tuple, "draft-07").schema, {
      prefixItems: [TEXT, { items: TEXT }],
      items: { prefixItems: [TEXT] }
    });
    assert.deepStrictEqual(linked({ items: TEXT, additionalItems: false }, "2019-09").schema, {
      items: TEXT
    });
  });

  it("treats a dynamic reference as a plain one if only one schema has its name", () => {
    const schema = {
      $dynamicAnchor: "node",
      properties: { next: { $dynamicRef: "#node", minProperties: 1 } }
    };
    assert.deepStrictEqual(linked(schema).schema["$defs"], {
      0: { properties: { next: { $ref: "#/$defs/0", minProperties: 1 } } }
    });
    const other = { $id: "other", $dynamicAnchor: "node" };
    assert.strictEqual(
      problem({ ...schema, $defs: { other } }),
      "unresolved_reference /properties/next/$dynamicRef"
    );
  });
});

describe("references that cannot be used", () => {
  it.each<readonly [string, JsonObject]>([
    ["remote_reference /$ref", { $ref: "other.json" }],
    ["remote_reference /$ref", { $ref: "http://[" }],
    ["remote_reference /not/$ref", { not: { $ref: "https://json-schema.org/draft/2020-12/schema" } }],
    ["unresolved_reference /$ref", { $ref: "#name" }],
    ["unresolved_reference /$ref", { $ref: "#/%zz" }],
    ["unresolved_reference /$ref", { $ref: "#/type", type: "object" }],
    ["unresolved_reference /$ref", { $ref: "#/constructor" }],
    ["reference_loop /$ref", { $ref: "#" }],
    ["reference_loop /not/$ref", { not: { $ref: "#" } }],
    ["reference_loop /dependentSchemas/a/$ref", { dependentSchemas: { a: { $ref: "#" } } }],
    ["reference_loop /dependencies/a/$ref", { dependencies: { a: { $ref: "#" } } }],
    ["not_a_schema /$defs/b/$anchor", { $defs: { a: { $anchor: "x" }, b: { $anchor: "x" } } }],
    ["unsupported_dialect /items/$recursiveRef", { items: { $recursiveRef: "#" } }]
  ])("%s", (expected, schema) => assert.strictEqual(problem(schema), expected));

  it("do not include recursion through a part of the value", () => {
    for (const keyword of ["items", "additionalProperties", "contains", "propertyNames"]) {
      assert.strictEqual(problem({ [keyword]: { $ref: "#" } }), "none");
    }
    assert.strictEqual(problem({ properties: { a: { anyOf: [{ $ref: "#" }, { type: "null" }] } } }), "none");
  });

  it("include too many references, or references that multiply", () => {
    const many = (count: number) => ({
      items: { properties: Object.fromEntries(Array.from({ length: count }, (_, at) => [at, { $ref: "#" }])) }
    });
    assert.strictEqual(problem(many(SCHEMA_REFERENCES_MAX)), "none");
    assert.strictEqual(
      problem(many(SCHEMA_REFERENCES_MAX + 1)),
      `too_costly /items/properties/${SCHEMA_REFERENCES_MAX}/$ref`
    );
    const next = (at: number) => ({ anyOf: Array.from({ length: 10 }, () => ({ $ref: `#/$defs/${at}` })) });
    const multiplied = { ...next(0), $defs: { 0: next(1), 1: next(2), 2: next(3), 3: next(4), 4: TEXT } };
    assert.match(problem(multiplied), /^too_costly /u);
  });
});
