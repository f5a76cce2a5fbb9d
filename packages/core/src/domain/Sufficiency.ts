/**
 * Whether there is enough to read for a verdict. Below it an AI run is `uncertain` without asking a model.
 *
 * One rule for all who decide: the engine, which knows what was fetched, and an Analyst, which knows what of
 * it its model takes and what it heard.
 */
import type { QuotableText } from "./QuoteSearch.ts";
import { countWords, uncertain } from "./Verdict.ts";

/**
 * Fewer words than this, title and description among them, and nothing to look at or listen to: a headline
 * and a menu. Low, because a sentence may hold all that a small schema asks for, and a model says itself when
 * it does not.
 */
export const WORDS_TO_JUDGE_MIN = 8;

/**
 * @param words of everything there is to read, the metadata among it
 * @param mediaCount pictures and sounds beside it; the thumbnail is none
 */
export const isEnough = (words: number, mediaCount: number): boolean =>
  mediaCount > 0 || words >= WORDS_TO_JUDGE_MIN;

/** The same of texts whose words nobody has counted yet. */
export const isSufficient = (texts: ReadonlyArray<QuotableText>, mediaCount: number): boolean =>
  mediaCount > 0 || isEnough(countWords(texts), mediaCount);

/** What is answered instead of asking. */
export const TOO_LITTLE = uncertain(
  `There is too little content: fewer than ${WORDS_TO_JUDGE_MIN} words, no image and no audio.`
);
