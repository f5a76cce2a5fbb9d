/**
 * Look-ups of parts that lie beside the media (captions, comments): asked for again when a source turns them
 * down, so that what it has is not taken for what it has not.
 */
import type { FailureReason } from "@winnow/core/domain/Failure";
import type { Modality } from "@winnow/core/domain/Modality";
import type { FailedLookup } from "@winnow/core/domain/FailedLookup";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import type { EgressFailed } from "../egress/EgressFailed.ts";
import { classify, failureOf, sentenceOf } from "./classify.ts";
import type { DownloadLimits } from "./DownloadLimits.ts";
import type { YtDlpFailure } from "./yt-dlp/YtDlpRunner.ts";

/** Times that one part is asked for. */
export const LOOKUP_TRIES_MAX = 3;

/** Longest wait that a source may ask for in `Retry-After` and gets, in milliseconds. */
export const RETRY_AFTER_MAX_MS = 30_000;

/** Why a look-up came to nothing; it may come to something later. */
export interface LookupRefused {
  readonly reason: FailureReason;
  /** What the source asks to wait, in milliseconds; null where it says nothing. */
  readonly waitMs: number | null;
  /** For people, where there is a better sentence than that of the reason. */
  readonly message?: string;
}

/** Of an answer's headers: seconds or a date (RFC 9110, section 10.2.3). */
const retryAfterMs = (value: string | undefined, nowMs: number): number | null => {
  if (value === undefined) return null;
  if (/^\d+$/u.test(value.trim())) return Number(value) * 1_000;
  const atMs = Date.parse(value);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
};

const REASONS: ReadonlyArray<readonly [test: (status: number) => boolean, reason: FailureReason]> = [
  [(status) => status === 429, "rate_limited"],
  [(status) => status === 401 || status === 403 || status === 412, "bot_blocked"],
  [(status) => status === 408, "timeout"],
  [(status) => status >= 500, "unreachable"]
];

const NOT_AT_ITS_ADDRESS = "The source names it, but does not have it at that address.";

/**
 * Of a part that the source has named. Null when the status brings it: 404 and the like contradict the source,
 * and are no word that it has none.
 */
export const refusedBy = Effect.fnUntraced(function* (response: {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}) {
  if (response.status < 400) return null;
  const reason = REASONS.find(([test]) => test(response.status))?.[1];
  if (reason === undefined) {
    return { reason: "unreachable", waitMs: null, message: NOT_AT_ITS_ADDRESS } satisfies LookupRefused;
  }
  const nowMs = yield* Clock.currentTimeMillis;
  return { reason, waitMs: retryAfterMs(response.headers["retry-after"], nowMs) } satisfies LookupRefused;
});

/** Null when asking again cannot help: the address or the answer is not one that is taken. */
export const refusedByEgress = ({ reason }: EgressFailed): LookupRefused | null =>
  reason === "timeout" || reason === "unreachable" ? { reason, waitMs: null } : null;

/** Reasons that a later run may not meet; the media itself is there, or there would be no fetch. */
const RETRYABLE: ReadonlySet<FailureReason> = new Set([
  "rate_limited",
  "bot_blocked",
  "timeout",
  "unreachable",
  "internal"
]);

/**
 * Of what yt-dlp was told beside the media: whatever turns it down is no word about the part. Null when it is one:
 * not there (404, 410).
 */
export const refusedByExtractor = Effect.fnUntraced(function* (failure: YtDlpFailure) {
  if (failure.status === 404 || failure.status === 410) return null;
  const { reason } = failureOf(classify(failure));
  const nowMs = yield* Clock.currentTimeMillis;
  const refused: LookupRefused = {
    reason: reason === "host_not_public" || !RETRYABLE.has(reason) ? "bot_blocked" : reason,
    waitMs: retryAfterMs(failure.retryAfter ?? undefined, nowMs)
  };
  return refused;
});

/**
 * Asks until there is an answer, three times at most; a source that asks for more than 30 s is left alone.
 * `before`: what an earlier try of the three came to.
 */
export const askAgain = <A>(
  ask: Effect.Effect<A, LookupRefused>,
  { lookupRetryMs }: Pick<DownloadLimits, "lookupRetryMs">,
  before: LookupRefused | null = null
): Effect.Effect<A, LookupRefused> => {
  const attempt = (tries: number): Effect.Effect<A, LookupRefused> =>
    ask.pipe(Effect.catch((refused) => wait(refused, tries)));
  const wait = (refused: LookupRefused, tries: number): Effect.Effect<A, LookupRefused> => {
    const waitMs = refused.waitMs ?? lookupRetryMs * tries;
    return tries >= LOOKUP_TRIES_MAX || waitMs > RETRY_AFTER_MAX_MS
      ? Effect.fail(refused)
      : Effect.andThen(Effect.sleep(waitMs), attempt(tries + 1));
  };
  return before === null ? attempt(1) : wait(before, 1);
};

export const failedLookup = (
  modality: Modality,
  { message, reason, waitMs }: LookupRefused
): FailedLookup => ({
  modality,
  reason,
  message: message ?? sentenceOf(reason),
  ...(waitMs === null || waitMs === 0 || !Number.isFinite(waitMs)
    ? {}
    : { retryAfterSeconds: Math.ceil(waitMs / 1_000) })
});
