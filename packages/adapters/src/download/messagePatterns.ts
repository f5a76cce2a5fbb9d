/** The form of the tables of words: what is said and what it means. */
import type { Verdict } from "./classify.ts";

export type Words = readonly [words: RegExp, verdict: Verdict];

/** Alternatives of one expression, one a line below. */
export const any = (...alternatives: ReadonlyArray<string>): RegExp =>
  new RegExp(alternatives.join("|"), "iu");
