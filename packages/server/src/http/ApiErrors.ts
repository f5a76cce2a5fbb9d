/**
 * The error envelope `{ error: { code, message, details? } }`, one class per code and status. The fields are the wire
 * shape: no tag reaches the JSON.
 */
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

const envelope = <const Code extends ErrorCode>(
  code: Code,
  identifier: string,
  description: string,
  example: Example
) =>
  Schema.Struct(fields(code)).annotate({
    identifier,
    description,
    examples: [{ error: { code, ...example } }] as never
  });

export class Unauthorized extends Schema.Error<Unauthorized>("Unauthorized")(
  envelope(
    "unauthorized",
    "UnauthorizedError",
    "Missing, invalid or revoked key, or no web session where one is required.",
    {
      message: "Send an API key in the x-api-key header or as Authorization: Bearer."
    }
  ),
  { httpApiStatus: 401 }
) {}

export class InvalidRequest extends Schema.Error<InvalidRequest>("InvalidRequest")(
  envelope(
    "invalid_request",
    "InvalidRequestError",
    "Malformed JSON or an invalid field, named in `details.param`.",
    {
      message: '"inputs" needs "schema" or "schemaId"; use "parts" for a download-only run.',
      details: { param: "inputs", reason: "requires_schema" }
    }
  ),
  { httpApiStatus: 400 }
) {}

export class InvalidUrl extends Schema.Error<InvalidUrl>("InvalidUrl")(
  envelope("invalid_url", "InvalidUrlError", "`url` is not a parseable absolute URL.", {
    message: "`url` must be a whole address that begins with https://, such as https://example.com/article.",
    details: { param: "url", reason: "not_absolute" }
  }),
  { httpApiStatus: 400 }
) {}

export class UnsupportedUrl extends Schema.Error<UnsupportedUrl>("UnsupportedUrl")(
  envelope(
    "unsupported_url",
    "UnsupportedUrlError",
    "The URL is valid but not supported: a scheme other than http and https, embedded credentials, a " +
      "channel, a playlist, a live stream, a video over 60 minutes, a host that is not public.",
    {
      message: "This is the address of a playlist; submit the address of one video.",
      details: { param: "url", reason: "playlist" }
    }
  ),
  { httpApiStatus: 400 }
) {}

export class InsufficientCredits extends Schema.Error<InsufficientCredits>("InsufficientCredits")(
  envelope(
    "insufficient_credits",
    "InsufficientCreditsError",
    "The balance cannot cover the quoted price, or the API key has spent its `dailyCredits` (`details.reason` is `daily_credits`).",
    {
      message: "This run costs 230 credits and the balance is 100; top up and submit again.",
      details: { balance: 100, cost: 230 }
    }
  ),
  { httpApiStatus: 402 }
) {}

export class NotFound extends Schema.Error<NotFound>("NotFound")(
  envelope("not_found", "NotFoundError", "No such resource in this account.", {
    message: "There is no such extraction."
  }),
  { httpApiStatus: 404 }
) {}

export class Conflict extends Schema.Error<Conflict>("Conflict")(
  envelope(
    "conflict",
    "ConflictError",
    "The `Idempotency-Key` was used with a different body, or its extraction was deleted (`details.reason` is " +
      "`extraction_deleted`).",
    {
      message: "This Idempotency-Key was used with a different body; send that body again or use a new key."
    }
  ),
  { httpApiStatus: 409 }
) {}

export class PreconditionFailed extends Schema.Error<PreconditionFailed>("PreconditionFailed")(
  envelope("invalid_request", "PreconditionFailedError", "The file does not match `If-Match`.", {
    message: "The file is not the one named by If-Match; ask for it again without that header.",
    details: { param: "If-Match" }
  }),
  { httpApiStatus: 412 }
) {}

export class PayloadTooLarge extends Schema.Error<PayloadTooLarge>("PayloadTooLarge")(
  envelope("invalid_request", "PayloadTooLargeError", "The body is larger than 256 KB.", {
    message: "The body is larger than 262144 bytes; send a smaller one.",
    details: { maxBytes: 262_144 }
  }),
  { httpApiStatus: 413 }
) {}

export class UnsupportedMediaType extends Schema.Error<UnsupportedMediaType>("UnsupportedMediaType")(
  envelope("invalid_request", "UnsupportedMediaTypeError", "The body was not sent as JSON.", {
    message: "Send the body as JSON with the header Content-Type: application/json."
  }),
  { httpApiStatus: 415 }
) {}

export class RangeNotSatisfiable extends Schema.Error<RangeNotSatisfiable>("RangeNotSatisfiable")(
  envelope("invalid_request", "RangeNotSatisfiableError", "The range is outside the file.", {
    message: "The file has 1048576 bytes; ask for a range within it.",
    details: { param: "Range", sizeBytes: 1_048_576 }
  }),
  { httpApiStatus: 416 }
) {}

export class ContentUnavailable extends Schema.Error<ContentUnavailable>("ContentUnavailable")(
  envelope(
    "content_unavailable",
    "ContentUnavailableError",
    "The content is private, removed or gated. Permanent.",
    { message: "The video is private.", details: { reason: "private" } }
  ),
  { httpApiStatus: 422 }
) {}

export class RateLimited extends Schema.Error<RateLimited>("RateLimited")(
  envelope(
    "rate_limited",
    "RateLimitedError",
    "The rate limit of the endpoint is reached, too many extractions are waiting (`details.reason` is " +
      "`queue_full`), too many event streams or downloads are open (`too_many_streams`, `open_downloads`), or failed " +
      "runs have used the model's tokens of the day (`refunded_model_use`).",
    { message: "6 requests a minute are allowed here; try again in 12 seconds." }
  ),
  { httpApiStatus: 429 }
) {}

export class InternalError extends Schema.Error<InternalError>("InternalError")(
  envelope("internal_error", "InternalError", "Internal server error.", {
    message: "Internal error. Try again; if it persists, report the X-Request-Id of this response."
  }),
  { httpApiStatus: 500 }
) {}

export class Unreachable extends Schema.Error<Unreachable>("Unreachable")(
  envelope("internal_error", "UnreachableError", "The source could not be inspected right now.", {
    message: "The source could not be reached.",
    details: { reason: "unreachable", cause: "dns" }
  }),
  { httpApiStatus: 502 }
) {}

export class Busy extends Schema.Error<Busy>("Busy")(
  envelope(
    "internal_error",
    "BusyError",
    "The server is overloaded (`details.reason` is `busy`); nothing was debited. Retry after `Retry-After` " +
      "seconds.",
    {
      message: "The server is overloaded; try again in 10 seconds.",
      details: { reason: "busy" }
    }
  ),
  { httpApiStatus: 503 }
) {}

export class NotReady extends Schema.Error<NotReady>("NotReady")(
  envelope("internal_error", "NotReadyError", "The server is not ready.", {
    message: "The database does not respond."
  }),
  { httpApiStatus: 503 }
) {}
