/**
 * A process that reads untrusted bytes, one task at a time: a warm Node without network, without files to write, and
 * with limits on its memory. Whatever its task does can end only this process. Tests: WorkerPool.test.ts.
 */
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import * as Data from "effect/Data";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { limited } from "../process/BoundedProcess.ts";
import { moduleFiles, programFiles } from "../sandbox/programFiles.ts";
import type { Sandbox } from "../sandbox/Sandbox.ts";
import { type Frame, textOf, TOO_LARGE_EXIT_CODE } from "../process/Frames.ts";
import { frames, type ServerEnded, type ServerProcess, startServer } from "../process/ServerProcess.ts";
import { innermost, lowerPriority, processorClock, residentMb } from "../process/ProcessUse.ts";

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

/**
 * Reads answers, which are JSON, of workers that strangers' content may have taken over: one of another shape counts as
 * a crash.
 */
export const answerReader = <A, I>(
  shape: Schema.Codec<A, I>
): ((frame: Frame) => Effect.Effect<A, WorkerEnded>) => {
  const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(shape));
  return (frame) => Effect.mapError(decode(textOf(frame)), () => new WorkerEnded({ reason: "crashed" }));
};

export interface WorkerProgram {
  /** Module that calls `serveTasks`, without its extension, relative to `from`. */
  readonly entry: string;
  /** `import.meta.url` of the module that starts it. */
  readonly from: string;
  /** Optional packages that it may read, besides those that its own depends on. Default: none. */
  readonly packages?: ReadonlyArray<string>;
  /** Further files and folders that it may read, absolute. Default: none. */
  readonly readable?: ReadonlyArray<string>;
  /** JavaScript heap. */
  readonly heapMb: number;
  /** Memory outside that heap: buffers, pictures, what is decompressed. */
  readonly buffersMb: number;
  readonly answerBytesMax: number;
}

export interface WorkerProcess extends Pick<ServerProcess, "alive" | "setHeld" | "end"> {
  /** Interruption ends the worker. */
  readonly ask: (task: Frame) => Effect.Effect<Frame, WorkerEnded>;
  /** Waits until it can be asked; processor time does not count before. */
  readonly ready: Effect.Effect<void, WorkerEnded>;
  /** Processor time since the last call; to be called only once it is ready. */
  readonly usedMs: () => number;
  readonly residentMb: () => number;
  /** Lets everything else go first; to be called once. */
  readonly lowerPriority: () => void;
}

/** Looked up once per entry: files of Node, its package and the packages it imports. */
const readableFiles = new Map<string, ReadonlyArray<string>>();

const filesOf = (entry: string, packages: ReadonlyArray<string>): ReadonlyArray<string> => {
  const known = readableFiles.get(entry) ?? [
    ...programFiles(process.execPath),
    ...moduleFiles(entry, packages)
  ];
  readableFiles.set(entry, known);
  return known;
};

const commandOf = (
  { buffersMb, entry: name, from, heapMb, packages = [], readable = [] }: WorkerProgram,
  sandbox: Sandbox | null
): ReadonlyArray<string> => {
  // The extension of the importing module: TypeScript in the workspace, JavaScript when built.
  const entry = fileURLToPath(new URL(`${name}${from.endsWith(".ts") ? ".ts" : ".js"}`, from));
  return limited({
    confinement:
      sandbox === null
        ? null
        : {
            sandbox,
            folder: dirname(entry),
            readOnly: true,
            readable: [...filesOf(entry, packages), ...readable],
            proxySocket: null
          },
    program: process.execPath,
    args: [`--max-old-space-size=${heapMb}`, entry],
    dataMaxBytes: (NODE_MB + heapMb + buffersMb) * BYTES_PER_MB,
    fileMaxBytes: 0
  });
};

const endedOf = ({ exitCode, reason }: ServerEnded): WorkerEnded => {
  const isSignalled = exitCode === null || exitCode === TOO_LARGE_EXIT_CODE || exitCode > SIGNALLED_EXIT_CODE;
  const isTooLarge = reason === "answer_too_large" || (reason === "exited" && isSignalled);
  return new WorkerEnded({ reason: isTooLarge ? "too_large" : "crashed" });
};

/** It holds this process until it is kept for reuse. */
export const startWorker = (program: WorkerProgram, sandbox: Sandbox | null): WorkerProcess => {
  const server = startServer({
    command: commandOf(program, sandbox),
    // By default, glibc gives each thread an arena and keeps its memory.
    environment: { PATH: process.env["PATH"] ?? "", MALLOC_ARENA_MAX: "1" },
    channel: frames(program.answerBytesMax),
    startTimeoutMs: START_TIMEOUT_MS,
    cancelTimeoutMs: 0
  });
  let pid: number | null = null;
  const nodePid = (): number => (pid ??= server.pid === undefined ? 0 : innermost(server.pid));

  return {
    alive: server.alive,
    setHeld: server.setHeld,
    end: server.end,
    ready: Effect.mapError(Effect.asVoid(server.ready), endedOf),
    ask: (task) => Effect.mapError(server.ask(task), endedOf),
    usedMs: processorClock(nodePid),
    residentMb: () => residentMb(nodePid()),
    lowerPriority: () => lowerPriority(nodePid(), SLOW_NICE)
  };
};
