/**
 * Folders that bear the name of the process that made them, so that a later one can tell which of them are
 * leftovers of processes that were killed.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";

interface ProcessState {
  /** It only waits to be collected, which in a container may take for ever. */
  readonly ended: boolean;
  /** Clock ticks at which it started, which tell it from a later one with the same number. */
  readonly startTicks: string;
}

/** Null elsewhere than on Linux. */
const stateOf = (pid: number): ProcessState | null => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)?.split(" ") ?? [];
    return { ended: /^[ZX]$/u.test(fields[0] ?? ""), startTicks: fields[19] ?? "0" };
  } catch {
    return null;
  }
};

/** Of the host's name, for paths of sockets must be short. */
const HOST = createHash("sha256").update(hostname()).digest("hex").slice(0, 12);

const OWN_START_TICKS = stateOf(process.pid)?.startTicks ?? "0";

/** What the name of a folder of this process begins with; `kind` is a word. */
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
  /** Folders of another host, as a container's name changes with every start, are leftovers after this; null: never. */
  readonly foreignAgeMaxMs: number | null;
}

const isLeftover = async (
  parent: string,
  { kind, foreignAgeMaxMs }: LeftoverKind,
  name: string
): Promise<boolean> => {
  const match = /^(.+)_([0-9A-Za-z-]*)_(\d+)_(\d+)_/u.exec(name);
  if (match === null || match[1] !== kind) return false;
  if (match[2] !== HOST) {
    const age = await stat(join(parent, name)).then(
      (found) => Date.now() - found.mtimeMs,
      () => 0
    );
    return foreignAgeMaxMs !== null && age > foreignAgeMaxMs;
  }
  const pid = Number(match[3]);
  if (!isAlive(pid)) return true;
  const state = stateOf(pid);
  if (state === null) return false;
  return state.ended || (match[4] !== "0" && state.startTicks !== match[4]);
};

/** Removes what dead processes left of this kind in the folder; what is another user's stays. */
export const sweepLeftovers = async (parent: string, kind: LeftoverKind): Promise<void> => {
  for (const name of await readdir(parent)) {
    if (!(await isLeftover(parent, kind, name))) continue;
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => undefined);
  }
};
