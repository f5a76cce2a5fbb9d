/** The sentence that explains a verdict. Without effect/Schema, because processes that read answers load it. */
import { cleanLine } from "../text/CleanText.ts";

/** Maximum length of a reason, in characters. */
const REASON_CHARS_MAX = 300;

const DEFAULT_REASONS: Readonly<Record<"no_match" | "uncertain", string>> = {
  no_match: "The content is about something else.",
  uncertain: "The content says too little."
};

/** The first sentence of a model's reason, on one line; a default if there is none. */
export const reasonOf = (text: string | null, outcome: "no_match" | "uncertain"): string => {
  const line = cleanLine(text ?? "") ?? "";
  // Takes only the first segment, without splitting the rest of the text.
  const [start] = new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(line);
  const sentence = start?.segment.trim() ?? "";
  if (sentence === "") return DEFAULT_REASONS[outcome];
  const chars = [...sentence];
  return chars.length > REASON_CHARS_MAX ? `${chars.slice(0, REASON_CHARS_MAX - 1).join("")}…` : sentence;
};
