/**
 * The domain's refusals as errors of the API. The only place where a refusal meets a status.
 */
import * as Effect from "effect/Effect";
import type { SchemaLibraryFull } from "@winnow/core/domain/SavedSchema";
import type * as Refusal from "@winnow/core/domain/Refusal";
import {
  Conflict,
  ContentUnavailable,
  InsufficientCredits,
  InvalidRequest,
  InvalidUrl,
  NotFound,
  RateLimited,
  Unreachable,
  UnsupportedUrl,
  type ErrorCode
} from "../api/ApiErrors.ts";
import { setAnswerHeaders } from "./answerHeaders.ts";

type Details = Refusal.InvalidRequest["details"];

const body = <const Code extends ErrorCode>(code: Code, message: string, details: Details = {}) => ({
  error: Object.keys(details).length === 0 ? { code, message } : { code, message, details }
});

export const notFound = ({ what }: Refusal.NotFound) =>
  Effect.fail(new NotFound(body("not_found", `There is no such ${what}.`)));

export const invalidRequest = (refusal: Refusal.InvalidRequest) =>
  Effect.fail(new InvalidRequest(body("invalid_request", refusal.message, refusal.details)));

export const noFile = () => new NotFound({ error: { message: "There is no such file." } });

/** Of what is done to one thing: there is none, or it cannot be done to it. */
export const actionRefusals = { NotFound: notFound, InvalidRequest: invalidRequest };

const bodyRefusals = {
  InvalidRequest: invalidRequest,
  InvalidUrl: (refusal: Refusal.InvalidUrl) =>
    Effect.fail(new InvalidUrl(body("invalid_url", refusal.message, refusal.details))),
  UnsupportedUrl: (refusal: Refusal.UnsupportedUrl) =>
    Effect.fail(new UnsupportedUrl(body("unsupported_url", refusal.message, refusal.details)))
};

/** Seconds after which a full queue may have room; no window ends, so this is a guess. */
const QUEUE_FULL_RETRY_SECONDS = 30;

/** The error itself; over HTTP it is answered with Retry-After. */
export const queueFullError = ({ waitingMax }: Refusal.QueueFull): RateLimited => {
  const message = `${waitingMax} extractions of this account wait already; submit again when some are done.`;
  return new RateLimited(body("rate_limited", message, { reason: "queue_full", waitingMax }));
};

const queueFull = Effect.fnUntraced(function* (refusal: Refusal.QueueFull) {
  yield* setAnswerHeaders({ "retry-after": String(QUEUE_FULL_RETRY_SECONDS) });
  return yield* queueFullError(refusal);
});

const idempotencyConflict = () => {
  const message = "This Idempotency-Key was used with another body; send that body again or take a new key.";
  return Effect.fail(new Conflict(body("conflict", message, { param: "Idempotency-Key" })));
};

/** Of a submit. */
export const submitRefusals = {
  ...bodyRefusals,
  NotFound: notFound,
  QueueFull: queueFull,
  InsufficientCredits: ({ balance, cost }: Refusal.InsufficientCredits) => {
    const message = `This run costs ${cost} credits and the balance is ${balance}; top up and submit again.`;
    return Effect.fail(new InsufficientCredits(body("insufficient_credits", message, { balance, cost })));
  },
  IdempotencyConflict: idempotencyConflict
};

/** Of saving a schema. */
export const saveRefusals = {
  InvalidRequest: invalidRequest,
  IdempotencyConflict: idempotencyConflict,
  SchemaLibraryFull: ({ schemasMax }: SchemaLibraryFull) => {
    const message = `The account has ${schemasMax} schemas already; delete one that is no longer used.`;
    return Effect.fail(
      new InvalidRequest(body("invalid_request", message, { reason: "library_full", schemasMax }))
    );
  }
};

/** Of what is made once under a key: a webhook endpoint, a top-up. */
export const keyedRefusals = { ...actionRefusals, IdempotencyConflict: idempotencyConflict };

/** Of a probe. */
export const probeRefusals = {
  ...bodyRefusals,
  ContentUnavailable: ({ reason, message }: Refusal.ContentUnavailable) =>
    Effect.fail(new ContentUnavailable(body("content_unavailable", message, { reason }))),
  ContentUnreachable: ({ reason, message }: Refusal.ContentUnreachable) =>
    Effect.fail(new Unreachable(body("internal_error", message, { reason })))
};
