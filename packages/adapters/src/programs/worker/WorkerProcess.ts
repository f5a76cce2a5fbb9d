/**
 * A process that reads untrusted bytes, one task at a time: a warm Node without network, without files to write, and
 * with limits on its memory. Whatever its task does can end only this process.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import * as Data from "effect/Data";
import * as Effect from "effect/Effect";
import { endGroup, limited } from "../process/BoundedProcess.ts";
import { moduleFiles, programFiles } from "../sandbox/programFiles.ts";
import type { Sandbox } from "../sandbox/Sandbox.ts";
import { type Frame, readFrames, TOO_LARGE_EXIT_CODE, writeFrame } from "../process/Frames.ts";
import { lowerPriority, processorClock, residentMb } from "./ProcessUse.ts";

/** A process starts in a fifth of a second; a busy machine may delay it for seconds. */
const START_TIMEOUT_MS = 30_000;

/** Priority of a process that has already computed for long: a third of the processor time of others. */
const SLOW_NICE = 5;

/** A shell's exit codes above this are signals, by which V8 and the C library end without memory. */
const SIGNALLED_EXIT_CODE = 128;

/**
 * What Linux counts as private memory (RLIMIT_DATA) of an idle Node: 512 MB that V8 reserves for machine code, the young
 * generation, the stacks of its threads, and the modules of a worker.
 */
const NODE_MB = 704;

const BYTES_PER_MB = 2 ** 20;

/**
 * The worker ended before it answered. `too_large`: the task needed more memory than a worker has, or its answer is
 * too long; `crashed`: anything else.
 */
export class WorkerEnded extends Data.TaggedError("WorkerEnded")<{
  readonly reason: "too_large" | "timeout" | "crashed";
}> {}

export interface WorkerProgram {
  /** Module that calls `serveTasks`, without its extension, relative to `from`. */
  readonly entry: string;
  /** `import.meta.url` of the module that starts it. */
  readonly from: string;
  /** Some packages that it imports, whose folders it may read. */
  readonly packages: ReadonlyArray<string>;
  /** JavaScript heap. */
  readonly heapMb: number;
  /** Memory outside that heap: buffers, pictures, what is decompressed. */
  readonly buffersMb: number;
  readonly answerBytesMax: number;
}

export interface WorkerProcess {
  readonly alive: () => boolean;
  /** After an interruption, the worker is still busy and must be ended. */
  readonly ask: (task: Frame) => Effect.Effect<Frame, WorkerEnded>;
  /** Waits until it can be asked; processor time does not count before. */
  readonly ready: Effect.Effect<void, WorkerEnded>;
  /** Used so far; to be called only once it is ready. */
  readonly processorMs: () => number;
  readonly residentMb: () => number;
  /** Lets everything else go first; to be called once. */
  readonly lowerPriority: () => void;
  /** Whether it keeps this process alive. */
  readonly setHeld: (isHeld: boolean) => void;
  readonly end: Effect.Effect<void>;
}

/** Looked up once per entry: files of Node, this package and the packages it imports. */
const readableFiles = new Map<string, ReadonlyArray<string>>();

const filesOf = (entry: string, packages: ReadonlyArray<string>): ReadonlyArray<string> => {
  const known = readableFiles.get(entry) ?? [
    ...programFiles(process.execPath),
    ...moduleFiles(entry, packages)
  ];
  readableFiles.set(entry, known);
  return known;
};

const spawnWorker = (
  { buffersMb, entry: name, from, heapMb, packages }: WorkerProgram,
  sandbox: Sandbox | null
): ChildProcess => {
  // The extension of the importing module: TypeScript in the workspace, JavaScript when built.
  const entry = fileURLToPath(new URL(`${name}${from.endsWith(".ts") ? ".ts" : ".js"}`, from));
  const [program = "", ...rest] = limited({
    confinement:
      sandbox === null
        ? null
        : {
            sandbox,
            folder: dirname(entry),
            readOnly: true,
            readable: filesOf(entry, packages),
            proxySocket: null
          },
    program: process.execPath,
    args: [`--max-old-space-size=${heapMb}`, entry],
    dataMaxBytes: (NODE_MB + heapMb + buffersMb) * BYTES_PER_MB,
    fileMaxBytes: 0
  });
  return spawn(program, rest, {
    // By default, glibc gives each thread an arena and keeps its memory.
    env: { PATH: process.env["PATH"] ?? "", MALLOC_ARENA_MAX: "1" },
    stdio: ["pipe", "pipe", "ignore"],
    detached: true
  });
};

const isAlive = ({ pid, exitCode, signalCode }: ChildProcess): boolean =>
  pid !== undefined && exitCode === null && signalCode === null;

const reasonOf = (exitCode: number | null, signal: NodeJS.Signals | null): WorkerEnded["reason"] =>
  signal !== null || exitCode === TOO_LARGE_EXIT_CODE || (exitCode ?? 0) > SIGNALLED_EXIT_CODE
    ? "too_large"
    : "crashed";

/** The process behind the sandbox's own, each of which waits for its only child. */
const innermost = (pid: number): number => {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1");
    const child = Number(/^\d+/u.exec(children)?.[0]);
    return child > 0 ? innermost(child) : pid;
  } catch {
    return pid;
  }
};

type Answer = Effect.Effect<Frame, WorkerEnded>;

/** It holds this process until it is kept for reuse. */
export const startWorker = (program: WorkerProgram, sandbox: Sandbox | null): WorkerProcess => {
  const child = spawnWorker(program, sandbox);
  /** Receives the next answer; without a task, answers are ignored. */
  let onAnswer: (answer: Answer) => void = () => {};
  let ended: WorkerEnded | null = null;
  let isReady = false;
  const starting = Promise.withResolvers<void>();
  const end = (): Promise<void> => {
    clearTimeout(timer);
    return endGroup(child);
  };
  const fail = (reason: WorkerEnded["reason"]): void => {
    ended ??= new WorkerEnded({ reason });
    starting.resolve();
    onAnswer(Effect.fail(ended));
  };
  const timer = setTimeout(() => {
    fail("crashed");
    void end();
  }, START_TIMEOUT_MS);

  const started = (): void => {
    isReady = true;
    clearTimeout(timer);
    starting.resolve();
  };
  child.on("error", () => fail("crashed"));
  // A task and an answer may still be in the pipes, whose errors say less than the exit code.
  child.on("close", (exitCode, signal) => fail(isReady ? reasonOf(exitCode, signal) : "crashed"));
  child.stdin?.on("error", () => {});
  child.stdout?.on("error", () => {
    fail("too_large");
    void end();
  });
  if (child.stdout != null)
    readFrames(child.stdout, program.answerBytesMax, (frame) =>
      isReady ? onAnswer(Effect.succeed(frame)) : started()
    );

  let pid: number | null = null;
  const nodePid = (): number => (pid ??= child.pid === undefined ? 0 : innermost(child.pid));
  let clock: (() => number) | null = null;

  return {
    alive: () => ended === null && isAlive(child),
    ready: Effect.flatMap(
      Effect.promise(() => starting.promise),
      () => (ended === null ? Effect.void : Effect.fail(ended))
    ),
    ask: (task) =>
      Effect.callback((resume) => {
        onAnswer = (answer) => {
          onAnswer = () => {};
          resume(answer);
        };
        if (ended !== null) onAnswer(Effect.fail(ended));
        else if (child.stdin !== null) writeFrame(child.stdin, task);
      }),
    processorMs: () => (clock ??= processorClock(nodePid()))(),
    residentMb: () => residentMb(nodePid()),
    lowerPriority: () => lowerPriority(nodePid(), SLOW_NICE),
    setHeld: (isHeld) => {
      const verb = isHeld ? "ref" : "unref";
      child[verb]();
      // Node implements pipes as sockets.
      (child.stdin as Socket | null)?.[verb]();
      (child.stdout as Socket | null)?.[verb]();
    },
    end: Effect.promise(end)
  };
};
