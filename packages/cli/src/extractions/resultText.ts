/** An extraction and its result as people read them. */
import type { CompleteResult, ExtractionDetail, TerminalResult } from "@winnow/client";
import { stretchText } from "@winnow/client/clock";
import { jsonText } from "@winnow/server/TerminalText";
import { withRangeFlags } from "./submissionFields.ts";
import { creditsText, durationText, pairsText, sizeText, tableText, timeText } from "../Output.ts";

/** Those of the web app. */
const STATE_WORDS: Readonly<Record<string, string>> = {
  queued: "Queued",
  pending: "Starting",
  running: "Running",
  complete: "Complete",
  ok: "Complete",
  no_match: "No match",
  uncertain: "Uncertain",
  failed: "Failed"
};

export const stateWord = (state: string): string => STATE_WORDS[state] ?? state;

const filesText = ({ artifacts }: CompleteResult): string =>
  tableText(
    ["file", "size", "type"],
    artifacts.details.map(({ name, bytes, contentType }) => [name, sizeText(bytes), contentType])
  );

const paidText = ({
  creditsDebited,
  creditsRefunded
}: Pick<ExtractionDetail, "creditsDebited" | "creditsRefunded">) =>
  creditsRefunded === 0
    ? creditsText(creditsDebited)
    : `${creditsText(creditsDebited)}, ${creditsRefunded.toLocaleString("en")} refunded`;

/** Why a run failed, and what to do about it. */
export const failureText = (result: Extract<TerminalResult, { readonly status: "failed" }>): string =>
  withRangeFlags(`${result.error} ${result.failure.hint}`.trim());

/** What the run found: verdict, values, warnings and files. */
export const foundText = (result: CompleteResult): string =>
  [
    result.outcome === null
      ? ""
      : `outcome: ${stateWord(result.outcome)}. ${result.verdictReason ?? ""}`.trim(),
    result.extraction === null ? "" : jsonText(result.extraction),
    ...result.warnings.map((warning) => `note: ${warning}`),
    result.artifacts.details.length === 0 ? "" : filesText(result)
  ]
    .filter((text) => text !== "")
    .join("\n");

const rangeText = ({ range }: Pick<CompleteResult | ExtractionDetail, "range">): string | null =>
  range === undefined ? null : stretchText(range);

/** The end of a run, as `winnow wait` tells it. */
export const resultText = (result: CompleteResult): string =>
  [
    pairsText([
      ["id", result.id],
      ["title", result.summary.title],
      ["url", result.summary.webpage_url ?? result.summary.url],
      ["stretch", rangeText(result)],
      ["paid", paidText(result)]
    ]),
    foundText(result)
  ]
    .filter((text) => text !== "")
    .join("\n");

const ordinals = new Intl.PluralRules("en", { type: "ordinal" });
const ENDINGS: Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> = { one: "st", two: "nd", few: "rd" };

const statusText = ({ status, queuePosition: place }: ExtractionDetail): string =>
  place === undefined ? status : `${status}, ${place}${ENDINGS[ordinals.select(place)] ?? "th"} in the queue`;

/** An extraction, ended or not. */
export const extractionText = (detail: ExtractionDetail, result: TerminalResult | null): string =>
  [
    pairsText([
      ["id", detail.id],
      ["status", statusText(detail)],
      ["title", detail.title],
      ["url", detail.url],
      ["kind", detail.kind],
      ["length", detail.durationSec === null ? null : durationText(detail.durationSec)],
      ["stretch", rangeText(detail)],
      ["submitted", timeText(detail.createdAt)],
      ["ended", timeText(detail.completedAt)],
      ["key", detail.apiKeyName],
      ["batch", detail.batchId ?? null],
      ["paid", `${paidText(detail)}${detail.cached ? " (reused result)" : ""}`],
      ["error", result?.status === "failed" ? failureText(result) : null]
    ]),
    result?.status === "complete" ? foundText(result) : ""
  ]
    .filter((text) => text !== "")
    .join("\n");
