/** The exact price before anything is charged; also shown on the button. */
import type { ExtractionDetail, Modality, Submission } from "@winnow/client";
import { isWebUrl, withScheme } from "@winnow/client/links";
import { href } from "../../data/addresses.ts";
import { useAccount } from "../../data/client.ts";
import { useCheaper, type Quote } from "../../data/quotes.ts";
import { isForUnknownLength, ReceiptRows } from "../../parts/Receipt.tsx";
import { Problem } from "../../parts/Waiting.tsx";
import { number } from "../../words/format.ts";
import { dayTime, usd } from "../../words/measures.ts";
import { priceWords } from "./words.ts";
import { words } from "../../words/words.ts";
import { partsWords, receiptWords } from "../../words/laterWords.ts";
import { isUsableSchema } from "../../parts/schema/fields.ts";
import { schemaFault } from "../../parts/schema/SchemaEditor.tsx";
import { spendOf, type Draft } from "./draft.ts";

/** What is missing before a price can be requested. */
const missing = (draft: Draft): string => {
  if (!isWebUrl(withScheme(draft.url))) return priceWords.paste;
  if (draft.choice === "saved" && draft.schemaId === "") return priceWords.chooseSchema;
  if (draft.choice === "own" && !isUsableSchema(draft.schemaText)) {
    return schemaFault(draft.schemaText) === null ? priceWords.nameField : priceWords.fixSchema;
  }
  if (draft.choice !== "none" && draft.auto && spendOf(draft) === undefined) return priceWords.enterSpend;
  return priceWords.asking;
};

interface PriceProps {
  readonly draft: Draft;
  readonly quote: Quote;
  /** An extraction whose result would be served. */
  readonly earlier: ExtractionDetail | undefined;
}

const cachedText = (earlier: ExtractionDetail | undefined): string =>
  earlier === undefined ? priceWords.cached : priceWords.earlier(dayTime(earlier.createdAt));

/** Two lines, whatever they are, so that nothing below moves. */
const Amount = ({ draft, quote, earlier }: PriceProps) => {
  const { probe, isCurrent, isCached, credits = 0 } = quote;
  const isUnknownLength = probe !== undefined && isForUnknownLength(probe, probe.price);
  return (
    <div class="buy-price" aria-live="polite">
      {probe !== undefined && quote.error === null ? (
        <div class={isCurrent ? undefined : "old"}>
          <p class="price-line">
            <strong>{number(credits)}</strong> <span>{words.creditsUnit(credits)}</span>
            {isCached ? <s class="hint">{number(probe.price.freshCredits)}</s> : null}
          </p>
        </div>
      ) : null}
      {quote.error !== null ? null : (
        <p class="hint">
          {!isCurrent
            ? missing(draft)
            : isCached
              ? cachedText(earlier)
              : isUnknownLength
                ? receiptWords.unknownLength
                : usd(credits)}
        </p>
      )}
    </div>
  );
};

interface PricePanelProps extends PriceProps {
  readonly body: Submission | undefined;
  /** The parts to fetch or read. */
  readonly chosen: ReadonlyArray<Modality>;
  readonly isBusy: boolean;
  /** Of the submit. */
  readonly error: unknown;
  readonly onForce: () => void;
  readonly onChoose: (parts: ReadonlyArray<Modality>) => void;
}

/** What somebody has already, instead of what they are about to pay for. */
const Earlier = ({ quote, earlier, onForce }: Pick<PricePanelProps, "quote" | "earlier" | "onForce">) => {
  if (quote.earlierId === null || earlier === undefined) return null;
  const credits = quote.probe?.price.freshCredits ?? 0;
  return (
    <div class="row">
      <a class="button small" href={href(`runs/${quote.earlierId}`)}>
        {priceWords.open}
      </a>
      <button class="button small" type="button" onClick={onForce}>
        {priceWords.fresh(number(credits), words.creditsUnit(credits))}
      </button>
    </div>
  );
};

interface TooDearProps extends Pick<PricePanelProps, "body" | "chosen" | "quote" | "onChoose"> {
  readonly balance: number;
}

const TooDear = ({ body, chosen, quote, balance, onChoose }: TooDearProps) => {
  const cheaper = useCheaper(body, chosen, quote, balance);
  return (
    <div class="too-dear stack tight">
      <p class="fault">{priceWords.lacks(number((quote.credits ?? 0) - balance))}</p>
      {cheaper === null ? null : (
        <button class="button small" type="button" onClick={() => onChoose(cheaper.parts)}>
          {priceWords.without(
            cheaper.dropped.map((part) => partsWords.names[part].toLowerCase()).join(priceWords.and),
            number(cheaper.credits),
            words.creditsUnit(cheaper.credits)
          )}
        </button>
      )}
    </div>
  );
};

export const PricePanel = (props: PricePanelProps) => {
  const { draft, quote, earlier, isBusy, error } = props;
  const { data: account } = useAccount();
  const { probe, isCurrent, credits = 0 } = quote;
  const isTooDear = isCurrent && account !== undefined && credits > account.balance;
  return (
    <section class="panel stack price-panel">
      <h2>{priceWords.title}</h2>
      <p class="hint">{priceWords.promise}</p>
      <div class="buy">
        <Amount draft={draft} quote={quote} earlier={earlier} />
        <button class="button main" type="submit" disabled={isBusy || !isCurrent || isTooDear}>
          {!isCurrent
            ? priceWords.extract
            : credits === 0
              ? priceWords.extractFree
              : priceWords.extractFor(number(credits))}
          {isCurrent && credits > 0 ? <span> {words.creditsUnit(credits)}</span> : null}
        </button>
        {isTooDear ? <TooDear {...props} balance={account.balance} /> : null}
        <Earlier {...props} />
        {quote.error === null ? null : <Problem error={quote.error} retry={quote.refetch} />}
        {error === null ? null : <Problem error={error} />}
      </div>
      {probe === undefined || quote.error !== null || probe.price.credits === 0 ? null : (
        <dl class={isCurrent ? "sums receipt" : "sums receipt old"}>
          <ReceiptRows price={probe.price} sum={receiptWords.total} />
        </dl>
      )}
    </section>
  );
};
