/**
 * What tells whether a value looks like one of a shape: types, listed values and lengths. Linear in shapes
 * times values: what was looked at once is known.
 */
import { canonicalJson } from "@winnow/core/domain/CanonicalJson";
import type { Strictness } from "./Grammar.ts";
import { type ArrayShape, type Json, type Leaf, type ShapeId } from "./Shape.ts";
import { typeOf } from "./TypesOf.ts";

/** Comparisons for one value: seconds at worst would be a fault, and this is some milliseconds. */
const STEPS_MAX = 300_000;

export type Fits = (id: ShapeId, value: Json, strictness: Strictness) => boolean;

export const isListed = (values: ReadonlyArray<Json> | null, value: Json): boolean =>
  values === null || values.some((each) => canonicalJson(each) === canonicalJson(value));

export const fitsLeaf = (shape: Leaf, value: Json): boolean => {
  const type = typeOf(value);
  const isType = type === shape.type || (type === "integer" && shape.type === "number");
  return isType && isListed(shape.values, value);
};

/** Remembers by identity, so that options of options are not tried again and again. */
export const remembering = (check: (id: ShapeId, value: Json, strictness: Strictness) => boolean): Fits => {
  const known = new WeakMap<object, Map<string, boolean>>();
  let steps = 0;
  return (id, value, strictness) => {
    if (++steps > STEPS_MAX) return false;
    if (typeof value !== "object" || value === null) return check(id, value, strictness);
    const answers = known.get(value) ?? new Map<string, boolean>();
    known.set(value, answers);
    const key = `${id}${strictness}`;
    const before = answers.get(key);
    if (before !== undefined) return before;
    // A shape that asks about itself and the same value has no other ground to stand on.
    answers.set(key, false);
    const fits = check(id, value, strictness);
    answers.set(key, fits);
    return fits;
  };
};

/** Whether a list is as long as its shape says. */
export const isCount = (
  value: Json,
  { minItems, maxItems }: Pick<ArrayShape, "minItems" | "maxItems">
): value is ReadonlyArray<Json> =>
  Array.isArray(value) && value.length >= (minItems ?? 0) && value.length <= (maxItems ?? value.length);

export const hasOnly = (value: object, names: ReadonlyArray<string>): boolean => {
  const known = new Set(names);
  return Object.keys(value).every((name) => known.has(name));
};
