/**
 * A disk that ran full under a fetch. Each program says so in its own way, some not at all, and what they say comes out
 * as another failure; so when something went wrong, the disk is looked at.
 */
import { statfs } from "node:fs/promises";
import { type DownloadFailed, type Fetched } from "@winnow/core/ports/Downloader";
import { Unavailable } from "@winnow/core/ports/Unavailable";
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import { noRoom, saysNoRoom } from "../programs/NoRoom.ts";

/** What a program leaves free that failed for want of room: less than it wanted to write at once. */
const FULL_BELOW_BYTES = 256 * 1_024;

/** What a program that cannot write may seem to have met. What the source itself says is none of these. */
const MISTAKABLE: ReadonlySet<DownloadFailed["reason"]> = new Set([
  "internal",
  "not_extractable",
  "too_large",
  "unreachable"
]);

const isFullNow = (folder: string): Effect.Effect<boolean> =>
  Effect.promise(() =>
    statfs(folder).then(
      ({ bavail, bsize }) => bavail * bsize < FULL_BELOW_BYTES,
      () => false
    )
  );

const isFullAfter = (cause: Cause.Cause<DownloadFailed>, folder: string): Effect.Effect<boolean> => {
  if (Cause.hasInterruptsOnly(cause)) return Effect.succeed(false);
  if (Cause.squash(cause) instanceof Unavailable) return Effect.succeed(false);
  const failure = Option.getOrNull(Cause.findErrorOption(cause));
  if (failure !== null && !MISTAKABLE.has(failure.reason)) return Effect.succeed(false);
  return saysNoRoom(Cause.squash(cause)) ? Effect.succeed(true) : isFullNow(folder);
};

/**
 * Dies with Unavailable where the disk of the folder is why a fetch failed or lacks something: the run then has
 * another attempt once there is room.
 */
export const mindingDisk =
  (folder: string) =>
  <R>(fetch: Effect.Effect<Fetched, DownloadFailed, R>): Effect.Effect<Fetched, DownloadFailed, R> =>
    fetch.pipe(
      Effect.tap(({ unavailable }) =>
        unavailable.length === 0
          ? Effect.void
          : Effect.flatMap(isFullNow(folder), (isFull) =>
              isFull ? Effect.die(noRoom(unavailable)) : Effect.void
            )
      ),
      Effect.catchCause((cause) =>
        Effect.flatMap(isFullAfter(cause, folder), (isFull) =>
          isFull ? Effect.die(noRoom(Cause.squash(cause))) : Effect.failCause(cause)
        )
      )
    );
