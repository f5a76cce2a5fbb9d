/**
 * What the service refuses before it does anything, one class per error code of the specification's
 * "Errors". They carry what the envelope's `details` will hold, and know nothing of HTTP.
 */
import * as Schema from "effect/Schema";
import { FailureReason } from "./Failure.ts";

const Details = Schema.Record(Schema.String, Schema.Json);

/** A field of the request is wrong: `details.param` names it, `details.reason` says how where useful. */
export class InvalidRequest extends Schema.TaggedError<InvalidRequest>()("InvalidRequest", {
  message: Schema.String,
  details: Details
}) {}

/** `url` does not parse as an absolute http or https URL. */
export class InvalidUrl extends Schema.TaggedError<InvalidUrl>()("InvalidUrl", {
  message: Schema.String,
  details: Details
}) {}

/** The URL parses but is a channel, a playlist, a search, a live stream, too long or not public. */
export class UnsupportedUrl extends Schema.TaggedError<UnsupportedUrl>()("UnsupportedUrl", {
  message: Schema.String,
  details: Details
}) {}

/** Both in whole credits. */
export class InsufficientCredits extends Schema.TaggedError<InsufficientCredits>()("InsufficientCredits", {
  balance: Schema.Int,
  cost: Schema.Int
}) {}

/** `what` is a word for people: "extraction", "file", "schema", "account", "API key". */
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", { what: Schema.String }) {}

/** The idempotency key was used with another body. */
export class IdempotencyConflict extends Schema.TaggedError<IdempotencyConflict>()(
  "IdempotencyConflict",
  {}
) {}

/** Too many extractions of the account are waiting; nothing was debited. */
export class QueueFull extends Schema.TaggedError<QueueFull>()("QueueFull", { waitingMax: Schema.Int }) {}

/** Probe only: private, removed or gated content. Permanent (422). */
export class ContentUnavailable extends Schema.TaggedError<ContentUnavailable>()("ContentUnavailable", {
  reason: FailureReason,
  message: Schema.String
}) {}

/** Probe only: the content could not be looked at right now (502). */
export class ContentUnreachable extends Schema.TaggedError<ContentUnreachable>()("ContentUnreachable", {
  reason: FailureReason,
  message: Schema.String
}) {}
