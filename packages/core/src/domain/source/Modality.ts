/**
 * The four kinds of content that a run may fetch and read.
 *
 * Both the `inputs` of an AI run and the `parts` of a download-only run consist of them. Tests: SubmitBody.test.ts, CacheKey.test.ts.
 */
import * as Schema from "effect/Schema";

/** In the order used by prices, cache keys and responses. */
export const MODALITIES = ["transcript", "comments", "audio", "video"] as const;

export const Modality = Schema.Literals(MODALITIES).annotate({
  identifier: "Modality",
  message: `each must be one of ${MODALITIES.join(", ")}`
});
export type Modality = typeof Modality.Type;

/** Default inputs of an AI run. */
export const DEFAULT_INPUTS: ReadonlyArray<Modality> = ["transcript", "comments"];

/** Default parts of a download-only run. */
export const DEFAULT_PARTS: ReadonlyArray<Modality> = MODALITIES;

/** Without duplicates, in canonical order. */
export const canonical = (modalities: Iterable<Modality>): ReadonlyArray<Modality> => {
  const included = new Set(modalities);
  return MODALITIES.filter((modality) => included.has(modality));
};

/** One value for each modality. */
export const byModality = <A>(valueOf: (modality: Modality) => A): Readonly<Record<Modality, A>> => ({
  transcript: valueOf("transcript"),
  comments: valueOf("comments"),
  audio: valueOf("audio"),
  video: valueOf("video")
});
