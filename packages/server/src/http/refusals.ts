/** Maps the domain's refusals to API errors, by kind of endpoint. */
import type * as Refusal from "@winnow/core/domain/request/Refusal";
import type { SchemaLibraryFull } from "@winnow/core/domain/json-schema/SavedSchema";
import * as Effect from "effect/Effect";
import { NotFound } from "./ApiErrors.ts";
import { apiErrorOf, type AnyRefusal } from "./RefusalErrors.ts";
import { setAnswerHeaders } from "./answerHeaders.ts";

const refuse = <R extends AnyRefusal>(refusal: R) => Effect.fail(apiErrorOf(refusal));

export const notFound = (refusal: Refusal.NotFound) => refuse(refusal);

export const invalidRequest = (refusal: Refusal.InvalidRequest) => refuse(refusal);

export const noFile = () => new NotFound({ error: { message: "No such file." } });

/** For actions on one resource: it does not exist, or the action is not possible. */
export const actionRefusals = { NotFound: notFound, InvalidRequest: invalidRequest };

const bodyRefusals = {
  InvalidRequest: invalidRequest,
  InvalidUrl: (refusal: Refusal.InvalidUrl) => refuse(refusal),
  UnsupportedUrl: (refusal: Refusal.UnsupportedUrl) => refuse(refusal)
};

/** Seconds after which a full queue may have room; a guess, because there is no fixed window. */
const QUEUE_FULL_RETRY_SECONDS = 30;

const queueFull = (refusal: Refusal.QueueFull) =>
  Effect.andThen(setAnswerHeaders({ "retry-after": String(QUEUE_FULL_RETRY_SECONDS) }), refuse(refusal));

const refundedModelUse = (refusal: Refusal.RefundedModelUseReached) =>
  Effect.andThen(setAnswerHeaders({ "retry-after": String(refusal.retryAfterSeconds) }), refuse(refusal));

const busy = (refusal: Refusal.Busy) =>
  Effect.andThen(setAnswerHeaders({ "retry-after": String(refusal.retryAfterSeconds) }), refuse(refusal));

const idempotencyConflict = (refusal: Refusal.IdempotencyConflict) => refuse(refusal);

/** For a submit. */
export const submitRefusals = {
  ...bodyRefusals,
  NotFound: notFound,
  QueueFull: queueFull,
  RefundedModelUseReached: refundedModelUse,
  Busy: busy,
  InsufficientCredits: (refusal: Refusal.InsufficientCredits) => refuse(refusal),
  DailyCreditsReached: (refusal: Refusal.DailyCreditsReached) => refuse(refusal),
  IdempotencyConflict: idempotencyConflict
};

/** For saving a schema. */
export const saveRefusals = {
  InvalidRequest: invalidRequest,
  IdempotencyConflict: idempotencyConflict,
  SchemaLibraryFull: (refusal: SchemaLibraryFull) => refuse(refusal)
};

/** For resources created once per idempotency key: a webhook endpoint, a top-up. */
export const keyedRefusals = { ...actionRefusals, IdempotencyConflict: idempotencyConflict };

/** For a probe. */
export const probeRefusals = {
  ...bodyRefusals,
  Busy: busy,
  ContentUnavailable: (refusal: Refusal.ContentUnavailable) => refuse(refusal),
  ContentUnreachable: (refusal: Refusal.ContentUnreachable) => refuse(refusal)
};
