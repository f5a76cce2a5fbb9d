/**
 * Finds a quote in a text. Pure. Quotes may span lines, and the server matched them with the original white space;
 * here lines are separate, so any white space equals one space.
 */

/** UTF-16 code units; the end is exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

interface Folded {
  readonly text: string;
  /** Original position of each position in the text, plus one for its end. */
  readonly places: ReadonlyArray<number>;
}

const folded = (text: string): Folded => {
  const places: Array<number> = [];
  let out = "";
  for (let place = 0; place < text.length; place += 1) {
    const isSpace = /\s/u.test(text[place] ?? "");
    if (isSpace && (out === "" || out.endsWith(" "))) continue;
    out += isSpace ? " " : text[place];
    places.push(place);
  }
  return { text: out, places: [...places, text.length] };
};

/** Null if it does not occur verbatim. */
export const findQuote = (text: string, quote: string): Range | null => {
  const whole = folded(text);
  const needle = folded(quote).text.trim();
  const at = needle === "" ? -1 : whole.text.indexOf(needle);
  if (at === -1) return null;
  const last = whole.places[at + needle.length - 1] ?? at;
  return { start: whole.places[at] ?? 0, end: last + 1 };
};

export interface Line {
  readonly startSec: number;
  readonly endSec: number;
  readonly text: string;
}

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
  const timed = quote.startSec !== undefined;
  const touched = lines
    .map((line, index) => ({ line, index }))
    .filter(({ line }) => !timed || overlaps(line, quote));
  const starts: Array<number> = [];
  let text = "";
  for (const { line } of touched) {
    starts.push(text.length);
    text += `${line.text}\n`;
  }
  const found = findQuote(text, quote.quote);
  const marks = new Map<number, Range>();
  touched.forEach(({ line, index }, at) => {
    const offset = starts[at] ?? 0;
    const whole = { start: 0, end: line.text.length };
    const part =
      found === null
        ? whole
        : {
            start: Math.max(0, found.start - offset),
            end: Math.min(line.text.length, found.end - offset)
          };
    if (found === null ? timed : part.end > part.start) marks.set(index, part);
  });
  return marks;
};

/** All occurrences of a search text, ignoring case. */
export const findAll = (text: string, search: string): ReadonlyArray<Range> => {
  const needle = search.toLocaleLowerCase();
  const whole = text.toLocaleLowerCase();
  const found: Array<Range> = [];
  if (needle === "" || whole.length !== text.length) return found;
  for (let at = whole.indexOf(needle); at !== -1; at = whole.indexOf(needle, at + needle.length)) {
    found.push({ start: at, end: at + needle.length });
  }
  return found;
};

/** The line spoken at a given second: the last that has begun; -1 before the first. */
export const lineAt = (lines: ReadonlyArray<Line>, second: number): number => {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle]?.startSec ?? Infinity) <= second) low = middle + 1;
    else high = middle;
  }
  return low - 1;
};

// A text with highlighted ranges.

interface MarkedProps {
  readonly text: string;
  /** Sorted and without overlaps. */
  readonly ranges: ReadonlyArray<Range>;
}

export const Marked = ({ text, ranges }: MarkedProps) => {
  if (ranges.length === 0) return <>{text}</>;
  let at = 0;
  const pieces = ranges.map(({ start, end }) => {
    const before = text.slice(at, start);
    at = end;
    return (
      <>
        {before}
        <mark>{text.slice(start, end)}</mark>
      </>
    );
  });
  return (
    <>
      {pieces}
      {text.slice(at)}
    </>
  );
};
