/** Test cases for implementations of SchemaChecker: patterns, and schemas of each draft. */
import type * as Schema from "effect/Schema";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";

/** ECMA-262 patterns, each with a matching and a non-matching text. */
export const PATTERNS: ReadonlyArray<readonly [pattern: string, matches: string, fails: string]> = [
  ["^\\d{3}-\\d{4}$", "555-0100", "5550100"],
  ["b", "abc", "ac"],
  ["^\\p{L}+$", "Grüße", "a1"],
  ["^\\p{Script=Greek}+$", "αβγ", "abc"],
  ["^\\u00e9\\x41\\u{1F600}\\ud83d\\ude00$", "éA\u{1f600}\u{1f600}", "eA"],
  ["^.$", "\u{1f600}", "\n"],
  ["^[\\w.-]+@[\\w.-]+\\.\\w{2,}$", "a.b@c-d.org", "a@b"],
  ["^[\\w\\-]+$", "a-b", "a b"],
  ["^\\s$", "\u00a0", "a"],
  ["^\\S+$", "ab", "a\u2003b"],
  ["^(?:red|green)$", "green", "greens"],
  ["^(?<year>\\d{4})$", "2026", "26"],
  ["^[^]$", "\n", ""],
  ["a$", "ba", "a\n"]
];

/** The same with lookaround, back-references and many repetitions, and one that is invalid with the flag `u`. */
export const BACKTRACKING_PATTERNS: ReadonlyArray<
  readonly [pattern: string, matches: string, fails: string]
> = [
  ["^(?!x)[a-z]+$", "abc", "xyz"],
  ["^(?=.*\\d)(?=.*[a-z]).{4,}$", "abc1", "abcd"],
  ["(?<!\\$)\\b\\d+$", "a 12", "$12"],
  ["^(a|b)\\1$", "aa", "ab"],
  ["^(?!-)[\\w\\-]{1,9}$", "a-b", "-ab"],
  ["^a{2000}$", "a".repeat(2_000), "a"]
];

/** Drafts by `$schema`, each with a schema that uses its keywords, a valid value and an invalid one. */
export const DRAFTS: ReadonlyArray<
  readonly [names: ReadonlyArray<string>, schema: JsonObject, fits: Schema.Json, fails: Schema.Json]
> = [
  [
    ["http://json-schema.org/draft-04/schema#", "https://json-schema.org/draft-04/schema"],
    { properties: { a: { minimum: 1, exclusiveMinimum: true } }, required: ["a"] },
    { a: 2 },
    { a: 1 }
  ],
  [
    ["http://json-schema.org/draft-04/schema#"],
    {
      id: "http://example.com/root",
      properties: { id: { $ref: "#part" } },
      definitions: { part: { id: "#part", type: "string" } }
    },
    { id: "a" },
    { id: 1 }
  ],
  [
    ["http://json-schema.org/draft-06/schema#", "http://json-schema.org/draft-06/schema"],
    { properties: { a: { const: 1, exclusiveMinimum: 0 } } },
    { a: 1 },
    { a: 2 }
  ],
  [
    ["http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft-07/schema"],
    { if: { required: ["a"] }, then: { required: ["b"] } },
    { a: 1, b: 1 },
    { a: 1 }
  ],
  [
    ["https://json-schema.org/draft/2019-09/schema", "http://json-schema.org/draft/2019-09/schema#"],
    {
      $recursiveAnchor: true,
      properties: {
        pair: { items: [{ type: "string" }], additionalItems: false },
        next: { $recursiveRef: "#" }
      },
      dependentRequired: { next: ["pair"] }
    },
    { pair: ["a"], next: { pair: ["b"] } },
    { pair: ["a"], next: { pair: [1] } }
  ],
  [
    ["https://json-schema.org/draft/2020-12/schema#", "http://json-schema.org/draft/2020-12/schema"],
    { properties: { pair: { prefixItems: [{ type: "string" }], items: false } } },
    { pair: ["a"] },
    { pair: ["a", "b"] }
  ],
  [
    ["http://json-schema.org/schema#", "https://example.com/with/words/of/its/own"],
    { "x-order": ["a"], discriminator: { propertyName: "a" }, properties: { a: { type: "string" } } },
    { a: "a" },
    { a: 1 }
  ]
];

/** Each would take a backtracking engine practically forever. */
export const SLOW_PATTERNS = ["^(a+)+$", "^(a|a)*$", "^(.*a){12}$", "^(a|aa)+$", "(x+x+)+y"];
