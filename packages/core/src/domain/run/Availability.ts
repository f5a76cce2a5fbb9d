/**
 * Which requested inputs and parts a source has and the model supports; the sentences about missing ones are in Warnings.
 *
 * Defaults request whatever a kind of source offers, so a photo post without a transcript is not missing anything.
 * A caller who names inputs or parts is told about each missing one, or is refused.
 *
 * A run stores what was missing ({@link Shortfall}).
 */
import * as Schema from "effect/Schema";
import { FailedLookup, type Failure, lookupFailure } from "../source/Failure.ts";
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
export interface Missing {
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

export const missingOf = (kind: SourceKind, requested: RequestedParts, shortfall: Shortfall): Missing => {
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

/** Whether everything requested was present and read. */
export const isComplete = (kind: SourceKind, requested: RequestedParts, shortfall: Shortfall): boolean => {
  const { language, slides } = missingOf(kind, requested, shortfall);
  return absentOf(kind, requested, shortfall).length === 0 && language === null && slides.unread === 0;
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
