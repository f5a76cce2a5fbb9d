/**
 * What one look at a URL tells, before anything is downloaded.
 *
 * Facts are claims of the source: a page may say two hours over a file of twelve seconds.
 */
import * as Schema from "effect/Schema";

/** `webpage` has no video; `photos` is a photo post or carousel. */
export const SourceKind = Schema.Literals(["video", "photos", "webpage"]).annotate({
  identifier: "SourceKind"
});
export type SourceKind = typeof SourceKind.Type;

const Count = Schema.NullOr(Schema.Int);
const Text = Schema.NullOr(Schema.String);

/** BCP 47, `und` where the source does not tell it; written by people, or by a machine of what is said. */
export const CaptionLanguage = Schema.Struct({
  language: Schema.String.annotate({ description: "BCP 47; `und` if the source does not state it." }),
  origin: Schema.Literals(["people", "automatic"]).annotate({
    description: "`people`, or `automatic` speech recognition."
  })
}).annotate({
  identifier: "CaptionLanguage",
  description: "A language of the captions, and their origin."
});
export type CaptionLanguage = typeof CaptionLanguage.Type;

/** A part of a video that its publisher named; `startSeconds` from the beginning of the video. */
export const Chapter = Schema.Struct({ title: Schema.String, startSeconds: Schema.Finite });
export type Chapter = typeof Chapter.Type;

/** Every field is null where the source does not expose it (specification, "Summary"). */
export const SourceFacts = Schema.Struct({
  kind: SourceKind,
  /** Address the content was finally found at. */
  webpageUrl: Schema.String,
  title: Text,
  uploader: Text,
  description: Text,
  /** Address on the source platform. */
  thumbnailUrl: Text,
  /** As reported; null for webpages and where hidden. */
  durationSeconds: Schema.NullOr(Schema.Finite),
  viewCount: Count,
  likeCount: Count,
  commentCount: Count,
  /** YYYYMMDD, as the source writes it, never shifted through UTC. */
  uploadDate: Text,
  hasSubtitles: Schema.Boolean,
  /** Of the captions that a transcript may be made of; absent where there are none, or nobody looked. */
  captionLanguages: Schema.optionalKey(Schema.Array(CaptionLanguage)),
  /** In their order; absent where there are none. */
  chapters: Schema.optionalKey(Schema.Array(Chapter)),
  hasComments: Schema.Boolean,
  /** Slides of a photo post; 0 otherwise. */
  imageCount: Schema.Int
}).annotate({ identifier: "SourceFacts" });
export type SourceFacts = typeof SourceFacts.Type;

/** Characters of a title that lists show. */
export const TITLE_CHARS_MAX = 500;

/** What a list shows of a source before there is a result. */
export const Inspected = Schema.Struct({
  kind: SourceKind,
  title: Text,
  durationSeconds: Schema.NullOr(Schema.Finite)
});
export type Inspected = typeof Inspected.Type;

export const inspectedOf = ({ kind, title, durationSeconds }: SourceFacts): Inspected => ({
  kind,
  title: title?.slice(0, TITLE_CHARS_MAX) ?? null,
  durationSeconds
});

/** The facts that bear on the price; fixed at submit, replaced by the effective ones at settlement. */
export const PricedFacts = Schema.Struct({
  kind: SourceKind,
  /** Positive; null while unknown: the worst case is priced. */
  durationMs: Schema.NullOr(Schema.Int),
  imageCount: Schema.Int
});
export type PricedFacts = typeof PricedFacts.Type;

/** What is priced when nothing could be learnt at submit: a video of unknown length (contract 4). */
export const UNKNOWN_FACTS: PricedFacts = { kind: "video", durationMs: null, imageCount: 0 };

/** Longest video accepted; exactly this long passes (specification, "Limits"; contract 4). */
export const MAX_DURATION_SECONDS = 3_600;

/** Containers round a length up by some frames: an hour may measure 3600.05 s. */
const MEASURE_TOLERANCE_SECONDS = 1;

/**
 * The one rule of how long a video may be, the specification's or a plan's: as reported and, where it was
 * downloaded, as measured.
 */
export const isTooLong = (
  { kind, durationSeconds }: Pick<SourceFacts, "kind" | "durationSeconds">,
  measuredSeconds: number | null = null,
  maxDurationSeconds = MAX_DURATION_SECONDS
): boolean =>
  kind === "video" &&
  ((durationSeconds ?? 0) > maxDurationSeconds ||
    (measuredSeconds ?? 0) > maxDurationSeconds + MEASURE_TOLERANCE_SECONDS);

const minutesOf = (seconds: number): string =>
  seconds % 60 === 0 ? `${seconds / 60} minutes` : `${seconds} seconds`;

/** Of a run that met a video that is longer. */
export const tooLongMessage = (maxDurationSeconds: number): string =>
  `The video is longer than ${minutesOf(maxDurationSeconds)}.`;

/** Of a request for one. */
export const durationLimitMessage = (maxDurationSeconds: number): string =>
  `Videos of up to ${minutesOf(maxDurationSeconds)} are accepted; this one is longer.`;

/** Duration debited when none is known at submit (specification, "Limits"). */
export const WORST_CASE_DURATION_MS = 300_000;

/** Whole milliseconds; a length of nothing is what sources write when they do not know. */
export const durationMsOf = (seconds: number | null): number | null => {
  const durationMs = Math.round((seconds ?? 0) * 1_000);
  return durationMs > 0 ? durationMs : null;
};

/** The background track of a photo post has a duration too; it never counts. */
export const pricedFacts = (facts: SourceFacts): PricedFacts => ({
  kind: facts.kind,
  durationMs: facts.kind === "video" ? durationMsOf(facts.durationSeconds) : null,
  imageCount: facts.kind === "photos" ? Math.max(0, facts.imageCount) : 0
});
