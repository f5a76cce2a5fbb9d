/**
 * JSON Schema keywords and their treatment: whether a provider enforces each during generation, and whether it is
 * described to the model instead. schema-check validates answers against all of them. docs/schemas.md shows this list.
 */
import type { Conjunct } from "./AllOf.ts";
import type { Json, JsonObject } from "./Shape.ts";
import { providersPattern } from "./Patterns.ts";

export interface Construct {
  readonly keywords: ReadonlyArray<string>;
  /** `part`: as described in {@link note}. */
  readonly enforced: "yes" | "part" | "no";
  /** Described to the model in a sentence with the keyword and its value. */
  readonly isDescribed: boolean;
  /** Whether an answer that violates it is rejected; otherwise it is only a hint to the model. */
  readonly isChecked: boolean;
  readonly note: string;
}

const construct = (
  words: string,
  enforced: Construct["enforced"],
  isDescribed: boolean,
  note = "",
  isChecked = true
): Construct => ({ keywords: words.split(" "), enforced, isDescribed, isChecked, note });

const FORMATS_ENFORCED: ReadonlySet<string> = new Set([
  "date-time",
  "time",
  "date",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "uuid"
]);

export const CONSTRUCTS: ReadonlyArray<Construct> = [
  construct("type enum const", "yes", false, "a missing `type` is inferred from the other keywords"),
  construct("properties required", "yes", false, "optional members may be null, which means absent"),
  construct(
    "additionalProperties",
    "yes",
    false,
    "members with other names are read if it is `true` or a schema; if it is missing, only if a `prompt` asks for them"
  ),
  construct(
    "patternProperties",
    "part",
    false,
    "names match one of the patterns; each pattern has its own values if nothing else restricts names"
  ),
  construct("propertyNames", "part", true, "`enum`, or one pattern"),
  construct("items prefixItems additionalItems minItems maxItems", "yes", false),
  construct("minimum maximum exclusiveMinimum exclusiveMaximum multipleOf", "yes", false),
  construct("pattern", "part", false, "the first, without look-around and back-references"),
  construct(
    "minLength maxLength",
    "part",
    true,
    "up to 128, if no pattern or format applies, or the pattern is a single repeated set"
  ),
  construct(
    "format",
    "part",
    false,
    `${[...FORMATS_ENFORCED].join(", ")}, and uri, uri-reference, url and byte as patterns`
  ),
  construct("$ref $dynamicRef $recursiveRef allOf anyOf", "yes", false, "up to 8 combinations of choices"),
  construct("oneOf", "part", false, "as `anyOf`; options that only require members exclude each other"),
  construct("not", "part", true, "names, types and listed values inside it"),
  construct("minProperties maxProperties", "part", true, "for maps, and if all members are required"),
  construct("if then else", "no", true, "members named inside them are allowed"),
  construct(
    "dependentRequired dependentSchemas dependencies",
    "part",
    true,
    "up to three lists of names; members named by a schema inside them are allowed"
  ),
  construct("uniqueItems", "part", true, "of equal items, the first is kept"),
  construct("contains minContains maxContains", "no", true),
  construct("unevaluatedProperties unevaluatedItems", "no", true),
  construct("contentEncoding contentMediaType", "no", true, "", false),
  construct("title description examples", "no", true, "", false)
];

/** Maximum characters of a shape's description; validation checks the answer in any case. */
const DESCRIPTION_CHARS_MAX = 1_200;

const EXAMPLES_MAX = 2;

/** Keywords that are compiled to shapes or kept in the wire schema. */
const ENFORCED: ReadonlySet<string> = new Set(
  CONSTRUCTS.filter(({ enforced }) => enforced === "yes").flatMap(({ keywords }) => keywords)
);

/** Keywords that have their own sentence. */
const TOLD = new Set(["title", "description", "examples"]);

/** Keywords that providers reject or interpret differently; they become a sentence. */
const DESCRIBED: ReadonlySet<string> = new Set(
  CONSTRUCTS.filter(({ isDescribed }) => isDescribed)
    .flatMap(({ keywords }) => keywords)
    .filter((keyword) => !TOLD.has(keyword))
);

/** Providers reject patterns with look-around and the like. */
export const isEnforced = (name: string, value: unknown): boolean => {
  if (name === "pattern") return typeof value === "string" && providersPattern(value) !== null;
  if (name === "format") return typeof value === "string" && FORMATS_ENFORCED.has(value);
  return ENFORCED.has(name);
};

const rulesOf = (schema: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(schema).filter(
      ([name, value]) =>
        DESCRIBED.has(name) || ((name === "pattern" || name === "format") && !isEnforced(name, value))
    )
  );

/** Models tend to copy from whole objects. */
const describedExamples = (examples: ReadonlyArray<Json>): ReadonlyArray<string> => {
  const list = examples.map((one) => JSON.stringify(one)).join(" or ");
  if (examples.length === 0) return [];
  return examples.some((one) => typeof one === "object" && one !== null)
    ? [`An example of the form, none of whose values is in the content: ${list}.`]
    : [`For example ${list}.`];
};

const sentences = ({ schema, handledKeywords }: Conjunct): ReadonlyArray<string> => {
  if (handledKeywords.includes("words")) return [];
  const { title, description, examples, patternProperties } = schema;
  const text = typeof description === "string" ? description : typeof title === "string" ? title : null;
  const rules = rulesOf(schema);
  return [
    ...(text === null ? [] : [text]),
    ...(Array.isArray(examples) ? describedExamples(examples.slice(0, EXAMPLES_MAX)) : []),
    ...(patternProperties === undefined
      ? []
      : [
          `Keys match ${Object.keys(patternProperties ?? {})
            .map((one) => `/${one}/`)
            .join(" or ")}.`
        ]),
    ...(schema["oneOf"] === undefined ? [] : ["Exactly one of the options holds."]),
    ...(Object.keys(rules).length === 0 ? [] : [`Must also satisfy ${JSON.stringify(rules)}.`])
  ];
};

export const wordsOf = (conjuncts: ReadonlyArray<Conjunct>): string => {
  const words = [...new Set(conjuncts.flatMap(sentences))].join(" ");
  return words.length > DESCRIPTION_CHARS_MAX ? `${words.slice(0, DESCRIPTION_CHARS_MAX)}...` : words;
};
