/** Texts of the form for a new extraction. */
import { plural } from "../../words/words.ts";

export const addressWords = {
  label: "URL",
  hint: "A public page with a video, photos or an article. You can paste it anywhere on this page.",
  fault: "This is not a URL of a page. It must begin with https:// or http://."
};

export const sourceWords = {
  images: (count: number) => `${count} ${plural(count, "image", "images")}`,
  chapters: (count: number) => `${count} ${plural(count, "chapter", "chapters")}`,
  captions: "captions",
  captionsIn: (names: string, more: number) => `captions in ${names}${more === 0 ? "" : ` and ${more} more`}`,
  comments: "comments"
};

export const draftWords = {
  clear: "Clear",
  noModel: "This server has no language model, so it cannot extract values.",
  setUp: "Set one up"
};

export const optionsWords = {
  title: "More options",
  language: "Language of the transcript",
  languageHint: "original, or en, pt-BR …",
  policy: "When something is missing",
  policies: {
    fallback: "Continue with a warning",
    strict: "Fail and refund",
    "best-effort": "Continue silently"
  },
  webhookUrl: "Notify this webhook too",
  maxCredits: "Refuse if it costs more than (credits)",
  maxAge: "Reuse a result of at most this age (seconds)",
  quoted: "Leave out values that have no quote",
  force: "Do not reuse a recent result",
  speech: "Transcribe the audio if there are no captions",
  speechHint: "This adds the price of audio, which is refunded if there are captions.",
  auto: "Start with text, add audio and video only if needed",
  maxSpend: "Spend at most (credits)"
};

export const priceWords = {
  title: "Price",
  paste: "Paste a URL to see its exact price.",
  asking: "Getting the price …",
  chooseSchema: "Choose a schema to see the price.",
  fixSchema: "Fix the error in the schema to see the price.",
  nameField: "Name at least one field to see the price.",
  enterSpend: "Enter the most that it may cost to see the price.",
  cached: "Free: there is a recent result.",
  earlier: (at: string) => `You have this result from ${at}.`,
  open: "Open it",
  fresh: (credits: string, unit: string) => `Run fresh for ${credits} ${unit}`,
  without: (parts: string, credits: string, unit: string) => `Without ${parts}: ${credits} ${unit}`,
  and: " and ",
  lacks: (credits: string) => `Your balance is ${credits} credits short.`,
  extract: "Extract",
  extractFree: "Extract for free",
  extractFor: (credits: string) => `Extract for ${credits}`,
  promise: "Quotes are free. Anything not found is refunded. Failed runs are free."
};

export const codeWords = {
  title: "Use from a program",
  kinds: { curl: "curl", typescript: "TypeScript", python: "Python", cli: "Command line" },
  key: "The same extraction, on this account. Your API key is read from WINNOW_API_KEY.",
  makeKey: "Create a key"
};
