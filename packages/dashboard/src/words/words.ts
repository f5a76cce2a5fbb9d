/** Texts that several screens show, in plain English; each screen has its own beside it. Tests: queue.test.ts, free.test.ts. */
import type { Extraction } from "@winnow/client";
import { number } from "./format.ts";

/** Singular and plural. */
export const plural = (count: number, one: string, many: string): string => (count === 1 ? one : many);

/** The text of an API value; unknown values are shown unchanged. */
export const wordOf = (known: Readonly<Record<string, string>>, word: string): string =>
  Object.hasOwn(known, word) ? (known[word] ?? word) : word;

export const words = {
  guide: "Read the guide",
  troubleshooting: "Why runs fail, and what helps",
  extraction: "Extraction",
  deliveries: "Deliveries",
  fileCount: (count: number) => `${count} ${plural(count, "file", "files")}`,
  linkCount: (count: number) => `${number(count)} ${plural(count, "link", "links")}`,
  skip: "Skip to content",
  loading: "Loading …",
  more: "Show more",
  cancel: "Cancel",
  close: "Close",
  save: "Save",
  delete: "Delete",
  copy: "Copy",
  copied: "Copied",
  keysHint: "Keyboard shortcuts",
  undo: "Undo",
  notes: "Notes",
  optional: "optional",
  made: "created",
  none: "none",
  yes: "Yes",
  no: "No",
  creditsUnit: (count: number) => plural(count, "credit", "credits"),
  unknown: { title: "Page not found", text: "This page does not exist. Go to" }
};

export const navWords = {
  label: "Main",
  menu: "Menu",
  new: "New extraction",
  extractions: "Extractions",
  results: "Results",
  schemas: "Schemas",
  developers: "Developers",
  settings: "Settings",
  docs: "Docs"
};

/** Screens within one entry of the navigation. */
export const tabWords = {
  keys: "API keys",
  webhooks: "Webhooks",
  mcp: "MCP",
  usage: "Usage",
  account: "Account"
};

export const problemWords = {
  offline: "You are offline. This continues automatically once you are back online.",
  unreachable: "The server is unreachable. It may be restarting.",
  program: (text: string) =>
    `Something went wrong in this page (${text}). Reload it; if that does not help, tell your operator.`,
  stale: (time: string) => `Not updated since ${time}, trying again`,
  requestId: "Request ID, for your operator:",
  topUp: "See how to add credits",
  onward: "Go to Extractions",
  again: "Try again",
  busy: "Many requests in a short time. This continues automatically.",
  againIn: (seconds: number) => `Try again in ${seconds} s`
};

export const kindsWords = { video: "Video", photos: "Photos", webpage: "Web page" };

export const statusWords = {
  done: "Complete",
  cancelled: "Cancelled",
  noMatch: "No match",
  uncertain: "Uncertain",
  failed: "Failed",
  queued: "Queued",
  waiting: "Starting",
  working: "Running"
};

export const toCheckWord = "To check";

/** Values that no quote supports and that nobody has corrected or accepted. */
export const toCheckText = (count: number): string => `${number(count)} to check`;

const ordinals = new Intl.PluralRules("en", { type: "ordinal" });

export const placeText = (place: number): string =>
  `${place}${wordOf({ one: "st", two: "nd", few: "rd", other: "th" }, ordinals.select(place))} in queue`;

export const filtersWords = {
  label: "Filters",
  set: "Filters that are set",
  remove: "Remove filter",
  any: "Any",
  search: "Search",
  searchHint: "Title or URL",
  status: "Status",
  outcome: "Outcome",
  kind: "Kind",
  statuses: {
    queued: "Queued",
    running: "Running",
    complete: "Complete",
    failed: "Failed"
  },
  outcomes: { ok: "Values found", no_match: "No match", uncertain: "Uncertain" }
};

export const cachedText = "Free: reused from a recent identical extraction.";

export const moneyText = ({ cached, creditsDebited, creditsRefunded }: Extraction): string => {
  if (cached) return cachedText;
  const debited = `${number(creditsDebited)} credits`;
  if (creditsRefunded === 0) return `${debited}.`;
  const back = creditsRefunded === creditsDebited ? "all" : number(creditsRefunded);
  return `${debited} debited, ${back} refunded.`;
};

export const partsWords = {
  parts: "What to fetch",
  inputs: "What the model reads",
  names: { transcript: "Transcript", comments: "Comments", audio: "Audio", video: "Video" },
  price: (credits: string) => `+ ${credits} credits`,
  notHere: "not available here",
  text: "Text of the page"
};

export const receiptWords = {
  base: "Base fee",
  readings: {
    text: "Reading the text",
    audio: "Reading the audio",
    video: "Reading the video or slides"
  },
  rounding: "Rounding",
  total: "Total",
  unknownLength: "The length is unknown: 5 minutes are debited, the excess is refunded."
};

export const sampleWords = { or: "Or try" };

export const stepsWords = {
  inspecting: "Inspecting the source",
  fetching: "Fetching",
  converting: "Converting",
  transcribing: "Transcribing",
  analysing: "Analysing",
  storing: "Saving"
};

export const deliveryStatusesWords = { pending: "Waiting", delivered: "Delivered", failed: "Failed" };

export const secretWords = { once: "This is shown only once. Copy it now.", kept: "I have saved it" };

export const transcribed = (done: number, total: number, unit: "s" | "min") =>
  `Transcribing ${done} of ${total} ${unit}`;
