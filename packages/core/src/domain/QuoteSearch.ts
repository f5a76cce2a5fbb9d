/**
 * Looks quotes up in the texts of a run: as they are, then with white space folded, then with case folded
 * too. What is found is answered as it stands in the source, with the times of the segments it touches.
 */
import type { EvidenceItem, EvidenceSource } from "./Evidence.ts";
import { foldText, foldTextSlices, isSpaceless, type Fold } from "./FoldedText.ts";
import type { TextSegment } from "./InputText.ts";
import { firstEndsSlices } from "./Occurrences.ts";
import { inOneGo, SLICE_STEPS, type Slices } from "./Slices.ts";

/** Longest quote that is looked up, in characters: the model is asked for at most 200. */
export const QUOTE_CHARS_MAX = 1_000;

/** Characters of all quotes of one answer that are looked up: bounds memory, some 30 bytes for each. */
export const QUOTES_CHARS_MAX = 400_000;

/** Longest place that is a quote, in characters: hostile text has spaces and marks without end between words. */
const PLACE_CHARS_MAX = 4 * QUOTE_CHARS_MAX;

/** Marks on one letter that are kept with it, each of at most two code units. */
const MARKS_MAX = 64;

/** As domain/InputText, and the metadata that only quotes are looked up in. */
export interface QuotableText {
  readonly source: EvidenceSource;
  readonly segments: ReadonlyArray<TextSegment>;
}

interface Whole {
  readonly source: EvidenceSource;
  readonly text: string;
  readonly segments: ReadonlyArray<TextSegment>;
  /** Where each segment starts in `text`. */
  readonly offsets: ReadonlyArray<number>;
}

/** Between segments that no quote goes over: no character, so that it stands in no text and no quote. */
const BORDER = "\uffff";

/** Speech and paragraphs go on from one segment to the next; two comments are never one quote. */
const goesOn = (source: EvidenceSource): boolean => source !== "comments" && source !== "metadata";

const joined = ({ source, segments }: QuotableText): Whole => {
  const between = goesOn(source) ? "\n" : BORDER;
  const offsets: Array<number> = [];
  let length = 0;
  for (const { text } of segments) {
    offsets.push(length);
    length += text.length + between.length;
  }
  return { source, text: segments.map(({ text }) => text).join(between), segments, offsets };
};

/** Half open, in code units. */
interface Range {
  readonly start: number;
  readonly end: number;
}

const isMark = (text: string): boolean => /^\p{M}/u.test(text);
const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** Grown so that it cuts no character in two and parts no letter from its marks. */
const snapped = (text: string, { start, end }: Range): Range => {
  const cuts = (at: number): boolean =>
    at > 0 &&
    at < text.length &&
    ((isHigh(text.charCodeAt(at - 1)) && isLow(text.charCodeAt(at))) || isMark(text.slice(at, at + 2)));
  let from = start;
  let to = end;
  while (start - from < MARKS_MAX && cuts(from)) from -= 1;
  while (to - end < MARKS_MAX && cuts(to)) to += 1;
  return { start: from, end: to };
};

/** Places of one short quote that are looked at, for one where it stands alone. */
const PLACES_TRIED_MAX = 100;

/** Whether a place of the needle of that number is one. */
type Accepts = (index: number, range: Range) => boolean;

/** Ranges of the needles in one text; undefined where there is none. */
type Search = (needles: ReadonlyArray<string>, accepts: Accepts) => Slices<ReadonlyArray<Range | undefined>>;

/** The first place of each needle, or the next ones where that is not accepted. */
function* placesIn(
  text: string,
  needles: ReadonlyArray<string>,
  rangeOf: (start: number, end: number) => Range | undefined,
  accepts: Accepts
): Slices<ReadonlyArray<Range | undefined>> {
  const ends = yield* firstEndsSlices(text, needles);
  const ranges: Array<Range | undefined> = [];
  for (const [index, needle] of needles.entries()) {
    let start = (ends[index] ?? -1) - needle.length;
    let found: Range | undefined;
    for (let tries = 0; start >= 0 && tries < PLACES_TRIED_MAX; tries++) {
      const range = rangeOf(start, start + needle.length);
      if (range !== undefined && accepts(index, range)) found = range;
      if (found !== undefined) break;
      start = text.indexOf(needle, start + 1);
      if (start < 0 || tries % 10 === 0) yield;
    }
    ranges.push(found);
  }
  return ranges;
}

const asItIs =
  ({ text }: Whole): Search =>
  (needles, accepts) =>
    placesIn(text, needles, (start, end) => snapped(text, { start, end }), accepts);

const folded = ({ text }: Whole, fold: Fold): Search =>
  function* (needles, accepts) {
    const whole = yield* foldTextSlices(text, fold);
    const folds: Array<string> = [];
    let chars = 0;
    for (const needle of needles) {
      folds.push(foldText(needle, fold).text);
      chars += needle.length;
      if (chars >= SLICE_STEPS) {
        chars = 0;
        yield;
      }
    }
    const rangeOf = (from: number, to: number): Range | undefined => {
      const start = whole.starts[from];
      const end = whole.ends[to - 1];
      return start === undefined || end === undefined ? undefined : { start, end };
    };
    return yield* placesIn(whole.text, folds, rangeOf, accepts);
  };

/** Index of the segment that holds a place of the whole. */
const segmentAt = (offsets: ReadonlyArray<number>, place: number): number => {
  let low = 0;
  let high = offsets.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((offsets[middle] ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  return low;
};

const itemOf = ({ source, text, segments, offsets }: Whole, { start, end }: Range): EvidenceItem => {
  const first = segments[segmentAt(offsets, start)];
  const last = segments[segmentAt(offsets, end - 1)];
  const startSec = first?.startSeconds ?? null;
  const endSec = last?.endSeconds ?? null;
  return {
    source,
    quote: text.slice(start, end),
    ...(startSec === null ? {} : { startSec }),
    ...(endSec === null ? {} : { endSec }),
    ...(first?.page === undefined ? {} : { page: first.page })
  };
};

const isWordUnit = (text: string): boolean => /^[\p{L}\p{N}]/u.test(text) && !isSpaceless(text);
/** Whether a range begins and ends between words. */
const standsAlone = (text: string, { start, end }: Range): boolean =>
  !(start > 0 && isWordUnit(text.slice(start - 1)) && isWordUnit(text.slice(start))) &&
  !(isWordUnit(text.slice(end - 1, end)) && isWordUnit(text.slice(end, end + 2)));

export interface SearchOptions {
  /** Only whole words count, as for values; for numbers it is so anyway. */
  readonly wholeWords: boolean;
}

/** Within a word or a longer number its digits are a part of something else. */
const isNumber = (quote: string): boolean =>
  /^[\p{N}\p{P}\p{S}]*\p{N}[\p{N}\p{P}\p{S}]*$/u.test(quote.trim());

/** Too long ones, those past the sum, and those over a border count as empty, which occur nowhere. */
const admitted = (quotes: ReadonlyArray<string>): ReadonlyArray<string> => {
  let chars = 0;
  return quotes.map((quote) => {
    if (quote.length > QUOTE_CHARS_MAX || quote.trim() === "" || quote.includes(BORDER)) return "";
    chars += quote.length;
    return chars > QUOTES_CHARS_MAX ? "" : quote;
  });
};

/** The first place of each quote, in the order of the texts; null where it is in none. */
export function* findQuotesSlices(
  texts: ReadonlyArray<QuotableText>,
  quotes: ReadonlyArray<string>,
  { wholeWords }: SearchOptions
): Slices<ReadonlyArray<EvidenceItem | null>> {
  const wholes = texts.map(joined);
  const found: Array<EvidenceItem | null> = quotes.map(() => null);
  const searches: ReadonlyArray<(whole: Whole) => Search> = [
    asItIs,
    (whole) => folded(whole, "spaces"),
    (whole) => folded(whole, "letters")
  ];
  const sought = admitted(quotes);
  let open = [...sought.keys()].filter((index) => sought[index] !== "");
  for (const search of searches) {
    for (const whole of wholes) {
      if (open.length === 0) return found;
      const looked = open.map((index) => sought[index] ?? "");
      const accepts: Accepts = (position, range) =>
        range.end - range.start <= PLACE_CHARS_MAX &&
        (standsAlone(whole.text, range) || !(wholeWords || isNumber(looked[position] ?? "")));
      const ranges = yield* search(whole)(looked, accepts);
      open = open.filter((index, position) => {
        const range = ranges[position];
        if (range === undefined) return true;
        found[index] = itemOf(whole, range);
        return false;
      });
    }
  }
  return found;
}

export const findQuotes = (
  texts: ReadonlyArray<QuotableText>,
  quotes: ReadonlyArray<string>,
  options: SearchOptions = { wholeWords: false }
): ReadonlyArray<EvidenceItem | null> => inOneGo(findQuotesSlices(texts, quotes, options));
