/**
 * All errors that the client throws. There is one class per error code of the API; unknown codes become {@link
 * ApiError}, so that a newer server does not break an older client.
 */

import type { FailureReason } from "../generated/types.ts";

/** Base of all errors of this package. */
export class WinnowError extends Error {
  override name = "WinnowError";
}

/** HTTP statuses of the API; proxies may return others. */
export type ErrorStatus =
  | 400
  | 401
  | 402
  | 404
  | 405
  | 408
  | 409
  | 412
  | 413
  | 415
  | 416
  | 422
  | 429
  | 431
  | 500
  | 502
  | 503
  | (number & {});

/** The `details` of an API error. A newer server may add members, which are `unknown`. */
export interface ErrorDetails {
  readonly [name: string]: unknown;
}

/** Codes; later versions may add some. */
type Open<Known extends string> = Known | (string & {});

export interface InvalidRequestDetails extends ErrorDetails {
  /** The invalid field, query parameter or header. */
  readonly param?: string;
  readonly reason?: Open<
    "requires_schema" | "unknown_field" | "ai_not_configured" | "speech_not_configured" | "price_above_limit"
  >;
  /** With `price_above_limit`: the price and `maxCredits`. */
  readonly credits?: number;
  readonly maxCredits?: number;
}

export interface InvalidUrlDetails extends ErrorDetails {
  readonly param?: string;
  readonly reason?: Open<"not_absolute" | "too_long">;
}

export interface UnsupportedUrlDetails extends ErrorDetails {
  readonly param?: string;
  readonly reason?: Open<
    | "scheme"
    | "credentials"
    | "channel"
    | "playlist"
    | "search"
    | "not_a_listing"
    | "empty_listing"
    | "live"
    | "host_not_public"
    | "not_extractable"
    | "duration_exceeded"
  >;
  /** With `duration_exceeded`, in seconds; null if the source does not state it. */
  readonly durationSec?: number | null;
  readonly maxDurationSec?: number;
}

export interface InsufficientCreditsDetails extends ErrorDetails {
  /** In credits. */
  readonly balance: number;
  /** In credits. */
  readonly cost: number;
  /** The key's limit of the day, not the balance. */
  readonly reason?: Open<"daily_credits">;
}

export interface ContentUnavailableDetails extends ErrorDetails {
  readonly reason?: FailureReason;
}

export interface RateLimitedDetails extends ErrorDetails {
  readonly reason?: Open<"queue_full" | "too_many_streams" | "open_downloads" | "refunded_model_use">;
  /** With `queue_full`: the limit on waiting extractions. */
  readonly waitingMax?: number;
  /** With `too_many_streams`. */
  readonly maxStreams?: number;
  /** With `open_downloads`. */
  readonly maxDownloads?: number;
  /** With `refunded_model_use`: tokens of the language model that refunded runs used today (UTC), and the limit. */
  readonly tokensToday?: number;
  readonly tokensPerDayMax?: number;
}

export interface ConflictDetails extends ErrorDetails {
  readonly reason?: Open<"extraction_deleted" | "schema_deleted" | "endpoint_deleted" | "batch_cancelled">;
}

export interface InternalErrorDetails extends ErrorDetails {
  /**
   * With 503: the service is `busy`, or has lost its database or files for a while. With 502, of a probe: why the source
   * could not be inspected.
   */
  readonly reason?: FailureReason | Open<"busy" | "database_away" | "artifacts_away">;
}

/** The content of an API error response. */
export interface ApiErrorFields {
  readonly code: ErrorCode;
  /** HTTP status. */
  readonly status: ErrorStatus;
  readonly message: string;
  /** Structured context, for example `{ param: "url" }`; empty if there is none. */
  readonly details: ErrorDetails;
  /** `X-Request-Id`, to include in support requests. */
  readonly requestId: string | null;
  /** From `Retry-After`. */
  readonly retryAfterSeconds: number | null;
}

/** The service returned an error. */
export class ApiError extends WinnowError implements ApiErrorFields {
  override name = "ApiError";
  readonly code: ErrorCode;
  readonly status: ErrorStatus;
  readonly details: ErrorDetails;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(fields: ApiErrorFields) {
    super(fields.message);
    this.code = fields.code;
    this.status = fields.status;
    this.details = fields.details;
    this.requestId = fields.requestId;
    this.retryAfterSeconds = fields.retryAfterSeconds;
  }
}

/** Missing, invalid or revoked API key. */
export class UnauthorizedError extends ApiError {
  override name = "UnauthorizedError";
  declare readonly code: "unauthorized";
}
/** A field is invalid; `details.param` names it. */
export class InvalidRequestError extends ApiError {
  override name = "InvalidRequestError";
  declare readonly code: "invalid_request";
  declare readonly details: InvalidRequestDetails;
}
/** `url` is not an absolute URL. */
export class InvalidUrlError extends ApiError {
  override name = "InvalidUrlError";
  declare readonly code: "invalid_url";
  declare readonly details: InvalidUrlDetails;
}
/** The URL is not supported; `details.reason` says why. */
export class UnsupportedUrlError extends ApiError {
  override name = "UnsupportedUrlError";
  declare readonly code: "unsupported_url";
  declare readonly details: UnsupportedUrlDetails;
}
/** `details.balance` and `details.cost`, in credits. */
export class InsufficientCreditsError extends ApiError {
  override name = "InsufficientCreditsError";
  declare readonly code: "insufficient_credits";
  declare readonly details: InsufficientCreditsDetails;
}
/** Private, removed or gated content; thrown only by `probe`. */
export class ContentUnavailableError extends ApiError {
  override name = "ContentUnavailableError";
  declare readonly code: "content_unavailable";
  declare readonly details: ContentUnavailableDetails;
}
/** Rate limit exceeded or queue full, even after the retries. */
export class RateLimitedError extends ApiError {
  override name = "RateLimitedError";
  declare readonly code: "rate_limited";
  declare readonly details: RateLimitedDetails;
}
/** No such extraction, file or schema in this account. */
export class NotFoundError extends ApiError {
  override name = "NotFoundError";
  declare readonly code: "not_found";
}
/** A 404 response that is not from a Winnow server: check `baseUrl`. */
export class NotWinnowError extends ApiError {
  override name = "NotWinnowError";
  declare readonly code: "not_winnow";
}
/** The idempotency key was used with another body. */
export class ConflictError extends ApiError {
  override name = "ConflictError";
  declare readonly code: "conflict";
  declare readonly details: ConflictDetails;
}
/** Server error, even after the retries. */
export class InternalError extends ApiError {
  override name = "InternalError";
  declare readonly code: "internal_error";
  declare readonly details: InternalErrorDetails;
}

/** A code of the API is its class above and its row here. */
const CLASSES = {
  unauthorized: UnauthorizedError,
  invalid_request: InvalidRequestError,
  invalid_url: InvalidUrlError,
  unsupported_url: UnsupportedUrlError,
  insufficient_credits: InsufficientCreditsError,
  content_unavailable: ContentUnavailableError,
  rate_limited: RateLimitedError,
  not_found: NotFoundError,
  not_winnow: NotWinnowError,
  conflict: ConflictError,
  internal_error: InternalError
};

/**
 * Stable codes. Three are set by the client for responses that are not from Winnow: `not_winnow`, `invalid_response`
 * (a success that is not JSON) and `unknown`.
 */
export type ErrorCode = keyof typeof CLASSES | "invalid_response" | "unknown" | (string & {});

export const apiError = (fields: ApiErrorFields): ApiError => {
  const classes: Readonly<Record<string, typeof ApiError>> = CLASSES;
  const Class = Object.hasOwn(classes, fields.code) ? classes[fields.code] : undefined;
  return new (Class ?? ApiError)(fields);
};

/** How many nested causes are searched for a code. */
const CAUSES_MAX = 5;

/** A system error code such as `ECONNREFUSED`, of the error or one of its causes. */
const systemCodeOf = (error: unknown): string | null => {
  let cause = error;
  for (let depth = 0; depth < CAUSES_MAX && cause instanceof Error; depth += 1) {
    const { code } = cause as { readonly code?: unknown };
    if (typeof code === "string" && /^\w+$/u.test(code)) return code;
    cause = cause instanceof AggregateError ? cause.errors[0] : cause.cause;
  }
  return null;
};

/** No response: connection refused, reset, unknown host. `cause` is the error thrown by fetch. */
export class ConnectionError extends WinnowError {
  override name = "ConnectionError";
  /** System error code, for instance `ECONNREFUSED`; null if the runtime does not provide one. */
  readonly code: string | null;

  constructor(message: string, options: ErrorOptions = {}) {
    const code = systemCodeOf(options.cause);
    super(code === null ? message : message.replace(/\.$/u, ` (${code}).`), options);
    this.code = code;
  }
}

/** The time limit was exceeded. `wait` sets `extractionId`: the run continues; wait again with that id. */
export class TimeoutError extends WinnowError {
  override name = "TimeoutError";
  readonly extractionId: string | null;

  constructor(message: string, extractionId: string | null = null) {
    super(message);
    this.extractionId = extractionId;
  }
}

/** Thrown by `extract` if the run failed; its credits were refunded in full. */
export class ExtractionFailedError extends WinnowError {
  override name = "ExtractionFailedError";
  readonly extractionId: string;
  /** Reason code, for example `private`; null from servers that do not send one. */
  readonly reason: string | null;
  readonly retryable: boolean;
  /** One sentence on what to do next. */
  readonly hint: string | null;

  constructor(fields: {
    readonly extractionId: string;
    readonly message: string;
    readonly reason: string | null;
    readonly retryable: boolean;
    readonly hint: string | null;
  }) {
    super(fields.message);
    this.extractionId = fields.extractionId;
    this.reason = fields.reason;
    this.retryable = fields.retryable;
    this.hint = fields.hint;
  }
}
