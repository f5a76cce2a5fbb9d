/** Texts of balance, usage and ledger. */
import { isFree } from "../../data/free.ts";
import { number } from "../../words/format.ts";
import { plural, words } from "../../words/words.ts";

/** Some weeks of use say nothing about later years. */
const PACE_DAYS_MAX = 365;

export const billingWords = {
  balance: "Balance",
  buy: (credits: string, price: string) => `Buy ${credits} credits for ${price}`,
  buyHint: "You pay on a page of the payment service and come back here.",
  paid: "Thank you. The credits appear here as soon as the payment is confirmed, usually within seconds.",
  topUp: "To add credits, ask your operator. 10,000 credits equal US$1.",
  usage: isFree ? "Extractions by day" : "Credits by day",
  usedInAll: (count: string, days: number, most: string) =>
    `${count} ${isFree ? "extractions" : "credits"} in ${days} days, at most ${most} on one day`,
  period: "Period",
  days: (count: number) => `Last ${count} days`,
  asTable: "Show as a table",
  day: "Day",
  ledger: "Ledger",
  when: "When",
  what: "What",
  credits: "Credits",
  after: "Balance after",
  csv: "Download as CSV",
  batch: "Batch",
  deleted: "An extraction that was deleted",
  byKey: "By API key",
  bySchema: "By schema",
  byPart: "By part of the price",
  noKey: "Without an API key",
  revoked: "A revoked key",
  usedText: ({ runs, refunded }: { readonly runs?: number; readonly refunded: number }, credits: number) =>
    [
      ...(isFree ? [] : [`${number(credits)} ${words.creditsUnit(credits)}`]),
      ...(isFree || refunded === 0 ? [] : [`${number(refunded)} refunded`]),
      ...(runs === undefined ? [] : [`${number(runs)} ${plural(runs, "extraction", "extractions")}`])
    ].join(", "),
  back: "Refunded",
  lasts: (days: number) =>
    `At this pace, your balance lasts ${days > PACE_DAYS_MAX ? "more than a year" : `${number(days)} ${plural(days, "day", "days")}`}.`,
  kinds: { debit: "Debit", refund: "Refund", top_up: "Top-up", bonus: "Bonus", adjustment: "Adjustment" }
};
