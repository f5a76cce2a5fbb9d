/**
 * The working folder of one look or run: only its owner can enter it, nothing of a run is written
 * elsewhere, it holds so many bytes and no more, and it goes away with its scope. What killed processes left
 * behind is swept at the start.
 */
import { randomUUID } from "node:crypto";
import { lstat, mkdir, readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import { writing } from "./NoRoom.ts";
import { type LeftoverKind, ownPrefix, sweepLeftovers } from "../leftovers/OwnedFolder.ts";

/** What the names of these folders begin with; runs of other hosts are given up long before. */
const RUNS: LeftoverKind = { kind: "run", foreignAgeMaxMs: 24 * 3_600_000 };

/** Makes the folder of all runs and removes what dead processes left in it. */
export const sweepWorkDir = (workDir: string): Effect.Effect<void> =>
  Effect.promise(async () => {
    await mkdir(workDir, { recursive: true, mode: 0o700 });
    await sweepLeftovers(workDir, RUNS);
  });

/** A new folder, mode 0700, removed with the scope; dies with Unavailable where the disk is full. */
export const makeRunFolder = (workDir: string): Effect.Effect<string, never, Scope.Scope> =>
  Effect.acquireRelease(
    writing(async () => {
      const folder = join(workDir, `${ownPrefix(RUNS.kind)}${randomUUID()}`);
      await mkdir(folder, { mode: 0o700 });
      return folder;
    }),
    // Most are empty by then, and of those this is all there is to do.
    (folder) =>
      Effect.promise(() =>
        rmdir(folder).catch(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))
      )
  );

/** Programs write at most as fast as the disk: between two looks some hundred megabytes. */
const LOOK_EVERY = "500 millis";

/** A folder with more files than this is too large whatever they hold: segments are removed as they are joined. */
const FILES_MAX = 20_000;

/** Of `st_blocks`, whatever the blocks of the file system are. */
const BLOCK_BYTES = 512;

/** What the files in it take of the disk. Those that were removed while somebody writes to them are not seen. */
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

/** Ends `work`, and with it the programs that it runs, once the folder takes more than `maxBytes` of the disk. */
export const withinFolder = <A, E, R, E2>(
  work: Effect.Effect<A, E, R>,
  folder: string,
  { maxBytes, failure }: { readonly maxBytes: number; readonly failure: () => E2 }
): Effect.Effect<A, E | E2, R> =>
  Effect.raceFirst(
    work,
    Effect.promise(() => diskBytesIn(folder)).pipe(
      Effect.delay(LOOK_EVERY),
      Effect.repeat({ until: (bytes) => bytes > maxBytes }),
      Effect.andThen(Effect.suspend(() => Effect.fail(failure())))
    )
  );
