/**
 * Everything the client throws. One class per error code of the service; unknown codes are
 * {@link ApiError} itself, so that a newer server does not break an older client.
 */

import type {
  ConflictDetails,
  ContentUnavailableDetails,
  ErrorDetails,
  InsufficientCreditsDetails,
  InternalErrorDetails,
  InvalidRequestDetails,
  InvalidUrlDetails,
  RateLimitedDetails,
  UnsupportedUrlDetails
} from "./errorDetails.ts";
import type { CompleteResult } from "./results.ts";

/** Issues in a message; `issues` has all. */
const ISSUES_TOLD_MAX = 5;

/** Base of all errors of this package. */
export class WinnowError extends Error {
  override name = "WinnowError";
}

/**
 * Stable words, one for each class below. Three are the client's own, for answers that the service did not make:
 * `not_winnow`, `invalid_response` (a success that is not JSON) and `unknown`.
 */
export type ErrorCode =
  | "unauthorized"
  | "invalid_request"
  | "invalid_url"
  | "unsupported_url"
  | "insufficient_credits"
  | "content_unavailable"
  | "rate_limited"
  | "not_found"
  | "conflict"
  | "internal_error"
  | "not_winnow"
  | "invalid_response"
  | "unknown"
  | (string & {});

/** HTTP statuses of the service; what is in between may answer with others. */
export type ErrorStatus =
  | 400
  | 401
  | 402
  | 404
  | 405
  | 409
  | 413
  | 415
  | 416
  | 422
  | 429
  | 500
  | 502
  | 503
  | (number & {});

/** What an error answer of the service holds. */
export interface ApiErrorFields {
  readonly code: ErrorCode;
  /** HTTP status. */
  readonly status: ErrorStatus;
  readonly message: string;
  /** Structured context, for example `{ param: "url" }`; empty when there is none. */
  readonly details: ErrorDetails;
  /** `X-Request-Id`, to quote when you ask for help. */
  readonly requestId: string | null;
  /** From `Retry-After`. */
  readonly retryAfterSeconds: number | null;
}

/** The service answered with an error. */
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
/** A field is wrong; `details.param` names it. */
export class InvalidRequestError extends ApiError {
  override name = "InvalidRequestError";
  declare readonly code: "invalid_request";
  declare readonly details: InvalidRequestDetails;
}
/** `url` is not a URL. */
export class InvalidUrlError extends ApiError {
  override name = "InvalidUrlError";
  declare readonly code: "invalid_url";
  declare readonly details: InvalidUrlDetails;
}
/** The URL cannot be extracted from; `details.reason` says why. */
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
/** Private, removed or gated content; only `probe` throws it. */
export class ContentUnavailableError extends ApiError {
  override name = "ContentUnavailableError";
  declare readonly code: "content_unavailable";
  declare readonly details: ContentUnavailableDetails;
}
/** Too many requests or a full queue, still after the retries. */
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
/** Something answered 404, and it was no Winnow server: look at `baseUrl`. */
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
/** A fault of the service, still after the retries. */
export class InternalError extends ApiError {
  override name = "InternalError";
  declare readonly code: "internal_error";
  declare readonly details: InternalErrorDetails;
}

const CLASSES: Readonly<Record<string, typeof ApiError>> = {
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

export const apiError = (fields: ApiErrorFields): ApiError => {
  const Class = Object.hasOwn(CLASSES, fields.code) ? CLASSES[fields.code] : undefined;
  return new (Class ?? ApiError)(fields);
};

/** Errors inside of each other that are looked at for a code. */
const CAUSES_MAX = 5;

/** `ECONNREFUSED` and the like, of the error or of one that caused it. */
const systemCodeOf = (error: unknown): string | null => {
  let cause = error;
  for (let depth = 0; depth < CAUSES_MAX && cause instanceof Error; depth += 1) {
    const { code } = cause as { readonly code?: unknown };
    if (typeof code === "string" && /^\w+$/u.test(code)) return code;
    cause = cause instanceof AggregateError ? cause.errors[0] : cause.cause;
  }
  return null;
};

/** No answer came: refused, reset, unknown host. `cause` is what fetch threw. */
export class ConnectionError extends WinnowError {
  override name = "ConnectionError";
  /** What the system says, `ECONNREFUSED` for instance; null where a runtime does not tell. */
  readonly code: string | null;

  constructor(message: string, options: ErrorOptions = {}) {
    const code = systemCodeOf(options.cause);
    super(code === null ? message : message.replace(/\.$/u, ` (${code}).`), options);
    this.code = code;
  }
}

/** The time was up. `extractionId` is set by `wait`: the run goes on, ask again with that id. */
export class TimeoutError extends WinnowError {
  override name = "TimeoutError";
  readonly extractionId: string | null;

  constructor(message: string, extractionId: string | null = null) {
    super(message);
    this.extractionId = extractionId;
  }
}

/** One thing that a schema's parser did not like. */
export interface SchemaIssue {
  readonly message: string;
  /** Keys from the root; empty for the whole. */
  readonly path: ReadonlyArray<PropertyKey>;
}

/**
 * The extraction fits the JSON Schema that was sent, but not what your schema asks besides: a refinement, a
 * transform, a format of its own. The run is complete and paid; `result` is what came.
 */
export class SchemaMismatchError extends WinnowError {
  override name = "SchemaMismatchError";
  readonly extractionId: string;
  readonly issues: ReadonlyArray<SchemaIssue>;
  /** As the service sent it. */
  readonly result: CompleteResult;

  constructor(result: CompleteResult, issues: ReadonlyArray<SchemaIssue>) {
    const told = issues.slice(0, ISSUES_TOLD_MAX).map(({ message, path }) => {
      const place = path.map(String).join(".");
      return place === "" ? message : `${place}: ${message}`;
    });
    const more = issues.length > told.length ? `; and ${issues.length - told.length} more` : "";
    super(`The extraction ${result.id} does not fit your schema: ${told.join("; ")}${more}`);
    this.extractionId = result.id;
    this.issues = issues;
    this.result = result;
  }
}

/** `extract` waited for a run that failed; its credits were refunded in full. */
export class ExtractionFailedError extends WinnowError {
  override name = "ExtractionFailedError";
  readonly extractionId: string;
  /** One word, for example `private`; null from servers that do not say. */
  readonly reason: string | null;
  readonly retryable: boolean;
  /** One sentence on what to do. */
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
