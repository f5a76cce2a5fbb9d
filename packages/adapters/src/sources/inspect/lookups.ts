/**
 * Look-ups of parts other than the media (captions, comments): retried if the source rejects them, so that a
 * rejection is not mistaken for a missing part.
 */
import { Failed, type FailureReason } from "@winnow/core/domain/source/Failed";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import type { EgressFailed } from "@winnow/isolation/network/guard/EgressFailed";
import { retryAfterMs } from "@winnow/isolation/network/RetryAfter";
import { classify, failed, failureOf, sentenceOf, type YtDlpFailure } from "../failures/classify.ts";
import type { DownloadLimits } from "../DownloadLimits.ts";

/** Maximum attempts per part. */
const LOOKUP_TRIES_MAX = 3;

/** Maximum `Retry-After` that is honoured, in milliseconds. */
const RETRY_AFTER_MAX_MS = 30_000;

const REASONS: ReadonlyArray<readonly [test: (status: number) => boolean, reason: FailureReason]> = [
  [(status) => status === 429, "rate_limited"],
  [(status) => status === 401 || status === 403 || status === 412, "bot_blocked"],
  [(status) => status === 408, "timeout"],
  [(status) => status >= 500, "unreachable"]
];

const NOT_AT_ITS_ADDRESS = failed("unreachable", "The source lists it, but its URL does not work.");

/** With the delay that the source asks for. */
const refusedWith = (reason: FailureReason, retryAfter: string | null | undefined): Effect.Effect<Failed> =>
  Effect.map(Clock.currentTimeMillis, (nowMs) => {
    const seconds = Math.ceil((retryAfterMs(retryAfter, nowMs) ?? 0) / 1_000);
    const retryAfterSeconds = seconds > 0 && Number.isSafeInteger(seconds) ? seconds : null;
    return new Failed({ reason, message: sentenceOf(reason), retryAfterSeconds });
  });

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
  return reason === undefined
    ? NOT_AT_ITS_ADDRESS
    : yield* refusedWith(reason, response.headers["retry-after"]);
});

/** Null if a retry cannot help: the address or the response is not acceptable. */
export const failureOfEgress = ({ reason }: EgressFailed): Failed | null =>
  reason === "timeout" || reason === "unreachable" ? failed(reason) : null;

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
  return yield* refusedWith(RETRYABLE.has(reason) ? reason : "bot_blocked", failure.retryAfter);
});

/** Another answer would be the same. */
const isUnreadable = ({ reason }: Failed): boolean => reason === "input_unavailable";

/**
 * Retries until there is an answer, three attempts at most. Gives up if a source asks for more than 30 s, or the failure
 * is final. `before`: the failure of an earlier attempt, which counts.
 */
export const askAgain = <A>(
  ask: Effect.Effect<A, Failed>,
  { lookupRetryMs }: Pick<DownloadLimits, "lookupRetryMs">,
  before: Failed | null = null,
  isFinal: (refused: Failed) => boolean = isUnreadable
): Effect.Effect<A, Failed> => {
  const attempt = (tries: number): Effect.Effect<A, Failed> =>
    ask.pipe(Effect.catch((refused) => wait(refused, tries)));
  const wait = (refused: Failed, tries: number): Effect.Effect<A, Failed> => {
    const { retryAfterSeconds } = refused;
    const waitMs = retryAfterSeconds === null ? lookupRetryMs * tries : retryAfterSeconds * 1_000;
    return tries >= LOOKUP_TRIES_MAX || waitMs > RETRY_AFTER_MAX_MS || isFinal(refused)
      ? refused
      : Effect.andThen(Effect.sleep(waitMs), attempt(tries + 1));
  };
  return before === null ? attempt(1) : wait(before, 1);
};
