/** The word error rate of a transcript: words that were replaced, left out or added, in proportion to those spoken. */
/** Levenshtein's distance in words, over the number of words spoken. */
export declare const wordErrorRate: (spoken: string, heard: string) => number;
