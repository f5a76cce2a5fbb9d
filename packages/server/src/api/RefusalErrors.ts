/**
 * Which error of the API each refusal of the domain is: the only place where a refusal meets a status.
 */
import type * as Refusal from "@winnow/core/domain/Refusal";
import type { SchemaLibraryFull } from "@winnow/core/domain/SavedSchema";
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

export type Refused =
  | Refusal.InvalidRequest
  | Refusal.InvalidUrl
  | Refusal.UnsupportedUrl
  | Refusal.InsufficientCredits
  | Refusal.DailyCreditsReached
  | Refusal.NotFound
  | Refusal.IdempotencyConflict
  | Refusal.QueueFull
  | Refusal.Busy
  | Refusal.ContentUnavailable
  | Refusal.ContentUnreachable
  | SchemaLibraryFull;

/** By the tag of the refusal; code and status stand with each error. */
export const REFUSAL_ERRORS = {
  InvalidRequest,
  InvalidUrl,
  UnsupportedUrl,
  InsufficientCredits,
  DailyCreditsReached: InsufficientCredits,
  NotFound,
  IdempotencyConflict: Conflict,
  QueueFull: RateLimited,
  Busy,
  ContentUnavailable,
  ContentUnreachable: Unreachable,
  SchemaLibraryFull: InvalidRequest
} as const satisfies Record<Refused["_tag"], unknown>;

type ErrorOf<R extends Refused> = InstanceType<(typeof REFUSAL_ERRORS)[R["_tag"]]>;

export const apiErrorOf = <R extends Refused>(refusal: R): ErrorOf<R> => {
  const { _tag, message, details } = refusal;
  const error = Object.keys(details).length === 0 ? { message } : { message, details };
  return new REFUSAL_ERRORS[_tag]({ error }) as ErrorOf<R>;
};
