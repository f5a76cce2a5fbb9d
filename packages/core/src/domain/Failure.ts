/**
 * Why an inspection or a run failed: a reason code, whether a retry can help, and one sentence on what to do
 * (contract 6). Probe uses the same codes in `details.reason`.
 */
import * as Schema from "effect/Schema";

export const FAILURE_REASONS = [
  "private",
  "removed",
  "login_required",
  "age_restricted",
  "geo_restricted",
  "drm",
  "live",
  "bot_blocked",
  "rate_limited",
  "too_long",
  "too_large",
  "timeout",
  "unreachable",
  "input_unavailable",
  "model_error",
  "model_refused",
  "model_filtered",
  "model_quota",
  "model_unavailable",
  "invalid_model_output",
  "blocked_address",
  "not_extractable",
  "cancelled",
  "expired",
  "internal"
] as const;
export const FailureReason = Schema.Literals(FAILURE_REASONS).annotate({ identifier: "FailureReason" });
export type FailureReason = typeof FailureReason.Type;

/** `message` is for people and contains no internal details (no addresses, paths or commands). */
export const Failure = Schema.Struct({
  reason: FailureReason,
  message: Schema.String,
  /** When a retry can help, in seconds from the failure; absent if unknown. */
  retryAfterSeconds: Schema.optionalKey(Schema.Int),
  /** What to do, if there is better advice than the reason's default. */
  hint: Schema.optionalKey(Schema.String)
});
export type Failure = typeof Failure.Type;

export interface Remedy {
  readonly retryable: boolean;
  readonly hint: string;
}

const remedy = (retryable: boolean, hint: string): Remedy => ({ retryable, hint });

/** Whether the same submit may succeed later, and what the caller can do. */
export const REMEDIES: Readonly<Record<FailureReason, Remedy>> = {
  private: remedy(false, "Use a URL that anyone can open without an account."),
  removed: remedy(false, "The content is gone at its source; use another URL."),
  login_required: remedy(
    false,
    "The source shows this only to signed-in visitors; use a public URL, or ask the operator to configure cookies."
  ),
  age_restricted: remedy(
    false,
    "The source asks visitors to confirm their age; use another URL, or ask the operator to configure cookies."
  ),
  geo_restricted: remedy(
    false,
    "The source blocks this server's country; run Winnow behind a proxy in an allowed one."
  ),
  drm: remedy(false, "The media is copy-protected; use another URL."),
  live: remedy(true, "Wait until the stream or premiere has ended, then submit its recording."),
  bot_blocked: remedy(
    true,
    "The source treats this server as a bot; try again later, or configure cookies or a proxy."
  ),
  rate_limited: remedy(true, "The source is rate limiting this server; try again in a few minutes."),
  too_long: remedy(false, "Submit a shorter video; the account's plan says how long it may be."),
  too_large: remedy(
    false,
    "The content is larger than this server downloads; ask for fewer parts or raise the limit."
  ),
  timeout: remedy(true, "The source was too slow; try again later."),
  unreachable: remedy(
    true,
    "The source cannot be reached or returned an error; check the address, or try again later."
  ),
  input_unavailable: remedy(
    false,
    'An input you asked for does not exist there; drop it or use policy "fallback".'
  ),
  model_error: remedy(true, "The language model did not respond; try again later."),
  model_refused: remedy(
    false,
    "The language model refused this content; use other content, or another model."
  ),
  model_filtered: remedy(
    false,
    "The provider of the language model filters this content; use other content, or another provider."
  ),
  model_quota: remedy(
    false,
    "The operator's quota at the provider of the language model is used up; ask the operator to raise it."
  ),
  model_unavailable: remedy(
    false,
    "The provider does not have the configured language model; ask the operator to configure another."
  ),
  invalid_model_output: remedy(
    true,
    "The model's output did not match the schema; simplify the schema or try again."
  ),
  blocked_address: remedy(
    false,
    "The content leads to an address that is not public; use a URL with public content."
  ),
  not_extractable: remedy(
    false,
    "There is no video, photo post or article at this URL; use the address of one."
  ),
  cancelled: remedy(false, "The run was cancelled; submit again if you still need it."),
  expired: remedy(true, "The run did not finish within its time limit; submit again."),
  internal: remedy(
    true,
    "Internal error of this server; submit again, and contact its operator if that fails too."
  )
};

const SECONDS_PER_MINUTE = 60;

/** What the caller can do about this failure, with the retry time if it is known. */
export const remedyOf = ({ reason, retryAfterSeconds, hint: ownHint }: Failure): Remedy => {
  const { retryable, hint } = REMEDIES[reason];
  if (ownHint !== undefined) return { retryable, hint: ownHint };
  if (retryAfterSeconds === undefined) return { retryable, hint };
  const minutes = Math.max(1, Math.ceil(retryAfterSeconds / SECONDS_PER_MINUTE));
  const time = minutes === 1 ? "a minute" : `${minutes} minutes`;
  return {
    retryable,
    hint: `Try again in ${time}: until then, this server sends no requests to that source.`
  };
};
