import { assert, describe, it } from "@effect/vitest";
import {
  boundsProblem,
  brokenBound,
  SCHEMA_BRANCHES_MAX,
  SCHEMA_DEPTH_MAX,
  SCHEMA_ENUM_VALUES_MAX,
  SCHEMA_NODES_MAX,
  SCHEMA_PATTERN_CHARS_MAX,
  SCHEMA_PATTERNS_MAX
} from "@winnow/core/domain/json-schema/SchemaLimits";
import { linkSchema } from "../../src/schema-check/SchemaLinks.ts";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";

const range = (length: number): ReadonlyArray<number> => Array.from({ length }, (_, index) => index);
const nested = (levels: number): JsonObject => range(levels).reduce<JsonObject>((not) => ({ not }), {});

const problemOf = (schema: JsonObject): string => {
  const found = boundsProblem(schema) ?? linkSchema(schema, "2020-12");
  return "reason" in found ? `${found.reason} ${found.path}` : "none";
};

describe("the limits of a schema", () => {
  it.each<readonly [string, JsonObject, JsonObject, string]>([
    ["levels", nested(SCHEMA_DEPTH_MAX - 1), nested(SCHEMA_DEPTH_MAX), `too_deep ${"/not".repeat(64)}`],
    [
      "values",
      { required: range(SCHEMA_NODES_MAX - 2).map(String) },
      { required: range(SCHEMA_NODES_MAX - 1).map(String) },
      "too_many_nodes /required"
    ],
    [
      "values of an enum",
      { enum: [...range(SCHEMA_ENUM_VALUES_MAX)] },
      { enum: [...range(SCHEMA_ENUM_VALUES_MAX + 1)] },
      "too_many_nodes /enum"
    ],
    [
      "branches",
      { anyOf: range(SCHEMA_BRANCHES_MAX).map(() => true) },
      { anyOf: range(SCHEMA_BRANCHES_MAX + 1).map(() => true) },
      "too_many_nodes /anyOf"
    ],
    [
      "patterns",
      { allOf: range(SCHEMA_PATTERNS_MAX).map(() => ({ pattern: "a" })) },
      { patternProperties: Object.fromEntries(range(SCHEMA_PATTERNS_MAX + 1).map((at) => [at, true])) },
      `too_many_patterns /patternProperties/${SCHEMA_PATTERNS_MAX}`
    ],
    [
      "characters of a pattern",
      { pattern: "a".repeat(SCHEMA_PATTERN_CHARS_MAX) },
      { pattern: "a".repeat(SCHEMA_PATTERN_CHARS_MAX + 1) },
      "unsupported_pattern /pattern"
    ]
  ])("%s: as many as allowed pass, one more does not", (_name, most, more, expected) => {
    assert.strictEqual(problemOf(most), "none");
    assert.strictEqual(problemOf(more), expected);
  });
});

describe("the bounds of a value", () => {
  const bounds = { depthMax: 3, nodesMax: 5, charsMax: 10 };

  it("count values, levels, and characters of texts and keys", () => {
    assert.isNull(brokenBound([[[]]], bounds));
    assert.deepStrictEqual(brokenBound({ "a/b": [[[]]] }, bounds), { bound: "depth", path: "/a~1b/0/0" });
    assert.isNull(brokenBound([1, 2, 3, 4], bounds));
    assert.deepStrictEqual(brokenBound([1, 2, 3, 4, 5], bounds), { bound: "nodes", path: "" });
    assert.isNull(brokenBound({ abcde: "fghij" }, bounds));
    assert.deepStrictEqual(brokenBound({ abcde: "fghijk" }, bounds), { bound: "chars", path: "/abcde" });
  });

  it("apply to values that are too deep for the stack", () => {
    const deep = range(100_000).reduce<unknown>((inner) => [inner], 1);
    const found = brokenBound(deep, { depthMax: 200_000, nodesMax: 50_000, charsMax: 1 });
    assert.strictEqual(found?.bound, "nodes");
  });
});
