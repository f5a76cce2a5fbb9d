/**
 * The facts that an inspection finds at a URL before anything is downloaded.
 *
 * They are claims of the source: a page may announce two hours for a file of twelve seconds. Tests: Pricing.test.ts, Extractions.test.ts.
 */
import * as Schema from "effect/Schema";
import { msOf } from "../text/Milliseconds.ts";
import { plural } from "../text/Plural.ts";

/** `webpage` has no video; `photos` is a photo post or carousel. */
export const SourceKind = Schema.Literals(["video", "photos", "webpage"]).annotate({
  identifier: "SourceKind"
});
export type SourceKind = typeof SourceKind.Type;

const Count = Schema.NullOr(Schema.Int);
const Text = Schema.NullOr(Schema.String);

const CaptionOrigin = Schema.Literals(["people", "automatic"]).annotate({
  description: "`people`, or `automatic` speech recognition."
});

/** Whose captions become the transcript. `any`: people's before automatic ones. */
export const Captions = Schema.Literals(["any", ...CaptionOrigin.literals]).annotate({
  identifier: "Captions",
  message: "must be any, people or automatic"
});
export type Captions = typeof Captions.Type;

/** BCP 47, or `und` if the source does not report it; written by people or generated from the audio. */
export const CaptionLanguage = Schema.Struct({
  language: Schema.String.annotate({ description: "BCP 47; `und` if the source does not state it." }),
  origin: CaptionOrigin
}).annotate({
  identifier: "CaptionLanguage",
  description: "A language of the captions, and their origin."
});
export type CaptionLanguage = typeof CaptionLanguage.Type;

/** A chapter of a video as its publisher defined it; `startSeconds` counts from the beginning. */
export const Chapter = Schema.Struct({ title: Schema.String, startSeconds: Schema.Finite });
export type Chapter = typeof Chapter.Type;

/** A field is null if the source does not expose it. */
export const SourceFacts = Schema.Struct({
  kind: SourceKind,
  /** Final address of the content, after redirects. */
  webpageUrl: Schema.String,
  title: Text,
  uploader: Text,
  description: Text,
  /** Address on the source platform. */
  thumbnailUrl: Text,
  /** As reported; null for webpages and if hidden. */
  durationSeconds: Schema.NullOr(Schema.Finite),
  viewCount: Count,
  likeCount: Count,
  commentCount: Count,
  /** YYYYMMDD as the source writes it, never shifted to UTC. */
  uploadDate: Text,
  hasSubtitles: Schema.Boolean,
  /** Captions that a transcript can be made from; absent if there are none or they were not looked up. */
  captionLanguages: Schema.optionalKey(Schema.Array(CaptionLanguage)),
  /** In order; absent if there are none. */
  chapters: Schema.optionalKey(Schema.Array(Chapter)),
  hasComments: Schema.Boolean,
  /** Number of slides of a photo post; 0 otherwise. */
  imageCount: Schema.Int
}).annotate({ identifier: "SourceFacts" });
export type SourceFacts = typeof SourceFacts.Type;

/** Whether captions of this choice are listed. */
export const listsCaptions = (
  { captionLanguages = [] }: Pick<SourceFacts, "captionLanguages">,
  captions: Captions
): boolean => captionLanguages.some(({ origin }) => captions === "any" || origin === captions);

/** Whether there are captions of this choice; true if that is not known yet. */
export const hasCaptions = (
  facts: Pick<SourceFacts, "hasSubtitles" | "captionLanguages">,
  captions: Captions
): boolean =>
  facts.hasSubtitles &&
  (captions === "any" || !listsCaptions(facts, "any") || listsCaptions(facts, captions));

/** Maximum characters of a title in lists. */
export const TITLE_CHARS_MAX = 500;

/** What the inspection at submit saw: priced, and what a list shows before the result exists. */
export const Seen = Schema.Struct({
  kind: SourceKind,
  title: Text,
  durationSeconds: Schema.NullOr(Schema.Finite),
  imageCount: Schema.Int
});
export type Seen = typeof Seen.Type;

export const seenOf = ({ kind, title, durationSeconds, imageCount }: SourceFacts): Seen => ({
  kind,
  title: title?.slice(0, TITLE_CHARS_MAX) ?? null,
  durationSeconds,
  imageCount
});

/** The facts that affect the price: those seen at submit, replaced by the effective ones at settlement. */
export interface PricedFacts {
  readonly kind: SourceKind;
  /** Positive whole number; null if unknown, in which case the worst case is charged. */
  readonly durationMs: number | null;
  readonly imageCount: number;
}

/** Priced if the inspection at submit failed: a video of unknown length. */
export const UNKNOWN_FACTS: PricedFacts = { kind: "video", durationMs: null, imageCount: 0 };

/** Maximum duration of a video, inclusive. */
export const MAX_DURATION_SECONDS = 3_600;

/** Containers round durations up by some frames: an hour may measure 3600.05 s. */
const MEASURE_TOLERANCE_SECONDS = 1;

/**
 * The only check of a plan's maximum duration: against the reported duration and, if it
 * was downloaded, the measured one.
 */
export const isTooLong = (
  { kind, durationSeconds }: Pick<SourceFacts, "kind" | "durationSeconds">,
  measuredSeconds: number | null,
  maxDurationSeconds: number
): boolean =>
  kind === "video" &&
  ((durationSeconds ?? 0) > maxDurationSeconds ||
    (measuredSeconds ?? 0) > maxDurationSeconds + MEASURE_TOLERANCE_SECONDS);

const minutesOf = (seconds: number): string =>
  seconds % 60 === 0 ? plural(seconds / 60, "minute") : plural(seconds, "second");

/** For a run whose video is too long. */
export const tooLongMessage = (maxDurationSeconds: number): string =>
  `The video is longer than ${minutesOf(maxDurationSeconds)}.`;

/** For a request for a video that is too long. */
export const durationLimitMessage = (maxDurationSeconds: number): string =>
  `Videos of up to ${minutesOf(maxDurationSeconds)} are accepted; this one is longer.`;

/** Duration debited when none is known at submit, and the most that is charged then. */
export const WORST_CASE_DURATION_MS = 300_000;

/** Whole milliseconds; sources write a duration of 0 if they do not know it. */
export const durationMsOf = (seconds: number | null): number | null => {
  const durationMs = msOf(seconds ?? 0);
  return durationMs > 0 ? durationMs : null;
};

/** Of null, {@link UNKNOWN_FACTS}. The background track of a photo post has a duration too, which is ignored. */
export const pricedFacts = (seen: Omit<Seen, "title"> | null): PricedFacts =>
  seen === null
    ? UNKNOWN_FACTS
    : {
        kind: seen.kind,
        durationMs: seen.kind === "video" ? durationMsOf(seen.durationSeconds) : null,
        imageCount: seen.kind === "photos" ? Math.max(0, seen.imageCount) : 0
      };
