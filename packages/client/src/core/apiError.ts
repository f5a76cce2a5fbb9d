/** What all errors of the API have in common. Tests: winnow.test.ts, faults.test.ts. */
import type { API_ERRORS, ErrorStatus } from "../generated/errors.ts";

/** Base of all errors of this package. */
export class WinnowError extends Error {
  override name = "WinnowError";
}

/** The `details` of an API error. A newer server may add members, which are `unknown`. */
export interface ErrorDetails {
  readonly [name: string]: unknown;
}

/**
 * Stable codes. Three are set by the client for responses that are not from Winnow: `not_winnow`, `invalid_response`
 * (a success that is not JSON) and `unknown`.
 */
export type ErrorCode =
  | keyof typeof API_ERRORS
  | "not_winnow"
  | "invalid_response"
  | "unknown"
  | (string & {});

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
