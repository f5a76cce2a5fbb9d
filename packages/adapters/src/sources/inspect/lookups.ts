/**
 * Look-ups of parts other than the media (captions, comments): retried if the source rejects them, so that a
 * rejection is not mistaken for a missing part.
 */
import { Failed, type FailureReason } from "@winnow/core/domain/source/Failed";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import type { EgressFailed } from "@winnow/isolation/network/guard/EgressFailed";
import { retryAfterMs } from "@winnow/isolation/network/RetryAfter";
import { classify, failureOf, sentenceOf, type YtDlpFailure } from "../failures/classify.ts";
import type { DownloadLimits } from "../DownloadLimits.ts";

/** Maximum attempts per part. */
const LOOKUP_TRIES_MAX = 3;

/** Maximum `Retry-After` that is honoured, in milliseconds. */
const RETRY_AFTER_MAX_MS = 30_000;

/** Why a look-up failed; it may succeed later. */
export interface LookupFailure {
  readonly reason: FailureReason;
  /** Delay requested by the source, in milliseconds; null if none. */
  readonly waitMs: number | null;
  /** A sentence for people, if there is a better one than the reason's default. */
  readonly message?: string;
}

const REASONS: ReadonlyArray<readonly [test: (status: number) => boolean, reason: FailureReason]> = [
  [(status) => status === 429, "rate_limited"],
  [(status) => status === 401 || status === 403 || status === 412, "bot_blocked"],
  [(status) => status === 408, "timeout"],
  [(status) => status >= 500, "unreachable"]
];

const NOT_AT_ITS_ADDRESS = "The source lists it, but its URL does not work.";

/**
 * For a part that the source has listed. Null if the response contains it. A 404 or similar contradicts the source,
 * so it does not mean that the part does not exist.
 */
export const failureOfResponse = Effect.fnUntraced(function* (response: {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}) {
  if (response.status < 400) return null;
  const reason = REASONS.find(([test]) => test(response.status))?.[1];
  if (reason === undefined) {
    return { reason: "unreachable", waitMs: null, message: NOT_AT_ITS_ADDRESS } satisfies LookupFailure;
  }
  const nowMs = yield* Clock.currentTimeMillis;
  return { reason, waitMs: retryAfterMs(response.headers["retry-after"], nowMs) } satisfies LookupFailure;
});

/** Null if a retry cannot help: the address or the response is not acceptable. */
export const failureOfEgress = ({ reason }: EgressFailed): LookupFailure | null =>
  reason === "timeout" || reason === "unreachable" ? { reason, waitMs: null } : null;

/** Reasons that may not recur; the media itself is available, or there would be no fetch. */
const RETRYABLE: ReadonlySet<FailureReason> = new Set([
  "rate_limited",
  "bot_blocked",
  "timeout",
  "unreachable",
  "internal"
]);

/**
 * For yt-dlp's look-ups besides the media: a rejection does not mean that there is no such part. Null if there is
 * none (404, 410).
 */
export const failureOfExtractor = Effect.fnUntraced(function* (failure: YtDlpFailure) {
  if (failure.status === 404 || failure.status === 410) return null;
  const { reason } = failureOf(classify(failure));
  const nowMs = yield* Clock.currentTimeMillis;
  const refused: LookupFailure = {
    reason: RETRYABLE.has(reason) ? reason : "bot_blocked",
    waitMs: retryAfterMs(failure.retryAfter ?? undefined, nowMs)
  };
  return refused;
});

/**
 * Retries until there is an answer, three attempts at most. Gives up if a source asks for more than 30 s. `before`:
 * the failure of an earlier attempt, which counts.
 */
export const askAgain = <A>(
  ask: Effect.Effect<A, LookupFailure>,
  { lookupRetryMs }: Pick<DownloadLimits, "lookupRetryMs">,
  before: LookupFailure | null = null
): Effect.Effect<A, LookupFailure> => {
  const attempt = (tries: number): Effect.Effect<A, LookupFailure> =>
    ask.pipe(Effect.catch((refused) => wait(refused, tries)));
  const wait = (refused: LookupFailure, tries: number): Effect.Effect<A, LookupFailure> => {
    const waitMs = refused.waitMs ?? lookupRetryMs * tries;
    return tries >= LOOKUP_TRIES_MAX || waitMs > RETRY_AFTER_MAX_MS
      ? Effect.fail(refused)
      : Effect.andThen(Effect.sleep(waitMs), attempt(tries + 1));
  };
  return before === null ? attempt(1) : wait(before, 1);
};

/** The failure of the part. */
export const lookupFailed = ({ message, reason, waitMs }: LookupFailure): Failed => {
  const seconds = Math.ceil((waitMs ?? 0) / 1_000);
  return new Failed({
    reason,
    message: message ?? sentenceOf(reason),
    retryAfterSeconds: seconds > 0 && Number.isSafeInteger(seconds) ? seconds : null
  });
};
