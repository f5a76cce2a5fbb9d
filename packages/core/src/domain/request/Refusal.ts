/**
 * Requests that the service refuses before doing any work, one class per error code. Each has its code, message and
 * `details`, independent of HTTP.
 */
import * as Schema from "effect/Schema";
import { FailureReason, orNull, UnreachableCause } from "../source/Failed.ts";
import { plural } from "../text/Plural.ts";

const Details = Schema.Record(Schema.String, Schema.Json);
type Details = typeof Details.Type;

/** A field of the request is invalid: `details.param` names it, and `details.reason` the rule where useful. */
export class InvalidRequest extends Schema.TaggedError<InvalidRequest>()("InvalidRequest", {
  message: Schema.String,
  details: Details
}) {
  get code() {
    return "invalid_request" as const;
  }
}

/** `url` is not an absolute URL, or too long. */
export class InvalidUrl extends Schema.TaggedError<InvalidUrl>()("InvalidUrl", {
  message: Schema.String,
  details: Details
}) {
  get code() {
    return "invalid_url" as const;
  }
}

/**
 * The URL parses, but its scheme or credentials are not allowed, or it is a channel, playlist, search or live
 * stream, too long, or not public.
 */
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
  cost: Schema.Int,
  what: Schema.optionalKey(Schema.Literals(["run", "batch"]))
}) {
  get code() {
    return "insufficient_credits" as const;
  }

  override get message() {
    const { what = "run", cost, balance } = this;
    return `This ${what} costs ${cost} credits and the balance is ${balance}; top up and submit again.`;
  }

  get details(): Details {
    return { balance: this.balance, cost: this.cost };
  }
}

/** The API key has reached its daily limit (UTC). All amounts in whole credits. */
export class DailyCreditsReached extends Schema.TaggedError<DailyCreditsReached>()("DailyCreditsReached", {
  dailyCredits: Schema.Int,
  /** Debits of the day minus refunds. */
  usedToday: Schema.Int,
  /** Of the account: the details of every `insufficient_credits` include `balance` and `cost`. */
  balance: Schema.Int,
  cost: Schema.Int,
  what: Schema.Literals(["run", "batch"])
}) {
  get code() {
    return "insufficient_credits" as const;
  }

  override get message() {
    return (
      `This ${this.what} costs ${this.cost} credits, and the API key has used ${this.usedToday} of the ` +
      `${this.dailyCredits} that it may spend per day (UTC); try again tomorrow, or use a key with a higher ` +
      `\`dailyCredits\`.`
    );
  }

  get details(): Details {
    const { dailyCredits, usedToday, balance, cost } = this;
    return { reason: "daily_credits", dailyCredits, usedToday, balance, cost };
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

/** What an idempotency key may have made, by the reason for refusing the key after that was deleted. */
const DELETED = {
  extraction_deleted: ["extraction", "run it, and be charged, again"],
  schema_deleted: ["schema", "save it again"],
  endpoint_deleted: ["webhook endpoint", "register it again"]
} as const;

/** The idempotency key was used with another body, or what it made was deleted since. */
export class IdempotencyConflict extends Schema.TaggedError<IdempotencyConflict>()("IdempotencyConflict", {
  /** The body is the same, so repeating it with a new key would be charged again. Absent for another body. */
  reason: Schema.optionalKey(Schema.Literals(["extraction_deleted", "schema_deleted", "endpoint_deleted"]))
}) {
  get code() {
    return "conflict" as const;
  }

  override get message() {
    if (this.reason === undefined) {
      return "This Idempotency-Key was used with a different body; send that body again or use a new key.";
    }
    const [what, remedy] = DELETED[this.reason];
    return `The ${what} created with this Idempotency-Key was deleted; use a new key to ${remedy}.`;
  }

  get details(): Details {
    return {
      param: "Idempotency-Key",
      ...(this.reason === undefined ? {} : { reason: this.reason })
    };
  }
}

/** A cancelled batch stays as it is: its items cannot be tried again. */
export class BatchCancelled extends Schema.TaggedError<BatchCancelled>()("BatchCancelled", {}) {
  get code() {
    return "conflict" as const;
  }

  override get message() {
    return "The batch was cancelled, which is final; submit the items that you still want as a new batch.";
  }

  get details(): Details {
    return { reason: "batch_cancelled" };
  }
}

/** The account has too many queued extractions; nothing was debited. */
export class QueueFull extends Schema.TaggedError<QueueFull>()("QueueFull", { waitingMax: Schema.Int }) {
  get code() {
    return "rate_limited" as const;
  }

  override get message() {
    const waiting = plural(this.waitingMax, "extraction");
    return `This account already has ${waiting} waiting; submit again when some have ended.`;
  }

  get details(): Details {
    return { reason: "queue_full", waitingMax: this.waitingMax };
  }
}

/** The account's refunded runs used all the tokens of the language model that they may use in a day (UTC). */
export class RefundedModelUseReached extends Schema.TaggedError<RefundedModelUseReached>()(
  "RefundedModelUseReached",
  { tokensToday: Schema.Int, tokensPerDayMax: Schema.Int, retryAfterSeconds: Schema.Int }
) {
  get code() {
    return "rate_limited" as const;
  }

  override get message() {
    return (
      `Runs of this account that failed and were refunded have used ${this.tokensToday} tokens of the language ` +
      `model today, and ${this.tokensPerDayMax} are allowed; AI runs are possible again tomorrow (UTC). ` +
      `Download-only runs are not affected.`
    );
  }

  get details(): Details {
    const { tokensToday, tokensPerDayMax } = this;
    return { reason: "refunded_model_use", tokensToday, tokensPerDayMax };
  }
}

/** Too many requests are waiting (503); nothing was debited and the source was not contacted. */
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

/** Probe only: the content is private, removed or gated. Permanent (422). */
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

/** Probe only: the content cannot be inspected right now (502). */
export class ContentUnreachable extends Schema.TaggedError<ContentUnreachable>()("ContentUnreachable", {
  reason: FailureReason,
  message: Schema.String,
  unreachableCause: orNull(UnreachableCause)
}) {
  get code() {
    return "internal_error" as const;
  }

  get details(): Details {
    const { reason, unreachableCause: cause } = this;
    return { reason, ...(cause === null ? {} : { cause }) };
  }
}
