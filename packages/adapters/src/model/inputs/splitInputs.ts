/**
 * Splits inputs into sections that each fit a call, at the boundaries of cues, comments and paragraphs. Pure; every
 * item is new in exactly one section, in the given order.
 */
import type { ContextBudget } from "./ContextBudget.ts";
import type { InputItem, MediaItem, TextItem } from "./PreparedInputs.ts";

export interface Section {
  /** Repeated from the end of the previous section. Text only. */
  readonly repeated: ReadonlyArray<TextItem>;
  readonly fresh: ReadonlyArray<InputItem>;
}

const sumOf = (items: ReadonlyArray<InputItem>, measure: "tokens" | "mediaBytes"): number =>
  items.reduce((sum, item) => sum + item[measure], 0);

export const tokensOf = (items: ReadonlyArray<InputItem>): number => sumOf(items, "tokens");

/** Rank of a source: the most important comes first, so that a limit drops the least important. */
const RANK: Readonly<Record<TextItem["source"], number>> = {
  description: 0,
  structured: 1,
  page: 2,
  transcript: 3,
  comments: 5
};

/** Between the transcript and the comments. */
const MEDIA_RANK = 4;

/** Interleaves two transcripts of the same audio, so that a section has both for its time range. */
const sideBySide = (cues: ReadonlyArray<TextItem>): ReadonlyArray<TextItem> => {
  const isOne = cues.every(({ textNumber }) => textNumber === cues[0]?.textNumber);
  if (isOne || cues.some(({ segment }) => segment.startSeconds === null)) return cues;
  return cues.toSorted((left, right) => (left.segment.startSeconds ?? 0) - (right.segment.startSeconds ?? 0));
};

/** Media with a time goes before the cue at that time, other media after the texts. */
export const inReadingOrder = (
  texts: ReadonlyArray<TextItem>,
  media: ReadonlyArray<MediaItem>
): ReadonlyArray<InputItem> => {
  const ordered = texts.toSorted((left, right) => RANK[left.source] - RANK[right.source]);
  const before = ordered.filter(({ source }) => RANK[source] < RANK.transcript);
  const cues = sideBySide(ordered.filter(({ source }) => source === "transcript"));
  const after = ordered.filter(({ source }) => RANK[source] > MEDIA_RANK);
  const placed: Array<InputItem> = [];
  const waiting = media
    .filter(({ startSeconds }) => startSeconds !== null)
    .toSorted((left, right) => (left.startSeconds ?? 0) - (right.startSeconds ?? 0));
  let next = 0;
  for (const cue of cues) {
    const untilSeconds = cue.segment.startSeconds ?? Number.NEGATIVE_INFINITY;
    while (next < waiting.length && (waiting[next]?.startSeconds ?? 0) <= untilSeconds) {
      placed.push(...waiting.slice(next, next + 1));
      next++;
    }
    placed.push(cue);
  }
  const untimed = media.filter(({ startSeconds }) => startSeconds === null);
  return [...before, ...untimed, ...placed, ...waiting.slice(next), ...after];
};

const overlapOf = (items: ReadonlyArray<InputItem>, overlapTokens: number): ReadonlyArray<TextItem> => {
  const texts = items.filter((item) => item._tag === "Text");
  let tokens = 0;
  let from = texts.length;
  while (from > 0) {
    tokens += texts[from - 1]?.tokens ?? 0;
    if (tokens > overlapTokens) break;
    from--;
  }
  return texts.slice(from);
};

/** One section if everything fits; none without items. A single oversized item gets its own section. */
export const splitInputs = (
  items: ReadonlyArray<InputItem>,
  budget: ContextBudget
): ReadonlyArray<Section> => {
  if (items.length === 0) return [];
  const wholeBytes = sumOf(items, "mediaBytes");
  if (tokensOf(items) <= budget.wholeTokens && wholeBytes <= budget.callMediaBytes) {
    return [{ repeated: [], fresh: items }];
  }
  const sections: Array<Section> = [];
  let repeated: ReadonlyArray<TextItem> = [];
  let fresh: Array<InputItem> = [];
  let tokens = 0;
  let bytes = 0;
  for (const item of items) {
    const fits =
      tokens + item.tokens <= budget.sectionTokens && bytes + item.mediaBytes <= budget.callMediaBytes;
    if (!fits && fresh.length > 0) {
      sections.push({ repeated, fresh });
      repeated = overlapOf(fresh, budget.overlapTokens);
      fresh = [];
      tokens = tokensOf(repeated);
      bytes = 0;
    }
    fresh.push(item);
    tokens += item.tokens;
    bytes += item.mediaBytes;
  }
  return [...sections, { repeated, fresh }];
};
