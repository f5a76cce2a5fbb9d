/**
 * Shows where each value of an extraction comes from (contract 6). No quote is taken on the model's word:
 * it is evidence only when it is found in the input. Pure, linear in texts and quotes, and in slices.
 */
import type * as Schema from "effect/Schema";
import { type Evidence, type EvidenceItem, isProven } from "./Evidence.ts";
import { foldText } from "./FoldedText.ts";
import { pointerBelow } from "./JsonPointer.ts";
import { findQuotesSlices, type QuotableText } from "./QuoteSearch.ts";
import { inOneGo, SLICE_STEPS, type Slices } from "./Slices.ts";
import { isSupported } from "./Support.ts";

/** Words that a value was read from, as a model says. */
export interface ClaimedQuote {
  /** RFC 6901 pointer into the extraction. */
  readonly pointer: string;
  readonly quote: string;
  /** Where it is said, in seconds from the start, as far as the model says. Absent: it does not. */
  readonly atSeconds?: number;
}

/** A scalar of the extraction: text, number, boolean or null. */
export interface Leaf {
  readonly pointer: string;
  readonly value: string | number | boolean | null;
}

/** Pieces of evidence kept for one value: the first ones, of as many as a model may name. */
export const EVIDENCE_PER_VALUE_MAX = 5;

/** Shortest text value that is looked up for itself, in characters: shorter ones occur by chance. */
const VALUE_CHARS_MIN = 4;

/** In the order of the extraction. Empty lists and objects have none. */
export function* leavesSlices(value: Schema.Json): Slices<ReadonlyArray<Leaf>> {
  const leaves: Array<Leaf> = [];
  const open: Array<readonly [pointer: string, value: Schema.Json]> = [["", value]];
  for (let steps = 1; ; steps++) {
    const next = open.pop();
    if (next === undefined) return leaves;
    if (steps % SLICE_STEPS === 0) yield;
    const [at, inner] = next;
    if (typeof inner !== "object" || inner === null) {
      leaves.push({ pointer: at, value: inner });
      continue;
    }
    const names = Object.keys(inner);
    for (let place = names.length - 1; place >= 0; place--) {
      const name = names[place] ?? "";
      open.push([pointerBelow(at, name), (inner as { readonly [name: string]: Schema.Json })[name] ?? null]);
    }
  }
}

export const leavesOf = (value: Schema.Json): ReadonlyArray<Leaf> => inOneGo(leavesSlices(value));

/** Quotes held against their values before others have their turn: each takes some 50 µs. */
const COMPARED_PER_SLICE = 100;

const lettersOf = (text: string): string => foldText(text, "letters").text;

/** Leaves of one list or object that a quote is held against, the first ones: no person's schema has more. */
const LEAVES_COMPARED_MAX = 1_000;

/**
 * The leaves that a quote speaks for: the one it names, or, when it names a list or an object, those inside
 * whose value it contains.
 */
const makeSpokenFor = (leaves: ReadonlyMap<string, Leaf>) => {
  const words = new Map<string, string>();
  const wordsOf = ({ pointer, value }: Leaf): string => {
    const text = words.get(pointer) ?? (typeof value === "boolean" ? "" : lettersOf(String(value ?? "")));
    words.set(pointer, text);
    return text;
  };
  return function* ({ pointer, quote }: ClaimedQuote): Slices<ReadonlyArray<string>> {
    if (leaves.has(pointer)) return [pointer];
    const inside: Array<Leaf> = [];
    let steps = 0;
    for (const leaf of leaves.values()) {
      if (++steps % SLICE_STEPS === 0) yield;
      if (inside.length === LEAVES_COMPARED_MAX) break;
      if (leaf.pointer.startsWith(`${pointer}/`)) inside.push(leaf);
    }
    yield;
    const said = lettersOf(quote);
    return inside
      .filter(({ value }) => typeof value !== "string" || value.length <= 2 * quote.length)
      .filter((leaf) => wordsOf(leaf) !== "" && said.includes(wordsOf(leaf)))
      .map(pointerOf);
  };
};

const pointerOf = ({ pointer }: Leaf): string => pointer;

const isSame = (one: EvidenceItem, other: EvidenceItem): boolean =>
  one.source === other.source &&
  one.quote === other.quote &&
  one.startSec === other.startSec &&
  one.page === other.page;

/**
 * The evidence of every leaf: the model's quotes as far as they are found, and for a text value that none of
 * them bears out, the place where the value itself stands in the input.
 */
export function* groundingSlices(
  extraction: Schema.Json,
  quotes: ReadonlyArray<ClaimedQuote>,
  texts: ReadonlyArray<QuotableText>
): Slices<Evidence> {
  const leaves = new Map<string, Leaf>();
  const evidence = new Map<string, Array<EvidenceItem>>();
  for (const leaf of yield* leavesSlices(extraction)) {
    leaves.set(leaf.pointer, leaf);
    evidence.set(leaf.pointer, []);
    if (leaves.size % SLICE_STEPS === 0) yield;
  }
  const add = (pointer: string, place: EvidenceItem): void => {
    const items = evidence.get(pointer);
    if (items === undefined || items.length >= EVIDENCE_PER_VALUE_MAX) return;
    if (items.some((each) => isSame(each, place))) return;
    const value = leaves.get(pointer)?.value ?? null;
    items.push(isSupported(value, place.quote) ? place : { ...place, supported: false });
  };
  const spokenFor = makeSpokenFor(leaves);
  const places = yield* findQuotesSlices(
    texts,
    quotes.map(({ quote }) => quote),
    { wholeWords: false, atSeconds: quotes.map(({ atSeconds }) => atSeconds ?? null) }
  );
  for (const [index, quote] of quotes.entries()) {
    if (index % COMPARED_PER_SLICE === COMPARED_PER_SLICE - 1) yield;
    const place = places[index] ?? null;
    if (place !== null) for (const pointer of yield* spokenFor(quote)) add(pointer, place);
  }
  const values = [...leaves.values()].flatMap(({ pointer, value }) =>
    typeof value === "string" && value.length >= VALUE_CHARS_MIN && !isProven(evidence.get(pointer))
      ? [{ pointer, value }]
      : []
  );
  const found = yield* findQuotesSlices(
    texts,
    values.map(({ value }) => value),
    { wholeWords: true }
  );
  for (const [index, { pointer }] of values.entries()) {
    if (index % COMPARED_PER_SLICE === COMPARED_PER_SLICE - 1) yield;
    const place = found[index] ?? null;
    if (place !== null) add(pointer, place);
  }
  const told: Record<string, ReadonlyArray<EvidenceItem>> = {};
  let count = 0;
  for (const [pointer, items] of evidence) {
    if (++count % SLICE_STEPS === 0) yield;
    // A pointer is empty or begins with a slash, so that no name of an object's prototype is among them.
    told[pointer] = items;
  }
  return told;
}

export const groundingOf = (
  extraction: Schema.Json,
  quotes: ReadonlyArray<ClaimedQuote>,
  texts: ReadonlyArray<QuotableText>
): Evidence => inOneGo(groundingSlices(extraction, quotes, texts));
