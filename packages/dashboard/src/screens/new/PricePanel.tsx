/** The exact price before anything is charged; also shown on the button. */
import type { Modality, ProbeResponse } from "@winnow/client";
import { useAccount } from "../../data/client.ts";
import type { PartPrices, Quote } from "../../data/quotes.ts";
import { isLasting, Problem } from "../../parts/Waiting.tsx";
import { clock, number } from "../../words/format.ts";
import { usd } from "../../words/measures.ts";
import { priceWords } from "./words.ts";
import { partsWords, words } from "../../words/words.ts";
import { isUsableSchema } from "../../parts/schema/fields.ts";
import { schemaFault } from "../../parts/schema/SchemaEditor.tsx";
import { isWholeUrl, spendOf, withScheme, type Draft } from "./draft.ts";

interface PricePanelProps {
  readonly draft: Draft;
  readonly quote: Quote;
  readonly isBusy: boolean;
  /** Of the submit. */
  readonly error: unknown;
}

const factsOf = (probe: ProbeResponse): string =>
  [
    probe.durationSec === null ? "" : priceWords.long(clock(probe.durationSec)),
    probe.imageCount > 0 ? priceWords.images(probe.imageCount) : "",
    probe.hasSubtitles ? priceWords.hasSubtitles : "",
    probe.hasComments ? priceWords.hasComments : ""
  ]
    .filter((fact) => fact !== "")
    .join(" · ");

interface ReceiptProps {
  readonly chosen: ReadonlyArray<Modality>;
  readonly prices: PartPrices;
  /** Credits of a fresh run. */
  readonly freshCredits: number;
  readonly credits: number;
}

/** What the price is made of. Parts that are not here are not in it; the base fee takes the rounding. */
const Receipt = ({ chosen, prices, freshCredits, credits }: ReceiptProps) => {
  const parts = chosen.flatMap((part): ReadonlyArray<readonly [string, number]> => {
    const price = Math.round(prices[part] ?? 0);
    return price === 0 ? [] : [[partsWords.names[part], price]];
  });
  const base = freshCredits - parts.reduce((sum, [, price]) => sum + price, 0);
  const isFree = credits === 0 && freshCredits > 0;
  return base < 0 || parts.length === 0 ? null : (
    <dl class="sums receipt">
      {[[priceWords.base, base] as const, ...parts].map(([name, price]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{isFree ? <s>{number(price)}</s> : number(price)}</dd>
        </div>
      ))}
      <div class="total">
        <dt>{priceWords.total}</dt>
        <dd>
          {isFree ? <s>{number(freshCredits)}</s> : null} <strong>{number(credits)}</strong>
        </dd>
      </div>
    </dl>
  );
};

interface FoundProps {
  readonly chosen: ReadonlyArray<Modality>;
  readonly prices: PartPrices;
  readonly probe: ProbeResponse;
  readonly credits: number;
  readonly isCached: boolean;
  /** Not of this body, but of an earlier one. */
  readonly isOld: boolean;
}

const Found = ({ probe, credits, isCached, isOld, chosen, prices }: FoundProps) => (
  <div class={isOld ? "stack tight old" : "stack tight"}>
    <p dir="auto">
      <strong>{probe.title ?? probe.url}</strong>
    </p>
    <p class="hint">{factsOf(probe)}</p>
    <p class="price-line">
      <strong>{number(credits)}</strong> <span>{words.creditsUnit(credits)}</span>
      <span class="hint">{isCached ? priceWords.cached : usd(credits)}</span>
    </p>
    {isOld ? null : (
      <Receipt chosen={chosen} prices={prices} freshCredits={probe.price.freshCredits} credits={credits} />
    )}
    {probe.durationSec === null &&
    probe.price.mode === "download" &&
    probe.price.downloadUsd > 0 &&
    probe.imageCount === 0 ? (
      <p class="hint">{priceWords.unknownLength}</p>
    ) : null}
  </div>
);

/** What is missing before a price can be requested. */
const missing = (draft: Draft): string => {
  if (!isWholeUrl(withScheme(draft.url))) return priceWords.paste;
  if (draft.choice === "saved" && draft.schemaId === "") return priceWords.chooseSchema;
  if (draft.choice === "own" && !isUsableSchema(draft.schemaText)) {
    return schemaFault(draft.schemaText) === null ? priceWords.nameField : priceWords.fixSchema;
  }
  if (draft.choice !== "none" && draft.auto && spendOf(draft) === undefined) return priceWords.enterSpend;
  return priceWords.asking;
};

export const PricePanel = ({ draft, quote, isBusy, error }: PricePanelProps) => {
  const { data: account } = useAccount();
  const { probe, isCurrent, isCached, credits = 0 } = quote;
  const lacks = isCurrent && account !== undefined ? credits - account.balance : 0;
  return (
    <section class="panel stack price-panel">
      <h2>{priceWords.title}</h2>
      <div class="stack tight price-found" aria-live="polite">
        {probe !== undefined && quote.error === null ? (
          <Found
            probe={probe}
            credits={credits}
            isCached={isCached}
            isOld={!isCurrent}
            chosen={draft.choice === "none" ? draft.parts : draft.inputs}
            prices={quote.prices}
          />
        ) : null}
        {quote.error !== null ? (
          isLasting(quote.error) ? (
            <p class="fault" role="alert">
              {quote.error.message}
            </p>
          ) : (
            <Problem error={quote.error} retry={quote.refetch} />
          )
        ) : isCurrent ? null : (
          <p class="hint">{missing(draft)}</p>
        )}
      </div>
      {lacks > 0 ? <p class="fault">{priceWords.lacks(number(lacks))}</p> : null}
      {error === null ? null : <Problem error={error} />}
      <button class="button main" type="submit" disabled={isBusy || !isCurrent || lacks > 0}>
        {!isCurrent
          ? priceWords.extract
          : credits === 0
            ? priceWords.extractFree
            : priceWords.extractFor(number(credits), words.creditsUnit(credits))}
      </button>
      <p class="hint">{priceWords.promise}</p>
    </section>
  );
};
