/** Texts of the list of extractions, and of batches as its rows. */
import { isFree } from "../../data/free.ts";
import type { BatchSummary } from "@winnow/client";
import { number } from "../../words/format.ts";

export const batchWords = {
  statuses: {
    running: "Running",
    paused: "Paused",
    complete: "Complete",
    cancelled: "Cancelled",
    refused: "Refused"
  },
  parts: {
    done: "complete",
    failed: "failed or refused",
    refused: "refused",
    cancelled: "cancelled or failed",
    open: "in progress"
  },
  ended: ({ status, counts: { complete, failed, accepted } }: BatchSummary) =>
    accepted === 0
      ? "No link was accepted"
      : status === "cancelled"
        ? `${number(complete)} of ${number(accepted)} complete`
        : `${number(complete + failed)} of ${number(accepted)} finished`
};

export const listWords = {
  noneFound: "No extraction matches these filters",
  noneInBatch: "This batch has no extractions",
  showAll: "Show all extractions",
  again: "Run again",
  active: "Running and queued",
  moreFilters: "More",
  anyOf: {
    status: "Any status",
    outcome: "Any outcome",
    kind: "Any kind",
    schemaId: "Any schema",
    apiKeyId: "Any API key"
  },
  filterNames: {
    q: "Search",
    status: "Status",
    outcome: "Outcome",
    kind: "Kind",
    schemaId: "Schema",
    apiKeyId: "API key",
    batchId: "Batch",
    since: "From",
    until: "To"
  },
  statusHead: "Status",
  costHead: isFree ? "" : "Credits",
  timeHead: "Created",
  select: (name: string) => `Select ${name}`,
  peekAt: (name: string) => `Preview ${name}`,
  againOf: (name: string) => `Run ${name} again`,
  cancelOf: (name: string) => `Cancel ${name}`,
  deleteOf: (name: string) => `Delete ${name}`,
  deleted: "Extraction deleted",
  madeBy: { api: "API", web: "Web app", mcp: "MCP" },
  madeByKey: (key: string) => `Key “${key}”`
};
