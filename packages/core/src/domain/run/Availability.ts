/**
 * What a run got of each part that it asked for: one state each ({@link Parts}), from which price, warnings, reuse and the
 * wire's states follow. The sentences about missing ones are in Warnings.
 *
 * Defaults request whatever a kind of source offers, so a photo post without a transcript is not missing anything.
 * A caller who names inputs or parts is told about each missing one, or is refused.
 */
import * as Schema from "effect/Schema";
import { Failed, lookupFailure, type PartFailures } from "../source/Failed.ts";
import { byModality, canonical, MODALITIES, type Modality } from "../source/Modality.ts";
import type { RunRequest } from "../request/RunRequest.ts";
import { hasCaptions, type SourceFacts, type SourceKind } from "../source/SourceFacts.ts";

type RequestedModalities = Pick<RunRequest, "mode" | "modalities" | "named" | "captions" | "speech">;

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

/**
 * What became of a modality. `not_found`: the source says that there is none, or its kind never has it; `lookup_failed`: it is
 * unknown whether there is one; `not_read`: the model does not support it; `not_requested`: nobody asked the source.
 */
export const Part = Schema.Union([
  Schema.Struct({ state: Schema.Literals(["found", "not_found", "not_read", "not_requested"]) }),
  Schema.Struct({ state: Schema.Literal("lookup_failed"), failure: Failed })
]);
export type Part = typeof Part.Type;

export const FOUND: Part = { state: "found" };
export const NOT_FOUND: Part = { state: "not_found" };
export const NOT_READ: Part = { state: "not_read" };

const Parts = Schema.Struct({ transcript: Part, comments: Part, audio: Part, video: Part });
export type Parts = typeof Parts.Type;

const SlidesRead = Schema.Struct({ count: Schema.Int, unread: Schema.Int });
export type SlidesRead = typeof SlidesRead.Type;

export const NO_SLIDES: SlidesRead = { count: 0, unread: 0 };

/** What a run got of its source, independent of the policy. Price, warnings, reuse and the states on the wire follow. */
export const Coverage = Schema.Struct({
  parts: Parts,
  /**
   * For a video without captions: the result of transcribing its audio, which is charged; or `heard`, if the AI
   * pass transcribed it. Null if nothing was transcribed.
   */
  sound: Schema.NullOr(Schema.Literals(["speech", "no_speech", "heard"])),
  /** The audio was transcribed because the look-up of captions failed. */
  captionsUnknown: Schema.Boolean,
  /** The transcript is not in the requested language. */
  languageMissing: Schema.Boolean,
  /** For a photo post that was to be read: the total number of slides and how many the model did not get. */
  slides: SlidesRead,
  /** Sentences about anything else that is missing (one subtitle track). */
  remarks: Schema.Array(Schema.String)
});
export type Coverage = typeof Coverage.Type;

export const NOTHING_FETCHED: Coverage = {
  parts: byModality(() => ({ state: "not_requested" })),
  sound: null,
  captionsUnknown: false,
  languageMissing: false,
  slides: NO_SLIDES,
  remarks: []
};

export const isRequested = ({ parts }: Coverage, modality: Modality): boolean =>
  parts[modality].state !== "not_requested";

/** Once it is known what the model did not read. */
export const withUnread = (
  coverage: Coverage,
  unread: ReadonlyArray<Modality>,
  slides: SlidesRead = NO_SLIDES
): Coverage => ({
  ...coverage,
  slides,
  parts: byModality((modality) => {
    const part = coverage.parts[modality];
    const isThere = part.state === "found" || part.state === "not_requested";
    return isThere && unread.includes(modality) ? NOT_READ : part;
  })
});

/** Requested, but not found or not read; what has a price is not charged. What its kind never has is absent only if named. */
export const absentOf = (
  kind: SourceKind,
  { modalities, named }: Pick<RequestedModalities, "modalities" | "named">,
  parts: Parts
): ReadonlyArray<Modality> =>
  canonical(modalities).filter(
    (modality) => parts[modality].state !== "found" && (named || isOffered(kind, modality))
  );

/** The failed look-ups among them. */
export const failedLookupsOf = (modalities: ReadonlyArray<Modality>, parts: Parts): PartFailures =>
  Object.fromEntries(
    modalities.flatMap((modality) => {
      const part = parts[modality];
      return part.state === "lookup_failed" ? [[modality, part.failure]] : [];
    })
  );

/** An input or part that a run will not find. `not_offered`: it was named, and this kind of source never has it. */
export interface UnavailableInput {
  readonly input: Modality;
  readonly reason: "not_offered" | "not_found";
}

/** What the inspection already reveals: a source without captions of the choice has no transcript. */
export const unavailableOf = (
  facts: Pick<SourceFacts, "kind" | "hasSubtitles" | "captionLanguages" | "hasComments">,
  asked: RequestedModalities
): ReadonlyArray<UnavailableInput> => {
  const { kind, hasComments } = facts;
  const isThere = (modality: Modality): boolean => {
    if (modality === "comments") return hasComments;
    return (
      modality !== "transcript" || kind !== "video" || hasCaptions(facts, asked.captions) || asked.speech
    );
  };
  const parts = byModality((modality) =>
    isOffered(kind, modality) && isThere(modality) ? FOUND : NOT_FOUND
  );
  return absentOf(kind, asked, parts).map((input) => ({
    input,
    reason: isOffered(kind, input) ? "not_found" : "not_offered"
  }));
};

/** The fields that decide what is missing from a result. */
export type RequestedParts = RequestedModalities & Pick<RunRequest, "language" | "policy">;

/** The modalities a request expects in its result; in auto mode the inputs of the rung that was reached. */
export const requestedParts = <Request extends RequestedParts & Pick<RunRequest, "auto">>(
  request: Request,
  rung: ReadonlyArray<Modality> | null
): Request => (request.auto && rung !== null ? { ...request, modalities: rung } : request);

/** The requested language, if the transcript is in another one; else null. */
export const missingLanguage = (
  { language }: Pick<RequestedParts, "language">,
  { languageMissing }: Coverage
): string | null => (languageMissing ? language : null);

/** Whether everything requested was present and read. */
export const isComplete = (kind: SourceKind, requested: RequestedParts, coverage: Coverage): boolean =>
  absentOf(kind, requested, coverage.parts).length === 0 &&
  missingLanguage(requested, coverage) === null &&
  coverage.slides.unread === 0;

/**
 * The failure of a run that got nothing it requested because of failed look-ups. Null if it got something, or if
 * the source reported that nothing exists. Slides of a post and the text of a page are part of a default request,
 * and AI runs always read them.
 */
export const emptyRunFailure = (
  kind: SourceKind,
  requested: RequestedParts,
  { parts }: Coverage
): Failed | null => {
  if (kind !== "video" && (requested.mode === "ai" || !requested.named)) return null;
  const wants = wantsOf(kind, requested);
  const isMissing = (modality: Modality) => ["not_found", "lookup_failed"].includes(parts[modality].state);
  return wants.every(isMissing) ? lookupFailure(failedLookupsOf(wants, parts)) : null;
};
