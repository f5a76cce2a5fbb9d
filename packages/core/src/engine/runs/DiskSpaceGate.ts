/**
 * Delays runs while a disk has too little free space (WINNOW_MIN_FREE_BYTES), instead of letting them fail
 * half-way.
 */
import * as Effect from "effect/Effect";
import { shortageOf } from "../../domain/run/DiskShortage.ts";
import { FreeSpace } from "../../ports/FreeSpace.ts";
import { EngineSettings } from "../EngineSettings.ts";

const POLL_INTERVAL_MS = 5_000;

/** Why runs are waiting, for the operator; null if they are not. */
export const shortage: Effect.Effect<string | null> = Effect.gen(function* () {
  const { minFreeBytes } = yield* EngineSettings;
  const { places } = yield* FreeSpace;
  return shortageOf(yield* places, minFreeBytes);
});

/** Returns once there is enough space. Logs one line when a run starts to wait. */
export const awaitDiskSpace: Effect.Effect<void> = Effect.gen(function* () {
  const why = yield* shortage;
  if (why === null) return;
  yield* Effect.logError(why);
  yield* Effect.repeat(Effect.andThen(Effect.sleep(POLL_INTERVAL_MS), shortage), {
    while: (still) => still !== null
  });
});
