/**
 * The inspection of a source before a run: limited in time, and rejecting sources that no run may start with.
 * Probe and submit reject the same sources because both use this module. Tests: Probes.test.ts, Extractions.test.ts.
 */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import type { Failed, FailureReason } from "../../domain/source/Failed.ts";
import { Busy, ContentUnavailable, Unreachable, UnsupportedUrl } from "../../domain/request/Refusal.ts";
import { present } from "../../domain/text/Json.ts";
import { durationLimitMessage, isTooLong, type SourceFacts } from "../../domain/source/SourceFacts.ts";
import { CurrentRun, runFor } from "../../ports/CurrentRun.ts";
import { Downloader, type InspectOptions } from "../../ports/Downloader.ts";
import { recordInspection } from "../EngineMetrics.ts";
import { EngineSettings } from "../EngineSettings.ts";

const unsupported = (
  reason: string,
  message: string,
  details: Readonly<Record<string, number | null>> = {}
): UnsupportedUrl => new UnsupportedUrl({ message, details: { param: "url", reason, ...details } });

/** @param param the field with the URL */
export const notPublic = (param: "url" | "listingUrl"): UnsupportedUrl =>
  new UnsupportedUrl({
    message: `The host of \`${param}\` is not public: only public pages are fetched.`,
    details: { param, reason: "host_not_public" }
  });

/** @param durationSec null if only the downloader knows it */
const tooLong = (durationSec: number | null, maxDurationSec: number): UnsupportedUrl =>
  unsupported("duration_exceeded", durationLimitMessage(maxDurationSec), { durationSec, maxDurationSec });

/** @fails UnsupportedUrl a video reported to be longer than the plan allows; exactly the maximum passes */
const refuseTooLong = (
  facts: SourceFacts,
  maxDurationSec: number
): Effect.Effect<SourceFacts, UnsupportedUrl> =>
  isTooLong(facts, null, maxDurationSec)
    ? Effect.fail(tooLong(facts.durationSeconds, maxDurationSec))
    : Effect.succeed(facts);

const refused = (failure: Failed, maxDurationSec: number): UnsupportedUrl | Failed => {
  switch (failure.reason) {
    case "host_not_public":
      return notPublic("url");
    case "live":
      return unsupported(
        "live",
        "`url` is a live stream or premiere: submit its recording once it has ended."
      );
    case "not_extractable":
      return unsupported("not_extractable", [failure.message, failure.hint].filter(Boolean).join(" "));
    case "too_long":
      return tooLong(null, maxDurationSec);
    default:
      return failure;
  }
};

const timed = Effect.fnUntraced(function* (
  inspecting: Effect.Effect<SourceFacts, UnsupportedUrl | Busy | Failed>
) {
  const startMs = yield* Clock.currentTimeMillis;
  return yield* Effect.onExit(inspecting, (exit) =>
    Effect.flatMap(Clock.currentTimeMillis, (endMs) =>
      recordInspection((endMs - startMs) / 1_000, {
        outcome: Exit.isSuccess(exit) ? "seen" : "failed"
      })
    )
  );
});

/** Maximum wait in the queue before the inspection starts; an HTTP request waits for both. */
const INSPECTION_WAIT_MAX_MS = 10_000;

/** Retry-After for requests that waited too long. */
const BUSY_RETRY_SECONDS = 10;

/** Of an inspection that an HTTP request waits for. */
export const inspectOptions = (options: Pick<InspectOptions, "notBeforeMs"> = {}) =>
  Effect.map(EngineSettings, ({ inspectTimeoutMs }) => ({
    ...options,
    timeoutMs: inspectTimeoutMs,
    waitMaxMs: INSPECTION_WAIT_MAX_MS
  }));

interface Inspection extends Pick<InspectOptions, "notBeforeMs"> {
  /** Of the account's plan. */
  readonly maxDurationSec: number;
}

/**
 * Inspects a normalised URL for at most `inspectTimeoutMs`, excluding the wait in the queue.
 *
 * @fails UnsupportedUrl {reason: "host_not_public" | "live" | "not_extractable" | "duration_exceeded"}
 * @fails Busy waited longer than {@link INSPECTION_WAIT_MAX_MS}
 * @fails Failed the source could not be inspected for any other reason
 */
export const inspectSource = Effect.fn("SourceInspection.inspectSource")(function* (
  accountId: string,
  url: string,
  { maxDurationSec, ...options }: Inspection
): Effect.fn.Return<SourceFacts, UnsupportedUrl | Busy | Failed, Downloader> {
  const downloader = yield* Downloader;
  const limited = yield* inspectOptions(options);
  const facts = downloader.inspect(url, limited).pipe(
    // A safety net for downloaders that ignore both limits.
    Effect.timeoutOrElse({
      duration: limited.timeoutMs + limited.waitMaxMs,
      orElse: () => Effect.fail(Busy.of(BUSY_RETRY_SECONDS))
    }),
    Effect.mapError((error) => (error._tag === "Busy" ? error : refused(error, maxDurationSec))),
    Effect.provideService(CurrentRun, runFor(accountId))
  );
  return yield* timed(Effect.flatMap(facts, (seen) => refuseTooLong(seen, maxDurationSec)));
});

/**
 * Whether a later inspection may succeed: if not, the failure is permanent (422), otherwise temporary (502).
 */
export const isPermanent = (reason: FailureReason): boolean =>
  [
    "private",
    "removed",
    "login_required",
    "age_restricted",
    "geo_restricted",
    "drm",
    "blocked_address",
    "too_large"
  ].includes(reason);

/** The refusal of a quote. */
export const unseen = ({ message, reason, unreachableCause }: Failed): ContentUnavailable | Unreachable =>
  isPermanent(reason)
    ? new ContentUnavailable({ message, details: { reason } })
    : new Unreachable({
        message,
        details: { reason, ...present({ cause: unreachableCause }) }
      });
