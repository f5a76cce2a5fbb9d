/**
 * Meanings of messages of yt-dlp, gallery-dl and platforms, from the rows of messages.tsv. Messages are only matched,
 * never passed on: they contain addresses, paths and advice about options. After a change of rows: facts.test.ts.
 */
// oxlint-disable-next-line no-restricted-imports -- reads a file of this package only
import { readFileSync } from "node:fs";
import type { FailureClass } from "./classify.ts";

/** As classify.ts tries them, besides what it knows of exceptions and statuses. */
export const STAGES = ["certain", "broken", "unexpected", "abroad", "content", "advice", "rest"] as const;

/** A row of the file, whose columns its first lines explain. */
interface MessageRow {
  readonly stage: string;
  readonly extractor: string;
  readonly reason: FailureClass;
  readonly pattern: string;
  readonly example: string;
}

/** A test compares each row's reason with what its example gets. */
export const MESSAGE_ROWS: ReadonlyArray<MessageRow> = readFileSync(
  new URL("./messages.tsv", import.meta.url),
  "utf8"
)
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => {
    const [stage = "", extractor = "", reason = "", pattern = "", example = ""] = line.split("\t");
    return { stage, extractor, reason: reason as FailureClass, pattern, example };
  });

const EXACT_CASE = "(?-i)";

export const patternOf = ({ pattern }: MessageRow): RegExp =>
  pattern.startsWith(EXACT_CASE)
    ? new RegExp(pattern.slice(EXACT_CASE.length), "u")
    : new RegExp(pattern, "iu");

/** What the first row that matches says; null without one. An `extractor` of null is none. */
export type Stage = (message: string, extractor: string | null) => FailureClass | null;

export const stageOf = (stage: (typeof STAGES)[number]): Stage => {
  const rows = MESSAGE_ROWS.filter((row) => row.stage === stage).map((row) => ({
    extractor: row.extractor === "*" ? null : new RegExp(`^(?:${row.extractor})`, "iu"),
    words: patternOf(row),
    reason: row.reason
  }));
  return (message, name) =>
    rows.find(
      ({ extractor, words }) => (extractor === null || extractor.test(name ?? "")) && words.test(message)
    )?.reason ?? null;
};

/**
 * Advice that extractors append for command-line users. Removed before matching, because it mentions cookies,
 * log-ins and addresses; that it is there counts, too: the stage `advice`.
 */
export const ADVICE =
  /(?:[.;,] ?|\s)?(?:Use --(?:cookies|username|list-formats|video-password)|See\s+https?:|please report this issue|Confirm you are on the latest|You might want to (?:try|use) (?:a )?(?:VPN|proxy)).*$/isu;
