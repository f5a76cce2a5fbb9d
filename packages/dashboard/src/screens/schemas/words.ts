/** Texts of the saved schemas, and of the screen on which one is tried, changed and saved. */
import { isFree } from "../../data/free.ts";

const credits = (price: string): string => (price === "0" ? "free" : `${price} credits`);

export const schemasWords = {
  hint: "A schema defines which values to extract. Each version has its own ID and never changes.",
  create: "New schema",
  emptyTitle: "No schemas saved yet",
  emptyText: "Save one to reuse it by its ID, here and in programs.",
  use: "Use",
  useOf: (name: string) => `Use ${name} for a new extraction`,
  copyId: "Copy ID",
  name: "Name",
  version: (version: number) => `Version ${version}`,
  shownVersion: "Version",
  versionOf: (version: number, last: number) => `Version ${version} of ${last}`,
  unchanged: "Nothing has changed yet.",
  saveNext: (version: number) => `Save as version ${version}`,
  saved: (name: string, version: number) => `${name} saved as version ${version}`,
  never: "Earlier versions do not change.",
  nameField: "Name at least one field.",
  deleteTitle: (name: string, version: number) => `Delete ${name}, version ${version}?`,
  deleteText: "Submits with its ID will be rejected. Existing results are kept."
};

/** Of what is tried before it is saved. */
export const tryWords = {
  source: "Try it on",
  content: "Content",
  gone: "Its files are no longer there. Choose another extraction.",
  asking: isFree ? "Looking …" : "Getting the price …",
  tryIt: "Try",
  tryFor: (price: string) => (isFree ? "Try" : `Try for ${credits(price)}`),
  tries: "Tries",
  noTry: "The values of a try appear here, each with its quote.",
  tryNumber: (number: number) => `Try ${number}`,
  running: "Reading …",
  open: "Open this extraction",
  compare: "Compare with the try before",
  field: "Field",
  same: "All values are the same.",
  none: "none",
  lastTitle: (count: number) => (count === 1 ? "On the last extraction" : `On the last ${count} extractions`),
  lastHint: (version: number | null) =>
    version === null
      ? "Reads each of them with these fields."
      : `Reads each of them with version ${version} and with these fields.${isFree ? "" : " Results that you have are free."}`,
  lastAsk: isFree ? "See which can be read" : "Get the price",
  lastRun: (price: string) => (isFree ? "Run" : `Run (${credits(price)})`),
  refused: (count: number, reason: string) =>
    `${count} cannot be read${count === 1 ? "" : ", the first because"}: ${reason}`,
  batch: "Open the batch",
  draft: "These fields",
  nothingDiffers: "Nothing differs."
};

/** How a field of a later version differs from that of an earlier one. */
export const differenceWords = {
  since: (version: number) => `Changes since version ${version}`,
  same: "The fields are the same.",
  promptDiffers: "The guidance differs too.",
  besideFields: "Beside the fields",
  isNew: "is new",
  isGone: "is gone",
  mayBeMissing: "may now be missing",
  mayNotBeMissing: "may no longer be missing",
  type: (before: string, after: string) => `is now ${after}, was ${before}`,
  allows: (choices: string) => `now allows ${choices}`,
  forbids: (choices: string) => `no longer allows ${choices}`,
  described: (text: string) => `now means “${text}”`,
  notDescribed: "is no longer described",
  set: (keyword: string, value: string) => `${keyword} is now ${value}`,
  unset: (keyword: string) => `${keyword} is gone`
};
