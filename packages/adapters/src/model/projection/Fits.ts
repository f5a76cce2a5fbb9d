/**
 * Shared checks of whether a value looks like a shape: types, listed values and lengths. Linear in shapes times
 * values through memoization.
 */
import { canonicalJson } from "@winnow/core/domain/text/CanonicalJson";
import type { Strictness } from "./Grammar.ts";
import { type ArrayShape, type Json, type Leaf, type ShapeId } from "./Shape.ts";
import { typeOf } from "./ValueConstraints.ts";

/** Maximum comparisons for one value: some milliseconds, where an unbounded check could take seconds. */
const STEPS_MAX = 300_000;

export type Fits = (id: ShapeId, value: Json, strictness: Strictness) => boolean;

export const isListed = (values: ReadonlyArray<Json> | null, value: Json): boolean =>
  values === null || values.some((each) => canonicalJson(each) === canonicalJson(value));

export const fitsLeaf = (shape: Leaf, value: Json): boolean => {
  const type = typeOf(value);
  const isType = type === shape.type || (type === "integer" && shape.type === "number");
  return isType && isListed(shape.values, value);
};

/** Memoizes by identity, so that nested options are not tried repeatedly. */
export const memoized = (check: (id: ShapeId, value: Json, strictness: Strictness) => boolean): Fits => {
  const known = new WeakMap<object, Map<string, boolean>>();
  let steps = 0;
  return (id, value, strictness) => {
    if (++steps > STEPS_MAX) return false;
    if (typeof value !== "object" || value === null) return check(id, value, strictness);
    const results = known.get(value) ?? new Map<string, boolean>();
    known.set(value, results);
    const key = `${id}${strictness}`;
    const before = results.get(key);
    if (before !== undefined) return before;
    // A recursive check of the same value and shape proves nothing.
    results.set(key, false);
    const fits = check(id, value, strictness);
    results.set(key, fits);
    return fits;
  };
};

/** Whether a list has an allowed length. */
export const isCount = (
  value: Json,
  { minItems, maxItems }: Pick<ArrayShape, "minItems" | "maxItems">
): value is ReadonlyArray<Json> =>
  Array.isArray(value) && value.length >= (minItems ?? 0) && value.length <= (maxItems ?? value.length);

export const hasOnly = (value: object, names: ReadonlyArray<string>): boolean => {
  const known = new Set(names);
  return Object.keys(value).every((name) => known.has(name));
};
