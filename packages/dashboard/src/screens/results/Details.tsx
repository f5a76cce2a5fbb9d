/**
 * A cell in full: its value, the words that it was read from with the text around them or five seconds of the player,
 * and what to do about it. Tests: results.test.ts.
 */
import type { CompleteResult, EvidenceItem, ResultRow } from "@winnow/client";
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { href } from "../../data/addresses.ts";
import { useResult, useText } from "../../data/extractions.ts";
import { useSettled } from "../../data/settled.ts";
import { Form } from "../../parts/Form.tsx";
import { IconButton } from "../../parts/Icon.tsx";
import { nameOf } from "../../parts/runTexts.ts";
import { announce } from "../../parts/Toasts.tsx";
import { useShortcuts } from "../../parts/shortcuts.ts";
import { Problem } from "../../parts/Waiting.tsx";
import { words } from "../../words/words.ts";
import { findQuote, linesOfJson, positionText, textOfQuote } from "../run/marks.ts";
import { pathText } from "../../parts/jsonPointer.ts";
import { MediaPlayer, Playing, usePlayer } from "../run/player.tsx";
import { Marked } from "../run/Quoted.tsx";
import { Tree } from "../run/Tree.tsx";
import { runWords } from "../run/words.ts";
import type { Checking } from "./checking.ts";
import { accept, save, uncorrect } from "./corrections.ts";
import { isOfNumbers, MarkSign } from "./Grid.tsx";
import { cellOf, editableText, textOf, typedValue, type Column } from "./table.ts";
import { resultsWords } from "./words.ts";

/** Characters shown before and after a quote. */
const AROUND = 160;

/** The text around a quote, cut at words; null unless the quote is there exactly once. */
const contextOf = (text: string, quote: string) => {
  const range = findQuote(text, quote);
  if (range === null || findQuote(text.slice(range.end), quote) !== null) return null;
  const from = Math.max(0, range.start - AROUND);
  const before = text.slice(from, range.start).replace(from === 0 ? "" : /^\S*\s/u, "");
  const after = text.slice(range.end, range.end + AROUND);
  const isEnd = range.end + AROUND >= text.length;
  return {
    text: before + text.slice(range.start, range.end) + (isEnd ? after : after.replace(/\s\S*$/u, "")),
    range: { start: before.length, end: before.length + range.end - range.start }
  };
};

const CLIP_SECONDS = 5;

interface ClipProps {
  readonly result: CompleteResult<unknown>;
  readonly startSec: number;
}

/** The player at a quote, where there is one; plays five seconds of it. */
const Clip = ({ result, startSec }: ClipProps) => {
  const { media, seek, onTime } = usePlayer();
  const stopAtSec = useRef(Infinity);
  useEffect(
    () =>
      onTime((second) => {
        if (second < stopAtSec.current) return;
        stopAtSec.current = Infinity;
        media.current?.pause();
      }),
    []
  );
  const play = (): void => {
    stopAtSec.current = startSec + CLIP_SECONDS;
    seek(startSec, true);
  };
  useShortcuts({ p: play });
  return (result.artifacts.video ?? result.artifacts.audio) === undefined ? null : (
    <div class="stack tight">
      <MediaPlayer result={result} startSec={startSec} />
      <div class="row">
        <button class="button small" type="button" onClick={play}>
          {resultsWords.play} <kbd>p</kbd>
        </button>
      </div>
    </div>
  );
};

const QUOTES_SHOWN_MAX = 12;

interface QuotesProps {
  readonly row: ResultRow;
  readonly column: Column;
}

interface CellProps extends QuotesProps {
  /** No requests while somebody moves from cell to cell. */
  readonly isSettled: boolean;
}

/** Seconds of a transcript shown before and after a quote. */
const AROUND_SECONDS = 10;

interface QuoteProps {
  readonly item: EvidenceItem;
  /** Undefined while it is loading. */
  readonly result: CompleteResult<unknown> | undefined;
}

/** The text in which a quote is found; of a transcript with times, the lines around it. */
const useTextAround = ({ item, result }: QuoteProps) => {
  const { startSec, endSec } = item;
  const source = textOfQuote(item);
  const { files = [], transcriptFile = null, description } = result?.summary ?? {};
  const isTimed = startSec !== undefined && files.includes("transcript.json");
  const file = isTimed ? "transcript.json" : transcriptFile;
  const { data } = useText(result?.id ?? "", source === "transcript" || source === "page" ? file : null);
  if (data === undefined || !isTimed) return source === "description" ? description : data;
  const [from, to] = [startSec - AROUND_SECONDS, (endSec ?? startSec) + AROUND_SECONDS];
  return linesOfJson(data)
    .filter((line) => line.endSec > from && line.startSec < to)
    .map((line) => line.text)
    .join("\n");
};

const Quote = (props: QuoteProps) => {
  const { item } = props;
  const text = useTextAround(props);
  const whole = { text: item.quote, range: { start: 0, end: item.quote.length } };
  const shown = text == null ? whole : (contextOf(text, item.quote) ?? whole);
  return (
    <blockquote dir="auto">
      <Marked text={shown.text} ranges={[shown.range]} />
    </blockquote>
  );
};

const Quotes = ({ row, column, isSettled }: CellProps) => {
  const { extractionId } = row;
  const { quotes } = cellOf(row, column.pointer);
  const { data, error, refetch } = useResult(extractionId, isSettled && quotes.length > 0);
  const result = data?.status === "complete" ? data : undefined;
  const timed = quotes.find(({ startSec }) => startSec !== undefined)?.startSec;
  return (
    <>
      <Problem error={error} retry={() => void refetch()} />
      {result === undefined || timed === undefined ? null : (
        <Playing>
          <Clip result={result} startSec={timed} />
        </Playing>
      )}
      {quotes.slice(0, QUOTES_SHOWN_MAX).map((item: EvidenceItem & { readonly of: string }) => (
        <figure key={`${item.of} ${item.source} ${item.quote}`} class="stack tight">
          <Quote item={item} result={result} />
          <figcaption class="row hint">
            {item.of === column.pointer ? null : <code>{pathText(item.of)}</code>}
            <span>{positionText(item)}</span>
            {item.supported === false ? <span class="unsupported">{runWords.notSupported}</span> : null}
            <a href={href(`runs/${extractionId}?quote=${encodeURIComponent(item.of)}`)}>
              {resultsWords.atQuote}
            </a>
          </figcaption>
        </figure>
      ))}
      {quotes.length > QUOTES_SHOWN_MAX ? (
        <p class="hint">{resultsWords.moreQuotes(quotes.length - QUOTES_SHOWN_MAX)}</p>
      ) : null}
    </>
  );
};

interface EditProps extends QuotesProps {
  readonly value: unknown;
  readonly onClose: () => void;
}

const Edit = ({ row, column, value, onClose }: EditProps) => {
  const text = editableText(value);
  const field = useRef<HTMLInputElement | HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const Field = isOfNumbers(column) ? "input" : "textarea";
  return (
    <Form
      class="stack tight"
      onSubmit={async (valueOf) => {
        const typed = typedValue(valueOf("value"), column.schema, value);
        await save(row, column, valueOf("isStated") === "no" ? null : typed);
        onClose();
      }}
      onKeyDown={(event) => {
        const isDone = event.key === "Enter" && !event.shiftKey && event.target === field.current;
        if (!isDone && event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        if (isDone) event.currentTarget.requestSubmit();
        else onClose();
      }}
    >
      <Field
        ref={field as RefObject<HTMLInputElement & HTMLTextAreaElement>}
        name="value"
        inputMode={isOfNumbers(column) ? "decimal" : undefined}
        rows={Math.min(8, Math.max(2, text.split("\n").length))}
        aria-label={resultsWords.newValue(column.name)}
        defaultValue={text}
      />
      <div class="row">
        <button class="button main small">{words.save}</button>
        <button class="button small" name="isStated" value="no">
          {resultsWords.notStated}
        </button>
        <button class="button small" type="button" onClick={onClose}>
          {words.cancel}
        </button>
      </div>
    </Form>
  );
};

interface CellDetailsProps extends CellProps, Pick<Checking, "shown" | "show"> {}

const CellValue = ({ row, column }: QuotesProps) => {
  const { value } = cellOf(row, column.pointer);
  if (value === null) return null;
  return typeof value === "object" ? (
    <Tree
      value={value}
      pointer={column.pointer}
      leaf={(leaf) => (
        <span class="row">
          <MarkSign mark={cellOf(row, leaf.pointer).mark} /> <span dir="auto">{textOf(leaf.value)}</span>
        </span>
      )}
    />
  ) : (
    <p class="value" dir="auto">
      {textOf(value)}
    </p>
  );
};

const CellDetails = ({ row, column, isSettled, shown, show }: CellDetailsProps) => {
  const { mark, value, original, quotes } = cellOf(row, column.pointer);
  // The focus stays in the table, where the quote is not read out.
  useEffect(() => announce(quotes[0]?.quote ?? resultsWords.noQuotes), []);
  return (
    <>
      {shown === "form" ? (
        <Edit row={row} column={column} value={value} onClose={() => show("value")} />
      ) : (
        <>
          <CellValue row={row} column={column} />
          {mark === "corrected" ? (
            <p class="hint" dir="auto">
              {resultsWords.readAs}: {textOf(original) || resultsWords.notStated}
            </p>
          ) : null}
          <div class="row">
            {mark === "unsupported" ? (
              <button class="button main small" type="button" onClick={() => accept(row, column)}>
                {resultsWords.accept} <kbd>a</kbd>
              </button>
            ) : null}
            <button class="button small" type="button" onClick={() => show("form")}>
              {resultsWords.correct}
            </button>
            {mark === "corrected" || mark === "accepted" ? (
              <button class="button small" type="button" onClick={() => uncorrect(row, column)}>
                {resultsWords.undo}
              </button>
            ) : null}
          </div>
        </>
      )}
      {quotes.length > 0 ? (
        <Quotes row={row} column={column} isSettled={isSettled} />
      ) : (
        <p class="hint">{original === null ? resultsWords.notSaid : resultsWords.noQuotes}</p>
      )}
    </>
  );
};

interface DetailsProps extends Pick<Checking, "shown" | "show"> {
  readonly row: ResultRow;
  /** Undefined for the extraction itself. */
  readonly column: Column | undefined;
}

export const Details = ({ row, column, shown, show }: DetailsProps) => {
  const mark = column && cellOf(row, column.pointer).mark;
  const cell = `${row.extractionId} ${column?.pointer}`;
  const isSettled = useSettled(cell) === cell;
  return (
    <aside class="result-details panel stack" aria-label={resultsWords.details}>
      <div class="row">
        <h2 class="grow" dir="auto">
          {column?.name ?? nameOf(row)}
        </h2>
        {mark === undefined ? null : (
          <span class="row">
            <MarkSign mark={mark} /> <span aria-hidden="true">{resultsWords.marks[mark]}</span>
          </span>
        )}
        <IconButton icon="cross" label={words.close} onClick={() => show(null)} />
      </div>
      {column === undefined ? (
        <p class="hint">{row.url}</p>
      ) : (
        <CellDetails key={cell} {...{ row, column, isSettled, shown, show }} />
      )}
      <a href={href(`runs/${row.extractionId}`)}>{resultsWords.open}</a>
    </aside>
  );
};
