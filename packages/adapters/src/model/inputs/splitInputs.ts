/** Splits content that exceeds the model's context into sections. */
import type { InputItem, MediaItem, TextItem } from "./InputItems.ts";

/** Default context of a model; operators with a smaller one set WINNOW_LLM_CONTEXT_TOKENS. */
export const CONTEXT_TOKENS_DEFAULT = 128_000;

/** Reserve in every call, because tokens are estimated. */
const SLACK_SHARE = 0.15;

/** Share of the context used for one section, because models read the middle of long contexts badly. */
const SECTION_SHARE = 0.6;

/** Minimum size of a section, so that splitting ends. */
const SECTION_TOKENS_MIN = 500;

/** Share of a section repeated at the start of the next one, so that no sentence is split in both. */
const OVERLAP_SHARE = 0.05;

/** Maximum base64 size of images and audio per call; servers accept requests of 20 MB or more. */
const CALL_MEDIA_BYTES_MAX = 16_000_000;

/** Maximum sections of an analysis: an hour of speech with 500 comments and a context of 8,000 tokens has 16. */
export const SECTIONS_MAX = 24;

/** Concurrent sections; providers limit rates, and other runs make requests too. */
export const SECTIONS_AT_ONCE = 4;

export interface ContextBudget {
  /** Inputs up to this size are read in one call. */
  readonly wholeTokens: number;
  readonly sectionTokens: number;
  readonly overlapTokens: number;
  readonly callMediaBytes: number;
}

/** Maximum share of the context reserved for everything else. */
const OVERHEAD_SHARE_MAX = 0.5;

/** `overheadTokens`: instructions, schema and the answer. */
export const contextBudget = (contextTokens: number, overheadTokens: number): ContextBudget => {
  const overhead = Math.min(overheadTokens, contextTokens * OVERHEAD_SHARE_MAX);
  const wholeTokens = Math.max(SECTION_TOKENS_MIN, contextTokens * (1 - SLACK_SHARE) - overhead);
  const sectionTokens = Math.max(SECTION_TOKENS_MIN, Math.min(wholeTokens, contextTokens * SECTION_SHARE));
  return {
    wholeTokens: Math.floor(wholeTokens),
    sectionTokens: Math.floor(sectionTokens),
    overlapTokens: Math.floor(sectionTokens * OVERLAP_SHARE),
    callMediaBytes: CALL_MEDIA_BYTES_MAX
  };
};

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
  slides: 3,
  transcript: 4,
  comments: 6
};

/** Between the transcript and the comments. */
const MEDIA_RANK = 5;

/** Interleaves two transcripts of the same audio, so that a section has both for its time range. */
const sideBySide = (cues: ReadonlyArray<TextItem>): ReadonlyArray<TextItem> => {
  const isOne = cues.every(({ label }) => label === cues[0]?.label);
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
  for (const cue of cues) {
    const untilSeconds = cue.segment.startSeconds ?? Number.NEGATIVE_INFINITY;
    while (waiting.length > 0 && (waiting[0]?.startSeconds ?? 0) <= untilSeconds)
      placed.push(...waiting.splice(0, 1));
    placed.push(cue);
  }
  const untimed = media.filter(({ startSeconds }) => startSeconds === null);
  return [...before, ...untimed, ...placed, ...waiting, ...after];
};

const overlapOf = (items: ReadonlyArray<InputItem>, overlapTokens: number): ReadonlyArray<TextItem> => {
  const texts = items.filter((item) => item._tag === "Text");
  let room = overlapTokens;
  const last = texts.findLastIndex(({ tokens }) => (room -= tokens) < 0);
  return texts.slice(last + 1);
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
