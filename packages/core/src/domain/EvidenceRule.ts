/**
 * What becomes of values that nothing in the content was found for (contract 11, `evidence`): attached as they are,
 * or required, which makes them null as far as the schema allows.
 */
import * as Schema from "effect/Schema";
import { type Evidence, isProven } from "./Evidence.ts";
import { leavesOf } from "./Grounding.ts";
import { pointerBelow } from "./JsonPointer.ts";
import { uncertain, type Verdict } from "./Verdict.ts";

export const EvidenceRule = Schema.Literals(["attach", "require"]).annotate({
  identifier: "EvidenceRule",
  message: "must be attach or require"
});
export type EvidenceRule = typeof EvidenceRule.Type;

/** Pointers to values that have no evidence; null needs none. */
export const unprovenOf = (extraction: Schema.Json, evidence: Evidence): ReadonlySet<string> =>
  new Set(
    leavesOf(extraction)
      .filter(({ pointer, value }) => value !== null && !isProven(evidence[pointer]))
      .map(({ pointer }) => pointer)
  );

/** The same with null at the pointers. */
export const nulledAt = (value: Schema.Json, pointers: ReadonlySet<string>, at = ""): Schema.Json => {
  if (typeof value !== "object" || value === null) return pointers.has(at) ? null : value;
  return Array.isArray(value)
    ? value.map((item: Schema.Json, index) => nulledAt(item, pointers, pointerBelow(at, index)))
    : Object.fromEntries(
        Object.entries(value).map(([name, item]) => [name, nulledAt(item, pointers, pointerBelow(at, name))])
      );
};

/** Pointers that a sentence names. */
const NAMED_MAX = 3;

/** Of values that the schema does not let be null. */
export const unproven = (pointers: ReadonlySet<string>): Verdict => {
  const named = [...pointers].slice(0, NAMED_MAX).join(", ");
  const more = pointers.size > NAMED_MAX ? ` and ${pointers.size - NAMED_MAX} more` : "";
  return uncertain(
    `No evidence was found in the content for the values that the schema requires at ${named}${more}.`
  );
};
