/** The `details` of each error class. A newer server may add members, which are `unknown`. */
import type { FailureReason } from "../generated/types.ts";

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
    | "playlist"
    | "live"
    | "host_not_public"
    | "not_extractable"
    | "duration_exceeded"
  >;
  /** With `duration_exceeded`, in seconds. */
  readonly durationSec?: number;
  readonly maxDurationSec?: number;
}

export interface InsufficientCreditsDetails extends ErrorDetails {
  /** In credits. */
  readonly balance: number;
  /** In credits. */
  readonly cost: number;
}

export interface ContentUnavailableDetails extends ErrorDetails {
  readonly reason?: FailureReason;
}

export interface RateLimitedDetails extends ErrorDetails {
  readonly reason?: Open<"queue_full" | "too_many_streams" | "refunded_model_use">;
  /** With `queue_full`: the limit on waiting extractions. */
  readonly waitingMax?: number;
  /** With `too_many_streams`. */
  readonly maxStreams?: number;
  /** With `refunded_model_use`: tokens of the language model that refunded runs used today (UTC), and the limit. */
  readonly tokensToday?: number;
  readonly tokensPerDayMax?: number;
}

export interface ConflictDetails extends ErrorDetails {
  readonly reason?: Open<"extraction_deleted">;
}

export interface InternalErrorDetails extends ErrorDetails {
  /** For a probe whose source could not be inspected. */
  readonly reason?: FailureReason;
}
