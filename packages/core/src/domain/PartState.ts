/**
 * What became of each part of a run (contract 11): there, not at the source, or not to be looked up.
 */
import * as Schema from "effect/Schema";
import { AUDIO_FILE, COMMENTS_FILE, TRANSCRIPT_FILE, VIDEO_FILE } from "./ArtifactName.ts";
import { askedOf, isOffered } from "./Availability.ts";
import type { Extraction, RunResult } from "./Extraction.ts";
import type { Modality } from "./Modality.ts";

/**
 * `not_found`: the source said that there is none. `lookup_failed`: the source was asked in vain, so that
 * nobody knows; not paid for, and a result with it is never reused. `not_requested`: it was not asked for, or the
 * source was not asked for it.
 */
export const PartState = Schema.Literals(["found", "not_found", "lookup_failed", "not_requested"]).annotate({
  identifier: "PartState"
});
export type PartState = typeof PartState.Type;

export const PartStates = Schema.Struct({
  transcript: PartState.pipe(
    Schema.annotateKey({ description: "Of the transcript, or the text of a webpage." })
  ),
  comments: PartState.pipe(Schema.annotateKey({ description: "Of the comments." })),
  audio: PartState.pipe(Schema.annotateKey({ description: "Of the audio." })),
  video: PartState.pipe(Schema.annotateKey({ description: "Of the video, or the slides of a photo post." }))
}).annotate({ identifier: "PartStates", description: "What became of each part of the run." });
export type PartStates = typeof PartStates.Type;

const FILES: Readonly<Record<Modality, string>> = {
  transcript: TRANSCRIPT_FILE,
  comments: COMMENTS_FILE,
  audio: AUDIO_FILE,
  video: VIDEO_FILE
};

/** As the extraction sees them, which may have asked for less than the run whose result it has. */
export const partStates = ({
  request,
  result
}: Pick<Extraction, "request"> & { readonly result: RunResult }): PartStates => {
  const asked = askedOf(request, result.rung).modalities;
  const { failedLookups = [], notFound = result.unavailable } = result.shortfall ?? {};
  const stateOf = (modality: Modality): PartState => {
    if (!asked.includes(modality)) return "not_requested";
    if (failedLookups.some((failed) => failed.modality === modality)) return "lookup_failed";
    if (result.artifacts.some(({ name }) => name === FILES[modality])) return "found";
    const isAbsent = notFound.includes(modality) || !isOffered(result.facts.kind, modality);
    return isAbsent ? "not_found" : "not_requested";
  };
  return {
    transcript: stateOf("transcript"),
    comments: stateOf("comments"),
    audio: stateOf("audio"),
    video: stateOf("video")
  };
};
