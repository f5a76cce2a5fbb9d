/** What each of many links costs, or why it is refused. */
import { isFree } from "../../data/free.ts";
import type { BatchQuoteLine, Submission } from "@winnow/client";
import type { useBatchQuote } from "../../data/batches.ts";
import { memo } from "../../parts/memo.ts";
import { shortUrl } from "../../parts/runTexts.ts";
import { number } from "../../words/format.ts";
import { words } from "../../words/words.ts";
import { Listing, mayList } from "./Listing.tsx";
import { refusalText, twiceOf } from "../../words/refusals.ts";
import { linesWords } from "./words.ts";

interface QuoteRowProps {
  readonly index: number;
  readonly item: Submission | undefined;
  readonly onListed: (url: string, links: ReadonlyArray<string>) => void;
  readonly url: string;
  readonly line: BatchQuoteLine | undefined;
}

const priceOf = (line: BatchQuoteLine | undefined): string => {
  if (line === undefined) return linesWords.asking;
  if (line.credits === null) return twiceOf(line.error) === null ? linesWords.refused : linesWords.twiceMark;
  if (line.cached) return linesWords.free;
  return isFree ? "" : `${number(line.credits)} ${words.creditsUnit(line.credits)}`;
};

const QuoteRow = memo(({ index, item, url, line, onListed }: QuoteRowProps) => {
  const error = line?.error ?? null;
  return (
    <li>
      <span class="hint num">{number(index + 1)}</span>
      <div class="grow">
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
    <section class="stack tight" aria-label={linesWords.lines}>
      <h2>{linesWords.lines}</h2>
      <ul class="panel cards batch-rows">
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
