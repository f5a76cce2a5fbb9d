/**
 * The server process: finds the one on a cluster, starts one that ends with this process, stops one.
 *
 * PostgreSQL's own lock file names the process, which is verified, because after a reboot the process id may belong
 * to anybody. Tests: EmbeddedPostgres.test.ts, EmbeddedPostgresElsewhere.test.ts.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:fs";
import { type FileHandle, open, readFile, rename, rm, stat } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { giveToFolder, lockFile } from "@winnow/isolation/runtime/FileLock";
import type { Binaries } from "./Binaries.ts";
import { codeOf, toleratingCodes } from "@winnow/isolation/runtime/ErrorCode";
import { failed, USE_YOUR_OWN } from "./EmbeddedPostgresFailed.ts";
import type { ServerPaths } from "./ServerPaths.ts";
import { asProgramsSee, run, spawnAs } from "./ServerUser.ts";

export interface Postmaster {
  readonly pid: number;
  /** On 127.0.0.1. */
  readonly port: number;
  /** As written by PostgreSQL: `starting`, `ready`, `stopping`; initially empty. */
  readonly status: string;
}

/** Durable, small, quiet; everything else keeps PostgreSQL's default (fsync and synchronous_commit are on). */
const SETTINGS: Readonly<Record<string, string>> = {
  // Reachable from this machine only, with a password. No Unix socket: its path is limited to about 100 bytes.
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  // Working set of one machine's ledger and queue; the kernel caches the rest.
  shared_buffers: "32MB",
  // Keeps less WAL on disk, and limits crash recovery to a few seconds.
  max_wal_size: "256MB",
  min_wal_size: "32MB",
  // No replicas and no logical decoding: less WAL, one background process fewer.
  wal_level: "minimal",
  max_wal_senders: "0",
  max_logical_replication_workers: "0",
  // Three I/O processes fewer; reads here are small and cached.
  io_method: "sync",
  // Small queries do not benefit from parallel workers or JIT compilation.
  max_parallel_workers_per_gather: "0",
  jit: "off",
  // A small log without values of rows.
  log_checkpoints: "off",
  log_error_verbosity: "terse",
  timezone: "UTC",
  log_timezone: "UTC"
};

/**
 * Runs its arguments in place of the shell, and stops them when standard input ends: only this process holds the
 * other end of that pipe, and the system closes it however this process ends. The one that waits is a grandchild,
 * because PostgreSQL would count the end of a child as a crash of its own. Only the server inherits its lock (3).
 */
const WITH_OWNER = 'exec 4<&0 </dev/null; ( (read -r end <&4; kill -INT $$) 3<&- & ); exec "$@" 4<&-';

/** Poll interval of a process or its lock file. */
const POLL_MS = 20;
/** Crash recovery reads at most max_wal_size (256 MB) of log. */
const START_TIMEOUT_MS = 120_000;
/**
 * A fast shutdown ends sessions and writes out memory (32 MB). An immediate one writes nothing and kills its children
 * after 5 s; the next start recovers.
 */
const STOPS = [
  { signal: "SIGINT", timeoutMs: 10_000 },
  { signal: "SIGQUIT", timeoutMs: 8_000 }
] as const;
/** Longer than a server takes to end after its owner was killed. */
const ORPHAN_TIMEOUT_MS = 30_000;
/** Transient start errors: another program was faster at the port. */
const PASSING = /Address already in use|could not bind/u;
/** An idle server writes a few hundred bytes a day; a larger log is moved to `server.log.1`. */
const LOG_MAX_BYTES = 10 * 1024 * 1024;
/** Maximum of the log quoted in an error. */
const TAIL_MAX_BYTES = 2_000;

/** Tells the servers of this machine apart: it stands in the command line, which everyone may read. */
const named = (cluster: string): string => `winnow.cluster=${cluster}`;

const lockFileOf = (cluster: string): string => join(cluster, "postmaster.pid");

/** What the lock file says, of any container and time; null if it is missing or damaged. */
const readLockFile = async (cluster: string): Promise<Postmaster | null> => {
  const text = await readFile(lockFileOf(cluster), "utf8").catch(toleratingCodes("ENOENT"));
  // Lines: process, data folder, start time, port, socket folder, address, shared memory, status.
  const [pid = "", , , port, , , , status = ""] = (text ?? "").split("\n").map((line) => line.trim());
  return /^[1-9]\d*$/u.test(pid) ? { pid: Number(pid), port: Number(port), status } : null;
};

/** The server running on the cluster, if processes of its container are seen here. */
export const findPostmaster = async (cluster: string): Promise<Postmaster | null> => {
  const found = await readLockFile(cluster);
  const commandLine = found === null ? "" : await commandLineOf(found.pid);
  return commandLine.includes(` -c ${named(cluster)} `) ? found : null;
};

/** The port of the owner's server on our loopback; null if it is not ready. */
export const findPort = async (cluster: string): Promise<number | null> => {
  const found = await readLockFile(cluster);
  return found?.status === "ready" && (await accepts(found.port)) ? found.port : null;
};

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("error", () => resolve(false));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });

/** Joined by spaces; empty for a process that is gone or a zombie. */
const commandLineOf = async (pid: number): Promise<string> =>
  process.platform === "linux"
    ? (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).replaceAll("\0", " ")
    : (await run("ps", ["-ww", "-o", "args=", "-p", String(pid)], spawnAs(null))).output.trim();

/**
 * The lock of the cluster, which its server and each of its processes hold. Stops a server that outlived its owner, and
 * waits for the end of one that cannot be seen from here; null if the caller has stopped waiting.
 */
const lockCluster = async (
  { cluster, folder }: ServerPaths,
  signal: AbortSignal
): Promise<FileHandle | null> => {
  const lock = join(folder, "server.lock");
  const deadline = performance.now() + ORPHAN_TIMEOUT_MS;
  while (!signal.aborted) {
    const found = await findPostmaster(cluster);
    if (found !== null) await stopPostmaster(found.pid, cluster);
    const held = await lockFile(lock);
    if (held !== null) {
      // Without a server it is a leftover, which would prevent a start.
      await rm(lockFileOf(cluster), { force: true });
      return held;
    }
    if (performance.now() > deadline) {
      throw failed(
        `A PostgreSQL server whose process has ended still runs on ${cluster}, and is not seen from here. ` +
          `Stop its container, or end what holds ${lock} (fuser names it).`
      );
    }
    await sleep(POLL_MS);
  }
  return null;
};

/** The port of the previous server, so that addresses that somebody wrote down stay valid. */
const previousPort = async (cluster: string): Promise<number | null> => {
  const options = await readFile(join(cluster, "postmaster.opts"), "utf8").catch(toleratingCodes("ENOENT"));
  const [, port] = / "-p" "(\d+)"/u.exec(options ?? "") ?? [];
  return port === undefined ? null : Number(port);
};

/** The preferred port if it is free, else another free one. Another program may take it before it is used. */
const choosePort = async (preferred: number | null): Promise<number> =>
  (preferred === null ? null : await tryPort(preferred)) ?? (await tryPort(0)) ?? Promise.reject(NO_PORT);

const NO_PORT = new Error("no free port on 127.0.0.1");

const tryPort = (port: number): Promise<number | null> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(null));
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : null));
    });
  });

/**
 * Starts a server that ends with this process; Ctrl-C on the terminal does not reach it. Its port when it is ready;
 * null if it failed for a transient reason. `requiredPort`: null for any. `onSpawned` is called immediately.
 */
export const startPostmaster = async (
  paths: ServerPaths,
  binaries: Binaries,
  server: { readonly requiredPort: number | null; readonly settings: Readonly<Record<string, string>> },
  signal: AbortSignal,
  onSpawned: (child: ChildProcess) => void
): Promise<number | null> => {
  const { cluster, log, users } = paths;
  const lock = await lockCluster(paths, signal);
  if (lock === null) return null;
  const file = await openLog(log);
  try {
    const startedAtBytes = (await file.stat()).size;
    const port = server.requiredPort ?? (await choosePort(await previousPort(cluster)));
    if (signal.aborted) return null;
    const options = Object.entries({ ...SETTINGS, ...server.settings }).flatMap(([name, value]) => [
      "-c",
      `${name}=${value}`
    ]);
    const data = ["-D", asProgramsSee(cluster, users.server), "-c", named(cluster)];
    const command = [binaries.postgres, ...data, "-p", String(port), ...options];
    const child = spawn("/bin/sh", ["-c", WITH_OWNER, "sh", ...command], {
      ...spawnAs(users.server, cluster),
      detached: true,
      stdio: ["pipe", file.fd, file.fd, lock.fd]
    });
    child.unref();
    onSpawned(child);
    const reason = await untilReady(child, cluster, signal);
    if (reason === null) return signal.aborted ? null : port;
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      await stopPostmaster(child.pid, cluster);
    }
    const output = await readFrom(file, startedAtBytes);
    if (PASSING.test(output)) return null;
    throw failed(`PostgreSQL did not start: ${reason}. The end of ${log}:`, output, USE_YOUR_OWN);
  } finally {
    await file.close();
    await lock.close();
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
  for (const { signal, timeoutMs } of STOPS) {
    const deadline = performance.now() + timeoutMs;
    try {
      process.kill(pid, signal);
    } catch (cause) {
      if (codeOf(cause) === "ESRCH") return;
      throw cause;
    }
    while (performance.now() < deadline) {
      if ((await commandLineOf(pid)) === "") return;
      await sleep(POLL_MS);
    }
  }
  throw failed(
    `The PostgreSQL server ${pid} on ${cluster} neither responds nor stops. Kill it: kill -9 ${pid}`
  );
};

const openLog = async (path: string): Promise<FileHandle> => {
  const grown = await stat(path).catch(toleratingCodes("ENOENT"));
  if (grown !== undefined && grown.size > LOG_MAX_BYTES) await rename(path, `${path}.1`);
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_RDWR } = constants;
  const file = await open(path, O_APPEND | O_CREAT | O_NOFOLLOW | O_RDWR, 0o600);
  await giveToFolder(file, path);
  return file;
};

const readFrom = async (file: FileHandle, startBytes: number): Promise<string> => {
  const { size } = await file.stat();
  const from = Math.max(startBytes, size - TAIL_MAX_BYTES);
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(size - from), position: from });
  return buffer.toString("utf8", 0, bytesRead).trim();
};
