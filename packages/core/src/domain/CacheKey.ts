/**
 * When two submits ask for the same work (contract 4): account, normalised URL, schema, prompt, inputs
 * or parts, and model. Not policy, webhookUrl, maxSpendCredits or force.
 */
import { canonicalDigest } from "./CanonicalJson.ts";
import type { RunResult } from "./Extraction.ts";
import type { Modality } from "./Modality.ts";
import type { RunRequest } from "./RunRequest.ts";

/** How long a result may be reused (specification, "Limits"). */
export const CACHE_WINDOW_DAYS = 30;
export const CACHE_WINDOW_MS = CACHE_WINDOW_DAYS * 24 * 60 * 60 * 1_000;

/** Not empty, the largest first. */
const subsetsOf = (modalities: ReadonlyArray<Modality>): ReadonlyArray<ReadonlyArray<Modality>> =>
  modalities
    .reduce<ReadonlyArray<ReadonlyArray<Modality>>>(
      (subsets, modality) => [...subsets, ...subsets.map((subset) => [...subset, modality])],
      [[]]
    )
    .filter((subset) => subset.length > 0)
    .toSorted((left, right) => right.length - left.length);

/**
 * Hex SHA-256. `model` is null on download-only runs, whose prompt does not count either. `auto` counts:
 * the result of an auto run may come from a lower rung than its inputs say.
 */
export const cacheKey = (accountId: string, request: RunRequest, model: string | null): string =>
  canonicalDigest({
    accountId,
    url: request.normalizedUrl,
    mode: request.mode,
    modalities: request.modalities,
    // The id of a saved schema stands for its version too, and a probe knows no more than the id.
    schema: request.schemaOrigin?.id ?? request.schema,
    prompt: request.mode === "ai" ? request.prompt : null,
    auto: request.auto,
    model
  });

/**
 * Keys under which a result may serve a request, best first. An auto run takes any result whose inputs
 * fit inside its ceiling (specification, "POST /v1/extractions", `auto`); every other request only its own.
 */
export const reusableKeys = (
  accountId: string,
  request: RunRequest,
  model: string | null
): ReadonlyArray<string> => {
  const own = cacheKey(accountId, request, model);
  if (!request.auto) return [own];
  const fitting = subsetsOf(request.modalities).flatMap((modalities) =>
    [false, true].map((auto) => cacheKey(accountId, { ...request, modalities, auto }, model))
  );
  return [own, ...fitting.filter((key) => key !== own)];
};

/** Under `strict`, a run that lacked a requested input is not reused. */
export const isReusable = (result: RunResult, request: Pick<RunRequest, "policy">): boolean =>
  request.policy !== "strict" || result.unavailable.length === 0;
