/**
 * Folders named after the process that created them, so that later processes can recognise the leftovers of killed
 * ones.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdtemp, readdir, rm, rmdir, stat } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

interface ProcessState {
  /** A zombie, which in a container may never be reaped. */
  readonly ended: boolean;
  /** Start time in clock ticks, which distinguishes it from a later process with the same id. */
  readonly startTicks: string;
}

/** Null on systems other than Linux. */
const stateOf = (pid: number): ProcessState | null => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)?.split(" ") ?? [];
    return { ended: /^[ZX]$/u.test(fields[0] ?? ""), startTicks: fields[19] ?? "0" };
  } catch {
    return null;
  }
};

/** Hash of the host name, because socket paths must be short. */
const HOST = createHash("sha256").update(hostname()).digest("hex").slice(0, 12);

const OWN_START_TICKS = stateOf(process.pid)?.startTicks ?? "0";

/** A name with a prefix. */
const OWNED = /^[^_]+_([0-9A-Za-z-]*)_(\d+)_(\d+)_/u;

/** Prefix of this process's folders; `kind` is a word. */
export const ownPrefix = (kind: string): string => `${kind}_${HOST}_${process.pid}_${OWN_START_TICKS}_`;

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
};

export interface LeftoverKind {
  /** A word. */
  readonly kind: string;
  /**
   * Age after which folders of another host are leftovers, since a container's name changes with every start; null:
   * never.
   */
  readonly foreignAgeMaxMs: number | null;
}

/**
 * Whether the process of a name with such a prefix has ended; null for one of another host, of which nothing is known.
 */
export const hasOwnerEnded = (name: string): boolean | null => {
  const [, host, id, startTicks] = OWNED.exec(name) ?? [];
  if (host !== HOST) return null;
  const pid = Number(id);
  if (!isAlive(pid)) return true;
  const state = stateOf(pid);
  if (state === null) return false;
  return state.ended || (startTicks !== "0" && state.startTicks !== startTicks);
};

const isLeftover = async (
  parent: string,
  { kind, foreignAgeMaxMs }: LeftoverKind,
  name: string
): Promise<boolean> => {
  if (!OWNED.test(name) || !name.startsWith(`${kind}_`)) return false;
  const hasEnded = hasOwnerEnded(name);
  if (hasEnded !== null) return hasEnded;
  const age = await stat(join(parent, name)).then(
    (found) => Date.now() - found.mtimeMs,
    () => 0
  );
  return foreignAgeMaxMs !== null && age > foreignAgeMaxMs;
};

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

/** Removes leftovers of dead processes of this kind; other users' folders are kept. */
export const sweepLeftovers = async (parent: string, kind: LeftoverKind): Promise<void> => {
  for (const name of await readdir(parent)) {
    if (!(await isLeftover(parent, kind, name))) continue;
    await removeFolder(join(parent, name));
  }
};

/** A new folder for temporary files, which only this user may enter; what killed processes left of its kind is removed. */
export const makeTemporaryFolder = async (kind: LeftoverKind): Promise<string> => {
  await sweepLeftovers(tmpdir(), kind).catch(() => undefined);
  return mkdtemp(join(tmpdir(), ownPrefix(kind.kind)));
};
