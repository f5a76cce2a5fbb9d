/** Describes to the model the constraints that the wire schema does not enforce. */
import { CONSTRUCTS, FORMATS_ENFORCED } from "./Keywords.ts";
import type { Conjunct } from "./AllOf.ts";
import type { Json, JsonObject } from "./Shape.ts";
import { providersPattern } from "./TextPatterns.ts";

/** Maximum characters of a shape's description; validation checks the answer in any case. */
const DESCRIPTION_CHARS_MAX = 1_200;

const EXAMPLES_MAX = 2;

/** Keywords that are compiled to shapes or kept in the wire schema. */
const ENFORCED: ReadonlySet<string> = new Set(
  CONSTRUCTS.filter(({ enforced }) => enforced === "yes").flatMap(({ keywords }) => keywords)
);

/** Keywords that have their own sentence. */
const ANNOTATIONS = new Set(["title", "description", "examples"]);

/** Keywords that providers reject or interpret differently; they become a sentence. */
const DESCRIBED: ReadonlySet<string> = new Set(
  CONSTRUCTS.filter(({ isDescribed }) => isDescribed)
    .flatMap(({ keywords }) => keywords)
    .filter((keyword) => !ANNOTATIONS.has(keyword))
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
