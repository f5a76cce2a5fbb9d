/**
 * The process that drives the browser, seen from the server: started, asked, and ended together with the
 * browser. Linux kills both when this process dies; elsewhere they notice their broken pipes.
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { endGroup, limited, signalGroup } from "../programs/BoundedProcess.ts";
import { CLOSE_TIMEOUT_MS, FILE_BYTES_MAX, PROCESS_MEMORY_BYTES, START_TIMEOUT_MS } from "./RenderLimits.ts";
import type { HostAnswer, HostRequest, HostSetup, RenderAnswer, RenderTask } from "./RenderMessages.ts";

/** The same extension as this module: TypeScript in the workspace, JavaScript when built. */
const ENTRY = fileURLToPath(new URL(import.meta.url.replace(/HostProcess(\.[jt]s)$/u, "RenderHost$1")));

/** JavaScript heap of the process, in MB; a document passes through it a few times. */
const HEAP_MB = 256;

const STDERR_MAX_CHARS = 4_096;

/** How often, and how long, the group of the browser is waited for after it was killed. */
const GONE_EVERY_MS = 10;
const GONE_WITHIN_MS = 10_000;

/** The answer to a task, or null when it was cancelled or the process ended before it. */
export interface RenderTicket {
  readonly answer: Promise<RenderAnswer | null>;
  readonly cancel: () => void;
}

export interface HostProcess {
  /** Version of the browser; null when it does not start. */
  readonly ready: Promise<string | null>;
  /** Why not; for the log. */
  readonly complaint: () => string;
  readonly alive: () => boolean;
  readonly render: (task: Omit<RenderTask, "id">) => RenderTicket;
  /** Resolves once both are gone. */
  readonly end: () => Promise<void>;
}

export interface HostOptions extends HostSetup {
  /** Home, temporary files and profile; removed by the caller. */
  readonly folder: string;
  /** In a sandbox the browser's process number is one inside, and nobody's outside. */
  readonly confined: boolean;
}

const parse = (line: string): HostAnswer | null => {
  try {
    const message: unknown = JSON.parse(line);
    return typeof message === "object" ? (message as HostAnswer | null) : null;
  } catch {
    return null;
  }
};

const names = (pid: string, file: "environ" | "cmdline", folder: string): boolean => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1").includes(folder);
  } catch {
    return false;
  }
};

/**
 * Living processes that name `folder`: also those that left the group, as crash handlers do. Some of the browser's
 * write their title over their environment.
 */
const processesOf = (folder: string): ReadonlyArray<number> =>
  readdirSync("/proc")
    .filter((pid) => /^\d+$/u.test(pid) && (names(pid, "environ", folder) || names(pid, "cmdline", folder)))
    .map(Number);

const kill = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself.
  }
};

/** Ended ones that nobody has collected name nothing: they count as gone, for init may be slow. */
const isGone = (group: number | null, folder: string): boolean => {
  const left = group !== null && signalGroup(group, "SIGKILL");
  if (process.platform !== "linux") return !left;
  const pids = processesOf(folder);
  pids.forEach(kill);
  return pids.length === 0;
};

const browserGone = async (group: number | null, folder: string): Promise<void> => {
  for (let waitedMs = 0; waitedMs < GONE_WITHIN_MS && !isGone(group, folder); waitedMs += GONE_EVERY_MS) {
    await new Promise((resolve) => setTimeout(resolve, GONE_EVERY_MS));
  }
};

const start = ({ environment, folder }: HostOptions): ChildProcessWithoutNullStreams => {
  const [program = "", ...args] = limited({
    program: process.execPath,
    args: [`--max-old-space-size=${HEAP_MB}`, ENTRY],
    dataMaxBytes: PROCESS_MEMORY_BYTES,
    fileMaxBytes: FILE_BYTES_MAX
  });
  return spawn(program, args, { cwd: folder, env: { ...environment }, detached: true });
};

export const startHost = (options: HostOptions): HostProcess => {
  const { command, environment, flags } = options;
  const child = start(options);
  const waiting = new Map<number, (answer: RenderAnswer | null) => void>();
  const ready = Promise.withResolvers<string | null>();
  let alive = true;
  let browserPid = 0;
  let tasks = 0;
  let complaint = "";

  const gone = (): void => {
    alive = false;
    ready.resolve(null);
    for (const answer of waiting.values()) answer(null);
    waiting.clear();
  };
  const settle = (id: number, answer: RenderAnswer | null): void => {
    waiting.get(id)?.(answer);
    waiting.delete(id);
  };
  const hear = (message: HostAnswer | null): void => {
    if (message === null) return;
    if ("ready" in message) {
      browserPid = message.browserPid;
      ready.resolve(message.ready);
    } else if ("notReady" in message) {
      complaint = message.notReady.slice(0, STDERR_MAX_CHARS);
      ready.resolve(null);
    } else if ("cancelled" in message) settle(message.cancelled, null);
    else settle(message.id, message);
  };
  createInterface({ input: child.stdout }).on("line", (line) => hear(parse(line)));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    complaint = (complaint + chunk).slice(-STDERR_MAX_CHARS);
  });
  child.stdin.on("error", () => {}); // a broken pipe also ends the process, which is told by its exit
  child.once("error", gone);
  child.once("close", gone);
  const tell = (message: HostSetup | HostRequest): void =>
    void child.stdin.write(`${JSON.stringify(message)}\n`);
  tell({ command, environment, flags });

  const end = async (): Promise<void> => {
    // With the end of its input it closes the browser and leaves.
    child.stdin.end();
    const killer = setTimeout(() => void endGroup(child), CLOSE_TIMEOUT_MS);
    if (alive) await new Promise((resolve) => child.once("close", resolve));
    clearTimeout(killer);
    if (browserPid > 0) await browserGone(options.confined ? null : browserPid, options.folder);
  };
  const starting = setTimeout(() => void endGroup(child), START_TIMEOUT_MS);
  void ready.promise.then(() => clearTimeout(starting));

  return {
    ready: ready.promise,
    complaint: () => complaint,
    alive: () => alive,
    render: (task) => {
      const id = ++tasks;
      const { promise: answer, resolve } = Promise.withResolvers<RenderAnswer | null>();
      if (!alive) resolve(null);
      else {
        waiting.set(id, resolve);
        tell({ ...task, id });
      }
      return { answer, cancel: () => (alive ? tell({ cancel: id }) : undefined) };
    },
    end
  };
};
