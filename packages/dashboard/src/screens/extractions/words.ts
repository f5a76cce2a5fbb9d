/** Texts of the list of extractions: its rows, batches among them, its filters, the selection and the first run. */
import { isFree } from "../../data/free.ts";
import { number } from "../../words/format.ts";
import { plural } from "../../words/words.ts";
import type { Action } from "./bulk.ts";

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
  }
};

export const listWords = {
  noneFound: "No extraction matches these filters",
  noneInBatch: "This batch has no extractions",
  showAll: "Show all extractions",
  again: "Run again",
  retry: "Retry",
  retryFor: (credits: string) => (isFree ? "Retry" : `Retry for at most ${credits} credits`),
  retried: "Submitted again",
  peek: "Preview",
  open: "Open",
  summary: "Now",
  failedToday: "Failed today",
  active: "Running and queued",
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

const extractions = (count: number): string =>
  `${number(count)} ${plural(count, "extraction", "extractions")}`;

const done: Readonly<Record<Action, string>> = {
  cancel: "cancelled",
  retry: "submitted again",
  delete: "deleted"
};

export const selectionWords = {
  label: "Selected extractions",
  selected: (count: number) => `${number(count)} selected`,
  all: (count: number) => `Select all ${number(count)}`,
  allThatMatch: "Select all that match",
  allSelected: (count: number, isMore: boolean) =>
    isMore
      ? `The newest ${number(count)} that match are selected; no more are selected at once`
      : `All ${number(count)} that match are selected`,
  clear: "Clear the selection",
  stop: "Stop",
  back: "Back",
  actions: { cancel: "Cancel", retry: "Retry", delete: "Delete" } satisfies Record<Action, string>,
  title: (action: Action, count: number) =>
    `${selectionWords.actions[action]} ${extractions(count)}${action === "retry" ? " again" : ""}?`.replace(
      "Retry",
      "Submit"
    ),
  fits: (action: Action, count: number, of: number) =>
    `${number(count)} of ${number(of)} can be ${action === "retry" ? "retried" : done[action]}.`,
  text: {
    cancel: isFree ? "They stop." : "They stop, and what was debited for them is refunded.",
    retry: "The others would fail again.",
    delete: "Their results and files are deleted for good."
  } satisfies Record<Action, string>,
  atMost: (credits: number) => `They cost at most ${number(credits)} credits, what they cost before.`,
  doing: { cancel: "Cancelling", retry: "Submitting", delete: "Deleting", select: "Selecting" },
  progress: (doing: string, count: number, total: number | undefined) =>
    total === undefined ? `${doing} ${number(count)} …` : `${doing} ${number(count)} of ${number(total)} …`,
  waits: (seconds: number) => `Rate limit: goes on in ${number(seconds)} s`,
  done: (action: Action, count: number) => `${extractions(count)} ${done[action]}`,
  stopped: (action: Action, count: number, of: number) =>
    `Stopped: ${number(count)} of ${extractions(of)} ${done[action]}`,
  failed: (action: Action, count: number) => `${number(count)} could not be ${done[action]}:`,
  more: (count: number) => `and ${number(count)} more`
};

export const firstRunWords = {
  title: "Nothing extracted yet",
  text: `Paste the URL of a video, a photo post or an article to see what ${isFree ? "is there" : "it costs"}.`,
  noCredits: "You have no credits yet. How to get some is in the settings, under",
  url: "URL",
  price: isFree ? "Continue" : "See the price",
  example: "See a finished example",
  checklist: "First steps",
  dismiss: "Dismiss",
  done: "done",
  steps: {
    extract: "Extract a URL",
    schema: "Save a schema",
    key: "Create an API key",
    webhook: "Add a webhook endpoint"
  }
};

export const exampleWords = {
  title: "An example: a recipe",
  hint: "Choose a quote, or press e, to see where its value was read. No words support the last value, so it is to check."
};
