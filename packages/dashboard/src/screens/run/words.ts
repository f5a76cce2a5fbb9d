/** Texts of one extraction. */
export const runWords = {
  parts: "Parts",
  partStates: {
    found: "found",
    not_found: "not at the source",
    lookup_failed: "look-up failed; refunded"
  },
  again: "Run again",
  cancel: "Cancel run",
  deleteTitle: "Delete this extraction?",
  deleteText: "Its result, files and request are deleted permanently. Ledger entries are kept.",
  underWay: "The result appears here automatically. You can leave this page.",
  retryable: "The same extraction may work later.",
  final: "Retrying will not help.",
  troubleshooting: "Why runs fail, and what helps",
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
  markedAt: (time: string) => `Quote marked at ${time}`,
  marked: "Quote marked",
  text: "Text",
  shownAs: "Show the text as",
  rendered: "Text",
  markdown: "Markdown",
  table: "Table",
  description: "Description",
  values: "Values",
  copyJson: "Copy JSON",
  noValue: "not stated",
  notQuoted: "not quoted",
  notSupported: "This quote does not support the value",
  backToValue: "Back to the value",
  sources: {
    transcript: "transcript",
    comments: "comments",
    page: "page",
    description: "description",
    metadata: "metadata",
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
    canonicalUrl: "Address"
  },
  stats: {
    views: (count: string) => `${count} views`,
    likes: (count: string) => `${count} likes`,
    comments: (count: string) => `${count} comments`,
    shares: (count: string) => `${count} shares`
  },
  captions: { people: "by people", automatic: "automatic" },
  origins: {
    "json-ld": "JSON-LD",
    "open-graph": "Open Graph",
    microdata: "microdata",
    meta: "meta elements",
    page: "text of the page",
    document: "file properties",
    platform: "the platform"
  },
  chapters: "Chapters",
  described: "Structured data",
  types: {
    Product: "Product",
    Recipe: "Recipe",
    Event: "Event",
    JobPosting: "Job",
    VideoObject: "Video",
    Article: "Article"
  },
  contradicts: "The source states contradictory values for these fields, so they were left out:"
};

export const statementWords = {
  title: "Cost",
  debited: "Debited",
  refunded: "Refunded",
  paid: "Paid",
  failed: "The run failed, so everything was refunded.",
  notFound: "Refunded for what was not found or was shorter than quoted.",
  timeLine: "Timeline",
  submitted: "Submitted",
  waited: "Waiting time",
  worked: "Running time",
  settled: "Settled",
  inAll: "Total"
};
