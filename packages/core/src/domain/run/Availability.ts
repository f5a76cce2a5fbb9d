/**
 * Which requested inputs and parts a source has and the model supports, and what the policy makes of missing ones.
 *
 * Defaults request whatever a kind of source offers, so a photo post without a transcript is not missing anything.
 * A caller who names inputs or parts is told about each missing one, or is refused.
 *
 * A run stores what was missing ({@link Shortfall}). The sentences are derived for each extraction that serves the
 * result, from that extraction's own policy and request.
 */
import * as Schema from "effect/Schema";
import { FailedLookup, type Failure, lookupFailure, lookupSentence } from "../source/Failure.ts";
import { canonical, MODALITIES, Modality } from "../source/Modality.ts";
import type { RunRequest } from "../request/RunRequest.ts";
import type { SourceFacts, SourceKind } from "../source/SourceFacts.ts";

type RequestedModalities = Pick<RunRequest, "mode" | "modalities" | "named" | "speech">;

/** A webpage's transcript is its text. The slides of a photo post are always fetched, so only comments can be chosen. */
const OFFERED: Readonly<Record<SourceKind, ReadonlyArray<Modality>>> = {
  video: MODALITIES,
  photos: ["comments"],
  webpage: ["transcript"]
};

const KIND_WORDS: Readonly<Record<SourceKind, string>> = {
  video: "videos",
  photos: "photo posts",
  webpage: "webpages"
};

export const isOffered = (kind: SourceKind, modality: Modality): boolean => OFFERED[kind].includes(modality);

/** What is fetched for a request. The AI pass always reads the text of a webpage, whatever the inputs. */
export const wantsOf = (
  kind: SourceKind,
  { mode, modalities }: Pick<RequestedModalities, "mode" | "modalities">
): ReadonlyArray<Modality> =>
  kind === "webpage" && mode === "ai"
    ? OFFERED.webpage
    : modalities.filter((modality) => isOffered(kind, modality));

const SlidesRead = Schema.Struct({ count: Schema.Int, unread: Schema.Int });
export type SlidesRead = typeof SlidesRead.Type;

export const NO_SLIDES: SlidesRead = { count: 0, unread: 0 };

/** What a run could not get, independent of the requester and the policy. */
export const Shortfall = Schema.Struct({
  /** Offered by this kind of source, but missing. */
  notFound: Schema.Array(Modality),
  /** The subset whose look-up failed; the source reported the others as nonexistent. */
  failedLookups: Schema.optionalKey(Schema.Array(FailedLookup)),
  /**
   * For a video without captions: the result of transcribing its audio, which is charged; or `heard`, if the AI
   * pass transcribed it. Absent if nothing was transcribed.
   */
  sound: Schema.optionalKey(Schema.Literals(["speech", "no_speech", "heard"])),
  /** The audio was transcribed because the look-up of captions failed. */
  captionsUnknown: Schema.optionalKey(Schema.Literal(true)),
  /** Present but not read, because the model does not support them. */
  unsupportedByModel: Schema.Array(Modality),
  /** The transcript is not in the requested language. */
  languageMissing: Schema.Boolean,
  /** For a photo post that was to be read: the total number of slides and how many the model did not get. */
  slides: SlidesRead,
  /** Sentences about anything else that is missing (one subtitle track). */
  remarks: Schema.Array(Schema.String)
});
export type Shortfall = typeof Shortfall.Type;

export const NOTHING_MISSING: Shortfall = {
  notFound: [],
  unsupportedByModel: [],
  languageMissing: false,
  slides: NO_SLIDES,
  remarks: []
};

/** Requested inputs or parts that are missing from the result. */
interface Missing {
  readonly notOffered: ReadonlyArray<Modality>;
  readonly notFound: ReadonlyArray<Modality>;
  readonly failedLookups: ReadonlyArray<FailedLookup>;
  readonly unsupportedByModel: ReadonlyArray<Modality>;
  readonly sound: Shortfall["sound"];
  /** The requested language, if the transcript is in another one; else null. */
  readonly language: string | null;
  readonly slides: SlidesRead;
}

/** Named, but never offered by this kind of source. */
const notOfferedOf = (kind: SourceKind, requested: RequestedModalities): ReadonlyArray<Modality> =>
  requested.named ? canonical(requested.modalities.filter((modality) => !isOffered(kind, modality))) : [];

/** An input or part that a run will not find. `not_offered`: it was named, and this kind of source never has it. */
export interface UnavailableInput {
  readonly input: Modality;
  readonly reason: "not_offered" | "not_found";
}

/** What the inspection already reveals: a source without subtitles has no transcript. */
export const unavailableOf = (
  { kind, hasSubtitles, hasComments }: Pick<SourceFacts, "kind" | "hasSubtitles" | "hasComments">,
  asked: RequestedModalities
): ReadonlyArray<UnavailableInput> => {
  const isThere = (modality: Modality): boolean => {
    if (modality === "comments") return hasComments;
    return modality !== "transcript" || kind !== "video" || hasSubtitles || asked.speech === true;
  };
  const notOffered = notOfferedOf(kind, asked);
  return canonical(asked.modalities).flatMap((input): ReadonlyArray<UnavailableInput> => {
    if (notOffered.includes(input)) return [{ input, reason: "not_offered" }];
    return isOffered(kind, input) && !isThere(input) ? [{ input, reason: "not_found" }] : [];
  });
};

/** The fields that decide what is missing from a result. */
export type RequestedParts = RequestedModalities & Pick<RunRequest, "language" | "policy">;

/** The modalities a request expects in its result; in auto mode the inputs of the rung that was reached. */
export const requestedParts = (
  request: RequestedParts & Pick<RunRequest, "auto">,
  rung: ReadonlyArray<Modality> | undefined
): RequestedParts => (request.auto && rung !== undefined ? { ...request, modalities: rung } : request);

const missingOf = (kind: SourceKind, requested: RequestedParts, shortfall: Shortfall): Missing => {
  const isRequested = (modality: Modality): boolean =>
    requested.modalities.includes(modality) && isOffered(kind, modality);
  const notFound = canonical(shortfall.notFound.filter(isRequested));
  return {
    notOffered: notOfferedOf(kind, requested),
    notFound,
    failedLookups: (shortfall.failedLookups ?? []).filter(({ modality }) => notFound.includes(modality)),
    unsupportedByModel: canonical(
      shortfall.unsupportedByModel.filter((modality) => isRequested(modality) && !notFound.includes(modality))
    ),
    sound: shortfall.sound,
    language: shortfall.languageMissing ? (requested.language ?? null) : null,
    slides: shortfall.slides
  };
};

/** Requested but missing from the result. Missing items with a price are not charged. */
export const absentOf = (
  kind: SourceKind,
  asked: RequestedParts,
  shortfall: Shortfall
): ReadonlyArray<Modality> => {
  const { notOffered, notFound, unsupportedByModel } = missingOf(kind, asked, shortfall);
  return canonical([...notOffered, ...notFound, ...unsupportedByModel]);
};

/**
 * What a warning is about. `not_found`: the source has none; `not_offered`: this kind of source never has it, and it was
 * named; `lookup_failed`: it is unknown whether there is one; `speech`: what was heard where there are no captions;
 * `not_read`: the model did not get it; `other_language`: the transcript is not in the language of the request;
 * `length_unknown`: the video was charged by the worst case; `number_not_exact`: a number has more digits than a double.
 */
export const WarningCode = Schema.Literals([
  "not_found",
  "not_offered",
  "lookup_failed",
  "speech",
  "not_read",
  "other_language",
  "length_unknown",
  "number_not_exact",
  "other"
]).annotate({ identifier: "WarningCode" });
export type WarningCode = typeof WarningCode.Type;

/** A sentence for the caller, with what it is about. */
export const Warning = Schema.Struct({ code: WarningCode, message: Schema.String });
export type Warning = typeof Warning.Type;

export const warningsWith = (code: WarningCode, messages: ReadonlyArray<string>): ReadonlyArray<Warning> =>
  messages.map((message) => ({ code, message }));

const notOfferedSentence = (modality: Modality, kinds: string): string =>
  modality === "comments"
    ? `There are no comments: they are not offered for ${kinds}.`
    : `There is no ${modality}: it is not offered for ${kinds}.`;

const TRANSCRIPT_SENTENCES = {
  speech: "There is no transcript: the source has no subtitles.",
  no_speech:
    "There is no transcript: the source has no subtitles, and the audio contains no speech. Analysing the " +
    "audio is charged.",
  heard: "The source has no subtitles: the transcript was made from the audio by the model."
} as const;

const commentsSentence = (count: number): string =>
  count === 1
    ? "There are no comments: the source reports 1 comment but does not show it."
    : `There are no comments: the source reports ${count} comments but shows none of them.`;

const notFoundSentence = (
  modality: Modality,
  commentCount: number | null,
  sound: Shortfall["sound"]
): string => {
  switch (modality) {
    case "transcript":
      return TRANSCRIPT_SENTENCES[sound ?? "speech"];
    case "comments":
      return (commentCount ?? 0) > 0
        ? commentsSentence(commentCount ?? 0)
        : "There are no comments: the source shows none.";
    case "audio":
      return "There is no audio: the source has no audio track.";
    case "video":
      return "There is no video: the source has no video track.";
  }
};

const slidesSentences = ({ count, unread }: SlidesRead): ReadonlyArray<string> => {
  if (unread === 0) return [];
  return unread < count
    ? [`${unread} of ${count} slides were not read.`]
    : ["The slides were not read: the model does not support images."];
};

type Source = Pick<SourceFacts, "kind" | "commentCount">;

/** Certainly missing, as opposed to parts whose look-up failed. */
const reportedAbsent = ({ failedLookups, notFound, notOffered }: Missing): ReadonlyArray<Modality> =>
  canonical([...notOffered, ...notFound]).filter(
    (absent) => !failedLookups.some(({ modality }) => modality === absent)
  );

const absentWarning = (
  modality: Modality,
  { kind, commentCount }: Source,
  { notFound, sound }: Missing
): Warning => {
  if (!notFound.includes(modality)) {
    return { code: "not_offered", message: notOfferedSentence(modality, KIND_WORDS[kind]) };
  }
  const isOfSpeech = modality === "transcript" && sound !== undefined;
  return {
    code: isOfSpeech ? "speech" : "not_found",
    message: notFoundSentence(modality, commentCount, sound)
  };
};

/** Nonexistent modalities before unread ones, each in canonical order. */
const missingWarnings = (source: Source, missing: Missing): ReadonlyArray<Warning> => [
  ...warningsWith("lookup_failed", missing.failedLookups.map(lookupSentence)),
  ...reportedAbsent(missing).map((modality) => absentWarning(modality, source, missing)),
  ...warningsWith("not_read", [
    ...missing.unsupportedByModel.map((modality) =>
      modality === "comments"
        ? "The comments were not read: the model does not support them."
        : `The ${modality} was not read: the model does not support it.`
    ),
    ...slidesSentences(missing.slides)
  ]),
  ...(missing.language === null
    ? []
    : warningsWith("other_language", [
        `There are no subtitles in "${missing.language}": the transcript is in another language.`
      ]))
];

/** None under policy `best-effort`, which drops missing items silently. */
export const shortfallWarnings = (
  source: Source,
  asked: RequestedParts,
  shortfall: Shortfall
): ReadonlyArray<Warning> =>
  asked.policy === "best-effort"
    ? []
    : [
        ...missingWarnings(source, missingOf(source.kind, asked, shortfall)),
        ...warningsWith("other", shortfall.remarks)
      ];

/** Whether everything requested was present and read. */
export const isComplete = (kind: SourceKind, requested: RequestedParts, shortfall: Shortfall): boolean => {
  const { language, slides } = missingOf(kind, requested, shortfall);
  return absentOf(kind, requested, shortfall).length === 0 && language === null && slides.unread === 0;
};

/**
 * The failure under policy `strict`; null if the run may continue. If only look-ups failed, it is the look-up's
 * failure, because a retry may succeed.
 */
export const refusalOf = (
  source: Source,
  requested: RequestedParts,
  shortfall: Shortfall
): Failure | null => {
  if (requested.policy !== "strict" || isComplete(source.kind, requested, shortfall)) return null;
  const missing = missingOf(source.kind, requested, shortfall);
  const { failedLookups, language, slides, unsupportedByModel } = missing;
  const onlyLookups =
    reportedAbsent(missing).length === 0 &&
    unsupportedByModel.length === 0 &&
    language === null &&
    slides.unread === 0;
  const failure = onlyLookups ? lookupFailure(failedLookups) : null;
  const sentences = missingWarnings(source, missing).map(({ message }) => message);
  return failure ?? { reason: "input_unavailable", message: sentences.join(" ") };
};

/**
 * The failure of a run that got nothing it requested because of failed look-ups. Null if it got something, or if
 * the source reported that nothing exists. Slides of a post and the text of a page are part of a default request,
 * and AI runs always read them.
 */
export const emptyRunFailure = (
  kind: SourceKind,
  requested: RequestedParts,
  shortfall: Shortfall
): Failure | null => {
  if (kind !== "video" && (requested.mode === "ai" || !requested.named)) return null;
  const { failedLookups, notFound } = missingOf(kind, requested, shortfall);
  return wantsOf(kind, requested).every((modality) => notFound.includes(modality))
    ? lookupFailure(failedLookups)
    : null;
};
