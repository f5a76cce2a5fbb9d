/**
 * When two submits ask for the same work (contract 4): account, normalised URL, schema, prompt, inputs
 * or parts, and model. Not policy, webhookUrl, maxSpendCredits or force.
 */
import { canonicalDigest } from "./CanonicalJson.ts";
import type { RunResult } from "./Extraction.ts";
import type { RunRequest } from "./RunRequest.ts";

/** How long a result may be reused (specification, "Limits"). */
export const CACHE_WINDOW_DAYS = 30;
export const CACHE_WINDOW_MS = CACHE_WINDOW_DAYS * 24 * 60 * 60 * 1_000;

/** Hex SHA-256. `model` is null on download-only runs, whose prompt does not count either. */
export const cacheKey = (accountId: string, request: RunRequest, model: string | null): string =>
  canonicalDigest({
    accountId,
    url: request.normalizedUrl,
    mode: request.mode,
    modalities: request.modalities,
    schema: request.schema,
    prompt: request.mode === "ai" ? request.prompt : null,
    auto: request.auto,
    model
  });

/** Under `strict`, a run that lacked a requested input is not reused. */
export const isReusable = (result: RunResult, request: Pick<RunRequest, "policy">): boolean =>
  request.policy !== "strict" || result.unavailable.length === 0;
