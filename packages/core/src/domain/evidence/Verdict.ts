/**
 * The reported verdict of an AI run: a model's answer, corrected where it contradicts itself, and verdicts that need no
 * model, such as that there is too little content: the engine applies that rule to what was fetched, an Analyst to what
 * its model supports and what it transcribed.
 */
import * as Schema from "effect/Schema";
import { SPACELESS_SCRIPTS } from "../text/FoldedText.ts";
import { type Leaf, leavesOf } from "../text/Json.ts";
import type { QuotableText } from "./QuoteSearch.ts";
import { reasonOf } from "./VerdictReason.ts";

/** Whether the content matches the schema. */
export const Outcome = Schema.Literals(["ok", "no_match", "uncertain"]).annotate({ identifier: "Outcome" });
export type Outcome = typeof Outcome.Type;

export interface Verdict {
  readonly outcome: Outcome;
  /** One sentence for `no_match` and `uncertain`, null for `ok`. */
  readonly verdictReason: string | null;
  /** Null unless `ok`. */
  readonly extraction: Schema.Json;
}

/** Approximate characters per word in scripts written without spaces. */
const SPACELESS_WORD_CHARS = 2;

const SPACELESS_RUN = new RegExp(`[${SPACELESS_SCRIPTS}]+`, "gu");

export const wordCountOf = (text: string): number => {
  let spaceless = 0;
  const rest = text.replace(SPACELESS_RUN, (run) => {
    spaceless += Math.ceil([...run].length / SPACELESS_WORD_CHARS);
    return " ";
  });
  return spaceless + (rest.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’.-]*/gu)?.length ?? 0);
};

export const countWords = (texts: ReadonlyArray<QuotableText>): number =>
  texts.reduce(
    (sum, { segments }) => sum + segments.reduce((words, { text }) => words + wordCountOf(text), 0),
    0
  );

export const uncertain = (verdictReason: string): Verdict => ({
  outcome: "uncertain",
  verdictReason,
  extraction: null
});

export const NOTHING_TO_READ = uncertain("None of the requested inputs exists at this URL.");
export const NOTHING_STRUCTURED = uncertain(
  "The content has no structured values from which a schema could be generated."
);
const NOTHING_FILLED = uncertain(
  "The content matches the schema, but contains none of the requested values."
);

const NOTHING_LISTED: Verdict = {
  outcome: "no_match",
  verdictReason: "The content has no item for the lists that the schema asks for.",
  extraction: null
};

/** The answer has no scalars, or only uninformative ones. */
const isBlank = (leaves: ReadonlyArray<Leaf>): boolean =>
  leaves.every(({ value }) => value === null || (typeof value === "string" && value.trim() === ""));

const hasList = (value: Schema.Json): boolean =>
  Array.isArray(value) ||
  (typeof value === "object" && value !== null && Object.values(value).some((each) => hasList(each)));

/**
 * The reported verdict of a model's answer. `ok` without any value becomes `uncertain`, or `no_match` if there are
 * only empty lists.
 */
export const verdictOf = ({ outcome, verdictReason, extraction }: Verdict): Verdict => {
  if (outcome === "ok") {
    const leaves = leavesOf(extraction);
    if (leaves.length === 0 && hasList(extraction)) return NOTHING_LISTED;
    if (isBlank(leaves)) return NOTHING_FILLED;
    return { outcome, verdictReason: null, extraction };
  }
  return { outcome, verdictReason: reasonOf(verdictReason, outcome), extraction: null };
};

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
