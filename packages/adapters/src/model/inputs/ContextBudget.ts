/** How much one call may contain, and how many calls one analysis may make. */

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
