/**
 * Credits as they are sold: how many for how much.
 */
import * as Schema from "effect/Schema";
import { CREDITS_PER_USD } from "./Credits.ts";
import { TOP_UP_CREDITS_MAX } from "./TopUp.ts";

export const CreditPack = Schema.Struct({
  credits: Schema.Int,
  /** In US cents. */
  priceCents: Schema.Int
});
export type CreditPack = typeof CreditPack.Type;

/** Below this no payment service takes a card (50 US cents). */
export const PACK_PRICE_CENTS_MIN = 50;

/** $999,999.99, the most that one card payment may be. */
export const PACK_PRICE_CENTS_MAX = 99_999_999;

/** As many as one looks through. */
export const PACKS_MAX = 12;

const CENTS_PER_USD = 100;

/** What they cost where no other price is named: the specification's dollar for 10,000. */
export const listPriceCents = (credits: number): number =>
  Math.ceil((credits * CENTS_PER_USD) / CREDITS_PER_USD);

/** `100000`, or `1000000=90` and `1000000=89.50` in US dollars; null for what is neither. */
export const readCreditPack = (text: string): CreditPack | null => {
  const [, number, dollars, cents = ""] =
    /^(\d{1,10})(?:=(\d{1,6})(?:\.(\d{2}))?)?$/u.exec(text.trim()) ?? [];
  if (number === undefined) return null;
  const credits = Number(number);
  const priceCents =
    dollars === undefined ? listPriceCents(credits) : Number(dollars) * CENTS_PER_USD + Number(cents);
  return credits >= 1 &&
    credits <= TOP_UP_CREDITS_MAX &&
    priceCents >= PACK_PRICE_CENTS_MIN &&
    priceCents <= PACK_PRICE_CENTS_MAX
    ? { credits, priceCents }
    : null;
};
