/**
 * What each of many links costs, or why it is refused: the first links of a channel or playlist can take its place.
 * Tests: batches.test.ts.
 */
import { isFree } from "../../data/free.ts";
import { LISTED_ITEMS_MAX, type BatchItemError, type BatchQuoteLine, type Submission } from "@winnow/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { listedBy, type useBatchQuote } from "../../data/batches.ts";
import { Form } from "../../parts/Form.tsx";
import { memo } from "../../parts/memo.ts";
import { shortUrl } from "../../parts/runTexts.ts";
import { number } from "../../words/format.ts";
import { LIST_REASONS, refusalText, twiceOf } from "../../words/refusals.ts";
import { words } from "../../words/words.ts";
import { linesWords } from "./words.ts";

const FIRST_DEFAULT = 50;

export const mayList = ({ details }: Pick<BatchItemError, "details">): boolean =>
  LIST_REASONS.has(details?.["reason"]) || details?.["reason"] === "not_extractable";

interface ListingProps {
  readonly item: Submission;
  readonly onListed: (url: string, links: ReadonlyArray<string>) => void;
}

export const Listing = ({ item, onListed }: ListingProps) => {
  const [first, setFirst] = useState(FIRST_DEFAULT);
  /** How many are known, while they are asked for. */
  const [found, setFound] = useState<number>();
  const aborter = useRef(new AbortController());
  useEffect(() => () => aborter.current.abort(), []);
  return (
    <Form
      class="row"
      onSubmit={async () => {
        setFound(0);
        try {
          onListed(item.url ?? "", await listedBy(item, first, setFound, aborter.current.signal));
        } finally {
          setFound(undefined);
        }
      }}
    >
      <input
        type="number"
        required
        min="1"
        max={LISTED_ITEMS_MAX}
        value={first}
        aria-label={linesWords.howMany}
        onInput={(event) => setFirst(event.currentTarget.valueAsNumber)}
      />
      <button class="button" type="submit">
        {found === undefined ? linesWords.addFirst(first || 0) : linesWords.listing(found)}
      </button>
    </Form>
  );
};

interface QuoteRowProps extends Pick<ListingProps, "onListed"> {
  readonly index: number;
  readonly item: Submission | undefined;
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

interface QuoteRowsProps extends Pick<ListingProps, "onListed"> {
  readonly items: ReadonlyArray<Submission>;
  readonly links: ReadonlyArray<string>;
  readonly quote: ReturnType<typeof useBatchQuote>;
}

/** Below the box of all links, where their rows are below the form. */
export const Refused = ({ lines }: Pick<QuoteRowsProps["quote"], "lines">) => {
  const refused = lines.filter((line) => line?.credits === null && twiceOf(line.error) === null);
  return (
    <ul class="refused fault" tabIndex={refused.length === 0 ? -1 : 0}>
      {refused.map((line) => (
        <li key={line?.index}>
          {line?.error && `${number(line.index + 1)} ${shortUrl(line.url)}: ${refusalText(line.error)}`}
        </li>
      ))}
    </ul>
  );
};

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
