/** Packs of credits for sale, with their prices. Tests: Payment.test.ts. */
import * as Schema from "effect/Schema";
import { Integer } from "../text/Integer.ts";
import { CREDITS_PER_USD } from "./Credits.ts";
import { TOP_UP_CREDITS_MAX } from "./Payment.ts";

export const CreditPack = Schema.Struct({
  credits: Integer,
  /** In US cents. */
  priceCents: Integer
});
export type CreditPack = typeof CreditPack.Type;

/** Minimum amount of card payments (50 US cents). */
const PACK_PRICE_CENTS_MIN = 50;

/** Maximum amount of one card payment, $999,999.99. */
const PACK_PRICE_CENTS_MAX = 99_999_999;

/** Maximum packs on offer, so that the list stays readable. */
export const PACKS_MAX = 12;

const CENTS_PER_USD = 100;

/** Default price: a dollar per 10,000 credits, as runs are charged. */
const listPriceCents = (credits: number): number => Math.ceil((credits * CENTS_PER_USD) / CREDITS_PER_USD);

/** Parses `100000`, or with a price in US dollars `1000000=90` or `1000000=89.50`; null if invalid. */
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
