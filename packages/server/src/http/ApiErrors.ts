/**
 * The error envelope `{ error: { code, message, details? } }`, one class per code and status, and the class of each
 * refusal of the domain. The fields are the wire shape: no tag reaches the JSON.
 */
import type { SchemaLibraryFull } from "@winnow/core/domain/json-schema/SavedSchema";
import type * as Refusals from "@winnow/core/domain/request/Refusal";
import * as Schema from "effect/Schema";

/** Stable; messages are not. */
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
  | "internal_error";

const Details = Schema.Record(Schema.String, Schema.Json);
type Details = typeof Details.Type;

export interface ErrorBody<Code extends ErrorCode = ErrorCode> {
  readonly code: Code;
  readonly message: string;
  readonly details?: Details;
}

interface Example {
  readonly message: string;
  readonly details?: Details;
}

const fields = <const Code extends ErrorCode>(code: Code) => ({
  error: Schema.Struct({
    code: Schema.tag(code),
    message: Schema.String.annotate({ description: "For people; may change." }),
    details: Schema.optionalKey(
      Details.annotate({ description: "Structured context; absent when there is none." })
    )
  })
});

/** The envelope with this code, and the status and description of its responses. */
const envelope = <const Code extends ErrorCode>(
  code: Code,
  httpApiStatus: number,
  identifier: string,
  description: string,
  example: Example
) =>
  [
    Schema.Struct(fields(code)).annotate({
      identifier,
      description,
      examples: [{ error: { code, ...example } }] as never
    }),
    { httpApiStatus, description: `\`${code}\`: ${description}` }
  ] as const;

export class Unauthorized extends Schema.Error<Unauthorized>("Unauthorized")(
  ...envelope(
    "unauthorized",
    401,
    "UnauthorizedError",
    "Missing, invalid or revoked key, or no web session where one is required.",
    {
      message: "Send an API key in the x-api-key header or as Authorization: Bearer."
    }
  )
) {}

export class InvalidRequest extends Schema.Error<InvalidRequest>("InvalidRequest")(
  ...envelope(
    "invalid_request",
    400,
    "InvalidRequestError",
    "Malformed JSON or an invalid field, named in `details.param`.",
    {
      message: '"inputs" needs "schema" or "schemaId"; use "parts" for a download-only run.',
      details: { param: "inputs", reason: "requires_schema" }
    }
  )
) {}

export class InvalidUrl extends Schema.Error<InvalidUrl>("InvalidUrl")(
  ...envelope("invalid_url", 400, "InvalidUrlError", "`url` is not a parseable absolute URL.", {
    message: "`url` must be a whole address that begins with https://, such as https://example.com/article.",
    details: { param: "url", reason: "not_absolute" }
  })
) {}

export class UnsupportedUrl extends Schema.Error<UnsupportedUrl>("UnsupportedUrl")(
  ...envelope(
    "unsupported_url",
    400,
    "UnsupportedUrlError",
    "The URL is valid but not supported: a scheme other than http and https, embedded credentials, a " +
      "channel, a playlist, a live stream, a video over 60 minutes, a host that is not public.",
    {
      message: "This is the address of a playlist; submit the address of one video.",
      details: { param: "url", reason: "playlist" }
    }
  )
) {}

export class InsufficientCredits extends Schema.Error<InsufficientCredits>("InsufficientCredits")(
  ...envelope(
    "insufficient_credits",
    402,
    "InsufficientCreditsError",
    "The balance cannot cover the quoted price, or the API key has spent its `dailyCredits` (`details.reason` is `daily_credits`).",
    {
      message: "This run costs 230 credits and the balance is 100; top up and submit again.",
      details: { balance: 100, cost: 230 }
    }
  )
) {}

export class NotFound extends Schema.Error<NotFound>("NotFound")(
  ...envelope("not_found", 404, "NotFoundError", "No such resource in this account.", {
    message: "There is no such extraction."
  })
) {}

export class Conflict extends Schema.Error<Conflict>("Conflict")(
  ...envelope(
    "conflict",
    409,
    "ConflictError",
    "The `Idempotency-Key` was used with a different body, or what it created was deleted (`details.reason` is " +
      "`extraction_deleted`, `schema_deleted` or `endpoint_deleted`), or the batch was cancelled (`batch_cancelled`).",
    {
      message: "This Idempotency-Key was used with a different body; send that body again or use a new key."
    }
  )
) {}

export class PreconditionFailed extends Schema.Error<PreconditionFailed>("PreconditionFailed")(
  ...envelope("invalid_request", 412, "PreconditionFailedError", "The file does not match `If-Match`.", {
    message: "The file is not the one named by If-Match; ask for it again without that header.",
    details: { param: "If-Match" }
  })
) {}

export class PayloadTooLarge extends Schema.Error<PayloadTooLarge>("PayloadTooLarge")(
  ...envelope(
    "invalid_request",
    413,
    "PayloadTooLargeError",
    "The body is larger than the `details.maxBytes` of the endpoint.",
    {
      message: "The body is larger than 262144 bytes; send a smaller one.",
      details: { maxBytes: 262_144 }
    }
  )
) {}

export class UnsupportedMediaType extends Schema.Error<UnsupportedMediaType>("UnsupportedMediaType")(
  ...envelope("invalid_request", 415, "UnsupportedMediaTypeError", "The body was not sent as JSON.", {
    message: "Send the body as JSON with the header Content-Type: application/json."
  })
) {}

export class RangeNotSatisfiable extends Schema.Error<RangeNotSatisfiable>("RangeNotSatisfiable")(
  ...envelope("invalid_request", 416, "RangeNotSatisfiableError", "The range is outside the file.", {
    message: "The file has 1048576 bytes; ask for a range within it.",
    details: { param: "Range", sizeBytes: 1_048_576 }
  })
) {}

export class ContentUnavailable extends Schema.Error<ContentUnavailable>("ContentUnavailable")(
  ...envelope(
    "content_unavailable",
    422,
    "ContentUnavailableError",
    "The content is private, removed or gated. Permanent.",
    { message: "The video is private.", details: { reason: "private" } }
  )
) {}

export class RateLimited extends Schema.Error<RateLimited>("RateLimited")(
  ...envelope(
    "rate_limited",
    429,
    "RateLimitedError",
    "The rate limit of the endpoint is reached, too many extractions are waiting (`details.reason` is " +
      "`queue_full`), too many event streams or downloads (files, exports, quotes, new batches) are open (`too_many_streams`, `open_downloads`), or failed " +
      "runs have used the model's tokens of the day (`refunded_model_use`).",
    { message: "6 requests a minute are allowed here; try again in 12 seconds." }
  )
) {}

export class InternalError extends Schema.Error<InternalError>("InternalError")(
  ...envelope("internal_error", 500, "InternalError", "Internal server error.", {
    message: "Internal error. Try again; if it persists, report the X-Request-Id of this response."
  })
) {}

export class Unreachable extends Schema.Error<Unreachable>("Unreachable")(
  ...envelope("internal_error", 502, "UnreachableError", "The source could not be inspected right now.", {
    message: "The source could not be reached.",
    details: { reason: "unreachable", cause: "dns" }
  })
) {}

export class Busy extends Schema.Error<Busy>("Busy")(
  ...envelope(
    "internal_error",
    503,
    "BusyError",
    "The server is overloaded (`details.reason` is `busy`); nothing was debited. Retry after `Retry-After` " +
      "seconds.",
    {
      message: "The server is overloaded; try again in 10 seconds.",
      details: { reason: "busy" }
    }
  )
) {}

export class NotReady extends Schema.Error<NotReady>("NotReady")(
  ...envelope("internal_error", 503, "NotReadyError", "The server is not ready.", {
    message: "The database does not respond."
  })
) {}

/** Errors of every endpoint that reads a body. */
export const BODY_ERRORS = [InvalidRequest, PayloadTooLarge, UnsupportedMediaType] as const;

const URL_ERRORS = [...BODY_ERRORS, InvalidUrl, UnsupportedUrl] as const;

export const SUBMIT_ERRORS = [
  ...URL_ERRORS,
  InsufficientCredits,
  NotFound,
  Conflict,
  RateLimited,
  Busy
] as const;

export const PROBE_ERRORS = [...URL_ERRORS, NotFound, ContentUnavailable, Unreachable, Busy] as const;

export const THUMBNAIL_ERRORS = [InvalidUrl, UnsupportedUrl, NotFound, Busy] as const;

export type Refusal = InstanceType<(typeof Refusals)[keyof typeof Refusals]> | SchemaLibraryFull;

/** By the tag of the refusal; each class has its code and status. The only mapping of refusals. */
const REFUSAL_ERRORS = {
  InvalidRequest,
  InvalidUrl,
  UnsupportedUrl,
  InsufficientCredits,
  DailyCreditsReached: InsufficientCredits,
  NotFound,
  IdempotencyConflict: Conflict,
  BatchCancelled: Conflict,
  QueueFull: RateLimited,
  RefundedModelUseReached: RateLimited,
  Busy,
  ContentUnavailable,
  ContentUnreachable: Unreachable,
  SchemaLibraryFull: InvalidRequest
} as const satisfies Record<Refusal["_tag"], unknown>;

/** Of a refusal its API error; any other error is itself. */
export type ApiErrorOf<E> = E extends Refusal ? InstanceType<(typeof REFUSAL_ERRORS)[E["_tag"]]> : E;

const isRefusal = (error: unknown): error is Refusal =>
  typeof error === "object" &&
  error !== null &&
  "_tag" in error &&
  Object.hasOwn(REFUSAL_ERRORS, String(error._tag));

export const apiErrorOf = <E>(error: E): ApiErrorOf<E> => {
  if (!isRefusal(error)) return error as ApiErrorOf<E>;
  const { _tag, message, details } = error;
  const body = Object.keys(details).length === 0 ? { message } : { message, details };
  return new REFUSAL_ERRORS[_tag]({ error: body }) as ApiErrorOf<E>;
};

/** Seconds after which a full queue may have room; a guess, because there is no fixed window. */
const QUEUE_FULL_RETRY_SECONDS = 30;

/** Seconds after which a refused request may succeed; null if waiting does not help. */
export const retryAfterSecondsOf = (error: unknown): number | null => {
  if (!isRefusal(error)) return null;
  if (error._tag === "QueueFull") return QUEUE_FULL_RETRY_SECONDS;
  return "retryAfterSeconds" in error ? error.retryAfterSeconds : null;
};
