/**
 * How much one call may carry, and how many calls one analysis may make.
 */

/** Context of a model that nothing is known about; operators with a smaller one set WINNOW_LLM_CONTEXT_TOKENS. */
export const CONTEXT_TOKENS_DEFAULT = 128_000;

/** Left free in every call, because tokens are estimated. */
const SLACK_SHARE = 0.15;

/** Of the context, for one section of inputs that do not fit as a whole: models read the middle badly. */
const SECTION_SHARE = 0.6;

/** A section has at least this much, or parting would never end. */
const SECTION_TOKENS_MIN = 500;

/** Of a section, said again at the start of the next one, so that no sentence is parted for both. */
const OVERLAP_SHARE = 0.05;

/** Pictures and sound of one call in base64: servers take 20 MB of request, or more. */
const CALL_MEDIA_BYTES_MAX = 16_000_000;

/** Sections of one analysis: an hour of speech with 500 comments in a context of 8,000 tokens are 16. */
export const SECTIONS_MAX = 24;

/** Sections asked side by side: providers limit the rate, and other runs ask too. */
export const SECTIONS_AT_ONCE = 4;

export interface ContextBudget {
  /** Inputs up to this are one call. */
  readonly wholeTokens: number;
  readonly sectionTokens: number;
  readonly overlapTokens: number;
  readonly callMediaBytes: number;
}

/** Of the context, the most that is kept for everything else: short contexts have short answers. */
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
