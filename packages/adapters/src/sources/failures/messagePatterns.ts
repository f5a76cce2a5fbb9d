/** The tables of message patterns: a pattern and its verdict. */
import type { FailureClass } from "./classify.ts";

export type MessagePattern = readonly [words: RegExp, verdict: FailureClass];

/** Joins alternatives into one expression, one per line. */
export const any = (...alternatives: ReadonlyArray<string>): RegExp =>
  new RegExp(alternatives.join("|"), "iu");
