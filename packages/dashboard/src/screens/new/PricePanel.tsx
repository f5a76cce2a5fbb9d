/** The exact price before anything is charged; also shown on the button. */
import type { Price, ProbeResponse } from "@winnow/client";
import { useAccount } from "../../data/client.ts";
import type { Quote } from "../../data/quotes.ts";
import { isLasting, Problem } from "../../parts/Waiting.tsx";
import { clock, number } from "../../words/format.ts";
import { usd } from "../../words/measures.ts";
import { priceWords } from "./words.ts";
import { partsWords, wordOf, words } from "../../words/words.ts";
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

const CREDITS_PER_USD = 10_000;

/** Each is exact; the sum is rounded up once, to whole credits. */
const rowsOf = ({ baseUsd, downloadBreakdown, breakdown, freshCredits }: Price) => {
  const rows = [
    [priceWords.base, baseUsd],
    ...Object.entries(downloadBreakdown).map(([part, usd]) => [wordOf(partsWords.names, part), usd] as const),
    ...Object.entries(breakdown).map(([input, usd]) => [wordOf(priceWords.readings, input), usd] as const)
  ] as ReadonlyArray<readonly [string, number]>;
  const shown = rows
    .map(([name, usd]) => [name, Math.round(usd * CREDITS_PER_USD * 10) / 10] as const)
    .filter(([, credits]) => credits > 0);
  const rounding =
    Math.round((freshCredits - shown.reduce((sum, [, credits]) => sum + credits, 0)) * 10) / 10;
  return rounding === 0 ? shown : [...shown, [priceWords.rounding, rounding] as const];
};

/** What the price is made of; a cached result has no price to take apart. */
const Receipt = ({ price }: { readonly price: Price }) =>
  price.baseUsd === 0 ? null : (
    <dl class="sums receipt">
      {rowsOf(price).map(([name, credits]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{number(credits)}</dd>
        </div>
      ))}
      <div class="total">
        <dt>{priceWords.total}</dt>
        <dd>{number(price.freshCredits)}</dd>
      </div>
    </dl>
  );

interface FoundProps {
  readonly probe: ProbeResponse;
  readonly credits: number;
  readonly isCached: boolean;
  /** Not of this body, but of an earlier one. */
  readonly isOld: boolean;
}

const Found = ({ probe, credits, isCached, isOld }: FoundProps) => (
  <div class={isOld ? "stack tight old" : "stack tight"}>
    <p dir="auto">
      <strong>{probe.title ?? probe.url}</strong>
    </p>
    <p class="hint">{factsOf(probe)}</p>
    <p class="price-line">
      <strong>{number(credits)}</strong> <span>{words.creditsUnit(credits)}</span>
      <span class="hint">
        {isCached ? (
          <>
            <s>{number(probe.price.freshCredits)}</s> {priceWords.cached}
          </>
        ) : (
          usd(credits)
        )}
      </span>
    </p>
    {isOld || isCached ? null : <Receipt price={probe.price} />}
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
          <Found probe={probe} credits={credits} isCached={isCached} isOld={!isCurrent} />
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
