/** The lines of a transcript from a run's files. Pure. */
import type { Line } from "./marks.ts";

const TIME = /^(?:(\d+):)?(\d\d):(\d\d[.,]\d{3})/u;
const HOUR_SECONDS = 3_600;
const MINUTE_SECONDS = 60;

const seconds = (text: string): number | null => {
  const [, hours = "0", minutes = "0", rest = "0"] = TIME.exec(text.trim()) ?? [];
  if (!TIME.test(text.trim())) return null;
  return Number(hours) * HOUR_SECONDS + Number(minutes) * MINUTE_SECONDS + Number(rest.replace(",", "."));
};

/** WebVTT cues without styling. */
export const linesOfVtt = (vtt: string): ReadonlyArray<Line> =>
  vtt
    .replaceAll("\r\n", "\n")
    .split(/\n{2,}/u)
    .flatMap((block) => {
      const rows = block.split("\n");
      const at = rows.findIndex((row) => row.includes("-->"));
      const [from = "", to = ""] = (rows[at] ?? "").split("-->");
      const startSec = seconds(from);
      const endSec = seconds(to);
      const text = rows
        .slice(at + 1)
        .join(" ")
        .replaceAll(/<[^>]*>/gu, "")
        .trim();
      return at === -1 || startSec === null || endSec === null || text === ""
        ? []
        : [{ startSec, endSec, text }];
    });

/** `transcript.json`. */
export const linesOfJson = (json: string): ReadonlyArray<Line> => {
  const { segments = [] } = JSON.parse(json) as { readonly segments?: ReadonlyArray<Line> };
  return segments;
};
