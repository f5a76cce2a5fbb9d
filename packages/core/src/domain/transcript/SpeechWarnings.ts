/** What the caller is told about a transcript by a speech model: where words are missing, and whether to trust it. */
import type { Stretch } from "./CaptionTimes.ts";
import { timeMark } from "./Transcript.ts";

const UNSURE =
  "The speech model was unsure: it had few words for the sound, or most of them did not look like speech.";

/** Maximum gaps that the warning names; `transcript.json` has them all. */
const NAMED_GAPS_MAX = 10;

const gapsWarning = (gaps: ReadonlyArray<Stretch>): string => {
  const named = gaps
    .slice(0, NAMED_GAPS_MAX)
    .map(({ startSeconds, endSeconds }) => `${timeMark(startSeconds)} to ${timeMark(endSeconds)}`);
  const others = gaps.length - named.length;
  return `The transcript has gaps where the speech model had no words for the sound: ${named.join(", ")}${
    others === 0 ? "" : `, and ${others} more`
  }.`;
};

interface Doubts {
  readonly gaps?: ReadonlyArray<Stretch>;
  readonly isUnsure?: boolean;
}

/** Sentences about what ports/Transcriber reports beside the segments. */
export const speechWarnings = ({ gaps = [], isUnsure = false }: Doubts): ReadonlyArray<string> => [
  ...(gaps.length === 0 ? [] : [gapsWarning(gaps)]),
  ...(isUnsure ? [UNSURE] : [])
];
