/**
 * A submit, from its body to its row: the request is read and resolved, its source looked at, and the decision made in
 * one transaction. Batches take the same steps for each of their items, and decide once for all. Tests: Extractions.test.ts.
 */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Result from "effect/Result";
import { cacheKey, reusableKeys, reusableSinceMs, servedResult, wholeOf } from "../../domain/run/CacheKey.ts";
import { withinVideo } from "../../domain/money/Pricing.ts";
import { isCached, type RunResult } from "../../domain/run/Extraction.ts";
import { type KeyedRequest, readKeyedRequest, madeBefore } from "../../domain/request/Idempotency.ts";
import type { ErrorCode } from "../../domain/request/ErrorCodes.ts";
import type { Submitter } from "../../domain/request/Requester.ts";
import type { RunRequest } from "../../domain/request/RunRequest.ts";
import {
  decideSubmit,
  type Reuse,
  ReusedResultMissing,
  type SubmitResult
} from "../../domain/run/Submission.ts";
import { readRequest } from "../../domain/run/SubmitBody.ts";
import { pricedFacts, type Seen, seenOf } from "../../domain/source/SourceFacts.ts";
import { isJsonObject } from "../../domain/text/Json.ts";
import { Analyst } from "../../ports/Analyst.ts";
import { SchemaLibrary } from "../../ports/SchemaLibrary.ts";
import { Store } from "../../ports/Store.ts";
import { Transcriber } from "../../ports/Transcriber.ts";
import { accountPlan } from "../accounts/AccountPlans.ts";
import { checkGivenSchema, resolveSchema } from "../accounts/Schemas.ts";
import { countSubmit } from "../EngineMetrics.ts";
import { EngineSettings } from "../EngineSettings.ts";
import { makeId } from "../Ids.ts";
import { eachTime, type Once } from "../Once.ts";
import { vetWebhookUrl } from "../webhooks/WebhookUrl.ts";
import { inspectSource } from "./SourceInspection.ts";
import { factsIn, hasArtifacts, resolveStored } from "./StoredSource.ts";
import { withTraceparent } from "./TraceContext.ts";

const outcomeOf = ({ extraction, replayed }: SubmitResult): string => {
  if (replayed) return "replayed";
  return isCached(extraction) ? "reused" : "fresh";
};

const reportAccepted = Effect.fnUntraced(function* (submitted: SubmitResult) {
  const { id, accountId, status, creditsDebited } = submitted.extraction;
  const outcome = outcomeOf(submitted);
  yield* countSubmit(1, { outcome, code: "" });
  yield* Effect.logInfo("Submitted").pipe(
    Effect.annotateLogs({ extractionId: id, accountId, outcome, status, creditsDebited })
  );
});

/** Returns the same effect. A defect is reported as a failed request, not as an outcome. */
const recordSubmit = <E extends { readonly code: ErrorCode }, R>(
  submit: Effect.Effect<SubmitResult, E, R>
): Effect.Effect<SubmitResult, E, R> =>
  submit.pipe(
    Effect.tap(reportAccepted),
    Effect.tapError((refusal) => countSubmit(1, { outcome: "refused", code: refusal.code }))
  );

/**
 * What an earlier request with this key and body made, before the body is judged by what this server now supports and
 * before the inspection, which a retry must not repeat; null if there was none. The transaction checks again, for
 * concurrent requests.
 *
 * @fails Conflict the body was another one, or what it made was deleted
 */
export const findMade = Effect.fnUntraced(function* (
  accountId: string,
  idempotency: KeyedRequest | null,
  what: "extractionId" | "batchId"
) {
  if (idempotency === null) return null;
  const { key } = idempotency;
  const record = Option.getOrNull(yield* Store.use((store) => store.getIdempotency(accountId, key)));
  return yield* Effect.fromResult(madeBefore(record, idempotency, record?.[what] ?? null));
});

/** @fails BodyRefused by the body alone, and by what this server supports */
export const readSubmit = Effect.fnUntraced(function* (body: unknown) {
  const { model } = yield* Analyst;
  const { model: speechModel } = yield* Transcriber;
  return yield* Effect.fromResult(readRequest(body, { ai: model !== null, speech: speechModel !== null }));
});

export interface Resolved {
  readonly request: RunRequest;
  /** What is to be read again; null if the URL is to be looked at. */
  readonly stored: Seen | null;
}

/**
 * Looks up the schema of `schemaId` and the extraction of `fromExtraction`; `once` is shared by the items of a batch.
 *
 * @fails NotFound the account has no such schema or extraction
 */
export const resolveSubmit = Effect.fnUntraced(function* (accountId: string, read: RunRequest, once: Once) {
  const { request, result } = yield* resolveStored(accountId, yield* resolveSchema(accountId, read, once));
  return { request, stored: result === null ? null : seenOf(factsIn(result, request)) } satisfies Resolved;
});

/** A given schema must be usable, and the host of `webhookUrl` public, before anything is debited. */
export const checkSubmit = Effect.fnUntraced(function* (accountId: string, request: RunRequest, once: Once) {
  const { schema, schemaOrigin, webhookUrl } = request;
  if (isJsonObject(schema) && schemaOrigin === null) {
    yield* once(schema, checkGivenSchema(schema, accountId));
  }
  if (webhookUrl === null) return yield* withTraceparent(request);
  // Normalised, so that it can be compared.
  const vetted = yield* once(`webhookUrl ${webhookUrl}`, vetWebhookUrl("webhookUrl", webhookUrl));
  return yield* withTraceparent({ ...request, webhookUrl: vetted });
});

/** The model that counts for a request's cache key. */
const modelOf = Effect.fnUntraced(function* ({ mode }: Pick<RunRequest, "mode">) {
  return mode === "ai" ? (yield* Analyst).model : null;
});

export const cacheKeyOf = (accountId: string, request: RunRequest) =>
  Effect.map(modelOf(request), (model) => cacheKey(accountId, request, model));

/** A generated schema may have been deleted since, which would leave its id dangling. */
const hasSchema = Effect.fnUntraced(function* (accountId: string, { schemaId }: RunResult) {
  if (schemaId === null) return true;
  const library = yield* SchemaLibrary;
  return Option.isSome(yield* library.get(accountId, schemaId));
});

/** A finished run whose result can be served again; null if a fresh run is needed. */
export const findReuse = Effect.fn("Reuse.find")(function* (accountId: string, request: RunRequest) {
  const sinceMs = reusableSinceMs(request, yield* Clock.currentTimeMillis);
  if (sinceMs === null) return null;
  const store = yield* Store;
  for (const key of reusableKeys(accountId, request, yield* modelOf(request))) {
    const found = Option.getOrNull(yield* store.findReusable(accountId, key, sinceMs));
    const result = found === null ? null : servedResult(found, request);
    if (found === null || result === null) continue;
    if ((yield* hasSchema(accountId, result)) && (yield* hasArtifacts(result))) {
      return { extractionId: found.id, result } satisfies Reuse;
    }
  }
  return null;
});

/** The result of the whole whose stored transcript has all that is asked of a stretch; null if there is none to cut. */
export const findWhole = Effect.fn("Reuse.findWhole")(function* (accountId: string, request: RunRequest) {
  const asked = wholeOf(request);
  const whole = asked && (yield* findReuse(accountId, asked));
  if (asked === null || whole === null) return null;
  const seen = seenOf(factsIn(whole.result, asked));
  return Result.isSuccess(withinVideo(pricedFacts(seen), request)) ? { ...whole, seen } : null;
});

/** With the result that serves it, if there is one, or as a cut of the whole. */
export const findServed = Effect.fnUntraced(function* <
  Draft extends Resolved & { readonly cacheKey: string }
>(accountId: string, draft: Draft) {
  const reuse = yield* findReuse(accountId, draft.request);
  const whole = reuse === null ? yield* findWhole(accountId, draft.request) : null;
  if (whole === null) return { ...draft, reuse };
  const fromExtraction = { id: whole.extractionId, files: whole.result.artifactOwner };
  const request: RunRequest = { ...draft.request, fromExtraction };
  // The age of an earlier cut is that of the whole, which was found again.
  const cut = yield* findReuse(accountId, request);
  return {
    ...draft,
    request,
    stored: whole.seen,
    cacheKey: yield* cacheKeyOf(accountId, request),
    reuse: cut
  };
});

/** Content that cannot be inspected is accepted: its run fails with the reason and a refund. */
const lookAt = Effect.fnUntraced(function* (accountId: string, { normalizedUrl, force }: RunRequest) {
  const { maxDurationSec } = (yield* accountPlan(accountId)).limits;
  const notBefore = force ? { notBeforeMs: yield* Clock.currentTimeMillis } : {};
  return yield* inspectSource(accountId, normalizedUrl, { maxDurationSec, ...notBefore }).pipe(
    Effect.map(seenOf),
    Effect.catchTags({ Failed: () => Effect.succeed(null) })
  );
});

/** A result to reuse was deleted between look-up and decision: looks and decides anew, as long as one was. */
export const untilReusable = <A, E, R>(
  attempt: Effect.Effect<A, E, R>
): Effect.Effect<A, Exclude<E, ReusedResultMissing>, R> =>
  Effect.catchIf(
    attempt,
    (failure): failure is Extract<E, ReusedResultMissing> => failure instanceof ReusedResultMissing,
    () => untilReusable(attempt)
  ) as Effect.Effect<A, Exclude<E, ReusedResultMissing>, R>;

export const submit = Effect.fn("Extractions.submit")(function* (
  accountId: string,
  body: unknown,
  idempotencyKey: string | null,
  submitter: Submitter
) {
  const store = yield* Store;
  const idempotency = yield* Effect.fromResult(readKeyedRequest(idempotencyKey, body));
  const madeId = yield* findMade(accountId, idempotency, "extractionId");
  const made = madeId === null ? Option.none() : yield* store.getExtraction(accountId, madeId);
  if (Option.isSome(made)) return { extraction: made.value, replayed: true };
  const resolved = yield* resolveSubmit(accountId, yield* readSubmit(body), eachTime);
  const request = yield* checkSubmit(accountId, resolved.request, eachTime);
  const { refundedTokensPerDayMax } = yield* EngineSettings;
  const draft = {
    ...submitter,
    id: yield* makeId("ext"),
    request,
    stored: resolved.stored,
    cacheKey: yield* cacheKeyOf(accountId, request),
    idempotency,
    refundedTokensPerDayMax
  };
  const decide = Effect.gen(function* () {
    const { stored, ...served } = yield* findServed(accountId, draft);
    const seen = served.reuse === null ? (stored ?? (yield* lookAt(accountId, request))) : null;
    const nowMs = yield* Clock.currentTimeMillis;
    return (yield* store.transact(accountId, decideSubmit({ ...served, seen, nowMs }))).value;
  });
  return yield* untilReusable(decide);
}, recordSubmit);
