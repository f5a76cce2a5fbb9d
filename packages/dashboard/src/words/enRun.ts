/** English, for the screen of one extraction. */
import { plural } from "./plural.ts";

export const enRun = {
  run: {
    parts: "What was there",
    partStates: {
      found: "found",
      not_found: "the source has none",
      lookup_failed: "could not be looked up; its price came back"
    },
    title: "Extraction",
    again: "Run again",
    cancel: "Cancel run",
    deleteTitle: "Delete this extraction?",
    deleteText: "Its result, files and request are removed for good. The ledger keeps its lines.",
    underWay: "The result appears here by itself. You can leave this page.",
    retryable: "The same extraction may work later.",
    final: "Trying the same again would fail again.",
    fileCount: (count: number) => `${count} ${plural(count, "file", "files")}`,
    player: "Player",
    transcript: "Transcript",
    lines: "Lines of the transcript",
    follow: "Follow along",
    searchTranscript: "Search the transcript",
    linesFound: (count: number) => `${count} ${plural(count, "line", "lines")}`,
    playFrom: (time: string) => `Play from ${time}`,
    onPage: (page: number) => `Page ${page}`,
    markedAt: (time: string) => `Quote marked at ${time}`,
    marked: "Quote marked",
    text: "Text",
    table: "Table",
    description: "Description",
    values: "Values",
    copyJson: "Copy JSON",
    noValue: "not stated",
    notQuoted: "not quoted",
    notSupported: "These words do not bear the value out",
    sources: {
      transcript: "transcript",
      comments: "comments",
      page: "page",
      description: "description",
      metadata: "metadata"
    },
    files: "Files",
    downloadAll: "Download all",
    images: "Images",
    imageNumber: (number: number) => `Image ${number}`,
    comments: "Comments",
    somebody: "Somebody",
    likes: (count: string) => `${count} likes`,
    rawJson: "Result as JSON"
  },
  metadata: {
    title: "What the source says of itself",
    hint: "Claims of the source, with the place that each was read in.",
    fields: {
      title: "Title",
      author: "By",
      siteName: "Site",
      platform: "Platform",
      publishedAt: "Published",
      modifiedAt: "Changed",
      language: "Language",
      duration: "Length",
      stats: "Counted",
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
      page: "words of the page",
      document: "file properties",
      platform: "the platform"
    },
    chapters: "Chapters",
    described: "Described for machines",
    types: {
      Product: "Product",
      Recipe: "Recipe",
      Event: "Event",
      JobPosting: "Job",
      VideoObject: "Video",
      Article: "Article"
    },
    contradicts: "The source contradicts itself here, so these were left out:"
  },
  statement: {
    title: "Cost",
    debited: "Debited",
    refunded: "Refunded",
    paid: "Paid",
    failed: "The run failed, so everything was refunded.",
    notFound: "What was not found, or was shorter than quoted, was refunded.",
    timeLine: "Time line",
    submitted: "Submitted",
    waited: "Waited",
    worked: "Worked",
    settled: "Settled",
    inAll: "In all"
  }
};
