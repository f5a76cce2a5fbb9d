/**
 * Merges JSON values read from several sections of one content. Pure and deterministic: earlier sections take
 * precedence.
 */
import { canonicalJson } from "@winnow/core/domain/text/CanonicalJson";
import { pointerBelow, isJsonObject } from "@winnow/core/domain/text/Json";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
import type * as Schema from "effect/Schema";

export interface SectionValue {
  /** Number of its section. */
  readonly section: number;
  /** RFC 6901 pointer within that section's answer. */
  readonly pointer: string;
  readonly value: Schema.Json;
}

/** The place of a section's value in the merged value. */
export interface Move {
  readonly section: number;
  readonly from: string;
  readonly to: string;
  /** The value was copied as a whole; false for objects and arrays that were merged. */
  readonly isWhole: boolean;
}

export interface MergedValue {
  readonly value: Schema.Json;
  readonly moves: ReadonlyArray<Move>;
}

/** Whether a section has a quote for the value at a pointer. */
export type HasEvidence = (section: number, pointer: string) => boolean;

const moved = (candidates: ReadonlyArray<SectionValue>, to: string, isWhole: boolean): ReadonlyArray<Move> =>
  candidates.map(({ section, pointer }) => ({ section, from: pointer, to, isWhole }));

/** The most frequent value, preferring those with evidence; ties go to the earliest. */
const elected = (
  candidates: ReadonlyArray<SectionValue>,
  hasEvidence: HasEvidence
): ReadonlyArray<SectionValue> => {
  const backed = candidates.filter(({ section, pointer }) => hasEvidence(section, pointer));
  const voters = backed.length > 0 ? backed : candidates;
  const camps = [...Map.groupBy(voters, ({ value }) => canonicalJson(value)).values()];
  const winner = camps.reduce((best, camp) => (camp.length > best.length ? camp : best), camps[0] ?? []);
  const value = winner[0]?.value;
  const text = value === undefined ? "" : canonicalJson(value);
  return candidates.filter((candidate) => canonicalJson(candidate.value) === text);
};

/**
 * Items in order. Equal items of several sections are the same; repeated items within a section are distinct. So
 * each item occurs as often as in the section that has it most often.
 */
const concatenated = (lists: ReadonlyArray<SectionValue>, to: string): MergedValue => {
  const placesOf = new Map<string, Array<number>>();
  const items: Array<Schema.Json> = [];
  const moves = [...moved(lists, to, false)];
  for (const { section, pointer, value } of lists) {
    const occurrences = new Map<string, number>();
    for (const [index, item] of (value as ReadonlyArray<Schema.Json>).entries()) {
      const text = canonicalJson(item);
      const places = placesOf.get(text) ?? [];
      const occurrence = occurrences.get(text) ?? 0;
      if (occurrence === places.length) places.push(items.push(item) - 1);
      placesOf.set(text, places);
      occurrences.set(text, occurrence + 1);
      moves.push({
        section,
        from: `${pointer}/${index}`,
        to: `${to}/${places[occurrence]}`,
        isWhole: true
      });
    }
  }
  return { value: items, moves };
};

const byMember = (
  candidates: ReadonlyArray<SectionValue>,
  to: string,
  hasEvidence: HasEvidence
): MergedValue => {
  const names = new Set(candidates.flatMap(({ value }) => Object.keys(value as JsonObject)));
  const merged = [...names].map((name) => {
    const values = candidates.flatMap(({ section, pointer, value }) =>
      Object.hasOwn(value as JsonObject, name)
        ? [{ section, pointer: pointerBelow(pointer, name), value: (value as JsonObject)[name] ?? null }]
        : []
    );
    return [name, mergeValues(values, hasEvidence, pointerBelow(to, name))] as const;
  });
  return {
    value: Object.fromEntries(merged.map(([name, { value }]) => [name, value])),
    moves: [...moved(candidates, to, false), ...merged.flatMap(([, { moves }]) => moves)]
  };
};

/**
 * Objects are merged by member, arrays are concatenated without duplicates, everything else is decided by vote.
 * Null, and values of another type than the earliest, count only if there is nothing else.
 */
export const mergeValues = (
  candidates: ReadonlyArray<SectionValue>,
  hasEvidence: HasEvidence,
  to = ""
): MergedValue => {
  const present = candidates.filter(({ value }) => value !== null);
  const [first] = present;
  if (first === undefined) return { value: null, moves: moved(candidates, to, true) };
  if (isJsonObject(first.value)) {
    return byMember(
      present.filter(({ value }) => isJsonObject(value)),
      to,
      hasEvidence
    );
  }
  if (Array.isArray(first.value)) {
    return concatenated(
      present.filter(({ value }) => Array.isArray(value)),
      to
    );
  }
  const scalars = present.filter(({ value }) => typeof value !== "object");
  const winners = elected(scalars, hasEvidence);
  return { value: winners[0]?.value ?? null, moves: moved(winners, to, true) };
};
