/** What each part of a price costs in whole credits, so that the parts add up to what was debited or refunded. */
import * as Records from "effect/Record";
import { type Credits, UNITS_PER_CREDIT } from "./Credits.ts";
import type { Price } from "./Pricing.ts";

/**
 * Each part by its path in the `price` of the API, the base fee without its unit there; in units. Usage is
 * stored by their places: new ones come last.
 */
const UNITS = {
  base: ({ base }) => base,
  "downloadBreakdown.transcript": ({ download }) => download.transcript ?? 0,
  "downloadBreakdown.comments": ({ download }) => download.comments ?? 0,
  "downloadBreakdown.audio": ({ download }) => download.audio ?? 0,
  "downloadBreakdown.video": ({ download }) => download.video ?? 0,
  "breakdown.text": ({ text }) => text,
  "breakdown.audio": ({ audio }) => audio,
  "breakdown.video": ({ video }) => video
} as const satisfies Record<string, (parts: Price["parts"]) => number>;

export type PricePart = keyof typeof UNITS;

export const PRICE_PARTS: ReadonlyArray<PricePart> = Records.keys(UNITS);

export type ByPart = Readonly<Record<PricePart, number>>;

export const NO_PARTS: ByPart = Records.map(UNITS, () => 0);

export const addByPart = (left: ByPart, right: ByPart): ByPart =>
  Records.map(left, (credits, part) => credits + right[part]);

/**
 * Credits of each part, which add up to `credits` and are at most `max`: the whole ones of its units, and what that
 * leaves over, or exceeds, is the largest part's, as far as it has room, then the next one's.
 */
const shared = (credits: Credits, units: ByPart, max: ByPart | null): ByPart => {
  const shares: Record<PricePart, Credits> = Records.map(units, (of, part) =>
    Math.min(Math.floor(of / UNITS_PER_CREDIT), max?.[part] ?? credits)
  );
  let rest = credits - PRICE_PARTS.reduce((sum, part) => sum + shares[part], 0);
  for (const part of PRICE_PARTS.toSorted((left, right) => units[right] - units[left])) {
    const share = Math.min(max?.[part] ?? credits, Math.max(0, shares[part] + rest));
    rest -= share - shares[part];
    shares[part] = share;
  }
  return shares;
};

const unitsOf = (price: Price): ByPart => Records.map(UNITS, (of) => of(price.parts));

/** Of a debit of this price. */
export const debitByPart = (debited: Credits, price: Price): ByPart => shared(debited, unitsOf(price), null);

/**
 * Of the refund of a debit: each part that became cheaper by the settled price gets back at most its debit, all of it
 * in a full refund (null). A part that became dearer, such as the text of a webpage that was expected to be a video,
 * takes from what the others get.
 */
export const refundByPart = (
  refunded: Credits,
  debited: Credits,
  price: Price,
  settled: Price | null
): ByPart => {
  const spent = settled === null ? null : unitsOf(settled);
  const back = Records.map(unitsOf(price), (units, part) => Math.max(0, units - (spent?.[part] ?? 0)));
  return shared(refunded, back, debitByPart(debited, price));
};
