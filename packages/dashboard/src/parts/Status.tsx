/** Status of an extraction or a delivery: a word and a shape, not only a colour. Tests: results.test.ts, runActions.test.ts. */
import type { ComponentChildren } from "preact";
import type { ExtractionItem } from "../data/extractions.ts";
import { deliveryStatusesWords, placeText, statusWords, toCheckText, wordOf } from "../words/words.ts";

/** One glyph per status, distinguishable without colour. */
export const STATUS_GLYPHS = {
  done: "M5 12l5 5 9-10",
  toCheck: "M12 5v8m0 5h.01",
  noMatch: "M6 12h12",
  uncertain: "M9 9a3 3 0 1 1 4 3c-1 .6-1 1.200-1 2m0 4h.01",
  failed: "M7 7l10 10M17 7 7 17",
  cancelled: "M8 8h8v8H8z",
  queued: "M7 8h10M7 12h10M7 16h10",
  waiting: "M12 7v5l3 2",
  working: "M12 6a6 6 0 1 1-6 6"
};

export type Shown = keyof typeof STATUS_GLYPHS;

const shownAs = ({ status, outcome, failureReason, valuesToCheck }: StatusProps["run"]): Shown => {
  if (status === "failed") return failureReason === "cancelled" ? "cancelled" : "failed";
  if (status === "queued") return "queued";
  if (status === "pending") return "waiting";
  if (status !== "complete") return "working";
  if (outcome === "no_match") return "noMatch";
  if (outcome === "uncertain") return "uncertain";
  return valuesToCheck === undefined ? "done" : "toCheck";
};

export const Shape = ({
  as,
  children
}: {
  readonly as: Shown | undefined;
  readonly children: ComponentChildren;
}) => (
  <span class={`status ${as ?? ""}`}>
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={as === undefined ? "" : STATUS_GLYPHS[as]} />
    </svg>
    {children}
  </span>
);

interface StatusProps {
  readonly run: Pick<
    ExtractionItem,
    "id" | "status" | "outcome" | "queuePosition" | "valuesToCheck" | "failureReason"
  >;
}

export const statusText = ({ queuePosition, ...run }: StatusProps["run"]): string => {
  if (queuePosition !== undefined) return placeText(queuePosition);
  const shown = shownAs(run);
  return shown === "toCheck" ? toCheckText(run.valuesToCheck ?? 0) : statusWords[shown];
};

export const Status = ({ run }: StatusProps) => <Shape as={shownAs(run)}>{statusText(run)}</Shape>;

const OF_DELIVERIES: Readonly<Record<string, Shown>> = {
  delivered: "done",
  failed: "failed",
  pending: "waiting"
};

export const DeliveryStatus = ({ status }: { readonly status: string }) => (
  <Shape as={OF_DELIVERIES[status]}>{wordOf(deliveryStatusesWords, status)}</Shape>
);
