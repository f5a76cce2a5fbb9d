/** Texts of one extraction. */
import { isFree } from "../../data/free.ts";
import { number } from "../../words/format.ts";
import { words } from "../../words/words.ts";
export const runWords = {
  parts: "Parts",
  partStates: {
    not_found: "not at the source",
    lookup_failed: isFree ? "look-up failed" : "look-up failed; refunded"
  },
  again: "Run again",
  otherFields: "Try other fields",
  actions: "Actions",
  copyLink: "Copy link",
  linkCopied: "Link copied",
  cancel: "Cancel run",
  deleteTitle: "Delete this extraction?",
  deleteText: `Its result, files and request are deleted permanently.${isFree ? "" : " Ledger entries are kept."}`,
  underWay: "The result appears here automatically. You can leave this page.",
  retryable: "The same extraction may work later.",
  final: "Retrying will not help.",
  progress: "Progress",
  fetched: (size: string) => `${size} fetched`,
  player: "Player",
  transcript: "Transcript",
  lines: "Lines of the transcript",
  follow: "Follow along",
  searchTranscript: "Search the transcript",
  noHits: "Not found",
  hit: (number: number, count: number) => `${number} of ${count}`,
  previousHit: "Previous match",
  nextHit: "Next match",
  playFrom: (time: string) => `Play from ${time}`,
  onPage: (page: number) => `Page ${page}`,
  under: (place: string, heading: string) => `${place}, under “${heading}”`,
  markedAt: (time: string) => `Quote marked at ${time}`,
  marked: "Quote marked",
  text: "Text",
  table: "Table",
  description: "Description",
  values: "Values",
  copyJson: "Copy JSON",
  noValue: "not stated",
  notSupported: "This quote does not support the value",
  backToValue: "Back to the value",
  sources: {
    structured: "structured data",
    slides: "image"
  },
  files: "Files",
  downloadAll: "Download all",
  images: "Images",
  imageNumber: (number: number) => `Image ${number}`,
  comments: "Comments",
  somebody: "Unknown author",
  likes: (count: string) => `${count} likes`,
  rawJson: "Result as JSON"
};

export const metadataWords = {
  title: "Metadata of the source",
  hint: "As stated by the source, with the place each value was read from.",
  fields: {
    title: "Title",
    author: "By",
    siteName: "Site",
    platform: "Platform",
    publishedAt: "Published",
    modifiedAt: "Changed",
    language: "Language",
    duration: "Length",
    stats: "Statistics",
    tags: "Tags",
    captions: "Captions",
    canonicalUrl: "URL"
  },
  captions: { people: "by people" },
  origins: {
    "json-ld": "JSON-LD",
    "open-graph": "Open Graph",
    meta: "meta elements",
    page: "text of the page",
    document: "file properties",
    platform: "the platform"
  },
  chapters: "Chapters",
  described: "Structured data",
  types: {
    JobPosting: "Job",
    VideoObject: "Video"
  }
};

export const requestWords = {
  title: "Request",
  schema: "Schema",
  schemaVersion: (name: string, version: number) => `${name}, version ${version}`,
  generated: "Generated from the content",
  inline: "Its own, in the request",
  noSchema: "None: only files",
  guidance: "Guidance",
  stretch: "Stretch",
  language: "Language",
  speech: "Transcribe the audio",
  policy: "When something is missing",
  evidence: "Evidence",
  auto: "Audio and video if needed",
  upTo: (credits: number) => (isFree ? words.yes : `for up to ${number(credits)} credits`),
  maxCredits: "Accepted",
  reuse: "May reuse a result",
  seconds: (count: number) => `of the last ${number(count)} s`,
  webhook: "Also notified",
  model: "Model",
  took: "Took",
  by: "Submitted",
  madeBy: { web: "in this web app", mcp: "by an assistant, over MCP", api: "over the API, without a key" },
  key: (name: string) => `with the API key “${name}”`,
  result: "Result",
  reused: "Reused from a recent extraction",
  from: "Read again from",
  fromLink: "another extraction",
  batch: "Part of"
};

export const statementWords = {
  title: "Cost",
  ledger: "Balance and ledger",
  debited: "Debited",
  refunded: "Refunded",
  paid: "Paid",
  failed: "The run failed, so everything was refunded.",
  notFound: "Refunded for what was not found, not needed or shorter than quoted."
};
