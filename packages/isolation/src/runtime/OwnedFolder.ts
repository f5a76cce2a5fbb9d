/**
 * Folders for the temporary files of a process. The kernel holds the lock of their file `owner` as long as the process
 * lives, so that later ones, in whatever container, can tell what killed ones left.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rename, rm, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import { codeOf } from "./ErrorCode.ts";
import { lockFile } from "./FileLock.ts";

const ownerOf = (folder: string): string => join(folder, "owner");

const run = promisify(execFile);

/**
 * Removes a folder that programs have written to, without following links. Folders without permissions or with paths
 * that are too long for the system need the system's own programs; what even they leave is a leftover.
 */
export const removeFolder = async (folder: string): Promise<void> => {
  try {
    // Most are empty by then, so this is enough.
    await rmdir(folder).catch(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  } catch {
    const options = { env: { PATH: "/usr/bin:/bin" } };
    await run("chmod", ["-R", "--", "u+rwX", folder], options).catch(() => undefined);
    await run("rm", ["-rf", "--", folder], options).catch(() => undefined);
  }
};

/**
 * Renamed first: a process that has just made the folder, and not locked it yet, would else lock a new `owner` in what is
 * being removed. The new name is of the same kind, for the next sweep.
 */
const removeLeftover = async (folder: string): Promise<void> => {
  const gone = `${folder}~`;
  await rename(folder, gone).then(
    () => removeFolder(gone),
    () => undefined
  );
};

/** Removes what killed processes left of this kind. What belongs to others, or to another user, cannot be locked. */
const sweepLeftovers = async (parent: string, kind: string): Promise<void> => {
  for (const entry of await readdir(parent, { withFileTypes: true })) {
    if (!entry.isDirectory() || !entry.name.startsWith(`${kind}-`)) continue;
    const folder = join(parent, entry.name);
    const owner = await lockFile(ownerOf(folder)).catch(() => null);
    if (owner !== null) await removeLeftover(folder).finally(() => owner.close());
  }
};

export interface OwnedFolder {
  readonly path: string;
  readonly remove: () => Promise<void>;
}

/** A new folder that only this user may enter; `kind` is a word, whose leftovers in `parent` are removed first. */
export const openOwnedFolder = async (kind: string, parent: string): Promise<OwnedFolder> => {
  await sweepLeftovers(parent, kind);
  for (;;) {
    const path = await mkdtemp(join(parent, `${kind}-`));
    const owner = await lockFile(ownerOf(path)).catch(async (cause: unknown) => {
      await removeFolder(path);
      if (codeOf(cause) !== "ENOENT") throw cause;
      return null;
    });
    // Another process may have been faster to lock it, and take it for a leftover.
    if (owner === null) continue;
    if (existsSync(path)) return { path, remove: () => removeFolder(path).finally(() => owner.close()) };
    await owner.close();
  }
};

/** Its path, until the scope closes. */
export const ownedFolder = (kind: string, parent = tmpdir()): Effect.Effect<string, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(() => openOwnedFolder(kind, parent)),
      ({ remove }) => Effect.promise(remove)
    ),
    ({ path }) => path
  );
