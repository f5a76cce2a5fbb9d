/**
 * What happens to values without evidence. By `evidence` of a submit, evidence is only attached, or it is required, and
 * unsupported values become null where the schema allows it. By either, an answer read from text alone of which the
 * content has nothing is no result (`isUnfounded`).
 */
import * as Schema from "effect/Schema";
import { type Evidence, isProven } from "./Evidence.ts";
import type { JsonObject } from "../json-schema/SchemaRules.ts";
import { type Leaf, leavesOf, pointerBelow } from "../text/Json.ts";
import { isFilled } from "./RungQuality.ts";
import { uncertain, type Verdict, wordCountOf } from "./Verdict.ts";

export const EvidenceRule = Schema.Literals(["attach", "require"]).annotate({
  identifier: "EvidenceRule",
  message: "must be attach or require"
});
export type EvidenceRule = typeof EvidenceRule.Type;

/** Pointers to values without evidence; null values need none. */
export const unprovenOf = (extraction: Schema.Json, evidence: Evidence): ReadonlySet<string> =>
  new Set(
    leavesOf(extraction)
      .filter(({ pointer, value }) => value !== null && !isProven(evidence[pointer]))
      .map(({ pointer }) => pointer)
  );

/** The same extraction with null at the given pointers. */
export const nulledAt = (value: Schema.Json, pointers: ReadonlySet<string>, at = ""): Schema.Json => {
  if (typeof value !== "object" || value === null) return pointers.has(at) ? null : value;
  return Array.isArray(value)
    ? value.map((item: Schema.Json, index) => nulledAt(item, pointers, pointerBelow(at, index)))
    : Object.fromEntries(
        Object.entries(value).map(([name, item]) => [name, nulledAt(item, pointers, pointerBelow(at, name))])
      );
};

/** With fewer values that could be quoted, a true answer may by chance have none that is. */
const QUOTABLE_MIN = 3;

/** A quote of the content with this many words shows that it was read, whatever its value: it may be translated. */
const QUOTE_WORDS_MIN = 4;

/** The values that the schema lists somewhere, which need not occur in the content. */
const choicesIn = (schema: Schema.Json): ReadonlySet<Schema.Json> => {
  const choices = new Set<Schema.Json>();
  const walk = (value: Schema.Json): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      if (name === "const") choices.add(inner);
      else if (name === "enum" && Array.isArray(inner))
        inner.forEach((each: Schema.Json) => choices.add(each));
      walk(inner);
    }
  };
  walk(schema);
  return choices;
};

/**
 * Whether an answer could have been written without reading: it has several texts and numbers, not choices of the
 * schema, and none is supported by the content. For answers that were read from text alone.
 */
export const isUnfounded = (schema: JsonObject, extraction: Schema.Json, evidence: Evidence): boolean => {
  const choices = choicesIn(schema);
  const quotable = leavesOf(extraction).filter(
    ({ value }) =>
      (typeof value === "string" || typeof value === "number") && isFilled(value) && !choices.has(value)
  );
  const isRead = ({ pointer }: Leaf): boolean => {
    const places = evidence[pointer] ?? [];
    return isProven(places) || places.some(({ quote }) => wordCountOf(quote) >= QUOTE_WORDS_MIN);
  };
  return quotable.length >= QUOTABLE_MIN && !quotable.some(isRead);
};

/** For such an answer. */
export const UNFOUNDED = uncertain(
  "None of the values that the language model gave could be found in the content."
);

/** Pointers named in the sentence. */
const NAMED_MAX = 3;

/** For values the schema does not allow to be null. */
export const unproven = (pointers: ReadonlySet<string>): Verdict => {
  const named = [...pointers].slice(0, NAMED_MAX).join(", ");
  const more = pointers.size > NAMED_MAX ? ` and ${pointers.size - NAMED_MAX} more` : "";
  return uncertain(
    `No evidence was found in the content for the values that the schema requires at ${named}${more}.`
  );
};
