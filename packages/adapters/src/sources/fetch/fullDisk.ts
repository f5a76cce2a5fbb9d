/**
 * Detects a disk that became full during a fetch. Programs report this differently or not at all, so the disk is
 * checked whenever something went wrong. Tests: the server's fullDisk.test.ts.
 */
import { Failed } from "@winnow/core/domain/source/Failed";
import { hasModality } from "@winnow/core/domain/result/ArtifactName";
import type { Fetched, FetchRequest } from "@winnow/core/ports/Downloader";
import { Unavailable } from "@winnow/core/ports/Unavailable";
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import { diskFullError, isDiskFull, isFullNow } from "@winnow/isolation/process/DiskFull";
import type { RunFolder } from "@winnow/isolation/process/RunFolder";

/** Failures that a full disk may cause; errors reported by the source are not among them. */
const AMBIGUOUS_REASONS: ReadonlySet<Failed["reason"]> = new Set([
  "internal",
  "not_extractable",
  "too_large",
  "unreachable"
]);

const wasFull = ({ disk, path }: RunFolder): Effect.Effect<boolean> =>
  disk.wasFull ? Effect.succeed(true) : isFullNow(path);

const isFullAfter = (cause: Cause.Cause<Failed>, folder: RunFolder): Effect.Effect<boolean> => {
  if (Cause.hasInterruptsOnly(cause)) return Effect.succeed(false);
  if (Cause.squash(cause) instanceof Unavailable) return Effect.succeed(false);
  const failure = Option.getOrNull(Cause.findErrorOption(cause));
  if (failure !== null && !AMBIGUOUS_REASONS.has(failure.reason)) return Effect.succeed(false);
  return isDiskFull(Cause.squash(cause)) ? Effect.succeed(true) : wasFull(folder);
};

/**
 * Dies with Unavailable if a full disk caused a failed or incomplete fetch, so that the run gets another attempt
 * once there is space.
 */
export const failingOnFullDisk =
  (folder: RunFolder, wantsOf: FetchRequest["wantsOf"]) =>
  <R>(fetch: Effect.Effect<Fetched, Failed, R>): Effect.Effect<Fetched, Failed, R> =>
    fetch.pipe(
      Effect.tap(({ facts, files }) => {
        const missing = wantsOf(facts.kind).filter((modality) => !hasModality(files, modality));
        return missing.length === 0
          ? Effect.void
          : Effect.flatMap(wasFull(folder), (isFull) =>
              isFull ? Effect.die(diskFullError(missing)) : Effect.void
            );
      }),
      Effect.catchCause((cause) =>
        Effect.flatMap(isFullAfter(cause, folder), (isFull) =>
          isFull ? Effect.die(diskFullError(Cause.squash(cause))) : Effect.failCause(cause)
        )
      )
    );
