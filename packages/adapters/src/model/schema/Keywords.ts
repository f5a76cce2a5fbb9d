/**
 * JSON Schema keywords and their treatment: whether a provider enforces each during generation, and whether it is
 * described to the model instead. schema-check validates answers against all. docs/schemas.md shows this list. Tests: Enforced.test.ts.
 */
import { ANNOTATIONS } from "@winnow/core/domain/json-schema/SchemaKeywords";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
import type { Json } from "./Shape.ts";

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

/** Parts of a URI (RFC 3986, appendix A). */
const STEP = "([A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})";
const REST = "([A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*";
const AUTHORITY = "//([A-Za-z0-9._~!$&'()*+,;=:-]*@)?[A-Za-z0-9._~!$&'()*+,;=-]*(:[0-9]{1,5})?";

/** The format `uri`, which no provider knows. */
export const URI = `^[A-Za-z][A-Za-z0-9+.-]*:(${AUTHORITY}(/${STEP}*)*|/?${STEP}+(/${STEP}*)*)(\\?${REST})?(#${REST})?$`;

export const CONSTRUCTS: ReadonlyArray<Construct> = [
  construct("type enum const", "yes", false, "a missing `type` is inferred from the other keywords"),
  construct("properties required", "yes", false, "optional members may be null, which means absent"),
  construct(
    "additionalProperties",
    "yes",
    false,
    "other names are read if it is `true` or a schema; if missing, only if a `prompt` asks for them"
  ),
  construct("patternProperties", "part", false, "one pattern, if no other names are allowed; else in words"),
  construct("propertyNames", "part", true, "`enum`, or one pattern"),
  construct("items additionalItems minItems maxItems", "yes", false),
  construct("prefixItems", "part", true, "each item is one of them; their order in words"),
  construct("minimum maximum exclusiveMinimum exclusiveMaximum multipleOf", "yes", false),
  construct(
    "pattern",
    "part",
    false,
    "the first, without groups with `(?`, back-references, boundaries, character properties or needless escapes; else in words"
  ),
  construct("minLength maxLength", "part", true, "up to 128, if no pattern or format applies"),
  construct(
    "format",
    "part",
    false,
    `${[...FORMATS_ENFORCED].join(", ")}, and uri as a pattern; else in words`
  ),
  construct("$ref $dynamicRef $recursiveRef allOf", "yes", false),
  construct(
    "anyOf oneOf",
    "part",
    false,
    "as `anyOf`; options of `oneOf` that only require members exclude each other; of several choices for a value the first, else in words"
  ),
  construct("not", "no", true),
  construct("minProperties maxProperties", "part", true, "for maps"),
  construct("if then else", "no", true, "members named inside are allowed"),
  construct(
    "dependentRequired dependentSchemas dependencies",
    "no",
    true,
    "members named inside are allowed"
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

/** Keywords that have their own sentence. */
const TOLD = new Set(["title", "description", "examples"]);

/** Keywords that providers reject or interpret differently; they become a sentence. */
const DESCRIBED: ReadonlySet<string> = new Set(
  CONSTRUCTS.filter(({ isDescribed }) => isDescribed)
    .flatMap(({ keywords }) => keywords)
    .filter((keyword) => !TOLD.has(keyword))
);

/** Providers reject groups with flags and look-around, back-references, character properties and boundaries. */
const NOT_ENFORCED = /\(\?|\\[pPbBkK1-9]|\[\^?\]/u;

/** Escapes of ordinary characters, which strict parsers reject; a hyphen is one outside of sets. */
const NEEDLESS_ESCAPE = /\\[_%"'@&~:;=,#!<>` ]/u;
const SET = /\[(?:[^\]\\]|\\.)*\]|\\[^-]/gsu;

/** Whether providers enforce a keyword with this value. */
export const isEnforced = (name: string, value: unknown): boolean => {
  if (typeof value !== "string") return name === "multipleOf";
  if (name === "format") return FORMATS_ENFORCED.has(value);
  return (
    !NOT_ENFORCED.test(value) && !NEEDLESS_ESCAPE.test(value) && !value.replaceAll(SET, "").includes("\\")
  );
};

/** Patterns and formats that providers reject. */
const isRefused = (name: string, value: Json): boolean =>
  (name === "pattern" || name === "format") && !isEnforced(name, value);

const rulesOf = (schema: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(schema).filter(([name, value]) => DESCRIBED.has(name) || isRefused(name, value))
  );

/** Models tend to copy from whole objects. */
const describedExamples = (examples: ReadonlyArray<Json>): ReadonlyArray<string> => {
  const list = examples.map((one) => JSON.stringify(one)).join(" or ");
  if (examples.length === 0) return [];
  return examples.some((one) => typeof one === "object" && one !== null)
    ? [`An example of the form, none of whose values is in the content: ${list}.`]
    : [`For example ${list}.`];
};

const must = (rules: JsonObject): ReadonlyArray<string> =>
  Object.keys(rules).length === 0 ? [] : [`Must also satisfy ${JSON.stringify(rules)}.`];

const sentences = (schema: JsonObject): ReadonlyArray<string> => {
  const { title, description, examples, patternProperties } = schema;
  const text = typeof description === "string" ? description : typeof title === "string" ? title : null;
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
    ...must(rulesOf(schema))
  ];
};

/** The description of a value for which all these schemas hold, and these choices, which are not options of a union. */
export const wordsOf = (
  schemas: ReadonlyArray<JsonObject>,
  choices: ReadonlyArray<{ readonly keyword: string; readonly options: ReadonlyArray<Json> }>
): string => {
  const unmet = choices.flatMap(({ keyword, options }) => must({ [keyword]: options }));
  const words = [...new Set([...schemas.flatMap(sentences), ...unmet])].join(" ");
  return words.length > DESCRIPTION_CHARS_MAX ? `${words.slice(0, DESCRIPTION_CHARS_MAX)}...` : words;
};

/** A schema without what stands at a union: its words and its options. */
export const withoutWords = (schema: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(schema).filter(([name]) => !ANNOTATIONS.has(name) && name !== "anyOf" && name !== "oneOf")
  );
