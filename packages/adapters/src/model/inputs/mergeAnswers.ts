/**
 * Merges the answers of the sections of long content. Sections that do not match, or contain too little, do not count;
 * of contradicting values the earlier takes precedence. Restores values that the final call dropped: a model that is
 * asked to join duplicates may drop most of it. Pure and deterministic.
 */
import type { Analysis } from "@winnow/core/ports/Analyst";
import type * as Schema from "effect/Schema";
import { canonicalJson } from "@winnow/core/domain/text/CanonicalJson";
import { pointerBelow, isJsonObject } from "@winnow/core/domain/text/Json";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
import type { ClaimedQuote } from "@winnow/core/domain/evidence/Grounding";

type Json = Schema.Json;

/** The validated answer of one call. Valid against the requested schema for `ok`; null otherwise. */
export type Answer = Pick<
  Analysis,
  "outcome" | "verdictReason" | "extraction" | "quotes" | "confidence" | "inexact"
> & {
  /** Warnings for the caller about coerced values; absent if there are none. */
  readonly warnings?: ReadonlyArray<string>;
};

/** As of an answer, which has none if there are none. */
export const inexactAt = (pointers: Iterable<string>): Pick<Answer, "inexact"> => {
  const inexact = [...new Set(pointers)];
  return inexact.length === 0 ? {} : { inexact };
};

interface SectionValue {
  /** Number of its section. */
  readonly section: number;
  /** RFC 6901 pointer within that section's answer. */
  readonly pointer: string;
  readonly value: Json;
}

/** The place of a section's value in the merged value. */
interface Move {
  readonly section: number;
  readonly from: string;
  readonly to: string;
  /** The value was copied as a whole; false for objects and arrays that were merged. */
  readonly isWhole: boolean;
}

interface MergedValue {
  readonly value: Json;
  readonly moves: ReadonlyArray<Move>;
}

/** Whether a section has a quote for the value at a pointer. */
type HasEvidence = (section: number, pointer: string) => boolean;

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
  const items: Array<Json> = [];
  const moves = [...moved(lists, to, false)];
  for (const { section, pointer, value } of lists) {
    const occurrences = new Map<string, number>();
    for (const [index, item] of (value as ReadonlyArray<Json>).entries()) {
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

/** Minimum share of a list's items that joining duplicates leaves. */
const KEPT_SHARE_MIN = 0.6;

/** Fewer missing items count as joined. */
const LOST_ITEMS_MIN = 3;

interface Floored {
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
    if (!isJsonObject(known)) return answer ?? known;
    if (!isJsonObject(answer ?? null)) {
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

export const EMPTY_ANSWER: Answer = {
  outcome: "uncertain",
  verdictReason: "The content is empty.",
  extraction: null,
  quotes: [],
  confidence: null
};

const evidenceOf = (answers: ReadonlyArray<Answer>): HasEvidence => {
  const pointers = answers.map(({ quotes }) => new Set(quotes.map(({ pointer }) => pointer)));
  return (section, pointer) => pointers[section]?.has(pointer) ?? false;
};

/** Follows the path of the value or of its container; null if it was dropped. */
const movedPointer = (moves: ReadonlyMap<string, Move>, pointer: string): string | null => {
  const own = moves.get(pointer);
  if (own !== undefined) return own.to;
  for (let end = pointer.lastIndexOf("/"); end > 0; end = pointer.lastIndexOf("/", end - 1)) {
    const around = moves.get(pointer.slice(0, end));
    if (around?.isWhole === true) return around.to + pointer.slice(end);
  }
  return null;
};

/** By its original place, of each section. */
type Moves = ReadonlyArray<ReadonlyMap<string, Move>>;

const movesBySection = (answers: ReadonlyArray<Answer>, moves: ReadonlyArray<Move>): Moves => {
  const bySection = Map.groupBy(moves, ({ section }) => section);
  return answers.map((_, section) => new Map(bySection.get(section)?.map((move) => [move.from, move])));
};

const movedQuotes = (answers: ReadonlyArray<Answer>, moves: Moves): ReadonlyArray<ClaimedQuote> => {
  const seen = new Set<string>();
  return answers.flatMap(({ quotes }, section) => {
    const places = moves[section] ?? new Map<string, Move>();
    return quotes.flatMap((claimed) => {
      const { pointer, quote } = claimed;
      const to = movedPointer(places, pointer);
      const key = `${to} ${quote}`;
      if (to === null || seen.has(key)) return [];
      seen.add(key);
      return [{ ...claimed, pointer: to }];
    });
  });
};

const movedInexact = (answers: ReadonlyArray<Answer>, moves: Moves): ReadonlyArray<string> =>
  answers.flatMap(({ inexact = [] }, section) =>
    inexact.flatMap((pointer) => movedPointer(moves[section] ?? new Map<string, Move>(), pointer) ?? [])
  );

/** The lowest confidence of the sections that count. */
const least = (answers: ReadonlyArray<Answer>): number | null => {
  const stated = answers.flatMap(({ confidence }) => (confidence === null ? [] : [confidence]));
  return stated.length === 0 ? null : Math.min(...stated);
};

/**
 * `ok` if any section is, `no_match` if all are, else `uncertain`; the reason is that of the earliest such section.
 */
export const mergeAnswers = (answers: ReadonlyArray<Answer>): Answer => {
  const [first] = answers;
  if (first === undefined) return EMPTY_ANSWER;
  const matching = answers.filter(({ outcome }) => outcome === "ok");
  if (matching.length === 0) {
    const outcome = answers.every((answer) => answer.outcome === "no_match") ? "no_match" : "uncertain";
    const verdictReason = answers.find((answer) => answer.outcome === outcome)?.verdictReason ?? null;
    return { outcome, verdictReason, extraction: null, quotes: [], confidence: least(answers) };
  }
  const { value, moves } = mergeValues(
    matching.map(({ extraction }, section) => ({ section, pointer: "", value: extraction })),
    evidenceOf(matching)
  );
  const bySection = movesBySection(matching, moves);
  return {
    outcome: "ok",
    verdictReason: null,
    extraction: value,
    quotes: movedQuotes(matching, bySection),
    ...inexactAt(movedInexact(matching, bySection)),
    confidence: least(matching)
  };
};
