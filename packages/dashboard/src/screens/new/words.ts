/** Texts of the form for new extractions. */
import { isFree } from "../../data/free.ts";
import { number } from "../../words/format.ts";
import { plural, words } from "../../words/words.ts";

const { linkCount: links } = words;

const asking = isFree ? "Looking …" : "Getting the price …";
const toSee = (price: string): string => (isFree ? "" : ` to see ${price}`);
const paying = (price: string): string => (isFree ? "" : ` for ${price}`);

export const boxWords = {
  label: "Links",
  hint: "A public page with a video, photos or an article. More of them: one a line, or a file of links.",
  fault: "This is not a URL of a page. It must begin with https:// or http://.",
  oneALine: "Put each link on a line of its own.",
  chooseFile: "Choose a file",
  found: links,
  twice: (count: number) => `${number(count)} ${plural(count, "duplicate", "duplicates")}`
};

export const sourceWords = {
  images: (count: number) => `${count} ${plural(count, "image", "images")}`,
  chapters: (count: number) => `${count} ${plural(count, "chapter", "chapters")}`,
  captions: "captions",
  captionsIn: (names: string, more: number) => `captions in ${names}${more === 0 ? "" : ` and ${more} more`}`,
  comments: "comments"
};

export const stretchWords = {
  title: "Only a stretch of the video",
  only: (ends: string, length: string) => `Only ${ends}${length === "" ? "" : `, ${length} long`}`,
  ends: { from: "From", to: "To" },
  outer: { from: "start", to: "end" },
  hint: "Minutes and seconds, such as 1:05; the end comes after the start."
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
  captions: "Captions for the transcript",
  captionsChoices: {
    any: "By people, else automatic",
    people: "Only by people",
    automatic: "Only automatic"
  },
  policy: "When something is missing",
  policyChoices: {
    fallback: "Continue with a warning",
    strict: isFree ? "Fail" : "Fail and refund",
    "best-effort": "Continue silently"
  },
  webhookUrl: "Notify this webhook too",
  maxCredits: "Refuse if it costs more than (credits)",
  maxAgeSeconds: "Reuse a result of at most this age (seconds)",
  evidence: "Leave out values that have no quote",
  force: "Do not reuse a recent result",
  speech: "Transcribe the audio if there are no captions",
  speechHint: "This adds the price of audio, which is refunded if there are captions.",
  auto: "Start with text, add audio and video only if needed",
  maxSpendCredits: "Spend at most (credits)"
};

export const priceWords = {
  title: isFree ? "Start" : "Price",
  paste: `Paste a URL or a list of them${toSee("the exact price")}.`,
  asking,
  chooseSchema: `Choose a schema${toSee("the price")}.`,
  fixSchema: `Fix the error in the schema${toSee("the price")}.`,
  nameField: `Name at least one field${toSee("the price")}.`,
  fixStretch: `Correct the times of the stretch${toSee("the price")}.`,
  enterSpend: "Enter the most that it may cost to see the price.",
  cached: isFree ? "There is a recent result." : "Free: there is a recent result.",
  earlier: (at: string) => `You have this result from ${at}.`,
  open: "Open the result",
  fresh: (price: string) => `Run again${paying(price)}`,
  without: (parts: string, price: string) => `Without ${parts}: ${price}`,
  and: " and ",
  lacks: (credits: string) => `Your balance is ${credits} credits short.`,
  extract: "Extract",
  extractFree: `Extract${paying("free")}`,
  extractFor: (credits: string) => `Extract for ${credits}`,
  extractMany: (count: number, price: string) => `Extract ${links(count)}${paying(price)}`,
  free: "free",
  progress: (done: number, total: number) => `${number(done)} of ${links(total)} quoted`,
  counts: (accepted: number, twice: number, refused: number) => {
    const others = [
      ...(twice === 0 ? [] : [boxWords.twice(twice)]),
      ...(refused === 0 ? [] : [`${number(refused)} refused`])
    ].join(" and ");
    return others === ""
      ? `for ${links(accepted)}`
      : `for ${links(accepted)}; ${others}${isFree ? "" : ", at no cost"}`;
  },
  aboveLimit: "The price is above what you allow.",
  lost: `An earlier attempt got no answer and may have started this. Try again: nothing is started ${isFree ? "" : "or charged "}twice.`,
  noneAccepted: "No link can be extracted. See why beside each.",
  promise: "Quotes are free. Anything not found is refunded. Failed runs are free."
};

export const codeWords = {
  title: "Use from a program",
  kinds: { curl: "curl", typescript: "TypeScript", python: "Python", cli: "Command line" },
  key: "The same extraction, on this account. Your API key is read from WINNOW_API_KEY.",
  makeKey: "Create a key"
};

export const linesWords = {
  lines: "Each link",
  asking,
  free: isFree ? "Reused" : "Free: reused",
  refused: "Refused",
  twiceMark: "Duplicate",
  howMany: "How many of its links",
  addFirst: (count: number) => `Add its first ${number(count)}`,
  listing: (found: number) => (found === 0 ? "Looking …" : `${number(found)} found …`)
};
