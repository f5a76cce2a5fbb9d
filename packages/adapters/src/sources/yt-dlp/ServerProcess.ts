/**
 * The fork server's process: starts it, sends requests, and notifies each requester when its child or the whole
 * server has ended. Independent of the requests' meaning.
 */
import { isJsonObject } from "@winnow/core/domain/text/Json";
import { readJson } from "../../programs/process/ProgramOutput.ts";
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { endGroup, lineSplitter } from "../../programs/process/BoundedProcess.ts";
import { PROXY_SOCKET_PATH } from "../../programs/sandbox/bubblewrap.ts";
import type { Confinement } from "../../programs/sandbox/Sandbox.ts";

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
