/**
 * When two submits ask for the same work (contract 4): account, normalised URL, schema, prompt, inputs
 * or parts, language, speech, evidence and model. Not policy, webhookUrl, maxSpendCredits, maxCredits, maxAgeSeconds or force.
 */
import { askedOf, isComplete, type AskedFor } from "./Availability.ts";
import { canonicalDigest } from "./CanonicalJson.ts";
import type { Extraction, RunResult } from "./Extraction.ts";
import { MODALITIES, type Modality } from "./Modality.ts";
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
    // Absent, as in keys from before the field existed, where it changes nothing.
    ...(request.language !== undefined && request.modalities.includes("transcript")
      ? { language: request.language }
      : {}),
    // The same.
    ...(request.speech === undefined ? {} : { speech: true }),
    ...(request.evidence === undefined ? {} : { evidence: request.evidence }),
    auto: request.auto,
    model
  });

/**
 * Keys under which a result may serve a request, best first. An auto run takes any result whose inputs
 * fit inside its ceiling (specification, "POST /v1/extractions", `auto`); every other request only its own,
 * and that of an auto run over the same inputs. What counts of an auto run is the rung it came to (isReusable).
 */
export const reusableKeys = (
  accountId: string,
  request: RunRequest,
  model: string | null
): ReadonlyArray<string> => {
  const own = cacheKey(accountId, request, model);
  if (!request.auto) {
    return request.mode === "ai" ? [own, cacheKey(accountId, { ...request, auto: true }, model)] : [own];
  }
  const keyOf = (auto: boolean) => (modalities: ReadonlyArray<Modality>) =>
    cacheKey(accountId, { ...request, modalities, auto }, model);
  const fitting = subsetsOf(request.modalities).flatMap((modalities) => [
    keyOf(false)(modalities),
    keyOf(true)(modalities)
  ]);
  return [...new Set([own, ...fitting, ...subsetsOf(MODALITIES).map(keyOf(true))])];
};

type Served = AskedFor & Pick<RunRequest, "auto">;

const lacksNothing = (result: RunResult, request: Served): boolean => {
  const { facts, languageMissing = false, rung, shortfall, unavailable, unreadSlides = 0 } = result;
  return shortfall === undefined
    ? unavailable.length === 0 && unreadSlides === 0 && !languageMissing
    : isComplete(facts.kind, askedOf(request, rung), shortfall);
};

const isRungFit = ({ rung }: RunResult, auto: boolean, modalities: ReadonlyArray<Modality>): boolean => {
  if (rung === undefined) return true;
  return auto
    ? rung.every((modality) => modalities.includes(modality))
    : modalities.every((modality) => rung.includes(modality));
};

/**
 * A run in which a look-up failed is reused by nobody: asking again may find what it did not. Under `strict`, a
 * run that lacked a requested input or its language is not reused; an auto run takes no
 * result of a rung beyond its ceiling, and any other run none of a rung that left out an input of its own.
 */
export const isReusable = (result: RunResult, request: Served): boolean =>
  (result.shortfall?.failedLookups ?? []).length === 0 &&
  result.shortfall?.captionsUnknown === undefined &&
  (request.policy !== "strict" || lacksNothing(result, request)) &&
  isRungFit(result, request.auto, request.modalities);

/**
 * What an extraction read, beside its result. An auto run that reused the result of a plain one says so in its
 * own; one from before it did so does not tell, and serves nobody.
 */
const withRung = ({ request, result }: Pick<Extraction, "request" | "result">): RunResult | null => {
  if (result === null || result.rung !== undefined || request.mode === "download") return result;
  return request.auto ? null : { ...result, rung: request.modalities };
};

/** The result of a finished extraction as the request gets it; null where it must not serve it. */
export const servedResult = (
  found: Pick<Extraction, "request" | "result">,
  request: Served
): RunResult | null => {
  const result = withRung(found);
  if (result === null || !isReusable(result, request)) return null;
  return request.auto ? result : found.result;
};

/** The oldest that a result may be to be reused, in Unix milliseconds; null where none may be. */
export const reusableSinceMs = (
  { force, maxAgeSeconds = Number.POSITIVE_INFINITY }: Pick<RunRequest, "force" | "maxAgeSeconds">,
  nowMs: number
): number | null =>
  force || maxAgeSeconds === 0 ? null : nowMs - Math.min(CACHE_WINDOW_MS, maxAgeSeconds * 1_000);
