/**
 * The process that drives the browser, from the server's side: started, queried, and ended together with the
 * browser. On Linux both are killed when this process dies; elsewhere they exit when their pipes break.
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
// oxlint-disable-next-line no-restricted-imports -- reads /proc only
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { endGroup, limited, signalGroup } from "../../programs/process/BoundedProcess.ts";
import { CLOSE_TIMEOUT_MS, FILE_BYTES_MAX, PROCESS_MEMORY_BYTES, START_TIMEOUT_MS } from "./RenderLimits.ts";
import type { HostAnswer, HostRequest, HostSetup, RenderAnswer, RenderTask } from "./RenderMessages.ts";

/** The extension of this module: TypeScript in the workspace, JavaScript when built. */
const ENTRY = fileURLToPath(new URL(import.meta.url.replace(/HostProcess(\.[jt]s)$/u, "RenderHost$1")));

/** JavaScript heap of the process, in MB; it holds several copies of a document. */
const HEAP_MB = 256;

const STDERR_MAX_CHARS = 4_096;

/** Poll interval and time limit for the exit of the browser's process group after it was killed. */
const EXIT_POLL_MS = 10;
const EXIT_TIMEOUT_MS = 10_000;

/** The response to a task; null if it was cancelled or the process ended first. */
export interface PendingRender {
  readonly answer: Promise<RenderAnswer | null>;
  readonly cancel: () => void;
}

export interface HostProcess {
  /** Version of the browser; null if it does not start. */
  readonly ready: Promise<string | null>;
  /** The reason, for the log. */
  readonly startError: () => string;
  readonly alive: () => boolean;
  readonly render: (task: Omit<RenderTask, "id">) => PendingRender;
  /** Resolves once both processes have exited. */
  readonly end: () => Promise<void>;
}

export interface HostOptions extends HostSetup {
  /** Home, temporary files and profile of the browser; removed by the caller. */
  readonly folder: string;
  /** The same of the process that drives it. */
  readonly hostFolder: string;
  /** In a sandbox, the browser's process id belongs to another namespace and means nothing outside. */
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
 * Live processes with `folder` in their environment or command line, including those that left the group, as crash
 * handlers do. Some browser processes overwrite their environment with their title.
 */
const processesOf = (folder: string): ReadonlyArray<number> =>
  readdirSync("/proc")
    .filter((pid) => /^\d+$/u.test(pid) && (names(pid, "environ", folder) || names(pid, "cmdline", folder)))
    .map(Number);

const kill = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It had already ended.
  }
};

/** Zombies have neither and count as exited, because init may be slow to reap them. */
const haveExited = (group: number | null, folder: string): boolean => {
  const left = group !== null && signalGroup(group, "SIGKILL");
  if (process.platform !== "linux") return !left;
  const pids = processesOf(folder);
  pids.forEach(kill);
  return pids.length === 0;
};

const awaitBrowserExit = async (group: number | null, folder: string): Promise<void> => {
  for (let waitedMs = 0; waitedMs < EXIT_TIMEOUT_MS && !haveExited(group, folder); waitedMs += EXIT_POLL_MS) {
    await new Promise((resolve) => setTimeout(resolve, EXIT_POLL_MS));
  }
};

const start = ({ environment, hostFolder }: HostOptions): ChildProcessWithoutNullStreams => {
  const [program = "", ...args] = limited({
    program: process.execPath,
    args: [`--max-old-space-size=${HEAP_MB}`, ENTRY],
    dataMaxBytes: PROCESS_MEMORY_BYTES,
    fileMaxBytes: FILE_BYTES_MAX
  });
  return spawn(program, args, {
    cwd: hostFolder,
    env: { ...environment, HOME: hostFolder, TMPDIR: hostFolder },
    detached: true
  });
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

  const onExit = (): void => {
    alive = false;
    ready.resolve(null);
    for (const answer of waiting.values()) answer(null);
    waiting.clear();
  };
  const settle = (id: number, answer: RenderAnswer | null): void => {
    waiting.get(id)?.(answer);
    waiting.delete(id);
  };
  const onMessage = (message: HostAnswer | null): void => {
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
  createInterface({ input: child.stdout }).on("line", (line) => onMessage(parse(line)));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    complaint = (complaint + chunk).slice(-STDERR_MAX_CHARS);
  });
  child.stdin.on("error", () => {}); // a broken pipe also ends the process; its exit is handled
  child.once("error", onExit);
  child.once("close", onExit);
  const send = (message: HostSetup | HostRequest): void =>
    void child.stdin.write(`${JSON.stringify(message)}\n`);
  send({ command, environment, flags });

  const end = async (): Promise<void> => {
    // At the end of its input, the process closes the browser and exits.
    child.stdin.end();
    const killer = setTimeout(() => void endGroup(child), CLOSE_TIMEOUT_MS);
    if (alive) await new Promise((resolve) => child.once("close", resolve));
    clearTimeout(killer);
    if (browserPid > 0) await awaitBrowserExit(options.confined ? null : browserPid, options.folder);
  };
  const starting = setTimeout(() => void endGroup(child), START_TIMEOUT_MS);
  void ready.promise.then(() => clearTimeout(starting));

  return {
    ready: ready.promise,
    startError: () => complaint,
    alive: () => alive,
    render: (task) => {
      const id = ++tasks;
      const { promise: answer, resolve } = Promise.withResolvers<RenderAnswer | null>();
      if (!alive) resolve(null);
      else {
        waiting.set(id, resolve);
        send({ ...task, id });
      }
      return { answer, cancel: () => (alive ? send({ cancel: id }) : undefined) };
    },
    end
  };
};
