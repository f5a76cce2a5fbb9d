/** Texts of the workbench. */
import { isFree } from "../../data/free.ts";
import { plural } from "../../words/words.ts";

const paying = (price: string): string =>
  isFree ? "" : price === "0" ? " for free" : ` for ${price} credits`;

export const workbenchWords = {
  title: "Workbench",
  hint: "Try fields on what is already fetched, compare, then save them. Nothing is fetched again.",
  emptyTitle: "Nothing to try on yet",
  emptyText: "Extract something first: its text stays here for trying schemas on it.",
  source: "Extraction",
  from: "Fields from",
  ownFields: "A new schema",
  content: "Content",
  gone: "Its files are no longer there. Choose another extraction.",
  fields: "Fields",
  name: "Name",
  asking: isFree ? "Looking …" : "Getting the price …",
  notReady: "Name at least one field",
  tryFor: (price: string) => `Try${paying(price)}`,
  tryHint: "Each try is kept as an extraction of its own.",
  save: "Save",
  saveNext: (version: number) => `Save as version ${version}`,
  tries: "Tries",
  noTry: "The values of a try appear here, each with its quote.",
  tryNumber: (number: number) => `Try ${number}`,
  running: "Reading …",
  open: "Open this extraction",
  compare: "Compare with the try before",
  tooFew: "Try twice to compare.",
  field: "Field",
  before: (number: number) => `Try ${number}`,
  same: "All values are the same.",
  none: "none",
  lastTitle: (count: number) => (count === 1 ? "On the last extraction" : `On the last ${count} extractions`),
  lastHint: (version: number | null) =>
    version === null
      ? "Reads each of them with these fields."
      : `Reads each of them with version ${version} and with these fields.${isFree ? "" : " Results that you have are free."}`,
  lastAsk: isFree ? "See which can be read" : "Get the price",
  lastRun: (price: string) => `Run${paying(price)}`,
  refused: (count: number, reason: string) =>
    `${count} cannot be read${count === 1 ? "" : ", the first because"}: ${reason}`,
  ended: (ended: number, all: number) => `${ended} of ${all} ${plural(all, "read", "reads")} ended`,
  batch: "Open the batch",
  extraction: "Extraction",
  version: (version: number) => `Version ${version}`,
  draft: "These fields",
  onlyDifferences: "Only what differs",
  nothingDiffers: "Nothing differs."
};
