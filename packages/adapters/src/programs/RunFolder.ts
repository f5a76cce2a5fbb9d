/**
 * The working folder of one look or run: only its owner can enter it, nothing of a run is written
 * elsewhere, and it goes away with its scope. What killed processes left behind is swept at the start.
 */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";

/**
 * Folders of another host (a container's name changes with every start) are leftovers after this; runs are
 * given up long before.
 */
const FOREIGN_AGE_MAX_MS = 24 * 3_600_000;

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

const HOST = hostname()
  .replace(/[^0-9A-Za-z-]/gu, "-")
  .slice(0, 64);

const PREFIX = `run_${HOST}_${process.pid}_${stateOf(process.pid)?.startTicks ?? "0"}_`;

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
};

const isLeftover = async (workDir: string, name: string): Promise<boolean> => {
  const match = /^run_([0-9A-Za-z-]*)_(\d+)_(\d+)_/u.exec(name);
  if (match === null) return false;
  if (match[1] !== HOST) {
    const age = await stat(join(workDir, name)).then(
      (found) => Date.now() - found.mtimeMs,
      () => 0
    );
    return age > FOREIGN_AGE_MAX_MS;
  }
  const pid = Number(match[2]);
  if (!isAlive(pid)) return true;
  const state = stateOf(pid);
  if (state === null) return false;
  return state.ended || (match[3] !== "0" && state.startTicks !== match[3]);
};

/** Makes the folder of all runs and removes what dead processes left in it. */
export const sweepWorkDir = (workDir: string): Effect.Effect<void> =>
  Effect.promise(async () => {
    await mkdir(workDir, { recursive: true, mode: 0o700 });
    for (const name of await readdir(workDir)) {
      if (await isLeftover(workDir, name)) await rm(join(workDir, name), { recursive: true, force: true });
    }
  });

/** A new folder, mode 0700, removed with the scope. */
export const makeRunFolder = (workDir: string): Effect.Effect<string, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const folder = join(workDir, `${PREFIX}${randomUUID()}`);
      await mkdir(folder, { mode: 0o700 });
      return folder;
    }),
    (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))
  );
