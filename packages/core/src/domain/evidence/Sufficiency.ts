/**
 * Whether there is enough content for a verdict. If not, an AI run is `uncertain` without a model call.
 *
 * The engine applies this rule to what was fetched; an Analyst applies it to what its model supports and what it
 * transcribed.
 */
import type { QuotableText } from "./QuoteSearch.ts";
import { countWords, uncertain } from "./Verdict.ts";

/**
 * Minimum words, including title and description, if there is no media: fewer are a headline and a menu. Low,
 * because a sentence can contain everything a small schema needs, and the model itself can report that content is
 * insufficient.
 */
export const WORDS_TO_JUDGE_MIN = 8;

/**
 * @param words number of words of all texts, including metadata
 * @param mediaCount images and audio; the thumbnail does not count
 */
export const isEnough = (words: number, mediaCount: number): boolean =>
  mediaCount > 0 || words >= WORDS_TO_JUDGE_MIN;

/** The same for texts that have not been counted yet. */
export const isSufficient = (texts: ReadonlyArray<QuotableText>, mediaCount: number): boolean =>
  mediaCount > 0 || isEnough(countWords(texts), mediaCount);

/** The answer given instead of asking the model. */
export const TOO_LITTLE = uncertain(
  `There is too little content: fewer than ${WORDS_TO_JUDGE_MIN} words, no image and no audio.`
);
