/**
 * Finds the evidence for each value of an extraction. A model's quote counts only if it is found in
 * the input. Pure, and linear in texts and quotes.
 */
import type * as Schema from "effect/Schema";
import { type Evidence, type EvidenceItem, isProven } from "./Evidence.ts";
import { foldText } from "../text/FoldedText.ts";
import { type Leaf, leavesOf } from "../text/Json.ts";
import { findQuotes, type QuotableText, type Slices } from "./QuoteSearch.ts";
import { isSupported } from "./QuoteSupport.ts";

/** A quote that the model reports for a value. */
export interface ClaimedQuote {
  /** RFC 6901 pointer into the extraction. */
  readonly pointer: string;
  readonly quote: string;
  /** Position in seconds from the start, if the model reports one. */
  readonly atSeconds?: number;
}

/** Maximum quotes kept per value. */
export const EVIDENCE_PER_VALUE_MAX = 5;

/** Minimum length of a text value that is itself searched for, in characters: shorter ones match by chance. */
const VALUE_CHARS_MIN = 4;

/** Quotes compared between two pauses; each takes up to a millisecond, if the extraction has many values. */
const COMPARED_AT_ONCE = 20;

const lettersOf = (text: string): string => foldText(text, "letters").text;

/** Maximum leaves of one list or object that a quote is compared with; no hand-written schema has more. */
const LEAVES_COMPARED_MAX = 1_000;

/**
 * The leaves that a quote supports: the one it names or, if it names a list or object, those within it whose value
 * the quote contains.
 */
const makeSupportedLeaves = (leaves: ReadonlyMap<string, Leaf>) => {
  const words = new Map<string, string>();
  const wordsOf = ({ pointer, value }: Leaf): string => {
    const text = words.get(pointer) ?? (typeof value === "boolean" ? "" : lettersOf(String(value ?? "")));
    words.set(pointer, text);
    return text;
  };
  return ({ pointer, quote }: ClaimedQuote): ReadonlyArray<string> => {
    if (leaves.has(pointer)) return [pointer];
    const inside: Array<Leaf> = [];
    for (const leaf of leaves.values()) {
      if (inside.length === LEAVES_COMPARED_MAX) break;
      if (leaf.pointer.startsWith(`${pointer}/`)) inside.push(leaf);
    }
    const quoted = lettersOf(quote);
    return inside
      .filter(({ value }) => typeof value !== "string" || value.length <= 2 * quote.length)
      .filter((leaf) => wordsOf(leaf) !== "" && quoted.includes(wordsOf(leaf)))
      .map(pointerOf);
  };
};

const pointerOf = ({ pointer }: Leaf): string => pointer;

const isSame = (one: EvidenceItem, other: EvidenceItem): boolean =>
  one.source === other.source &&
  one.quote === other.quote &&
  one.startSec === other.startSec &&
  one.page === other.page &&
  one.slide === other.slide &&
  one.pointer === other.pointer;

/**
 * The evidence for every leaf: the model's quotes that were found and, for text values without a supporting quote,
 * the place of the value itself. Nothing supports the values at `inexact`, which were rounded.
 */
export function* grounding(
  extraction: Schema.Json,
  quotes: ReadonlyArray<ClaimedQuote>,
  texts: ReadonlyArray<QuotableText>,
  inexact: ReadonlyArray<string> = []
): Slices<Evidence> {
  const leaves = new Map<string, Leaf>();
  const evidence = new Map<string, Array<EvidenceItem>>();
  for (const leaf of leavesOf(extraction)) {
    leaves.set(leaf.pointer, leaf);
    evidence.set(leaf.pointer, []);
  }
  const rounded = new Set(inexact);
  const add = (pointer: string, place: EvidenceItem): void => {
    const items = evidence.get(pointer);
    if (items === undefined || items.length >= EVIDENCE_PER_VALUE_MAX) return;
    if (items.some((each) => isSame(each, place))) return;
    const value = leaves.get(pointer)?.value ?? null;
    const isProof = !rounded.has(pointer) && isSupported(value, place.quote);
    items.push(isProof ? place : { ...place, supported: false });
  };
  const supportedLeaves = makeSupportedLeaves(leaves);
  const places = yield* findQuotes(
    texts,
    quotes.map(({ quote }) => quote),
    { wholeWords: false, atSeconds: quotes.map(({ atSeconds }) => atSeconds ?? null) }
  );
  for (const [index, quote] of quotes.entries()) {
    if (index % COMPARED_AT_ONCE === 0) yield;
    const place = places[index] ?? null;
    if (place !== null) for (const pointer of supportedLeaves(quote)) add(pointer, place);
  }
  const values = [...leaves.values()].flatMap(({ pointer, value }) =>
    typeof value === "string" && value.length >= VALUE_CHARS_MIN && !isProven(evidence.get(pointer))
      ? [{ pointer, value }]
      : []
  );
  const found = yield* findQuotes(
    texts,
    values.map(({ value }) => value),
    { wholeWords: true }
  );
  for (const [index, { pointer }] of values.entries()) {
    if (index % COMPARED_AT_ONCE === 0) yield;
    const place = found[index] ?? null;
    if (place !== null) add(pointer, place);
  }
  // A pointer is empty or starts with a slash, so it cannot collide with a property of an object's prototype.
  return Object.fromEntries(evidence);
}
