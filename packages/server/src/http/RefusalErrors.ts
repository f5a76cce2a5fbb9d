/**
 * The API error of each refusal of the domain: the only place where refusals are mapped to statuses.
 */
import type * as Refusal from "@winnow/core/domain/request/Refusal";
import type { SchemaLibraryFull } from "@winnow/core/domain/json-schema/SavedSchema";
import {
  Busy,
  Conflict,
  ContentUnavailable,
  InsufficientCredits,
  InvalidRequest,
  InvalidUrl,
  NotFound,
  RateLimited,
  Unreachable,
  UnsupportedUrl
} from "./ApiErrors.ts";

export type AnyRefusal =
  | Refusal.InvalidRequest
  | Refusal.InvalidUrl
  | Refusal.UnsupportedUrl
  | Refusal.InsufficientCredits
  | Refusal.DailyCreditsReached
  | Refusal.NotFound
  | Refusal.IdempotencyConflict
  | Refusal.QueueFull
  | Refusal.RefundedModelUseReached
  | Refusal.Busy
  | Refusal.ContentUnavailable
  | Refusal.ContentUnreachable
  | SchemaLibraryFull;

/** By the tag of the refusal; each error class defines its code and status. */
export const REFUSAL_ERRORS = {
  InvalidRequest,
  InvalidUrl,
  UnsupportedUrl,
  InsufficientCredits,
  DailyCreditsReached: InsufficientCredits,
  NotFound,
  IdempotencyConflict: Conflict,
  QueueFull: RateLimited,
  RefundedModelUseReached: RateLimited,
  Busy,
  ContentUnavailable,
  ContentUnreachable: Unreachable,
  SchemaLibraryFull: InvalidRequest
} as const satisfies Record<AnyRefusal["_tag"], unknown>;

type ErrorOf<R extends AnyRefusal> = InstanceType<(typeof REFUSAL_ERRORS)[R["_tag"]]>;

export const apiErrorOf = <R extends AnyRefusal>(refusal: R): ErrorOf<R> => {
  const { _tag, message, details } = refusal;
  const error = Object.keys(details).length === 0 ? { message } : { message, details };
  return new REFUSAL_ERRORS[_tag]({ error }) as ErrorOf<R>;
};
