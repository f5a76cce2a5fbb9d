/**
 * Errors of calls without an answer of the service, of waits and of failed runs; and which class an answer's code has
 * (generated/errors.ts). A code without a class is an {@link ApiError}: a newer server does not break an older client.
 * Tests: winnow.test.ts, faults.test.ts.
 */
import { ApiError, type ApiErrorFields, WinnowError } from "./apiError.ts";
import { API_ERRORS } from "../generated/errors.ts";
import type { Failure, FailedResult } from "../generated/types.ts";

/** A 404 response that is not from a Winnow server: check `baseUrl`. */
export class NotWinnowError extends ApiError {
  override name = "NotWinnowError";
  declare readonly code: "not_winnow";
}

export const apiError = (fields: ApiErrorFields): ApiError => {
  const classes: Readonly<Record<string, typeof ApiError>> = { ...API_ERRORS, not_winnow: NotWinnowError };
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
  /** Reason code, for example `private`. */
  readonly reason: Failure["reason"];
  readonly retryable: boolean;
  /** One sentence on what to do next. */
  readonly hint: string;

  constructor({ id, error, failure }: FailedResult) {
    super(error);
    this.extractionId = id;
    this.reason = failure.reason;
    this.retryable = failure.retryable;
    this.hint = failure.hint;
  }
}
