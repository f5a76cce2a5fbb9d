/**
 * The sentence that explains a verdict. Without effect/Schema, because processes that read answers load it. Each number
 * is held by Verdict.test.ts.
 */
import { cleanLine } from "../text/CleanText.ts";
import { SPACELESS_SCRIPTS } from "../text/FoldedText.ts";

/** Maximum length of a reason, in characters. */
const REASON_CHARS_MAX = 300;

const DEFAULT_REASONS: Readonly<Record<"no_match" | "uncertain", string>> = {
  no_match: "The content is about something else.",
  uncertain: "The content says too little."
};

/** The description of the field in the model's schema, which small models copy. */
export const REASON_DESCRIPTION = "One sentence unless the verdict is ok.";

/** Words of a sentence, fewer if it ends as one, and characters of one in a script without spaces. */
const WORDS_MIN = 3;
const ENDED_WORDS_MIN = 2;
const SPACELESS_CHARS_MIN = 3;

/** Letters and spaces of a sentence; the rest is digits and marks. */
const LETTERS_SHARE_MIN = 0.7;

/** Latin letters beside those of another script are a name; a third script is noise. */
const SCRIPTS_MAX = 2;
const SCRIPTS = [
  /\p{Script=Latin}/u,
  new RegExp(`[${SPACELESS_SCRIPTS}]|\\p{Script=Hangul}`, "u"),
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Devanagari}|\p{Script=Bengali}|\p{Script=Tamil}|\p{Script=Telugu}/u
];
const SPACELESS_CHAR = new RegExp(`[${SPACELESS_SCRIPTS}]`, "gu");

/** Random models write a word, a number, JSON or letters of many scripts. */
const isSentence = (text: string): boolean => {
  if (text === REASON_DESCRIPTION || /[{}<>|\\]/u.test(text)) return false;
  const chars = [...text];
  const letters = chars.filter((char) => /[\p{L}\p{M}\s]/u.test(char)).length;
  if (letters < chars.length * LETTERS_SHARE_MIN) return false;
  if (SCRIPTS.filter((script) => script.test(text)).length > SCRIPTS_MAX) return false;
  const words = text.match(/[\p{L}\p{M}]+/gu)?.length ?? 0;
  const spaceless = text.match(SPACELESS_CHAR)?.length ?? 0;
  return spaceless >= SPACELESS_CHARS_MIN || words >= (/[.!?]$/u.test(text) ? ENDED_WORDS_MIN : WORDS_MIN);
};

/** The first sentence of a model's reason, on one line; a default if there is none. */
export const reasonOf = (text: string | null, outcome: "no_match" | "uncertain"): string => {
  const line = cleanLine(text ?? "") ?? "";
  // Takes only the first segment, without splitting the rest of the text.
  const [start] = new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(line);
  const sentence = start?.segment.trim() ?? "";
  if (!isSentence(sentence)) return DEFAULT_REASONS[outcome];
  const chars = [...sentence];
  return chars.length > REASON_CHARS_MAX ? `${chars.slice(0, REASON_CHARS_MAX - 1).join("")}…` : sentence;
};
