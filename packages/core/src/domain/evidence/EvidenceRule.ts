/**
 * What happens to values without evidence (`evidence` of a submit): either evidence is only attached, or it is
 * required and unsupported values become null where the schema allows it.
 */
import * as Schema from "effect/Schema";
import { type Evidence, isProven } from "./Evidence.ts";
import { leavesOf } from "./Grounding.ts";
import { pointerBelow } from "../text/Json.ts";
import { uncertain, type Verdict } from "./Verdict.ts";

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
