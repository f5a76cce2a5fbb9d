/**
 * Decides when two submits request the same work: same account, normalised URL (or stored files), schema, prompt,
 * inputs or parts, range, language, captions, speech, evidence and model. Policy, webhookUrl, maxSpendCredits,
 * maxCredits, maxAgeSeconds and force do not count.
 */
import { DAY_MS } from "../Durations.ts";
import { requestedParts, isComplete, type RequestedParts } from "./Availability.ts";
import { canonicalDigest } from "../text/CanonicalJson.ts";
import type { Extraction, RunResult } from "./Extraction.ts";
import { MODALITIES, type Modality } from "../source/Modality.ts";
import type { RunRequest } from "../request/RunRequest.ts";

/** How long a result may be reused. */
const CACHE_WINDOW_DAYS = 30;
const CACHE_WINDOW_MS = CACHE_WINDOW_DAYS * DAY_MS;

/** Not empty, largest first. */
const subsetsOf = (modalities: ReadonlyArray<Modality>): ReadonlyArray<ReadonlyArray<Modality>> =>
  modalities
    .reduce<ReadonlyArray<ReadonlyArray<Modality>>>(
      (subsets, modality) => [...subsets, ...subsets.map((subset) => [...subset, modality])],
      [[]]
    )
    .filter((subset) => subset.length > 0)
    .toSorted((left, right) => right.length - left.length);

/** By schema object, which never changes: a batch has the same one in each of its items. */
const schemaDigests = new WeakMap<object, string>();

const schemaDigest = (schema: RunRequest["schema"]): RunRequest["schema"] => {
  if (typeof schema !== "object" || schema === null) return schema;
  const digest = schemaDigests.get(schema) ?? canonicalDigest(schema);
  schemaDigests.set(schema, digest);
  return digest;
};

/**
 * Hex SHA-256. `model` is null for download-only runs, whose prompt is ignored too. `auto` counts, because the
 * result of an auto run may come from a rung below its inputs.
 */
export const cacheKey = (accountId: string, request: RunRequest, model: string | null): string =>
  canonicalDigest({
    accountId,
    url: request.normalizedUrl,
    fromExtraction: request.fromExtraction === null ? null : { files: request.fromExtraction.files },
    mode: request.mode,
    modalities: request.modalities,
    range: request.range,
    // The id of a saved schema includes its version, and a probe knows only the id.
    schema: request.schemaOrigin?.id ?? schemaDigest(request.schema),
    prompt: request.mode === "ai" ? request.prompt : null,
    // Without a transcript, neither changes anything.
    ...(request.modalities.includes("transcript")
      ? { language: request.language, captions: request.captions }
      : { language: null, captions: "any" }),
    speech: request.speech,
    evidence: request.evidence,
    auto: request.auto,
    model
  });

/**
 * Keys of results that may serve a request, best first. An auto run accepts any result whose inputs are within its
 * ceiling. Other requests accept only their own key and that of an auto run over the same inputs; the rung that the
 * auto run reached decides (isReusable).
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

type Served = RequestedParts & Pick<RunRequest, "auto">;

const isWithoutGaps = ({ coverage, facts, rung }: RunResult, request: Served): boolean =>
  isComplete(facts.kind, requestedParts(request, rung), coverage);

const isRungFit = ({ rung }: RunResult, auto: boolean, modalities: ReadonlyArray<Modality>): boolean => {
  if (rung === null) return true;
  return auto
    ? rung.every((modality) => modalities.includes(modality))
    : modalities.every((modality) => rung.includes(modality));
};

/**
 * Results with a failed look-up are never reused, since a retry may find more. Under `strict`, results that lack a
 * requested input or language are not reused. An auto run does not reuse a result from a rung above its ceiling;
 * other runs do not reuse a rung without one of their inputs.
 */
export const isReusable = (result: RunResult, request: Served): boolean =>
  Object.values(result.coverage.parts).every(({ state }) => state !== "lookup_failed") &&
  !result.coverage.captionsUnknown &&
  (request.policy !== "strict" || isWithoutGaps(result, request)) &&
  isRungFit(result, request.auto, request.modalities);

/**
 * The result with the inputs that were read, which plain AI runs do not record. An auto run that reused a plain run's
 * result records that run's inputs.
 */
const withRung = ({ request, result }: Pick<Extraction, "request" | "result">): RunResult | null => {
  if (result === null || result.rung !== null || request.mode === "download") return result;
  return { ...result, rung: request.modalities };
};

/** The result as the request receives it; null if it must not be reused. */
export const servedResult = (
  found: Pick<Extraction, "request" | "result">,
  request: Served
): RunResult | null => {
  const result = withRung(found);
  if (result === null || !isReusable(result, request)) return null;
  return request.auto ? result : found.result;
};

/**
 * The request whose result has what this one asks, if that is nothing but the transcript of a stretch: the same of the
 * whole. Null for others.
 */
export const wholeOf = (request: RunRequest): RunRequest | null =>
  request.range !== null && request.mode === "download" && request.modalities.join() === "transcript"
    ? { ...request, range: null }
    : null;

/** Oldest reusable result, in Unix milliseconds; null if no result may be reused. */
export const reusableSinceMs = (
  { force, maxAgeSeconds }: Pick<RunRequest, "force" | "maxAgeSeconds">,
  nowMs: number
): number | null =>
  force || maxAgeSeconds === 0
    ? null
    : nowMs - Math.min(CACHE_WINDOW_MS, (maxAgeSeconds ?? Number.POSITIVE_INFINITY) * 1_000);
