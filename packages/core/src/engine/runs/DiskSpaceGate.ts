/**
 * Delays runs while a disk has too little free space (WINNOW_MIN_FREE_BYTES), instead of letting them fail
 * half-way. Tests: the server's fullDisk.test.ts.
 */
import * as Effect from "effect/Effect";
import { FreeSpace } from "../../ports/FreeSpace.ts";
import { EngineSettings } from "../EngineSettings.ts";

const POLL_INTERVAL_MS = 5_000;

/**
 * The disk with the least free space among those below their minimum, described for the operator; null if all have
 * enough.
 */
const shortageOf = (
  disks: ReadonlyArray<{ readonly name: string; readonly freeBytes: number }>,
  minFreeBytes: number
): string | null => {
  const [least] = disks
    .filter(({ freeBytes }) => freeBytes < minFreeBytes)
    .toSorted((left, right) => left.freeBytes - right.freeBytes);
  return least === undefined
    ? null
    : `The disk of ${least.name === "data" ? "WINNOW_DATA_DIR" : "the artifacts"} has ${least.freeBytes} ` +
        `bytes free, less than WINNOW_MIN_FREE_BYTES (${minFreeBytes}): runs wait. Free some space or lower ` +
        `the setting.`;
};

/** Why runs are waiting, for the operator; null if they are not. */
export const shortage: Effect.Effect<string | null> = Effect.gen(function* () {
  const { minFreeBytes } = yield* EngineSettings;
  const { disks } = yield* FreeSpace;
  return shortageOf(yield* disks, minFreeBytes);
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
