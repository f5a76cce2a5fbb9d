/**
 * Searches quotes in the texts of a run: verbatim first, then with folded white space, then also
 * case-insensitively. Returns the text as it is in the source, with the times of the segments it spans. It stays
 * linear in the text (Grounding.test.ts).
 */
import type { EvidenceItem, EvidenceSource } from "./Evidence.ts";
import { type Fold, foldText, isSpaceless, unescapedMarkdown, wordsOfMarkdown } from "../text/FoldedText.ts";
import type { InputText, TextSegment } from "../text/InputText.ts";
import { present } from "../text/Json.ts";
import { makeFirstEnds } from "./MultiPatternSearch.ts";

/** A long search: yields where its runner may let other work proceed, after 50 ms at most. */
export type Slices<A> = Generator<void, A, void>;

/** Maximum length of a quote, in characters; the model is asked for at most 200. */
export const QUOTE_CHARS_MAX = 1_000;

/** Maximum characters of all quotes of one answer: bounds memory, about 30 bytes each. */
const QUOTES_CHARS_MAX = 400_000;

/** Maximum length of a match, in characters: hostile text can have unlimited spaces and marks between words. */
const PLACE_CHARS_MAX = 4 * QUOTE_CHARS_MAX;

/** Maximum combining marks kept with a letter, each up to two code units. */
const MARKS_MAX = 64;

/**
 * What the model reads, and the metadata, which only quotes are searched in. Markdown repeats what another text contains,
 * and is searched only for what was not found there.
 */
export interface QuotableText extends Omit<InputText, "source"> {
  readonly source: EvidenceSource;
}

interface JoinedText extends Required<QuotableText> {
  readonly text: string;
  /** Start of each segment in `text`. */
  readonly offsets: ReadonlyArray<number>;
}

/** Separates segments that a quote must not span: a noncharacter, which occurs in no text or quote. */
const BORDER = "\uffff";

/** A pause longer than this ends a statement. */
const PAUSE_MAX_SECONDS = 3;

/**
 * A match within this distance of the time that the model names is the intended one; a caption is about as long.
 */
const NEAR_SECONDS = 5;

const SEPARATE: ReadonlySet<EvidenceSource> = new Set(["comments", "metadata", "structured"]);

const isPause = ({ endSeconds }: TextSegment, { startSeconds }: TextSegment): boolean =>
  endSeconds !== null && startSeconds !== null && startSeconds - endSeconds > PAUSE_MAX_SECONDS;

/** Quotes may span segments of speech and paragraphs, but not two comments, values or slides. */
const isContinuous = (source: EvidenceSource, before: TextSegment, next: TextSegment): boolean =>
  !SEPARATE.has(source) && before.slide === next.slide && !isPause(before, next);

const joined = ({ source, segments, isMarkdown = false }: QuotableText): JoinedText => {
  const offsets: Array<number> = [];
  const parts: Array<string> = [];
  let length = 0;
  for (const [index, segment] of segments.entries()) {
    const before = segments[index - 1];
    const between = before === undefined ? "" : isContinuous(source, before, segment) ? "\n" : BORDER;
    length += between.length;
    offsets.push(length);
    length += segment.text.length;
    parts.push(between, segment.text);
  }
  return { source, isMarkdown, text: parts.join(""), segments, offsets };
};

/** Half open, in code units. */
interface Range {
  readonly start: number;
  readonly end: number;
}

const isMark = (text: string): boolean => /^\p{M}/u.test(text);
const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** Extended so that it splits no character and separates no letter from its marks. */
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

/**
 * Parts of a text that are folded and searched at once, in characters: up to 20 ms. They overlap by the longest match.
 */
const PIECE_CHARS = 32_768;

function* piecesOf(text: string): Generator<Range> {
  for (
    let start = 0;
    start === 0 || start + PLACE_CHARS_MAX < text.length;
    start += PIECE_CHARS - PLACE_CHARS_MAX
  ) {
    yield snapped(text, { start, end: Math.min(text.length, start + PIECE_CHARS) });
  }
}

/** Null: verbatim. */
type Folding = Fold | null;

interface SearchedPiece {
  readonly text: string;
  /** In the whole text, of a range of this one. */
  readonly rangeOf: (start: number, end: number) => Range;
}

const searched = (whole: string, piece: Range, folding: Folding): SearchedPiece => {
  const original = whole.slice(piece.start, piece.end);
  const inWhole = (start: number, end: number) => ({ start: piece.start + start, end: piece.start + end });
  if (folding === null) {
    return { text: original, rangeOf: (start, end) => snapped(whole, inWhole(start, end)) };
  }
  const { text, starts, ends } = foldText(original, folding);
  return {
    text,
    rangeOf: (from, to) => inWhole(starts[from] ?? 0, ends[to - 1] ?? 0)
  };
};

const foldedNeedle = (quote: string, folding: Folding): string => {
  if (folding === null) return quote;
  return foldText(folding === "words" ? wordsOfMarkdown(quote) : quote, folding).text;
};

/** Maximum matches of a short quote that are checked for one with word boundaries. */
const PLACES_TRIED_MAX = 100;

/** A quote that is searched in one text, and its nearest match so far. */
interface Sought {
  readonly quote: string;
  /** The quote, folded as the text. */
  needle: string;
  /** Distance of a match from its expected place; null if it is none, 0 if no other can be better. */
  readonly distanceOf: (range: Range) => number | null;
  tries: number;
  found: { readonly range: Range; readonly distance: number } | null;
}

/** Of equally near matches the first. */
const searchFrom = (first: number, { text, rangeOf }: SearchedPiece, sought: Sought): void => {
  const { needle, distanceOf } = sought;
  for (
    let start = first;
    start >= 0 && sought.tries < PLACES_TRIED_MAX;
    start = text.indexOf(needle, start + 1)
  ) {
    sought.tries += 1;
    const range = rangeOf(start, start + needle.length);
    const distance = distanceOf(range);
    if (distance !== null && distance < (sought.found?.distance ?? Number.POSITIVE_INFINITY)) {
      sought.found = { range, distance };
    }
    if (sought.found?.distance === 0) return;
  }
};

/** Maximum characters of quotes that are searched together: to fold them and to prepare the search takes up to 40 ms. */
const TOGETHER_CHARS = 50_000;

/** Matches that are checked between two pauses: a few milliseconds. */
const TRIED_AT_ONCE = 5_000;

/** In groups that one search can take. */
const grouped = (all: ReadonlyArray<Sought>): ReadonlyArray<ReadonlyArray<Sought>> => {
  const groups: Array<Array<Sought>> = [];
  let chars = TOGETHER_CHARS;
  for (const sought of all) {
    if (chars >= TOGETHER_CHARS) {
      groups.push([]);
      chars = 0;
    }
    groups.at(-1)?.push(sought);
    chars += sought.quote.length;
  }
  return groups;
};

/** Searches everything that is sought in one text. */
function* searchIn(whole: string, folding: Folding, all: ReadonlyArray<Sought>): Slices<void> {
  const groups = [];
  for (const group of grouped(all)) {
    for (const sought of group) sought.needle = foldedNeedle(sought.quote, folding);
    groups.push({ group, firstEnds: makeFirstEnds(group.map(({ needle }) => needle)) });
    yield;
  }
  let tried = 0;
  for (const piece of piecesOf(whole)) {
    const inPiece = searched(whole, piece, folding);
    for (const { group, firstEnds } of groups) {
      const ends = firstEnds(inPiece.text);
      for (const [index, sought] of group.entries()) {
        if (sought.found?.distance === 0) continue;
        tried -= sought.tries;
        searchFrom((ends[index] ?? -1) - sought.needle.length, inPiece, sought);
        tried += sought.tries;
        if (tried < TRIED_AT_ONCE) continue;
        tried = 0;
        yield;
      }
      yield;
    }
  }
}

/** Index of the segment that contains a position of the joined text. */
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

const itemOf = (
  { source, isMarkdown, text, segments, offsets }: JoinedText,
  { start, end }: Range
): EvidenceItem => {
  const first = segments[segmentAt(offsets, start)];
  const last = segments[segmentAt(offsets, end - 1)];
  return {
    source: first?.readBy ?? source,
    quote: isMarkdown ? unescapedMarkdown(text.slice(start, end)) : text.slice(start, end),
    ...present({
      startSec: first?.startSeconds ?? null,
      endSec: last?.endSeconds ?? null,
      page: first?.page ?? null,
      heading: first?.heading ?? null,
      slide: first?.slide ?? null,
      pointer: first?.pointer ?? null
    })
  };
};

const isWordUnit = (text: string): boolean => /^[\p{L}\p{N}]/u.test(text) && !isSpaceless(text);

/** Whether a range begins and ends at word boundaries. */
const standsAlone = (text: string, { start, end }: Range): boolean =>
  !(start > 0 && isWordUnit(text.slice(start - 1)) && isWordUnit(text.slice(start))) &&
  !(isWordUnit(text.slice(end - 1, end)) && isWordUnit(text.slice(end, end + 2)));

export interface SearchOptions {
  /** Match whole words only, as for values; always the case for numbers. */
  readonly wholeWords: boolean;
  /** Expected time of each quote, in seconds from the start; the nearest of several matches is used. */
  readonly atSeconds?: ReadonlyArray<number | null>;
}

/** Distance in seconds to the segment in which a match begins; 0 if either time is unknown. */
const secondsFrom = (
  { segments, offsets }: JoinedText,
  { start }: Range,
  atSeconds: number | null
): number => {
  const segment = segments[segmentAt(offsets, start)];
  const startSeconds = segment?.startSeconds ?? null;
  if (atSeconds === null || startSeconds === null) return 0;
  const endSeconds = Math.max(startSeconds, segment?.endSeconds ?? startSeconds);
  return Math.max(startSeconds - atSeconds, atSeconds - endSeconds, 0);
};

/** "12", "€ 1.299,50", "50%": digits within a word or a longer number are part of something else. */
const isNumber = (quote: string): boolean =>
  /^[\p{N}\p{P}\p{S}]*\p{N}[\p{N}\p{P}\p{S}]*$/u.test(quote.trim());

/** Quotes that are too long, beyond the total, or across a separator become empty, which never matches. */
const admitted = (quotes: ReadonlyArray<string>): ReadonlyArray<string> => {
  let chars = 0;
  return quotes.map((quote) => {
    if (quote.length > QUOTE_CHARS_MAX || quote.trim() === "" || quote.includes(BORDER)) return "";
    chars += quote.length;
    return chars > QUOTES_CHARS_MAX ? "" : quote;
  });
};

/** A value in the Markdown matches only a complete link target; all other words are in the text too. */
const isAddressAt = (text: string, { end }: Range, quote: string): boolean =>
  /^https?:\/\/\S+$/u.test(quote) && text[end] === ")";

const hasWords = (quote: string): boolean => /[\p{L}\p{N}]/u.test(wordsOfMarkdown(quote));

interface Pass {
  readonly folding: Folding;
  readonly wholes: ReadonlyArray<JoinedText>;
  /** Maximum distance of a match from its expected time, in seconds. */
  readonly farthest: number;
}

/** Quotes of Markdown are searched in the text by their words and then, as link targets, in the Markdown. */
const passesOver = (all: ReadonlyArray<JoinedText>, wholeWords: boolean): ReadonlyArray<Pass> => {
  const wholes = all.filter(({ isMarkdown }) => !isMarkdown);
  const markdown = all.filter(({ isMarkdown }) => isMarkdown);
  const hasMarkdownCopy = ({ source }: JoinedText): boolean =>
    markdown.some((each) => each.source === source);
  const farthest = Number.POSITIVE_INFINITY;
  return [
    // A match far from its expected time is used only if no nearer one is found with more folding.
    { folding: null, wholes, farthest: NEAR_SECONDS },
    { folding: "spaces", wholes, farthest: NEAR_SECONDS },
    { folding: "letters", wholes, farthest },
    { folding: "words", wholes: wholeWords ? [] : wholes.filter(hasMarkdownCopy), farthest },
    { folding: "spaces", wholes: markdown, farthest },
    { folding: "words", wholes: markdown, farthest }
  ];
};

/** The first or nearest match of each quote, in the order of the texts; null if there is none. */
export function* findQuotes(
  texts: ReadonlyArray<QuotableText>,
  quotes: ReadonlyArray<string>,
  { wholeWords, atSeconds = [] }: SearchOptions = { wholeWords: false }
): Slices<ReadonlyArray<EvidenceItem | null>> {
  const found: Array<EvidenceItem | null> = quotes.map(() => null);
  let open = [...admitted(quotes).entries()].filter(([, quote]) => quote !== "");
  for (const { farthest, folding, wholes } of passesOver(texts.map(joined), wholeWords)) {
    for (const whole of wholes) {
      if (open.length === 0) return found;
      const all = open.map(([index, quote]): Sought => ({
        quote,
        needle: "",
        distanceOf: (range) => {
          const isPlace =
            range.end - range.start <= PLACE_CHARS_MAX &&
            (standsAlone(whole.text, range) || !(wholeWords || isNumber(quote))) &&
            !(whole.isMarkdown && !(wholeWords ? isAddressAt(whole.text, range, quote) : hasWords(quote)));
          if (!isPlace) return null;
          const distance = secondsFrom(whole, range, atSeconds[index] ?? null);
          return distance > farthest ? null : distance;
        },
        tries: 0,
        found: null
      }));
      yield* searchIn(whole.text, folding, all);
      open = open.filter(([index], position) => {
        const place = all[position]?.found ?? null;
        if (place !== null) found[index] = itemOf(whole, place.range);
        return place === null;
      });
    }
  }
  return found;
}
