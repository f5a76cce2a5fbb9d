/** What a price is made of: of a quote, and of what a run was debited. Tests: price.test.ts. */
import type { ExtractionDetail, Price } from "@winnow/client";
import { number, CREDITS_PER_USD } from "../words/format.ts";
import { partsWords, receiptWords, wordOf } from "../words/words.ts";
import type { SumRow } from "./Sums.tsx";

/** Of a part as usage names it: by its place in a price. */
export const pricePartName = (part: string): string => {
  const [group = "", name = ""] = part.split(".");
  if (name === "") return receiptWords.base;
  return wordOf(group === "breakdown" ? receiptWords.readings : partsWords.names, name);
};

/** Each is exact; the sum is rounded up once, to whole credits. */
const rowsOf = ({ baseUsd, downloadBreakdown, breakdown, credits }: Price) => {
  const rows = [
    [receiptWords.base, baseUsd],
    ...Object.entries(downloadBreakdown).map(([part, usd]) => [wordOf(partsWords.names, part), usd] as const),
    ...Object.entries(breakdown).map(([input, usd]) => [wordOf(receiptWords.readings, input), usd] as const)
  ] as ReadonlyArray<readonly [string, number]>;
  const shown = rows
    .map(([name, usd]) => [name, Math.round(usd * CREDITS_PER_USD * 10) / 10] as const)
    .filter(([, part]) => part > 0);
  const rounding = Math.round((credits - shown.reduce((sum, [, part]) => sum + part, 0)) * 10) / 10;
  return rounding === 0 ? shown : [...shown, [receiptWords.rounding, rounding] as const];
};

/** The sum alone for a cached result, beside what a fresh run would have cost. */
export const receiptRows = (price: Price, sum: string): ReadonlyArray<SumRow> => [
  ...rowsOf(price).map(([name, credits]) => [name, number(credits)] as const),
  [
    sum,
    price.freshCredits === price.credits ? (
      number(price.credits)
    ) : (
      <>
        <s class="hint">{number(price.freshCredits)}</s> {number(price.credits)}
      </>
    ),
    true
  ]
];

/** Whether the longest possible debit stands for a length that nobody knows yet. */
export const isForUnknownLength = (
  { kind, durationSec }: Pick<ExtractionDetail, "kind" | "durationSec">,
  { breakdown, downloadBreakdown: { audio = 0, video = 0 } }: Price
): boolean =>
  (kind ?? "video") === "video" &&
  durationSec === null &&
  audio + video + breakdown.text + breakdown.audio + breakdown.video > 0;
