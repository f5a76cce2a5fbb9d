/** What each link of a new batch costs, or why it is refused; and the price of all. */
import type { BatchQuoteLine, BatchQuoteTotal, Submission } from "@winnow/client";
import type { useBatchQuote } from "../../data/batches.ts";
import { useAccount } from "../../data/client.ts";
import { memo } from "../../parts/memo.ts";
import { shortUrl } from "../../parts/runTexts.ts";
import { Problem } from "../../parts/Waiting.tsx";
import { number } from "../../words/format.ts";
import { usd } from "../../words/measures.ts";
import { words } from "../../words/words.ts";
import { priceWords } from "../new/words.ts";
import { Listing, mayList } from "./Listing.tsx";
import { batchPriceWords, newBatchWords, refusalText, twiceOf } from "./words.ts";

// Each link with its price, or why it has none.

interface QuoteRowProps {
  readonly index: number;
  readonly item: Submission | undefined;
  readonly onListed: (url: string, links: ReadonlyArray<string>) => void;
  readonly url: string;
  readonly line: BatchQuoteLine | undefined;
}

const priceOf = (line: BatchQuoteLine | undefined): string => {
  if (line === undefined) return newBatchWords.asking;
  if (line.credits === null)
    return twiceOf(line.error) === null ? newBatchWords.refused : newBatchWords.twiceMark;
  if (line.cached) return newBatchWords.free;
  return `${number(line.credits)} ${words.creditsUnit(line.credits)}`;
};

const QuoteRow = memo(({ index, item, url, line, onListed }: QuoteRowProps) => {
  const error = line?.error ?? null;
  return (
    <li>
      <span class="hint num">{number(index + 1)}</span>
      <div>
        <p dir="auto">{line?.title ?? shortUrl(url)}</p>
        {error !== null ? (
          <>
            <p class="fault">{refusalText(error)}</p>
            {item !== undefined && mayList(error) ? <Listing item={item} onListed={onListed} /> : null}
          </>
        ) : line?.title == null ? null : (
          <p class="hint">{shortUrl(url)}</p>
        )}
      </div>
      <span class="hint">{priceOf(line)}</span>
    </li>
  );
});

interface QuoteRowsProps extends Pick<QuoteRowProps, "onListed"> {
  readonly items: ReadonlyArray<Submission>;
  readonly links: ReadonlyArray<string>;
  readonly quote: ReturnType<typeof useBatchQuote>;
}

export const QuoteRows = ({ items, links, quote, onListed }: QuoteRowsProps) =>
  links.length === 0 ? null : (
    <section class="stack tight" aria-label={newBatchWords.lines}>
      <h2>{newBatchWords.lines}</h2>
      <ul class="panel batch-rows">
        {links.map((url, index) => (
          <QuoteRow
            key={index}
            index={index}
            item={items[index]}
            url={url}
            line={quote.lines[index]}
            onListed={onListed}
          />
        ))}
      </ul>
    </section>
  );

// The price of all, the most that may be spent, and the button.

interface PriceProps {
  readonly items: ReadonlyArray<Submission>;
  readonly count: number;
  readonly cap: string;
  readonly quote: ReturnType<typeof useBatchQuote>;
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly onCap: (cap: string) => void;
}

const Found = ({ items, count, quote }: Pick<PriceProps, "items" | "count" | "quote">) => {
  const { total, known } = quote;
  if (quote.error !== null) return <Problem error={quote.error} retry={quote.refetch} />;
  if (total !== null) {
    return (
      <>
        <p class="price-line">
          <strong>{number(total.credits)}</strong> <span>{words.creditsUnit(total.credits)}</span>
          <span class="hint">{usd(total.credits)}</span>
        </p>
        <p class="hint">{batchPriceWords.counts(total.accepted, total.refused)}</p>
      </>
    );
  }
  if (items.length === 0)
    return <p class="hint">{count === 0 ? batchPriceWords.paste : batchPriceWords.chooseSchema}</p>;
  return (
    <>
      <progress class="batch-bar" aria-label={batchPriceWords.title} max={items.length} value={known} />
      <p class="hint">{batchPriceWords.progress(known, items.length)}</p>
    </>
  );
};

/** Why these links cannot be started. */
const faultOf = (total: BatchQuoteTotal, cap: string, balance: number | undefined): string | null => {
  if (total.accepted === 0) return batchPriceWords.noneAccepted;
  if (cap !== "" && total.credits > Number(cap)) return batchPriceWords.aboveCap;
  return balance !== undefined && total.credits > balance
    ? priceWords.lacks(number(total.credits - balance))
    : null;
};

const actionOf = (total: BatchQuoteTotal | null): string => {
  if (total === null || total.accepted === 0) return batchPriceWords.extract;
  const { accepted, credits } = total;
  return credits === 0
    ? batchPriceWords.extractFree(accepted)
    : batchPriceWords.extractFor(accepted, number(credits), words.creditsUnit(credits));
};

export const PricePanel = ({ items, count, cap, quote, isBusy, error, onCap }: PriceProps) => {
  const { data: account } = useAccount();
  const { total } = quote;
  const fault = total === null ? null : faultOf(total, cap, account?.balance);
  return (
    <section class="panel stack price-panel">
      <h2>{batchPriceWords.title}</h2>
      <div class="stack tight price-found" aria-live="polite">
        <Found {...{ items, count, quote }} />
      </div>
      <label class="stack tight">
        <span>
          {batchPriceWords.cap} <span class="hint">({words.optional})</span>
        </span>
        <input
          type="number"
          min="0"
          step="1"
          value={cap}
          aria-describedby="cap-hint"
          onInput={(event) => onCap(event.currentTarget.value)}
        />
      </label>
      <p id="cap-hint" class="hint">
        {batchPriceWords.capHint}
      </p>
      {fault === null ? null : <p class="fault">{fault}</p>}
      {error === null ? null : <Problem error={error} />}
      <button class="button main" type="submit" disabled={isBusy || total === null || fault !== null}>
        {actionOf(total)}
      </button>
      <p class="hint">{priceWords.promise}</p>
    </section>
  );
};
