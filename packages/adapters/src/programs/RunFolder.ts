/**
 * The working folder of one inspection or run: accessible to its owner only, limited in size, and removed with its
 * scope. Nothing of a run is written elsewhere. Leftovers of killed processes are removed at start-up.
 */
import { randomUUID } from "node:crypto";
import { lstat, mkdir, readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import { writing } from "./DiskFull.ts";
import { type LeftoverKind, ownPrefix, sweepLeftovers } from "../leftovers/OwnedFolder.ts";

/** Prefix of these folders; runs of other hosts end long before this age. */
const RUNS: LeftoverKind = { kind: "run", foreignAgeMaxMs: 24 * 3_600_000 };

/** Creates the parent folder and removes leftovers of dead processes. */
export const sweepWorkDir = (workDir: string): Effect.Effect<void> =>
  Effect.promise(async () => {
    await mkdir(workDir, { recursive: true, mode: 0o700 });
    await sweepLeftovers(workDir, RUNS);
  });

/** A new folder with mode 0700, removed with the scope; dies with Unavailable if the disk is full. */
export const makeRunFolder = (workDir: string): Effect.Effect<string, never, Scope.Scope> =>
  Effect.acquireRelease(
    writing(async () => {
      const folder = join(workDir, `${ownPrefix(RUNS.kind)}${randomUUID()}`);
      await mkdir(folder, { mode: 0o700 });
      return folder;
    }),
    // Most are empty by then, so this is enough.
    (folder) =>
      Effect.promise(() =>
        rmdir(folder).catch(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))
      )
  );

/** Programs write at most as fast as the disk: some hundred megabytes between two checks. */
const MEASURE_INTERVAL = "500 millis";

/**
 * A folder with more files than this is too large, whatever they contain: segments are removed as they are joined.
 */
const FILES_MAX = 20_000;

/** Unit of `st_blocks`, whatever the file system's block size. */
const BLOCK_BYTES = 512;

/** Disk space of its files. Deleted files that are still open are not counted. */
const diskBytesIn = async (folder: string): Promise<number> => {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  if (names.length > FILES_MAX) return Number.POSITIVE_INFINITY;
  let bytes = 0;
  for (const name of names) {
    const found = await lstat(join(folder, name)).catch(() => null);
    bytes += (found?.blocks ?? 0) * BLOCK_BYTES;
  }
  return bytes;
};

/** Ends `work`, including its programs, once the folder exceeds `maxBytes`. */
export const withinFolder = <A, E, R, E2>(
  work: Effect.Effect<A, E, R>,
  folder: string,
  { maxBytes, failure }: { readonly maxBytes: number; readonly failure: () => E2 }
): Effect.Effect<A, E | E2, R> =>
  Effect.raceFirst(
    work,
    Effect.promise(() => diskBytesIn(folder)).pipe(
      Effect.delay(MEASURE_INTERVAL),
      Effect.repeat({ until: (bytes) => bytes > maxBytes }),
      Effect.andThen(Effect.suspend(() => Effect.fail(failure())))
    )
  );
