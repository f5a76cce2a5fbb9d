/**
 * The folders of one inspection or run: the server's own, which no sandbox contains, and a new one for each program
 * that starts. Accessible to their owner only, limited in size, and removed with their scope. Nothing of a run is
 * written elsewhere. They are in a folder of the process, so that the next one removes what a killed one left. Tests:
 * adapters' folderSize.test.ts, rogueRunFolder.test.ts.
 */
import { randomUUID } from "node:crypto";
import { lstat, mkdir, opendir } from "node:fs/promises";
import { join } from "node:path";
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import { isFullNow, writing } from "./DiskFull.ts";
import { codeOf } from "../runtime/ErrorCode.ts";
import { openOwnedFolder, removeFolder } from "../runtime/OwnedFolder.ts";

export interface RunFolder {
  /** The server's own files; no program can change or replace them. Absolute. */
  readonly path: string;
  /** Where its programs' folders are created. */
  readonly programsFolder: string;
  /** Those that exist now. */
  readonly programFolders: Set<string>;
  /** Whether the disk was full when one of them was about to be removed, which makes room again. */
  readonly disk: { wasFull: boolean };
}

/** Parent of all programs' folders, which the sandbox of the fork server contains. */
export const programsFolderOf = (workDir: string): string => join(workDir, "programs");

/** A folder of this process in `parent`, for its runs; what killed ones left there is removed. */
export const makeWorkDir = (parent: string): Effect.Effect<string, never, Scope.Scope> =>
  Effect.acquireRelease(
    writing(async () => {
      await mkdir(parent, { recursive: true, mode: 0o700 });
      const folder = await openOwnedFolder("work", parent);
      await mkdir(programsFolderOf(folder.path), { mode: 0o700 });
      return folder;
    }),
    ({ remove }) => Effect.promise(remove)
  ).pipe(Effect.map(({ path }) => path));

/** A new folder with mode 0700, removed with the scope; dies with Unavailable if the disk is full. */
const makeFolder = (parent: string): Effect.Effect<string, never, Scope.Scope> =>
  Effect.acquireRelease(
    writing(async () => {
      const folder = join(parent, `run_${randomUUID()}`);
      await mkdir(folder, { mode: 0o700 });
      return folder;
    }),
    (folder) => Effect.promise(() => removeFolder(folder))
  );

export const makeRunFolder = (workDir: string): Effect.Effect<RunFolder, never, Scope.Scope> =>
  Effect.map(makeFolder(workDir), (path) => ({
    path,
    programsFolder: programsFolderOf(workDir),
    programFolders: new Set<string>(),
    disk: { wasFull: false }
  }));

/** Another folder of the same run, for files with the same names. */
export const makeSubfolder = (run: RunFolder): Effect.Effect<RunFolder, never, Scope.Scope> =>
  Effect.map(makeFolder(run.path), (path) => ({ ...run, path }));

/**
 * A new folder for the start of one program, the only one that it can write. Before that, the server may write to it;
 * afterwards it only reads what RunFiles checks, because the program may put links and pipes in place of files.
 */
export const makeProgramFolder = (run: RunFolder): Effect.Effect<string, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.tap(makeFolder(run.programsFolder), (folder) =>
      Effect.sync(() => void run.programFolders.add(folder))
    ),
    (folder) =>
      Effect.map(isFullNow(folder), (isFull) => {
        run.disk.wasFull ||= isFull;
        run.programFolders.delete(folder);
      })
  );

/** Programs write at most as fast as the disk: some hundred megabytes between two checks. */
const MEASURE_INTERVAL = "500 millis";

/**
 * Folders with more files than this are too large, whatever they contain: segments are removed as they are joined.
 */
const FILES_MAX = 20_000;

/** Folders within folders; no program that we run nests more than three. */
const DEPTH_MAX = 32;

/** Unit of `st_blocks`, whatever the file system's block size. */
const BLOCK_BYTES = 512;

class Unmeasurable extends Error {}

/** For `.catch`: what programs remove meanwhile does not count; a folder that cannot be read is too large. */
const toleratingRemoval = (cause: unknown): null => {
  if (["ENOENT", "ENOTDIR"].includes(codeOf(cause))) return null;
  throw new Unmeasurable("A folder cannot be measured.", { cause });
};

/** Never follows a link: with `readdir(recursive)`, two links to their own folder would be 2^40 folders. */
const measureInto = async (
  folder: string,
  total: { bytes: number; files: number },
  depth: number
): Promise<void> => {
  if (depth > DEPTH_MAX) throw new Unmeasurable("Folders are nested too deeply.");
  const entries = await opendir(folder).catch(toleratingRemoval);
  if (entries === null) return;
  for await (const entry of entries) {
    total.files += 1;
    if (total.files > FILES_MAX) throw new Unmeasurable("There are too many files.");
    const path = join(folder, entry.name);
    const found = await lstat(path).catch(toleratingRemoval);
    total.bytes += (found?.blocks ?? 0) * BLOCK_BYTES;
    if (found?.isDirectory() === true) await measureInto(path, total, depth + 1);
  }
};

/** Disk space of their files. Deleted files that are still open are not counted. */
const diskBytesIn = async ({ path, programFolders }: RunFolder): Promise<number> => {
  const total = { bytes: 0, files: 0 };
  try {
    for (const folder of [path, ...programFolders]) await measureInto(folder, total, 0);
  } catch (cause) {
    if (cause instanceof Unmeasurable) return Number.POSITIVE_INFINITY;
    throw cause;
  }
  return total.bytes;
};

/** Ends `work`, including its programs, once the run's folders together exceed `maxBytes`. */
export const withinFolder = <A, E, R, E2>(
  work: Effect.Effect<A, E, R>,
  run: RunFolder,
  { maxBytes, failure }: { readonly maxBytes: number; readonly failure: () => E2 }
): Effect.Effect<A, E | E2, R> =>
  Effect.raceFirst(
    work,
    Effect.promise(() => diskBytesIn(run)).pipe(
      Effect.delay(MEASURE_INTERVAL),
      Effect.repeat({ until: (bytes) => bytes > maxBytes }),
      Effect.andThen(Effect.suspend(() => Effect.fail(failure())))
    )
  );
