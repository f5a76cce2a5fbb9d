/** Texts that several screens show, none of them in the first load. */
import type { Extraction } from "@winnow/client";
import { number } from "./format.ts";

export const moneyWords = {
  cached: "Free: reused from a recent identical extraction.",
  debited: (debited: string) => `${debited} credits.`,
  allBack: (debited: string) => `${debited} credits debited, all refunded.`,
  partBack: (debited: string, back: string) => `${debited} credits debited, ${back} refunded.`
};

export const partsWords = {
  parts: "What to fetch",
  inputs: "What the model reads",
  names: { transcript: "Transcript", comments: "Comments", audio: "Audio", video: "Video" },
  price: (credits: string) => `+ ${credits} credits`,
  notHere: "not available here",
  text: "the text of the page"
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

export const moneyText = (run: Extraction): string => {
  if (run.cached) return moneyWords.cached;
  if (run.creditsRefunded === 0) return moneyWords.debited(number(run.creditsDebited));
  return run.creditsRefunded === run.creditsDebited
    ? moneyWords.allBack(number(run.creditsDebited))
    : moneyWords.partBack(number(run.creditsDebited), number(run.creditsRefunded));
};

export const deliveryStatusesWords = { pending: "Waiting", delivered: "Delivered", failed: "Failed" };

export const secretWords = { once: "This is shown only once. Copy it now.", kept: "I have saved it" };

export const transcribed = (done: number, total: number, unit: "s" | "min") =>
  `Transcribing ${done} of ${total} ${unit}`;
