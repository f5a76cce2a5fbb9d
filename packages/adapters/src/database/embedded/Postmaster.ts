/**
 * The server process: finds the one on a cluster, starts one, stops it.
 *
 * PostgreSQL's own lock file names the process, which is verified, because after a reboot the process id may belong
 * to anybody.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { rename, rm, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Binaries } from "./Binaries.ts";
import { codeOf, failed, toleratingCodes, USE_YOUR_OWN } from "./EmbeddedPostgresFailed.ts";
import type { ServerPaths } from "./ServerPaths.ts";
import { isAlive, isPostmasterOf, searchPostmaster } from "./Processes.ts";
import { openServerLog } from "./ServerLog.ts";
import { spawnAs } from "./ServerUser.ts";
import { watchOver } from "./Watchdog.ts";
import { serverArguments } from "./Settings.ts";

export interface Postmaster {
  readonly pid: number;
  /** On 127.0.0.1; null if the lock file is damaged and does not state it. */
  readonly port: number | null;
  /** As written by PostgreSQL; initially empty. */
  readonly status: "ready" | "starting" | "stopping" | "";
}

/** Poll interval of a process or its lock file. */
const POLL_MS = 20;
/** Crash recovery reads at most max_wal_size (256 MB) of log. */
export const START_TIMEOUT_MS = 120_000;
/** A fast shutdown ends sessions and writes out memory (32 MB). */
const FAST_STOP_TIMEOUT_MS = 10_000;
/** An immediate shutdown writes nothing and kills its children after 5 s; the next start recovers. */
const IMMEDIATE_STOP_TIMEOUT_MS = 8_000;
/** Transient start errors: another process was faster, the port is taken, old sessions are still ending. */
const PASSING = /lock file|shared memory block|Address already in use|could not bind/u;

/** The server running on the cluster; null if there is none. */
export const findPostmaster = async (cluster: string): Promise<Postmaster | null> => {
  const lock = await readLock(cluster);
  if (lock === null) return null;
  if (lock.pid !== null) return (await isPostmasterOf(lock.pid, cluster)) ? { ...lock, pid: lock.pid } : null;
  const stray = await searchPostmaster(cluster);
  return stray === null ? null : { pid: stray, port: null, status: "" };
};

/**
 * Starts a detached server: it outlives this process, and Ctrl-C on the terminal does not reach it. True when it is
 * ready; false if it failed for a transient reason. `onPid` is called with its process id immediately.
 */
export const startPostmaster = async (
  paths: ServerPaths,
  binaries: Binaries,
  server: {
    readonly port: number;
    readonly settings: Readonly<Record<string, string>>;
    /** See watchOver. */
    readonly abandonedAfterSeconds: number;
  },
  signal: AbortSignal,
  onPid: (pid: number) => void
): Promise<boolean> => {
  await removeDeadLock(paths.cluster);
  const log = await openServerLog(paths);
  try {
    if (signal.aborted) return false;
    const child = spawn(binaries.postgres, serverArguments(paths.cluster, server.port, server.settings), {
      ...spawnAs(paths.users.server),
      detached: true,
      stdio: ["ignore", log.descriptor, log.descriptor]
    });
    child.unref();
    if (child.pid !== undefined) {
      onPid(child.pid);
      watchOver(child.pid, paths.users.server, server.abandonedAfterSeconds);
    }
    const reason = await untilReady(child, paths.cluster, signal);
    if (reason === null) return !signal.aborted;
    const output = await log.tail();
    if (PASSING.test(output)) return false;
    throw failed(`PostgreSQL did not start: ${reason}. The end of ${paths.log}:`, output, USE_YOUR_OWN);
  } finally {
    await log.close();
  }
};

/** Null if the server is ready or the caller has stopped waiting; else why it is not. */
const untilReady = async (
  child: ChildProcess,
  cluster: string,
  signal: AbortSignal
): Promise<string | null> => {
  const ended = new Promise<string>((resolve) => {
    child.once("error", (cause) => resolve(cause.message));
    child.once("exit", (code, by) => resolve(`it ended with ${by ?? `code ${code}`}`));
  });
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < deadline) {
    const reason = await Promise.race([ended, sleep(POLL_MS)]);
    if (signal.aborted) return null;
    if (reason !== undefined) return reason;
    const found = await findPostmaster(cluster);
    if (found !== null && found.pid === child.pid && found.status === "ready") return null;
  }
  return `it was not ready after ${START_TIMEOUT_MS / 1000} s`;
};

/** Fast shutdown, then an immediate one; rejects if the server survives both. */
export const stopPostmaster = async (pid: number, cluster: string): Promise<void> => {
  if (await endWith("SIGINT", pid, cluster, FAST_STOP_TIMEOUT_MS)) return;
  if (await endWith("SIGQUIT", pid, cluster, IMMEDIATE_STOP_TIMEOUT_MS)) return;
  throw failed(
    `The PostgreSQL server ${pid} on ${cluster} neither responds nor stops. Kill it: kill -9 ${pid}`
  );
};

const endWith = async (
  signal: "SIGINT" | "SIGQUIT",
  pid: number,
  cluster: string,
  timeoutMs: number
): Promise<boolean> => {
  const deadline = performance.now() + timeoutMs;
  try {
    if (await isPostmasterOf(pid, cluster)) process.kill(pid, signal);
  } catch (cause) {
    if (codeOf(cause) !== "ESRCH") throw cause;
  }
  while (await isPostmasterOf(pid, cluster)) {
    if (performance.now() > deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
};

interface Lock extends Omit<Postmaster, "pid"> {
  /** Null if the file is damaged. */
  readonly pid: number | null;
}

const lockFileOf = (cluster: string): string => join(cluster, "postmaster.pid");

/** Lines: process, data folder, start time, port, socket folder, address, shared memory, status. */
const readLock = async (cluster: string): Promise<Lock | null> => {
  const text = await readFile(lockFileOf(cluster), "utf8").catch(toleratingCodes("ENOENT"));
  if (text === undefined) return null;
  const lines = text.split("\n").map((line) => line.trim());
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  if (!(Number.isInteger(pid) && pid > 0 && Number.isInteger(port) && port > 0)) {
    return { pid: null, port: null, status: "" };
  }
  const status = lines[7];
  return {
    pid,
    port,
    status: status === "ready" || status === "starting" || status === "stopping" ? status : ""
  };
};

/**
 * Removes a lock file that would stop PostgreSQL: a damaged one, or one whose process id now belongs to another
 * program. Uses rename, so that the lock of a server that is just starting is restored.
 */
const removeDeadLock = async (cluster: string): Promise<void> => {
  const before = await readLock(cluster);
  if (before === null || (before.pid !== null && !isAlive(before.pid))) return;
  if ((await findPostmaster(cluster)) !== null) return;
  const renamedPidFile = join(cluster, `postmaster.pid.dead-${process.pid}`);
  await rename(lockFileOf(cluster), renamedPidFile).catch(toleratingCodes("ENOENT"));
  const pidFileText = await readFile(renamedPidFile, "utf8").catch(toleratingCodes("ENOENT"));
  const pid = Number.parseInt(pidFileText ?? "", 10);
  const live = Number.isInteger(pid) && (await isPostmasterOf(pid, cluster));
  if (live) await rename(renamedPidFile, lockFileOf(cluster));
  else await rm(renamedPidFile, { force: true });
};
