/**
 * Runs wait while a disk has too little room (WINNOW_MIN_FREE_BYTES), instead of failing half-way.
 */
import * as Effect from "effect/Effect";
import { shortageOf } from "../domain/DiskShortage.ts";
import { FreeSpace } from "../ports/FreeSpace.ts";
import { EngineSettings } from "./EngineSettings.ts";

const LOOK_INTERVAL_MS = 5_000;

/** Why runs wait, in words for the operator; null when they do not. */
export const shortage: Effect.Effect<string | null> = Effect.gen(function* () {
  const { minFreeBytes } = yield* EngineSettings;
  const { places } = yield* FreeSpace;
  return shortageOf(yield* places, minFreeBytes);
});

/** Returns once there is room. One line of the log says that a run waits. */
export const awaitRoom: Effect.Effect<void> = Effect.gen(function* () {
  const why = yield* shortage;
  if (why === null) return;
  yield* Effect.logError(why);
  yield* Effect.repeat(Effect.andThen(Effect.sleep(LOOK_INTERVAL_MS), shortage), {
    while: (still) => still !== null
  });
});
