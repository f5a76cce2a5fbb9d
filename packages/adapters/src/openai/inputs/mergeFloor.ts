/**
 * The merge by code as the floor of the last call: a model that is to join what is the same may leave out most
 * of it. What it left out is put back. Pure.
 */
import { isJsonObject as isObject } from "@winnow/core/domain/SchemaRules";
import { pointerBelow } from "@winnow/core/domain/JsonPointer";
import type * as Schema from "effect/Schema";

type Json = Schema.Json;

/** Of the items of a list, the least share that joining what is the same leaves. */
const KEPT_SHARE_MIN = 0.6;

/** Fewer lost items are joined ones. */
const LOST_ITEMS_MIN = 3;

export interface Floored {
  readonly value: Json;
  /** Pointers to what was put back. */
  readonly restored: ReadonlyArray<string>;
}

const isLost = (kept: number, of: number): boolean =>
  of - kept >= LOST_ITEMS_MIN && kept < of * KEPT_SHARE_MIN;

/** @param merged by code, of the answers of all sections */
export const floored = (answered: Json, merged: Json): Floored => {
  const restored: Array<string> = [];
  const at = (pointer: string, said: Json | undefined, known: Json): Json => {
    if (Array.isArray(known)) {
      const kept = Array.isArray(said) ? said.length : 0;
      if (!isLost(kept, known.length)) return said ?? known;
      restored.push(pointer);
      return known;
    }
    if (!isObject(known)) return said ?? known;
    if (!isObject(said ?? null)) {
      if (Object.keys(known).length > 0) restored.push(pointer);
      return known;
    }
    const given = said as Readonly<Record<string, Json>>;
    const names = new Set([...Object.keys(given), ...Object.keys(known)]);
    return Object.fromEntries(
      [...names].flatMap((name): ReadonlyArray<readonly [string, Json]> => {
        const own = Object.hasOwn(given, name) ? given[name] : undefined;
        const other = Object.hasOwn(known, name) ? known[name] : undefined;
        if (other === undefined) return own === undefined ? [] : [[name, own]];
        const isScalar = typeof other !== "object" || other === null;
        // A value that the last call took away on purpose is told apart by being null.
        if (isScalar) return own === undefined ? [] : [[name, own]];
        return [[name, at(pointerBelow(pointer, name), own, other)]];
      })
    );
  };
  const value = at("", answered, merged);
  return { value, restored };
};
