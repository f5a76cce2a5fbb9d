/**
 * Restores values that the final call dropped from the merged answer: a model that is asked to join duplicates may
 * drop most of it. Pure.
 */
import { isJsonObject as isObject, pointerBelow } from "@winnow/core/domain/text/Json";
import type * as Schema from "effect/Schema";

type Json = Schema.Json;

/** Minimum share of a list's items that joining duplicates leaves. */
const KEPT_SHARE_MIN = 0.6;

/** Fewer missing items count as joined. */
const LOST_ITEMS_MIN = 3;

export interface Floored {
  readonly value: Json;
  /** Pointers to restored values. */
  readonly restored: ReadonlyArray<string>;
}

const isLost = (kept: number, of: number): boolean =>
  of - kept >= LOST_ITEMS_MIN && kept < of * KEPT_SHARE_MIN;

/** @param merged the answers of all sections, merged by code */
export const floored = (answered: Json, merged: Json): Floored => {
  const restored: Array<string> = [];
  const at = (pointer: string, answer: Json | undefined, known: Json): Json => {
    if (Array.isArray(known)) {
      const keptCount = Array.isArray(answer) ? answer.length : 0;
      if (!isLost(keptCount, known.length)) return answer ?? known;
      restored.push(pointer);
      return known;
    }
    if (!isObject(known)) return answer ?? known;
    if (!isObject(answer ?? null)) {
      if (Object.keys(known).length > 0) restored.push(pointer);
      return known;
    }
    const given = answer as Readonly<Record<string, Json>>;
    const names = new Set([...Object.keys(given), ...Object.keys(known)]);
    return Object.fromEntries(
      [...names].flatMap((name): ReadonlyArray<readonly [string, Json]> => {
        const own = Object.hasOwn(given, name) ? given[name] : undefined;
        const other = Object.hasOwn(known, name) ? known[name] : undefined;
        if (other === undefined) return own === undefined ? [] : [[name, own]];
        const isScalar = typeof other !== "object" || other === null;
        // A value that the final call removed deliberately is null.
        if (isScalar) return own === undefined ? [] : [[name, own]];
        return [[name, at(pointerBelow(pointer, name), own, other)]];
      })
    );
  };
  const value = at("", answered, merged);
  return { value, restored };
};
