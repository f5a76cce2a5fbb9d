/** Texts of the bar that acts on the selected rows. */
import { isFree } from "../../data/free.ts";
import { number } from "../../words/format.ts";
import { plural } from "../../words/words.ts";
import type { Action } from "./bulk.ts";

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
  doing: {
    cancel: "Cancelling",
    retry: "Submitting",
    delete: "Deleting",
    check: "Checking",
    select: "Selecting"
  },
  progress: (doing: string, count: number, total: number | undefined) =>
    total === undefined ? `${doing} ${number(count)} …` : `${doing} ${number(count)} of ${number(total)} …`,
  waits: (seconds: number) => `Rate limit: goes on in ${number(seconds)} s`,
  done: (action: Action, count: number) => `${extractions(count)} ${done[action]}`,
  stopped: (action: Action, count: number, of: number) =>
    `Stopped: ${number(count)} of ${extractions(of)} ${done[action]}`,
  failed: (action: Action, count: number) => `${number(count)} could not be ${done[action]}:`,
  more: (count: number) => `and ${number(count)} more`
};
