/**
 * The errors of the API, one class a code.
 *
 * @generated from packages/core/src/domain/request/Refusal.ts by packages/server/scripts/clientErrors.ts: do not edit.
 */
import { ApiError, type ErrorDetails } from "../core/apiError.ts";
import type { FailureReason } from "./types.ts";

/** HTTP statuses of the API; proxies may return others. */
export type ErrorStatus = 400 | 401 | 402 | 404 | 405 | 408 | 409 | 412 | 413 | 415 | 416 | 422 | 429 | 431 | 500 | 502 | 503 | (number & {});

/** Later versions may add some. */
type Open<Known extends string> = Known | (string & {});

/** Missing, invalid or revoked key, or no web session where one is required. */
export class UnauthorizedError extends ApiError {
  override name = "UnauthorizedError";
  declare readonly code: "unauthorized";
}

export interface InvalidRequestDetails extends ErrorDetails {
  /** The invalid field, query parameter or header. */
  readonly param?: string;
  /** With `price_above_limit`: the price. */
  readonly credits?: number;
  /** With `price_above_limit`: the limit of the request. */
  readonly maxCredits?: number;
  readonly reason?: Open<"requires_schema" | "unknown_field" | "ai_not_configured" | "speech_not_configured" | "price_above_limit">;
}
/** Malformed JSON or an invalid field, cursor, header or file name, named in `details.param`. */
export class InvalidRequestError extends ApiError {
  override name = "InvalidRequestError";
  declare readonly code: "invalid_request";
  declare readonly details: InvalidRequestDetails;
}

export interface InvalidUrlDetails extends ErrorDetails {
  /** The invalid field, query parameter or header. */
  readonly param?: string;
  readonly reason?: Open<"not_absolute" | "backslash" | "control_character" | "unparseable" | "too_long">;
}
/** `url` is not a parseable absolute URL. */
export class InvalidUrlError extends ApiError {
  override name = "InvalidUrlError";
  declare readonly code: "invalid_url";
  declare readonly details: InvalidUrlDetails;
}

export interface UnsupportedUrlDetails extends ErrorDetails {
  /** The invalid field, query parameter or header. */
  readonly param?: string;
  /** With `duration_exceeded`, in seconds; null if the source does not state it. */
  readonly durationSec?: number | null;
  /** With `duration_exceeded`, in seconds. */
  readonly maxDurationSec?: number;
  readonly reason?: Open<"scheme" | "credentials" | "channel" | "playlist" | "search" | "not_a_listing" | "empty_listing" | "live" | "host_not_public" | "not_extractable" | "duration_exceeded">;
}
/** The URL is valid but not supported: a scheme other than http and https, embedded credentials, a channel, a playlist, a live stream, a video over 60 minutes, a host that is not public. */
export class UnsupportedUrlError extends ApiError {
  override name = "UnsupportedUrlError";
  declare readonly code: "unsupported_url";
  declare readonly details: UnsupportedUrlDetails;
}

export interface InsufficientCreditsDetails extends ErrorDetails {
  /** Of the account, in credits. */
  readonly balance: number;
  /** In credits. */
  readonly cost: number;
  /** The key's limit of the day, not the balance. */
  readonly reason?: Open<"daily_credits">;
}
/** The balance cannot cover the quoted price, or the API key has spent its `dailyCredits`. */
export class InsufficientCreditsError extends ApiError {
  override name = "InsufficientCreditsError";
  declare readonly code: "insufficient_credits";
  declare readonly details: InsufficientCreditsDetails;
}

export interface ContentUnavailableDetails extends ErrorDetails {
  readonly reason?: FailureReason;
}
/** The content is private, removed or gated. Permanent. */
export class ContentUnavailableError extends ApiError {
  override name = "ContentUnavailableError";
  declare readonly code: "content_unavailable";
  declare readonly details: ContentUnavailableDetails;
}

export interface RateLimitedDetails extends ErrorDetails {
  /** With `queue_full`: the limit on waiting extractions. */
  readonly waitingMax?: number;
  /** With `too_many_streams`. */
  readonly maxStreams?: number;
  /** With `open_downloads`. */
  readonly maxDownloads?: number;
  /** With `refunded_model_use`: tokens of the language model that refunded runs used today (UTC). */
  readonly tokensToday?: number;
  /** With `refunded_model_use`: the limit. */
  readonly tokensPerDayMax?: number;
  readonly reason?: Open<"queue_full" | "too_many_streams" | "open_downloads" | "refunded_model_use">;
}
/** The rate limit of the endpoint is reached, too many extractions wait, too many event streams or downloads are open, or failed runs have used the day's model tokens. */
export class RateLimitedError extends ApiError {
  override name = "RateLimitedError";
  declare readonly code: "rate_limited";
  declare readonly details: RateLimitedDetails;
}

/** No such path, or no such resource in this account. */
export class NotFoundError extends ApiError {
  override name = "NotFoundError";
  declare readonly code: "not_found";
}

export interface ConflictDetails extends ErrorDetails {
  readonly reason?: Open<"extraction_deleted" | "schema_deleted" | "endpoint_deleted" | "batch_cancelled">;
}
/** The `Idempotency-Key` was used with a different body, what it created was deleted, or the batch was cancelled. */
export class ConflictError extends ApiError {
  override name = "ConflictError";
  declare readonly code: "conflict";
  declare readonly details: ConflictDetails;
}

export interface InternalErrorDetails extends ErrorDetails {
  /** With 503: the service is busy, or has lost its database or files for a while. With 502, of a probe: why the source could not be inspected. */
  readonly reason?: FailureReason | Open<"busy" | "database_away" | "artifacts_away">;
}
/** Internal server error. */
export class InternalError extends ApiError {
  override name = "InternalError";
  declare readonly code: "internal_error";
  declare readonly details: InternalErrorDetails;
}

/** The class of each code. */
export const API_ERRORS = {
  unauthorized: UnauthorizedError,
  invalid_request: InvalidRequestError,
  invalid_url: InvalidUrlError,
  unsupported_url: UnsupportedUrlError,
  insufficient_credits: InsufficientCreditsError,
  content_unavailable: ContentUnavailableError,
  rate_limited: RateLimitedError,
  not_found: NotFoundError,
  conflict: ConflictError,
  internal_error: InternalError
};
