/**
 * yt-dlp through the fork server: about sixteen times faster than the command for an inspection.
 *
 * One server per layer, started lazily or by `warm`, restarted when it dies. Its children end with their effect,
 * with the server, and with this process, even if that is killed.
 */
import { isJsonObject } from "@winnow/core/domain/text/Json";
import { readJson } from "../../programs/process/ProgramOutput.ts";
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { endGroup, lineSplitter, ProcessFailed } from "../../programs/process/BoundedProcess.ts";
import { PROXY_SOCKET_PATH } from "../../programs/sandbox/bubblewrap.ts";
import type { Confinement } from "../../programs/sandbox/Sandbox.ts";
import { join } from "node:path";
import * as Effect from "effect/Effect";
import * as Metric from "effect/Metric";
import * as Schema from "effect/Schema";
import type * as Scope from "effect/Scope";
import { PROCESS_LIMITS } from "../../programs/process/ProcessLimits.ts";
import { readOutput } from "../../programs/process/RunFiles.ts";
import { programEnvironment } from "../../programs/process/ProgramEnvironment.ts";
import { answerMaxBytes, readProgress, type YtDlpAnswer, type YtDlpJob } from "./YtDlpCli.ts";

// The fork server's process: starts it, sends requests, and notifies each requester when its child or the whole
// server has ended. Independent of the requests' meaning.

const fileOf = (name: string): string => fileURLToPath(new URL(`./${name}`, import.meta.url));

const SERVER_FILE = fileOf("ytdlp_server.py");

/** Import path of the server. */
const MODULE_FILES = [
  "child_namespaces.py",
  "child_processes.py",
  "child_reports.py",
  "extractor_index.py",
  "part_lookups.py",
  "pattern_literals.py",
  "private_members.py",
  "proxy_socket.py"
].map(fileOf);

/** A cancelled child is killed within 2 s (SIGKILL); later than this, the server itself hangs. */
const CANCEL_TIMEOUT_MS = 5_000;

const STDERR_MAX_CHARS = 8_192;

/** First argument of a server that gives every child its own namespaces. */
const CONFINE_CHILDREN = "--confine-children";

export interface ServerCommand {
  readonly interpreter: string;
  /** yt-dlp options, including the operator's. */
  readonly argv: ReadonlyArray<string>;
  /** Parent of all runs' folders; each child only sees its own. */
  readonly folder: string;
  readonly confinement: Confinement | null;
  readonly environment: Readonly<Record<string, string>>;
}

/** Exit code of a child (negative for a signal), or the death of the server. */
export type ChildEnd = number | "server_gone";

export interface PendingRequest {
  /** Resolves once the child and its group have exited; never rejects. */
  readonly done: Promise<ChildEnd>;
  readonly cancel: () => void;
}

interface Waiting {
  readonly end: (end: ChildEnd) => void;
  readonly onProgress: (progress: unknown) => void;
}

export interface ServerProcess {
  readonly submit: (
    request: Readonly<Record<string, unknown>>,
    onProgress: (progress: unknown) => void
  ) => PendingRequest;
  /** False once it has died and must be restarted. */
  readonly alive: () => boolean;
  /** Resolves to the yt-dlp version, or to null if it died before it was ready. */
  readonly ready: Promise<string | null>;
  /** The end of its standard error. */
  readonly startError: () => string;
  /** Kills it and its children. */
  readonly stop: () => Promise<void>;
}

interface ServerLine {
  readonly ready?: true;
  readonly version?: string;
  readonly id?: number;
  readonly exit?: number;
  readonly progress?: unknown;
}

/** Plugins may print anything; unknown messages are ignored. */
const parseLine = (line: string): ServerLine => {
  const message = readJson(line);
  return isJsonObject(message) ? message : {};
};

const commandLine = ({ argv, confinement, folder, interpreter }: ServerCommand): ReadonlyArray<string> => {
  const server = [interpreter, SERVER_FILE];
  if (confinement === null) return [...server, ...argv];
  const readable = [...confinement.readable, SERVER_FILE, ...MODULE_FILES];
  return confinement.sandbox.confine({ ...confinement, folder, readable, nestsNamespaces: true }, [
    ...server,
    ...(confinement.proxySocket === null
      ? []
      : [CONFINE_CHILDREN, folder, String(confinement.proxySocket.port), PROXY_SOCKET_PATH]),
    ...argv
  ]);
};

export const startServer = (command: ServerCommand): ServerProcess => {
  const [program = "", ...args] = commandLine(command);
  const child: ChildProcessWithoutNullStreams = spawn(program, args, {
    cwd: command.folder,
    env: { ...command.environment },
    detached: true
  });
  const waiting = new Map<number, Waiting>();
  let requests = 0;
  let alive = true;
  let stderr = "";
  const ready = Promise.withResolvers<string | null>();

  const onExit = (): void => {
    alive = false;
    ready.resolve(null);
    for (const { end } of waiting.values()) end("server_gone");
    waiting.clear();
  };
  const lines = lineSplitter((line) => {
    const message = parseLine(line);
    if (message.ready === true) return ready.resolve(message.version ?? "");
    const requester = message.id === undefined ? undefined : waiting.get(message.id);
    if (requester === undefined || message.id === undefined) return;
    if (message.exit === undefined) return requester.onProgress(message.progress);
    waiting.delete(message.id);
    requester.end(message.exit);
  });
  child.stdout.setEncoding("utf8").on("data", lines.push);
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    stderr = (stderr + chunk).slice(-STDERR_MAX_CHARS);
  });
  child.stdin.on("error", () => {}); // a broken pipe also ends the process; its exit is handled
  child.once("error", onExit);
  child.once("close", onExit);

  const submit: ServerProcess["submit"] = (request, onProgress) => {
    const id = ++requests;
    const { promise: done, resolve: end } = Promise.withResolvers<ChildEnd>();
    if (!alive) end("server_gone");
    else {
      waiting.set(id, { end, onProgress });
      child.stdin.write(`${JSON.stringify({ ...request, id })}\n`);
    }
    const cancel = (): void => {
      if (!waiting.has(id)) return;
      child.stdin.write(`${JSON.stringify({ cancel: id })}\n`);
      const timer = setTimeout(() => void endGroup(child), CANCEL_TIMEOUT_MS);
      void done.then(() => clearTimeout(timer));
    };
    return { done, cancel };
  };
  return {
    submit,
    alive: () => alive,
    ready: ready.promise,
    startError: () => stderr,
    stop: () => endGroup(child)
  };
};

/** The server cannot be started, or died during this job. */
class ServerExited extends Schema.TaggedError<ServerExited>()("ServerGone", {
  message: Schema.String
}) {}

export interface YtDlpServer {
  readonly run: (job: YtDlpJob) => Effect.Effect<YtDlpAnswer, ProcessFailed | ServerExited>;
  /** Starts the server unless it runs, and waits until it is ready. */
  readonly warm: Effect.Effect<void, ServerExited>;
}

/** The child's result, in its folder. */
const ANSWER_FILE = "answer.json";

/** Failed starts before it is given up. */
const FAILED_STARTS_MAX = 2;

const failureOf = (type: string, message: string): YtDlpAnswer => ({
  ok: false,
  type,
  status: null,
  expected: null,
  extractor: null,
  message
});

const readAnswer = (folder: string, exitCode: number, maxBytes: number): Effect.Effect<YtDlpAnswer> =>
  Effect.map(readOutput(folder, ANSWER_FILE, maxBytes), (bytes) => {
    if (bytes === "missing")
      return failureOf(exitCode < 0 ? "Killed" : "Died", `the child exited with ${exitCode}`);
    if (bytes === "too_large") return failureOf("MemoryError", "the answer is too large");
    const answer = bytes === "unusable" ? undefined : readJson(bytes.toString("utf8"));
    return answer === undefined ? failureOf("Died", "the answer cannot be read") : (answer as YtDlpAnswer);
  });

const serverStarts = Metric.counter("winnow_ytdlp_server_starts_total", {
  description: "Starts of yt-dlp's fork server; more than one means that it died",
  incremental: true
});

const requestOf = (job: YtDlpJob, path: string, isConfined: boolean) => ({
  operation: job.operation,
  argv: job.argv,
  url: job.url,
  folder: job.folder,
  answer: join(job.folder, ANSWER_FILE),
  environment: programEnvironment({ path, folder: job.folder, proxyUrl: job.proxyUrl }),
  memoryMaxBytes: job.memoryMaxBytes,
  fileMaxBytes: job.fileMaxBytes,
  cpuMaxSeconds: Math.ceil(job.timeoutMs / 1_000) + 1,
  openFilesMax: PROCESS_LIMITS.openFilesMax,
  processesMax: isConfined ? PROCESS_LIMITS.confinedProcessesMax : PROCESS_LIMITS.processesMax,
  comments: job.comments
});

const awaitAnswer = (
  ticket: PendingRequest,
  job: YtDlpJob
): Effect.Effect<YtDlpAnswer, ProcessFailed | ServerExited> =>
  Effect.callback<YtDlpAnswer, ProcessFailed | ServerExited>((resume) => {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      ticket.cancel();
    }, job.timeoutMs);
    const report = async (): Promise<void> => {
      const end = await ticket.done;
      clearTimeout(timer);
      if (late) {
        resume(
          Effect.fail(new ProcessFailed({ reason: "timeout", message: "yt-dlp exceeded its time limit." }))
        );
      } else if (end === "server_gone") {
        resume(Effect.fail(new ServerExited({ message: "The fork server crashed." })));
      } else {
        resume(readAnswer(job.folder, end, answerMaxBytes(job)));
      }
    };
    void report();
    return Effect.promise(async () => {
      clearTimeout(timer);
      ticket.cancel();
      await ticket.done;
    });
  });

export const makeYtDlpServer = Effect.fnUntraced(function* (
  command: ServerCommand,
  path: string
): Effect.fn.Return<YtDlpServer, never, Scope.Scope> {
  let current: ServerProcess | null = null;
  let failedStarts = 0;

  const server = Effect.suspend((): Effect.Effect<ServerProcess, ServerExited> => {
    if (current?.alive() === true) return Effect.succeed(current);
    if (failedStarts >= FAILED_STARTS_MAX) {
      return Effect.fail(new ServerExited({ message: "The fork server does not start." }));
    }
    const started = startServer(command);
    current = started;
    const count = async (): Promise<void> => {
      failedStarts = (await started.ready) === null ? failedStarts + 1 : 0;
    };
    void count();
    return Effect.as(Metric.update(serverStarts, 1), started);
  });

  yield* Effect.addFinalizer(() => Effect.promise(async () => current?.stop()));

  return {
    run: Effect.fnUntraced(function* (job) {
      const process = yield* server;
      const request = requestOf(job, path, command.confinement !== null);
      const pending = process.submit(request, (raw) => job.onProgress(readProgress(raw)));
      return yield* awaitAnswer(pending, job);
    }),
    warm: Effect.gen(function* () {
      const process = yield* server;
      const version = yield* Effect.promise(() => process.ready);
      if (version === null) return yield* new ServerExited({ message: process.startError() });
    })
  };
});
