/**
 * A cell in full: its value, the words that it was read from with the text around them or five seconds of the player,
 * and what to do about it.
 */
import type { CompleteResult, EvidenceItem, ResultRow } from "@winnow/client";
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { href, ownUrl } from "../../data/addresses.ts";
import { useResult, useText } from "../../data/extractions.ts";
import { Icon } from "../../parts/Icon.tsx";
import { nameOf } from "../../parts/runTexts.ts";
import { announce } from "../../parts/Toasts.tsx";
import { useShortcuts } from "../../parts/shortcuts.ts";
import { Problem, useAct } from "../../parts/Waiting.tsx";
import { words } from "../../words/words.ts";
import { findQuote, linesOfJson } from "../run/marks.ts";
import { pathText } from "../../parts/jsonPointer.ts";
import { Marked } from "../run/Quoted.tsx";
import { positionText } from "../run/Values.tsx";
import { runWords } from "../run/words.ts";
import { isOfNumbers, MarkSign } from "./Grid.tsx";
import { cellOf, editableText, isToCheck, textOf, typedValue, within, type Column } from "./table.ts";
import { resultsWords } from "./words.ts";

/** No requests while somebody moves from cell to cell. */
const MOVING_MS = 300;

const useSettled = (): boolean => {
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), MOVING_MS);
    return () => clearTimeout(timer);
  }, []);
  return isSettled;
};

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

/** The player at a quote; plays five seconds of it. */
const Clip = ({ result: { artifacts }, startSec }: ClipProps) => {
  const media = useRef<HTMLMediaElement>(null);
  const stopAtSec = useRef(Infinity);
  const play = (): void => {
    const element = media.current;
    if (element === null) return;
    stopAtSec.current = startSec + CLIP_SECONDS;
    element.currentTime = startSec;
    element.play().catch(() => undefined);
  };
  useShortcuts({ p: play });
  const url = artifacts.video ?? artifacts.audio;
  if (url === undefined) return null;
  const common = {
    src: `${ownUrl(url)}#t=${startSec}`,
    controls: true,
    preload: "metadata" as const,
    "aria-label": runWords.player,
    onTimeUpdate: ({ currentTarget }: { readonly currentTarget: HTMLMediaElement }) => {
      if (currentTarget.currentTime < stopAtSec.current) return;
      stopAtSec.current = Infinity;
      currentTarget.pause();
    }
  };
  return (
    <div class="stack tight">
      {artifacts.video === undefined ? (
        <audio ref={media as RefObject<HTMLAudioElement>} class="clip" {...common} />
      ) : (
        <video ref={media as RefObject<HTMLVideoElement>} class="clip" playsInline {...common} />
      )}
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

/** Seconds of a transcript shown before and after a quote. */
const AROUND_SECONDS = 10;

/** The file in which quotes of a source are found: with times, where there is one. */
const fileOf = ({ source, startSec }: EvidenceItem, { summary }: CompleteResult<unknown>): string | null => {
  if (source !== "transcript" && source !== "page") return null;
  const { files, transcriptFile } = summary;
  return startSec !== undefined && files.includes("transcript.json") ? "transcript.json" : transcriptFile;
};

/** Of a transcript with times, the lines around the quote. */
const textAround = (
  { startSec = 0, endSec = startSec }: EvidenceItem,
  file: string,
  text: string
): string => {
  if (!file.endsWith(".json")) return text;
  return linesOfJson(text)
    .filter((line) => line.endSec > startSec - AROUND_SECONDS && line.startSec < endSec + AROUND_SECONDS)
    .map((line) => line.text)
    .join("\n");
};

interface QuoteProps {
  readonly item: EvidenceItem;
  /** Undefined while it is loading. */
  readonly result: CompleteResult<unknown> | undefined;
}

const Quote = ({ item, result }: QuoteProps) => {
  const file = result === undefined ? null : fileOf(item, result);
  const { data } = useText(result?.id ?? "", file);
  const description = item.source === "description" ? result?.summary.description : null;
  const text = file === null || data === undefined ? description : textAround(item, file, data);
  const whole = { text: item.quote, range: { start: 0, end: item.quote.length } };
  const shown = text == null ? whole : (contextOf(text, item.quote) ?? whole);
  return (
    <blockquote dir="auto">
      <Marked text={shown.text} ranges={[shown.range]} />
    </blockquote>
  );
};

const Quotes = ({ row, column }: QuotesProps) => {
  const { extractionId } = row;
  const { quotes } = cellOf(row, column.pointer);
  const isSettled = useSettled();
  const { data, error, refetch } = useResult(extractionId, isSettled && quotes.length > 0);
  const result = data?.status === "complete" ? data : undefined;
  const timed = quotes.find(({ startSec }) => startSec !== undefined)?.startSec;
  return (
    <>
      {error === null ? null : <Problem error={error} retry={() => void refetch()} />}
      {result === undefined || timed === undefined ? null : (
        <Clip key={`${extractionId} ${timed}`} result={result} startSec={timed} />
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

interface EditProps {
  readonly column: Column;
  readonly value: unknown;
  readonly onSave: (value: unknown) => Promise<void>;
  readonly onClose: () => void;
}

const Edit = ({ column, value, onSave, onClose }: EditProps) => {
  const { act, isBusy, error } = useAct();
  const [text, setText] = useState(editableText(value));
  const field = useRef<HTMLInputElement | HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const save = (to: unknown): void => void act(() => onSave(to), onClose);
  const saveTyped = (): void => save(typedValue(text, column.schema, value));
  const common = {
    "aria-label": resultsWords.newValue(column.name),
    value: text,
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      setText(currentTarget.value)
  };
  return (
    <form
      class="stack tight"
      onSubmit={(event) => {
        event.preventDefault();
        saveTyped();
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
        else if (event.key === "Enter" && !event.shiftKey && event.target === field.current) saveTyped();
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      {isOfNumbers(column) ? (
        <input ref={field as RefObject<HTMLInputElement>} inputMode="decimal" {...common} />
      ) : (
        <textarea
          ref={field as RefObject<HTMLTextAreaElement>}
          rows={Math.min(8, Math.max(2, text.split("\n").length))}
          {...common}
        />
      )}
      {error === null ? null : <Problem error={error} />}
      <div class="row">
        <button class="button main small" type="submit" disabled={isBusy}>
          {words.save}
        </button>
        <button class="button small" type="button" disabled={isBusy} onClick={() => save(null)}>
          {resultsWords.notStated}
        </button>
        <button class="button small" type="button" onClick={onClose}>
          {words.cancel}
        </button>
      </div>
    </form>
  );
};

/** The parts of a nested value that are without a quote. */
const LEAVES_SHOWN_MAX = 20;

const Leaves = ({ row, column }: QuotesProps) => (
  <ul class="stack tight">
    {within(row.support, column.pointer)
      .slice(0, LEAVES_SHOWN_MAX)
      .map(([pointer]) => {
        const { mark, value } = cellOf(row, pointer);
        return (
          <li key={pointer} class="row">
            <MarkSign mark={mark} /> <span class="path">{pathText(pointer)}</span>{" "}
            <span dir="auto">{textOf(value)}</span>
          </li>
        );
      })}
  </ul>
);

const isNested = (value: unknown): boolean => typeof value === "object" && value !== null;

export interface CellActs {
  readonly accept: () => void;
  readonly undo: () => void;
  readonly save: (value: unknown) => Promise<void>;
  readonly edit: (isEditing: boolean) => void;
}

interface CellProps extends QuotesProps {
  readonly isEditing: boolean;
  readonly acts: CellActs;
}

const CellDetails = ({ row, column, isEditing, acts }: CellProps) => {
  const { mark, value, original, quotes } = cellOf(row, column.pointer);
  const isTouched = mark === "corrected" || mark === "accepted";
  // The focus stays in the table, where the quote is not read out.
  useEffect(() => announce(quotes[0]?.quote ?? resultsWords.noQuotes), []);
  return (
    <>
      {isEditing ? (
        <Edit column={column} value={value} onSave={acts.save} onClose={() => acts.edit(false)} />
      ) : (
        <>
          {isNested(value) ? (
            <Leaves row={row} column={column} />
          ) : value === null ? null : (
            <p class="value" dir="auto">
              {textOf(value)}
            </p>
          )}
          {mark === "corrected" ? (
            <p class="hint" dir="auto">
              {resultsWords.readAs}: {textOf(original) || resultsWords.notStated}
            </p>
          ) : null}
          <div class="row">
            {isToCheck({ mark }) ? (
              <button class="button main small" type="button" onClick={acts.accept}>
                {resultsWords.accept} <kbd>a</kbd>
              </button>
            ) : null}
            <button class="button small" type="button" onClick={() => acts.edit(true)}>
              {resultsWords.correct}
            </button>
            {isTouched ? (
              <button class="button small" type="button" onClick={acts.undo}>
                {resultsWords.undo}
              </button>
            ) : null}
          </div>
        </>
      )}
      {quotes.length > 0 ? (
        <Quotes row={row} column={column} />
      ) : (
        <p class="hint">{original === null ? resultsWords.notSaid : resultsWords.noQuotes}</p>
      )}
    </>
  );
};

interface DetailsProps {
  readonly row: ResultRow;
  /** Undefined for the extraction itself. */
  readonly column: Column | undefined;
  readonly isEditing: boolean;
  /** Undefined without a column. */
  readonly acts: CellActs | undefined;
  readonly onClose: () => void;
}

export const Details = (props: DetailsProps) => {
  const { row, column, isEditing, acts, onClose } = props;
  const mark = column && cellOf(row, column.pointer).mark;
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
        <button class="button icon-only quiet" type="button" title={words.close} onClick={onClose}>
          <Icon name="cross" />
          <span class="sr">{words.close}</span>
        </button>
      </div>
      {column === undefined || acts === undefined ? (
        <p class="hint">{row.url}</p>
      ) : (
        <CellDetails
          key={`${row.extractionId} ${column.pointer}`}
          row={row}
          column={column}
          isEditing={isEditing}
          acts={acts}
        />
      )}
      <a href={href(`runs/${row.extractionId}`)}>{resultsWords.open}</a>
    </aside>
  );
};
