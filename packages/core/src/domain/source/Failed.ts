/**
 * Why a call of a port or a run failed: a reason code, whether a retry can help, and one sentence on what to do. Probe
 * uses the same codes in `details.reason`.
 */
import * as Exit from "effect/Exit";
import * as Schema from "effect/Schema";
import { MODALITIES, type Modality } from "./Modality.ts";

/** Of transcribing a recording (ports/Transcriber). */
export const SPEECH_FAILURE_REASONS = [
  "speech_timeout",
  "speech_unavailable",
  "speech_misconfigured"
] as const;

interface Remedy {
  readonly retryable: boolean;
  readonly hint: string;
}

const remedy = (retryable: boolean, hint: string): Remedy => ({ retryable, hint });

/** Every reason: whether the same submit may succeed later, and what the caller can do. */
export const REMEDIES = {
  private: remedy(false, "Use a URL that anyone can open without an account."),
  removed: remedy(false, "Use another URL."),
  login_required: remedy(
    false,
    "Use a URL that opens for everybody, or ask the operator to configure cookies of an account."
  ),
  age_restricted: remedy(
    false,
    "Use another URL, or ask the operator to configure cookies of an adult's account."
  ),
  geo_restricted: remedy(
    false,
    "Ask the operator to send requests through a proxy in a country where it is shown."
  ),
  drm: remedy(false, "Use another URL."),
  live: remedy(true, "Submit its recording once there is one."),
  bot_blocked: remedy(true, "Try again later, or ask the operator to configure cookies or a proxy."),
  rate_limited: remedy(true, "Try again in a few minutes."),
  too_long: remedy(false, "Submit a shorter one, or ask the operator for a plan with a higher limit."),
  too_large: remedy(false, "Ask for fewer parts, or ask the operator to raise the limit."),
  timeout: remedy(true, "Try again later."),
  unreachable: remedy(true, "Check the address, or try again later."),
  input_unavailable: remedy(false, 'Leave it out, or use policy "fallback".'),
  model_error: remedy(true, "Try again later."),
  model_refused: remedy(false, "Use other content, or ask the operator for another model."),
  model_filtered: remedy(false, "Use other content, or ask the operator for another provider."),
  model_quota: remedy(false, "Ask the operator to raise it."),
  model_unavailable: remedy(false, "Ask the operator to configure another one."),
  invalid_model_output: remedy(true, "Simplify the schema, or try again."),
  speech_timeout: remedy(true, "Try again later, or submit a shorter one."),
  speech_unavailable: remedy(true, "Try again later."),
  speech_misconfigured: remedy(false, "Ask the operator of this server to set it up."),
  host_not_public: remedy(false, "Use the URL of a public page."),
  blocked_address: remedy(false, "Use a URL that leads to servers on the internet only."),
  not_extractable: remedy(false, "Use the address of one single work."),
  cancelled: remedy(false, "Submit again if you still need it."),
  expired: remedy(true, "Submit again."),
  internal: remedy(true, "Submit again; if it fails once more, contact the operator of this server.")
} as const satisfies Readonly<Record<string, Remedy>>;

export type FailureReason = keyof typeof REMEDIES;
export const FailureReason = Schema.Literals(Object.keys(REMEDIES) as ReadonlyArray<FailureReason>).annotate({
  identifier: "FailureReason"
});

/** Where an attempt to reach a source ended; `http_5xx`: it answered with a server error. */
export const UnreachableCause = Schema.Literals([
  "dns",
  "refused",
  "tls",
  "timeout",
  "reset",
  "http_5xx"
]).annotate({ identifier: "UnreachableCause" });
export type UnreachableCause = typeof UnreachableCause.Type;

/** Null if it is not given. */
export const orNull = <S extends Schema.Constraint & Schema.WithoutConstructorDefault>(schema: S) =>
  Schema.NullOr(schema).pipe(Schema.withConstructorDefault(Exit.succeed(null)));

/** The failure of every port, and what a failed run stores; what is not given is null. */
export class Failed extends Schema.TaggedError<Failed>()("Failed", {
  /** `host_not_public`: the host of the URL itself is not public; of addresses in between, `blocked_address`. */
  reason: FailureReason,
  /** For people; contains no internal details (no addresses, paths or commands). */
  message: Schema.String,
  /** Of `unreachable`; null if unknown. */
  unreachableCause: orNull(UnreachableCause),
  /** When a retry can help, in seconds from the failure; null if unknown. */
  retryAfterSeconds: orNull(Schema.Int),
  /** What to do, if there is better advice than the reason's default. */
  hint: orNull(Schema.String)
}) {}

const SECONDS_PER_MINUTE = 60;

/** What the caller can do about this failure, with the retry time if it is known. */
export const remedyOf = ({
  reason,
  retryAfterSeconds,
  hint
}: Pick<Failed, "reason" | "retryAfterSeconds" | "hint">): Remedy => {
  const usual = REMEDIES[reason];
  if (hint !== null) return { ...usual, hint };
  if (retryAfterSeconds === null) return usual;
  const minutes = Math.max(1, Math.ceil(retryAfterSeconds / SECONDS_PER_MINUTE));
  const time = minutes === 1 ? "a minute" : `${minutes} minutes`;
  return remedy(
    usual.retryable,
    `Try again in ${time}: until then, this server sends no requests to that source.`
  );
};

/** Why look-ups of parts failed on every attempt, so that it is unknown whether the source has them. */
export type PartFailures = { readonly [part in Modality]?: Failed };

const isOfSpeech = (reason: FailureReason): boolean => SPEECH_FAILURE_REASONS.some((each) => each === reason);

/** Must not claim that the part does not exist. */
const lookupSentence = (modality: Modality, { message, reason }: Failed): string =>
  isOfSpeech(reason)
    ? `The audio could not be transcribed. ${message}`
    : `The ${modality} could not be looked up, so it is unknown whether there ` +
      `${modality === "comments" ? "are any" : "is one"}. ${message}`;

export const lookupSentences = (lookups: PartFailures): ReadonlyArray<string> =>
  MODALITIES.flatMap((modality) => {
    const failed = lookups[modality];
    return failed === undefined ? [] : [lookupSentence(modality, failed)];
  });

/** The failure of a run because of its failed look-ups; null if there are none. */
export const lookupFailure = (lookups: PartFailures): Failed | null => {
  const [first] = MODALITIES.flatMap((modality) => lookups[modality] ?? []);
  if (first === undefined) return null;
  const { reason, retryAfterSeconds, unreachableCause, hint } = first;
  const message = lookupSentences(lookups).join(" ");
  return new Failed({ reason, message, unreachableCause, retryAfterSeconds, hint });
};
