/**
 * What the service refuses before it does anything, one class per error code of the specification's
 * "Errors". Each carries its code, its message and the `details` of the envelope, and knows nothing of HTTP.
 */
import * as Schema from "effect/Schema";
import { FailureReason } from "./Failure.ts";

const Details = Schema.Record(Schema.String, Schema.Json);
type Details = typeof Details.Type;

/** A field of the request is wrong: `details.param` names it, `details.reason` says how where useful. */
export class InvalidRequest extends Schema.TaggedError<InvalidRequest>()("InvalidRequest", {
  message: Schema.String,
  details: Details
}) {
  get code() {
    return "invalid_request" as const;
  }
}

/** `url` does not parse as an absolute URL, or is longer than any that is taken. */
export class InvalidUrl extends Schema.TaggedError<InvalidUrl>()("InvalidUrl", {
  message: Schema.String,
  details: Details
}) {
  get code() {
    return "invalid_url" as const;
  }
}

/** The URL parses but has another scheme or credentials, or is a channel, a playlist, a search, a live stream, too long or not public. */
export class UnsupportedUrl extends Schema.TaggedError<UnsupportedUrl>()("UnsupportedUrl", {
  message: Schema.String,
  details: Details
}) {
  get code() {
    return "unsupported_url" as const;
  }
}

/** Both in whole credits. */
export class InsufficientCredits extends Schema.TaggedError<InsufficientCredits>()("InsufficientCredits", {
  balance: Schema.Int,
  cost: Schema.Int
}) {
  get code() {
    return "insufficient_credits" as const;
  }

  override get message() {
    return `This run costs ${this.cost} credits and the balance is ${this.balance}; top up and submit again.`;
  }

  get details(): Details {
    return { balance: this.balance, cost: this.cost };
  }
}

/** The API key has spent what it may in a day (UTC). All in whole credits. */
export class DailyCreditsReached extends Schema.TaggedError<DailyCreditsReached>()("DailyCreditsReached", {
  dailyCredits: Schema.Int,
  /** Debited today less what came back. */
  usedToday: Schema.Int,
  cost: Schema.Int
}) {
  get code() {
    return "insufficient_credits" as const;
  }

  override get message() {
    return (
      `This run costs ${this.cost} credits, and the API key has used ${this.usedToday} of the ` +
      `${this.dailyCredits} that it may spend per day (UTC); try again tomorrow, or use a key with a higher ` +
      `\`dailyCredits\`.`
    );
  }

  get details(): Details {
    const { dailyCredits, usedToday, cost } = this;
    return { reason: "daily_credits", dailyCredits, usedToday, cost };
  }
}

/** `what` is a word for people: "extraction", "file", "schema", "account", "API key". */
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", { what: Schema.String }) {
  get code() {
    return "not_found" as const;
  }

  override get message() {
    return `There is no such ${this.what}.`;
  }

  get details(): Details {
    return {};
  }
}

/** The idempotency key was used with another body, or what it made was deleted since. */
export class IdempotencyConflict extends Schema.TaggedError<IdempotencyConflict>()("IdempotencyConflict", {
  /** The same body: doing it again would be charged again. Absent for another body. */
  reason: Schema.optionalKey(Schema.Literal("extraction_deleted"))
}) {
  get code() {
    return "conflict" as const;
  }

  override get message() {
    return this.reason === undefined
      ? "This Idempotency-Key was used with a different body; send that body again or use a new key."
      : "The extraction created with this Idempotency-Key was deleted; use a new key to run it, and be " +
          "charged, again.";
  }

  get details(): Details {
    return {
      param: "Idempotency-Key",
      ...(this.reason === undefined ? {} : { reason: this.reason })
    };
  }
}

/** Too many extractions of the account are waiting; nothing was debited. */
export class QueueFull extends Schema.TaggedError<QueueFull>()("QueueFull", { waitingMax: Schema.Int }) {
  get code() {
    return "rate_limited" as const;
  }

  override get message() {
    return (
      `${this.waitingMax} extractions of this account are already waiting; submit again when some have ` +
      `ended.`
    );
  }

  get details(): Details {
    return { reason: "queue_full", waitingMax: this.waitingMax };
  }
}

/** Too many wait for their turn before this one (503); nothing was debited, and nothing asked of the source. */
export class Busy extends Schema.TaggedError<Busy>()("Busy", { retryAfterSeconds: Schema.Int }) {
  get code() {
    return "internal_error" as const;
  }

  override get message() {
    return `The server is overloaded; try again in ${this.retryAfterSeconds} seconds.`;
  }

  get details(): Details {
    return { reason: "busy" };
  }
}

/** Probe only: private, removed or gated content. Permanent (422). */
export class ContentUnavailable extends Schema.TaggedError<ContentUnavailable>()("ContentUnavailable", {
  reason: FailureReason,
  message: Schema.String
}) {
  get code() {
    return "content_unavailable" as const;
  }

  get details(): Details {
    return { reason: this.reason };
  }
}

/** Probe only: the content could not be looked at right now (502). */
export class ContentUnreachable extends Schema.TaggedError<ContentUnreachable>()("ContentUnreachable", {
  reason: FailureReason,
  message: Schema.String
}) {
  get code() {
    return "internal_error" as const;
  }

  get details(): Details {
    return { reason: this.reason };
  }
}
