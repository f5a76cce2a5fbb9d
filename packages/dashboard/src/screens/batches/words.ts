/** Texts of the screens of batches. */
import type { BatchItemError } from "@winnow/client";
import { number } from "../../words/format.ts";
import { plural } from "../../words/words.ts";
import { batchWords } from "../extractions/words.ts";

const { links } = batchWords;

export const newBatchWords = {
  title: "New batch",
  links: "Links",
  hint: "One a line, or a CSV with a column url; at most 1,000. Drop a file here, or paste.",
  chooseFile: "Choose a file",
  found: links,
  twice: (count: number) => `${number(count)} ${plural(count, "duplicate", "duplicates")}`,
  read: "Extract values?",
  readNone: "No, download only",
  readNoneHint: "Files and metadata",
  readSaved: "With a schema",
  readSavedHint: "Yours, or a predefined one",
  lines: "Each link",
  line: "Line",
  asking: "Getting the price …",
  free: "Free: reused",
  refused: "Refused",
  twiceMark: "Duplicate",
  isList: "A channel, a playlist or a search, which lists links.",
  howMany: "How many of its links",
  addFirst: (count: number) => `Add its first ${number(count)}`,
  listing: (found: number) => (found === 0 ? "Looking …" : `${number(found)} found …`),
  isTwice: (index: number) => `The same as line ${number(index + 1)}, which gives its result.`
};

/** Reasons of refused links whose address shows that they list others. */
export const LISTS: ReadonlySet<unknown> = new Set(["channel", "playlist", "search"]);

/** Index of the line that has the result, if this one is there twice; else null. */
export const twiceOf = (error: BatchItemError | null): number | null => {
  const { reason, index } = error?.details ?? {};
  return reason === "duplicate" && typeof index === "number" ? index : null;
};

/** Why a line was refused; lines are counted from 1 here, and from 0 in the API. */
export const refusalText = (error: BatchItemError): string => {
  const index = twiceOf(error);
  if (index !== null) return newBatchWords.isTwice(index);
  return LISTS.has(error.details?.["reason"]) ? newBatchWords.isList : error.message.replaceAll("`", "");
};

export const batchPriceWords = {
  title: "Price",
  paste: "Paste links to see what each costs. Quotes are free.",
  chooseSchema: "Choose a schema to see the price.",
  progress: (done: number, total: number) => `${number(done)} of ${links(total)} quoted`,
  counts: (accepted: number, refused: number) =>
    refused === 0
      ? `for ${links(accepted)}`
      : `for ${links(accepted)}; ${number(refused)} refused, at no cost`,
  cap: "Spend at most (credits)",
  capHint: "If prices rise above this, nothing starts and nothing is charged.",
  aboveCap: "The price is above what you allow.",
  noneAccepted: "No link can be extracted. See why beside each.",
  extract: "Extract",
  extractFor: (count: number, credits: string, unit: string) =>
    `Extract ${links(count)} for ${credits} ${unit}`,
  extractFree: (count: number) => `Extract ${links(count)} for free`
};

export const batchPageWords = {
  kind: "Batch",
  name: "Name",
  rename: "Rename",
  progress: "Progress",
  cost: (debited: string, refunded: string) => `${debited} credits debited, ${refunded} refunded`,
  reused: (count: number) => `${number(count)} reused, free of charge`,
  rate: (perMinute: string, minutes: string) => `${perMinute} a minute, about ${minutes} min left`,
  measuring: "Measuring the rate …",
  pausedText: "What has started continues; the rest waits.",
  pause: "Pause",
  resume: "Resume",
  cancel: "Cancel the rest",
  cancelTitle: "Cancel the rest?",
  cancelText: (count: number) =>
    `${links(count)} ${plural(count, "has", "have")} not finished. ${plural(count, "It is", "They are")} cancelled and refunded, and cannot be resumed.`,
  retry: (count: number) => `Retry ${number(count)} failed`,
  retryTitle: "Retry the failed links?",
  retryText: (count: number) =>
    `${links(count)} ${plural(count, "is", "are")} submitted again and debited at today's price. What failed was refunded.`,
  retryAction: "Retry",
  items: "Links",
  all: "All",
  refused: (count: number) => `${links(count)} refused or deleted`,
  deleted: "Its extraction was deleted."
};
