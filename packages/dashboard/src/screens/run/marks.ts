/**
 * Where a quote is in a text, or in one that is shown in pieces. Pure. Quotes may span lines, and the server matched
 * them with the original white space; here lines are separate, so any white space equals one space.
 */

import type { EvidenceItem } from "@winnow/client";
import { clock } from "../../words/format.ts";
import { wordOf } from "../../words/words.ts";
import { runWords } from "./words.ts";

/** Where a quote is, as people look for it. */
export const positionText = ({ heading, page, slide, source, startSec }: EvidenceItem): string => {
  if (startSec !== undefined) return clock(startSec);
  if (slide !== undefined) return runWords.imageNumber(slide);
  const place = page === undefined ? wordOf(runWords.sources, source) : runWords.onPage(page);
  return heading === undefined ? place : runWords.under(place, heading);
};

/** The source whose text has a quote: what was read from a scanned page is in the text of the document. */
export const textOfQuote = ({ source }: EvidenceItem): string => (source === "ocr" ? "page" : source);

/** UTF-16 code units; the end is exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

const literal = (text: string): string => text.replaceAll(/[\^$\\.*+?()[\]{}|/]/gu, String.raw`\$&`);

/** Null if it does not occur verbatim. */
export const findQuote = (text: string, quote: string): Range | null => {
  const words = quote.trim().split(/\s+/u).map(literal);
  const found = words[0] === "" ? null : new RegExp(words.join(String.raw`\s+`), "u").exec(text);
  return found === null ? null : { start: found.index, end: found.index + found[0].length };
};

/** What of a range is in the piece of the text that begins at `from`. */
export const within = ({ start, end }: Range, from: number, length: number): Range | undefined => {
  const piece = { start: Math.max(0, start - from), end: Math.min(length, end - from) };
  return piece.end > piece.start ? piece : undefined;
};

export interface Line {
  readonly startSec: number;
  readonly endSec: number;
  readonly text: string;
}

/** `transcript.json`. */
export const linesOfJson = (json: string): ReadonlyArray<Line> => {
  const { segments = [] } = JSON.parse(json) as { readonly segments?: ReadonlyArray<Line> };
  return segments;
};

interface TimedQuote {
  readonly quote: string;
  readonly startSec?: number | undefined;
  readonly endSec?: number | undefined;
}

const overlaps = (line: Line, { startSec = 0, endSec = startSec }: TimedQuote): boolean =>
  line.startSec < Math.max(endSec, startSec + Number.EPSILON) && line.endSec > startSec;

/**
 * The highlighted part of each line that the quote touches, by line number. If the words are not found verbatim,
 * all lines of its time are highlighted.
 */
export const marksOf = (lines: ReadonlyArray<Line>, quote: TimedQuote): ReadonlyMap<number, Range> => {
  const isTimed = quote.startSec !== undefined;
  const touched = [...lines.entries()].filter(([, line]) => !isTimed || overlaps(line, quote));
  const found = findQuote(touched.map(([, { text }]) => text).join("\n"), quote.quote);
  let from = 0;
  return new Map(
    touched.flatMap(([index, { text }]) => {
      const whole = isTimed ? { start: 0, end: text.length } : undefined;
      const mark = found === null ? whole : within(found, from, text.length);
      from += text.length + 1;
      return mark === undefined ? [] : [[index, mark] as const];
    })
  );
};

/** All occurrences of a search text, ignoring case. */
export const findAll = (text: string, search: string): ReadonlyArray<Range> =>
  search === ""
    ? []
    : Array.from(text.matchAll(new RegExp(literal(search), "giu")), ({ 0: found, index }) => ({
        start: index,
        end: index + found.length
      }));

/** The line spoken at a given second: the last that has begun; -1 before the first. */
export const lineAt = (lines: ReadonlyArray<Line>, second: number): number =>
  lines.findLastIndex(({ startSec }) => startSec <= second);
