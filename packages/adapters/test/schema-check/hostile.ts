/** Hostile schemas and values, and the expected result of each. */
import type { SchemaProblem } from "@winnow/core/domain/json-schema/SchemaLimits";

interface HostileCase {
  readonly name: string;
  readonly schema: any;
  readonly value: any;
  readonly outcome: "fits" | "unchecked" | "does not fit" | SchemaProblem["reason"];
  /** The suite of the port has the same case, which takes all the time that a check may take. */
  readonly isInSuite?: boolean;
}

const range = (length: number): ReadonlyArray<number> => Array.from({ length }, (_, index) => index);

const nested = (levels: number, wrap: (inner: unknown) => unknown, innermost: unknown): any =>
  range(levels).reduce<unknown>((inner) => wrap(inner), innermost);

const list = (inner: unknown): unknown => [inner];
const words = (length: number): ReadonlyArray<string> =>
  range(length).map((index) => `v${index.toString(16)}`);
const double = (next: string) => ({ allOf: [{ $ref: next }, { $ref: next }] });
const INJECTION = "\"'`;Object.prototype.polluted=1;//";

export const HOSTILE: ReadonlyArray<HostileCase> = [
  {
    name: "an exponential pattern",
    schema: { type: "string", pattern: "^(a+)+$" },
    value: `${"a".repeat(34)}!`,
    outcome: "unchecked"
  },
  {
    name: "a polynomial pattern",
    schema: { pattern: "^(.*,){11}P" },
    value: "1,".repeat(150),
    outcome: "unchecked"
  },
  {
    name: "an exponential pattern of properties",
    schema: { patternProperties: { "^(a|a)*$": { type: "number" } } },
    value: { [`${"a".repeat(40)}!`]: 1 },
    outcome: "unchecked"
  },
  {
    name: "`not` 12,000 deep",
    schema: nested(12_000, (not) => ({ not }), {}),
    value: 1,
    outcome: "too_deep"
  },
  {
    name: "`items` 400 deep",
    schema: nested(400, (items) => ({ items }), {}),
    value: [],
    outcome: "too_deep"
  },
  {
    name: "`items` 2,000 deep",
    schema: nested(2_000, (items) => ({ items }), {}),
    value: [],
    outcome: "too_deep"
  },
  { name: "a value 400 deep", schema: {}, value: nested(400, list, 1), outcome: "too_costly" },
  { name: "an enum of 12,000", schema: { enum: words(12_000) }, value: "zzz", outcome: "too_many_nodes" },
  {
    name: "the largest enum for 10,000 items",
    schema: { items: { enum: words(1_000) } },
    value: range(10_000).map(() => "zzz"),
    outcome: "does not fit"
  },
  {
    name: "`oneOf` of 6,000",
    schema: { oneOf: range(6_000).map((value) => ({ const: value })) },
    value: -1,
    outcome: "too_many_nodes"
  },
  {
    name: "the largest `oneOf`",
    schema: { oneOf: range(500).map((value) => ({ const: value })) },
    value: -1,
    outcome: "does not fit"
  },
  {
    name: "3,500 properties",
    schema: { properties: Object.fromEntries(words(3_500).map((name) => [name, { type: "string" }])) },
    value: {},
    outcome: "too_many_nodes"
  },
  {
    name: "5,000 objects that must differ",
    schema: { uniqueItems: true },
    value: range(5_000).map((a) => ({ a })),
    outcome: "fits"
  },
  { name: "a loop of one", schema: { allOf: [{ $ref: "#" }] }, value: 1, outcome: "reference_loop" },
  {
    name: "a loop of two",
    schema: { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } },
    value: 1,
    outcome: "reference_loop"
  },
  {
    name: "a loop by a dynamic reference",
    schema: { $dynamicAnchor: "a", anyOf: [{ $dynamicRef: "#a" }] },
    value: 1,
    outcome: "reference_loop"
  },
  {
    name: "references that double 60 times",
    schema: {
      $ref: "#/$defs/0",
      $defs: Object.fromEntries([...range(60).map((at) => [at, double(`#/$defs/${at + 1}`)]), [60, {}]])
    },
    value: "x",
    outcome: "too_costly"
  },
  {
    name: "references that double at each step into the value",
    schema: {
      allOf: [{ properties: { c: { $ref: "#" } } }, { properties: { c: { $ref: "#" } } }]
    },
    value: nested(60, (c) => ({ c }), {}),
    outcome: "too_costly",
    isInSuite: true
  },
  {
    name: "14 nested `anyOf` beside `unevaluatedProperties`",
    schema: {
      ...nested(14, (inner) => ({ anyOf: [inner, { properties: { k: {} } }] }), { type: "object" }),
      unevaluatedProperties: true
    },
    value: { z: 1 },
    outcome: "fits"
  },
  {
    name: "a tree that is 5,000 deep",
    schema: { $ref: "#/$defs/n", $defs: { n: { properties: { c: { $ref: "#/$defs/n" } } } } },
    value: nested(5_000, (c) => ({ c }), {}),
    outcome: "too_costly"
  },
  {
    name: "a reference to an address of the host",
    schema: { $ref: "http://169.254.169.254/latest/meta-data" },
    value: 1,
    outcome: "remote_reference"
  },
  {
    name: "a reference to a file",
    schema: { $ref: "file:///etc/passwd" },
    value: 1,
    outcome: "remote_reference"
  },
  {
    name: "a property `__proto__`",
    schema: JSON.parse(
      '{"properties":{"__proto__":{"type":"string","default":"x"}},"required":["__proto__"]}'
    ),
    value: JSON.parse('{"__proto__":"a"}'),
    outcome: "fits"
  },
  {
    name: "a default `__proto__`",
    schema: JSON.parse('{"properties":{"a":{"default":{"__proto__":{"polluted":1}}}}}'),
    value: {},
    outcome: "fits"
  },
  {
    name: "required members that every object inherits",
    schema: { required: ["constructor", "toString"] },
    value: {},
    outcome: "does not fit"
  },
  {
    name: "names that are program text",
    schema: { properties: { [INJECTION]: { pattern: `x${INJECTION}` } }, $comment: `*/${INJECTION}` },
    value: { a: 1 },
    outcome: "fits"
  },
  {
    name: "program text where a number belongs",
    schema: { minLength: "0;Object.prototype.polluted=1" },
    value: "x",
    outcome: "not_a_schema"
  },
  {
    name: "a long URI",
    schema: { format: "uri" },
    value: `http://${"a/".repeat(100_000)}`,
    outcome: "fits"
  },
  {
    name: "a long host name",
    schema: { format: "hostname" },
    value: `${"a-".repeat(50_000)}!`,
    outcome: "does not fit"
  },
  {
    name: "a regular expression of brackets",
    schema: { format: "regex" },
    value: "(".repeat(20_000),
    outcome: "does not fit"
  },
  { name: "a tiny divisor", schema: { multipleOf: 1e-300 }, value: 1e300, outcome: "fits" },
  {
    name: "a pattern that is none",
    schema: { pattern: "([" },
    value: "a",
    outcome: "unsupported_pattern"
  },
  {
    name: "a pattern whose program is large",
    schema: { pattern: "((a{1,100}){1,100}){1,100}" },
    value: "a",
    outcome: "fits"
  },
  {
    name: "the name of a metaschema",
    schema: { $id: "https://json-schema.org/draft/2020-12/schema", type: "string" },
    value: "x",
    outcome: "fits"
  },
  {
    name: "a thousand million items wanted",
    schema: { contains: { type: "object" }, minContains: 1_000_000_000 },
    value: range(1_000).map(() => ({})),
    outcome: "does not fit"
  },
  {
    name: "more faults than memory holds",
    schema: { items: { anyOf: range(500).map((value) => ({ const: value })) } },
    value: range(90_000).map(() => -1),
    outcome: "does not fit"
  }
];
