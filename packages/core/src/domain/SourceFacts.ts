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
  hasComments: Schema.Boolean,
  /** Slides of a photo post; 0 otherwise. */
  imageCount: Schema.Int
}).annotate({ identifier: "SourceFacts" });
export type SourceFacts = typeof SourceFacts.Type;

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
