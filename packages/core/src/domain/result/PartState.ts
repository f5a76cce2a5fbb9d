/**
 * State of each part of a run: found, not at the source, or not possible to look up.
 */
import * as Schema from "effect/Schema";
import { AUDIO_FILE, COMMENTS_FILE, TRANSCRIPT_FILE, VIDEO_FILE } from "./ArtifactName.ts";
import { requestedParts, isOffered } from "../run/Availability.ts";
import type { Extraction, RunResult } from "../run/Extraction.ts";
import type { Modality } from "../source/Modality.ts";

/**
 * `not_found`: the source reports that there is none. `lookup_failed`: requests to the source failed, so that
 * it is unknown; not charged, and a result with it is never reused. `not_requested`: not part of the request,
 * or never requested from the source.
 */
export const PartState = Schema.Literals(["found", "not_found", "lookup_failed", "not_requested"]).annotate({
  identifier: "PartState"
});
export type PartState = typeof PartState.Type;

export const PartStates = Schema.Struct({
  transcript: PartState.pipe(
    Schema.annotateKey({ description: "State of the transcript, or of the text of a webpage." })
  ),
  comments: PartState.pipe(Schema.annotateKey({ description: "State of the comments." })),
  audio: PartState.pipe(Schema.annotateKey({ description: "State of the audio." })),
  video: PartState.pipe(
    Schema.annotateKey({ description: "State of the video, or of the slides of a photo post." })
  )
}).annotate({ identifier: "PartStates", description: "State of each part of the run." });
export type PartStates = typeof PartStates.Type;

const FILES: Readonly<Record<Modality, string>> = {
  transcript: TRANSCRIPT_FILE,
  comments: COMMENTS_FILE,
  audio: AUDIO_FILE,
  video: VIDEO_FILE
};

/** From the extraction's point of view, which may have requested less than the run whose result it reuses. */
export const partStates = ({
  request,
  result
}: Pick<Extraction, "request"> & { readonly result: RunResult }): PartStates => {
  const requested = requestedParts(request, result.rung).modalities;
  const { failedLookups = [], notFound } = result.shortfall;
  const stateOf = (modality: Modality): PartState => {
    if (!requested.includes(modality)) return "not_requested";
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
