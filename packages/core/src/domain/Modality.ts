/**
 * The four kinds of content a run may fetch and read (specification, "POST /v1/extractions").
 *
 * `inputs` of an AI run and `parts` of a download-only run both name them.
 */
import * as Schema from "effect/Schema";

/** In the order that prices, cache keys and answers list them. */
export const MODALITIES = ["transcript", "comments", "audio", "video"] as const;

export const Modality = Schema.Literals(MODALITIES).annotate({
  identifier: "Modality",
  message: `each must be one of ${MODALITIES.join(", ")}`
});
export type Modality = typeof Modality.Type;

/** Inputs of an AI run that names none (specification, "POST /v1/probe"). */
export const DEFAULT_INPUTS: ReadonlyArray<Modality> = ["transcript", "comments"];

/** Parts of a download-only run that names none. */
export const DEFAULT_PARTS: ReadonlyArray<Modality> = MODALITIES;

/** The same set without repeats, in the canonical order. */
export const canonical = (modalities: Iterable<Modality>): ReadonlyArray<Modality> => {
  const wanted = new Set(modalities);
  return MODALITIES.filter((modality) => wanted.has(modality));
};
