/**
 * The look at a source before a run: bounded in time, and refusing what no run may begin with. Probe
 * and submit refuse alike because both look through here (contract 4).
 */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import { UnsupportedUrl } from "../domain/Refusal.ts";
import { MAX_DURATION_SECONDS, type SourceFacts } from "../domain/SourceFacts.ts";
import { DownloadFailed, Downloader, type LookOptions } from "../ports/Downloader.ts";
import { timeLook } from "./EngineMetrics.ts";
import { EngineSettings } from "./EngineSettings.ts";

/** Why the look came to nothing although the URL may still be submitted. */
export type Unseen = DownloadFailed & {
  readonly reason: Exclude<DownloadFailed["reason"], "host_not_public">;
};

const unsupported = (
  reason: string,
  message: string,
  details: Readonly<Record<string, number>> = {}
): UnsupportedUrl => new UnsupportedUrl({ message, details: { param: "url", reason, ...details } });

/** @fails UnsupportedUrl a video that is reported to be longer than 60 minutes; exactly 60 pass */
export const refuseTooLong = (facts: SourceFacts): Effect.Effect<SourceFacts, UnsupportedUrl> =>
  facts.kind === "video" && (facts.durationSeconds ?? 0) > MAX_DURATION_SECONDS
    ? Effect.fail(
        unsupported("duration_exceeded", "Videos of up to 60 minutes are accepted; this one is longer.", {
          durationSec: facts.durationSeconds ?? 0,
          maxDurationSec: MAX_DURATION_SECONDS
        })
      )
    : Effect.succeed(facts);

const refused = (failure: DownloadFailed): UnsupportedUrl | Unseen => {
  switch (failure.reason) {
    case "host_not_public":
      return unsupported(
        "host_not_public",
        "The host of `url` is not public: only public pages are fetched."
      );
    case "live":
      return unsupported(
        "live",
        "`url` is a live stream or premiere: submit its recording once it has ended."
      );
    case "not_extractable":
      return unsupported("not_extractable", failure.message);
    case "too_long":
      return unsupported(
        "duration_exceeded",
        "Videos of up to 60 minutes are accepted; this one is longer.",
        {
          maxDurationSec: MAX_DURATION_SECONDS
        }
      );
    default:
      return failure as Unseen;
  }
};

const MILLISECONDS = 1_000;

const timed = Effect.fnUntraced(function* (looking: Effect.Effect<SourceFacts, UnsupportedUrl | Unseen>) {
  const startMs = yield* Clock.currentTimeMillis;
  return yield* Effect.onExit(looking, (exit) =>
    Effect.flatMap(Clock.currentTimeMillis, (endMs) =>
      timeLook((endMs - startMs) / MILLISECONDS, { outcome: Exit.isSuccess(exit) ? "seen" : "failed" })
    )
  );
});

/**
 * Looks at a normalised URL for at most `inspectTimeoutMs`.
 *
 * @fails UnsupportedUrl {reason: "host_not_public" | "live" | "not_extractable" | "duration_exceeded"}
 * @fails Unseen anything else that kept the source from being looked at
 */
export const look = Effect.fn("SourceLook.look")(function* (
  url: string,
  options: LookOptions = {}
): Effect.fn.Return<SourceFacts, UnsupportedUrl | Unseen, Downloader> {
  const downloader = yield* Downloader;
  const { inspectTimeoutMs } = yield* EngineSettings;
  const facts = downloader.inspect(url, options).pipe(
    Effect.timeoutOrElse({
      duration: inspectTimeoutMs,
      orElse: () =>
        Effect.fail(new DownloadFailed({ reason: "timeout", message: "The source answered too slowly." }))
    }),
    Effect.mapError(refused)
  );
  return yield* timed(Effect.flatMap(facts, refuseTooLong));
});
