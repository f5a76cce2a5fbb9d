/** The exact price before anything is charged; also shown on the button. */
import { isFree } from "../../data/free.ts";
import type { BatchQuoteTotal, ExtractionDetail, Modality, Submission } from "@winnow/client";
import type { ComponentChildren } from "preact";
import { isWebUrl, withScheme } from "@winnow/client/links";
import { href } from "../../data/addresses.ts";
import type { useBatchQuote } from "../../data/batches.ts";
import { useAccount } from "../../data/client.ts";
import { useCheaper, type Quote } from "../../data/quotes.ts";
import { isForUnknownLength, ReceiptRows } from "../../parts/Receipt.tsx";
import { Problem } from "../../parts/Waiting.tsx";
import { number, dayTime, usd } from "../../words/format.ts";
import { twiceOf } from "../../words/refusals.ts";
import { priceWords } from "./words.ts";
import { words, partsWords, receiptWords } from "../../words/words.ts";
import { isUsableSchema } from "../../parts/schema/fields.ts";
import { schemaFault } from "../../parts/schema/SchemaEditor.tsx";
import { spendOf, type Draft } from "./draft.ts";

/** What is missing beside the URL before a price can be requested. */
const lacking = (draft: Draft): string => {
  if (draft.choice === "saved" && draft.schemaId === "") return priceWords.chooseSchema;
  if (draft.choice === "own" && !isUsableSchema(draft.schemaText)) {
    return schemaFault(draft.schemaText) === null ? priceWords.nameField : priceWords.fixSchema;
  }
  if (draft.choice !== "none" && draft.auto && spendOf(draft) === undefined) return priceWords.enterSpend;
  return priceWords.asking;
};

const missing = (draft: Draft): string =>
  isWebUrl(withScheme(draft.url)) ? lacking(draft) : priceWords.paste;

interface BuyProps {
  /** What it costs, or why that is not known. */
  readonly amount: ComponentChildren;
  /** The button that starts it, or what is done instead. */
  readonly action: ComponentChildren;
  /** Of the submit. */
  readonly error: unknown;
  /** What came of an earlier attempt is not known. */
  readonly isLost: boolean;
  /** What helps, and what is wrong. */
  readonly children: ComponentChildren;
  readonly receipt?: ComponentChildren;
}

/** The amount has two lines, whatever they are, so that nothing below moves. */
const Buy = ({ amount, action, error, isLost, children, receipt }: BuyProps) => (
  <section class="panel stack price-panel">
    <h2>{priceWords.title}</h2>
    {isFree ? null : <p class="hint">{priceWords.promise}</p>}
    <div class="buy">
      <div class="buy-price" aria-live="polite">
        {amount}
      </div>
      {action}
      {children}
      {error === null ? null : <Problem error={error} />}
      {isLost ? <p class="notice calm">{priceWords.lost}</p> : null}
    </div>
    {receipt}
  </section>
);

// Of one link.

interface PriceProps {
  readonly draft: Draft;
  readonly quote: Quote;
  /** An extraction whose result would be served. */
  readonly earlier: ExtractionDetail | undefined;
}

const cachedText = (earlier: ExtractionDetail | undefined): string =>
  earlier === undefined ? priceWords.cached : priceWords.earlier(dayTime(earlier.createdAt));

const Amount = ({ draft, quote, earlier }: PriceProps) => {
  const { probe, isCurrent, isCached, credits = 0 } = quote;
  if (quote.error !== null) return null;
  const isUnknownLength = probe !== undefined && isForUnknownLength(probe, probe.price);
  return (
    <>
      {probe === undefined || isFree ? null : (
        <div class={isCurrent ? undefined : "old"}>
          <p class="price-line">
            <strong>{number(credits)}</strong> <span>{words.creditsUnit(credits)}</span>
            {isCached ? <s class="hint">{number(probe.price.freshCredits)}</s> : null}
          </p>
        </div>
      )}
      <p class="hint">
        {!isCurrent
          ? missing(draft)
          : isCached
            ? cachedText(earlier)
            : isUnknownLength
              ? receiptWords.unknownLength
              : isFree
                ? ""
                : usd(credits)}
      </p>
    </>
  );
};

interface OnePriceProps extends PriceProps {
  readonly body: Submission | undefined;
  /** The parts to fetch or read. */
  readonly chosen: ReadonlyArray<Modality>;
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly isLost: boolean;
  readonly onForce: () => void;
  readonly onChoose: (parts: ReadonlyArray<Modality>) => void;
}

interface TooDearProps extends Pick<OnePriceProps, "body" | "chosen" | "quote" | "onChoose"> {
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

/** What somebody has already comes before what they would pay for. */
const Action = ({ quote, earlier, isDisabled }: PriceProps & { readonly isDisabled: boolean }) => {
  const { isCurrent, earlierId, credits = 0 } = quote;
  return earlierId !== null && earlier !== undefined ? (
    <a class="button main" href={href(`runs/${earlierId}`)}>
      {priceWords.open}
    </a>
  ) : (
    <button class="button main" type="submit" disabled={isDisabled}>
      {!isCurrent
        ? priceWords.extract
        : credits === 0
          ? priceWords.extractFree
          : priceWords.extractFor(number(credits))}
      {isCurrent && credits > 0 ? <span> {words.creditsUnit(credits)}</span> : null}
    </button>
  );
};

export const OnePrice = (props: OnePriceProps) => {
  const { quote, earlier, isBusy, error, isLost, onForce } = props;
  const { data: account } = useAccount();
  const { probe, isCurrent, credits = 0 } = quote;
  const isTooDear = isCurrent && account !== undefined && credits > account.balance;
  const again = probe?.price.freshCredits ?? 0;
  return (
    <Buy
      amount={<Amount {...props} />}
      action={<Action {...props} isDisabled={isBusy || !isCurrent || isTooDear} />}
      error={error}
      isLost={isLost}
      receipt={
        probe === undefined || quote.error !== null || probe.price.credits === 0 ? null : (
          <dl class={isCurrent ? "sums receipt" : "sums receipt old"}>
            <ReceiptRows price={probe.price} sum={receiptWords.total} />
          </dl>
        )
      }
    >
      {isTooDear ? <TooDear {...props} balance={account.balance} /> : null}
      {quote.earlierId === null || earlier === undefined ? null : (
        <button class="button" type="button" onClick={onForce}>
          {priceWords.fresh(`${number(again)} ${words.creditsUnit(again)}`)}
        </button>
      )}
      {quote.error === null ? null : <Problem error={quote.error} retry={quote.refetch} />}
    </Buy>
  );
};

// Of many.

interface ManyPriceProps {
  readonly draft: Draft;
  readonly items: ReadonlyArray<Submission>;
  readonly quote: ReturnType<typeof useBatchQuote>;
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly isLost: boolean;
}

const AmountOfAll = ({ draft, items, quote }: Pick<ManyPriceProps, "draft" | "items" | "quote">) => {
  const { total, known, lines } = quote;
  const twice = lines.filter((line) => twiceOf(line?.error ?? null) !== null).length;
  if (quote.error !== null) return <Problem error={quote.error} retry={quote.refetch} />;
  if (items.length === 0) return <p class="hint">{lacking(draft)}</p>;
  return total === null ? (
    <>
      <progress aria-label={priceWords.title} max={items.length} value={known} />
      <p class="hint">{priceWords.progress(known, items.length)}</p>
    </>
  ) : (
    <>
      {isFree ? null : (
        <p class="price-line">
          <strong>{number(total.credits)}</strong> <span>{words.creditsUnit(total.credits)}</span>
          <span class="hint">{usd(total.credits)}</span>
        </p>
      )}
      <p class="hint">{priceWords.counts(total.accepted, twice, total.refused - twice)}</p>
    </>
  );
};

/** Why these links cannot be started. */
const faultOf = (total: BatchQuoteTotal, limit: string, balance: number | undefined): string | null => {
  if (total.accepted === 0) return priceWords.noneAccepted;
  if (limit !== "" && total.credits > Number(limit)) return priceWords.aboveLimit;
  return balance !== undefined && total.credits > balance
    ? priceWords.lacks(number(total.credits - balance))
    : null;
};

const priceText = (credits: number): string =>
  credits === 0 ? priceWords.free : `${number(credits)} ${words.creditsUnit(credits)}`;

export const ManyPrice = ({ draft, items, quote, isBusy, error, isLost }: ManyPriceProps) => {
  const { data: account } = useAccount();
  const { total } = quote;
  const fault = total === null ? null : faultOf(total, draft.maxCredits, account?.balance);
  return (
    <Buy
      amount={<AmountOfAll {...{ draft, items, quote }} />}
      action={
        <button class="button main" type="submit" disabled={isBusy || total === null || fault !== null}>
          {total === null || total.accepted === 0
            ? priceWords.extract
            : priceWords.extractMany(total.accepted, priceText(total.credits))}
        </button>
      }
      error={error}
      isLost={isLost}
    >
      {fault === null ? null : <p class="fault">{fault}</p>}
    </Buy>
  );
};
