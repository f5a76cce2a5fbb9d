/**
 * What is said of requested inputs and parts that are missing: warnings, or the failure under policy `strict`. Derived for
 * each extraction that serves a result, from that extraction's own policy and request. Tests: Availability.test.ts, PartStates.test.ts.
 */
import * as Schema from "effect/Schema";
import { Failed, lookupFailure, lookupSentences } from "../source/Failed.ts";
import type { Modality } from "../source/Modality.ts";
import { type Captions, listsCaptions, type SourceFacts, type SourceKind } from "../source/SourceFacts.ts";
import {
  absentOf,
  type Coverage,
  failedLookupsOf,
  isComplete,
  isOffered,
  missingLanguage,
  type RequestedParts,
  type SlidesRead
} from "./Availability.ts";

type Source = Pick<SourceFacts, "kind" | "commentCount" | "captionLanguages">;

const KIND_WORDS: Readonly<Record<SourceKind, string>> = {
  video: "videos",
  photos: "photo posts",
  webpage: "webpages"
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

/** What the source lacks, and has instead if it has captions at all. */
const LACKS: Readonly<Record<Captions, readonly [lack: string, instead: string]>> = {
  any: ["no subtitles", ""],
  people: ["no subtitles made by people", ", only automatic captions"],
  automatic: ["no automatic captions", ", only subtitles made by people"]
};

const NO_SPEECH = ", and the audio contains no speech.";

const transcriptSentence = (source: Source, captions: Captions, sound: Coverage["sound"]): string => {
  const [lack, instead] = LACKS[captions];
  const has = listsCaptions(source, captions)
    ? "captions of this stretch have no words"
    : `source has ${lack}${listsCaptions(source, "any") ? instead : ""}`;
  return sound === "heard"
    ? `The ${has}: the transcript was made from the audio by the model.`
    : `There is no transcript: the ${has}${sound === "no_speech" ? NO_SPEECH : "."}`;
};

const commentsSentence = (count: number): string =>
  count === 1
    ? "There are no comments: the source reports 1 comment but does not show it."
    : `There are no comments: the source reports ${count} comments but shows none of them.`;

const notFoundSentence = (
  modality: Modality,
  source: Source,
  captions: Captions,
  sound: Coverage["sound"]
): string => {
  const { commentCount } = source;
  switch (modality) {
    case "transcript":
      return transcriptSentence(source, captions, sound);
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

const absentWarning = (
  modality: Modality,
  source: Source,
  captions: Captions,
  sound: Coverage["sound"]
): Warning => {
  if (!isOffered(source.kind, modality)) {
    return { code: "not_offered", message: notOfferedSentence(modality, KIND_WORDS[source.kind]) };
  }
  const isOfSpeech = modality === "transcript" && sound !== null;
  return {
    code: isOfSpeech ? "speech" : "not_found",
    message: notFoundSentence(modality, source, captions, sound)
  };
};

/** Nonexistent modalities before unread ones, each in canonical order. */
const missingWarnings = (
  source: Source,
  asked: RequestedParts,
  coverage: Coverage
): ReadonlyArray<Warning> => {
  const { parts, slides, sound } = coverage;
  const absent = absentOf(source.kind, asked, parts);
  const language = missingLanguage(asked, coverage);
  return [
    ...warningsWith("lookup_failed", lookupSentences(failedLookupsOf(absent, parts))),
    ...absent
      .filter((modality) => parts[modality].state === "not_found")
      .map((modality) => absentWarning(modality, source, asked.captions, sound)),
    ...warningsWith("not_read", [
      ...absent
        .filter((modality) => parts[modality].state === "not_read")
        .map((modality) =>
          modality === "comments"
            ? "The comments were not read: the model does not support them."
            : `The ${modality} was not read: the model does not support it.`
        ),
      ...slidesSentences(slides)
    ]),
    ...warningsWith(
      "other_language",
      language === null
        ? []
        : [`There are ${LACKS[asked.captions][0]} in "${language}": the transcript is in another language.`]
    )
  ];
};

const withCharge = ({ code, message }: Warning): Warning => ({
  code,
  message: message.endsWith(NO_SPEECH) ? `${message} Analysing the audio is charged.` : message
});

/** None under policy `best-effort`, which drops missing items silently. `isCharged`: the run had a price. */
export const coverageWarnings = (
  source: Source,
  asked: RequestedParts,
  coverage: Coverage,
  isCharged = true
): ReadonlyArray<Warning> => {
  if (asked.policy === "best-effort") return [];
  const missing = missingWarnings(source, asked, coverage);
  return [...(isCharged ? missing.map(withCharge) : missing), ...warningsWith("other", coverage.remarks)];
};

/**
 * The failure under policy `strict`; null if the run may continue. If only look-ups failed, it is the look-up's
 * failure, because a retry may succeed.
 */
export const refusalOf = (source: Source, requested: RequestedParts, coverage: Coverage): Failed | null => {
  if (requested.policy !== "strict" || isComplete(source.kind, requested, coverage)) return null;
  const warnings = missingWarnings(source, requested, coverage);
  const failure = warnings.every(({ code }) => code === "lookup_failed")
    ? lookupFailure(failedLookupsOf(requested.modalities, coverage.parts))
    : null;
  const sentences = warnings.map(({ message }) => message);
  return failure ?? new Failed({ reason: "input_unavailable", message: sentences.join(" ") });
};
