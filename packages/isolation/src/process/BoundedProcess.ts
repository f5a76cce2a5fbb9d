/**
 * Runs one program to completion within limits: time, output, memory, file size, open files, processes.
 *
 * A program runs in its own process group, and the whole group is gone before the effect ends, however it ends; on
 * Linux it also dies with this process. No shell is involved. Tests: limited.test.ts, adapters' programs.test.ts.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import type { Confinement } from "../sandbox/Sandbox.ts";
import { PROCESS_LIMITS } from "./ProcessLimits.ts";
import { innermost, processorClock, ProcessorMeter } from "./ProcessUse.ts";

/** Delay between SIGTERM and SIGKILL of a group. */
const KILL_AFTER_MS = 2_000;

/** How long output is still accepted from a process that left the group and holds the pipes. */
export const OUTPUT_AFTER_EXIT_MS = 1_000;

/** Poll interval of the processor time of a program, if it is counted. */
const COUNT_INTERVAL_MS = 200;

/** Only the end of standard error is kept, which contains the reason. */
const STDERR_MAX_CHARS = 16_384;

/** Maximum line of standard output; no program we run writes longer ones. */
const LINE_MAX_CHARS = 65_536;

export class ProcessFailed extends Schema.TaggedError<ProcessFailed>()("ProcessFailed", {
  reason: Schema.Literals(["not_started", "timeout", "output_too_large"]),
  message: Schema.String
}) {}

export interface BoundedCommand {
  /** Absolute path of the program. */
  readonly program: string;
  readonly args: ReadonlyArray<string>;
  readonly folder: string;
  /** The whole environment; nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly stdoutMaxBytes: number;
  readonly memoryMaxBytes?: number;
  /** Private memory only: for programs that reserve far more address space than they use. */
  readonly dataMaxBytes?: number;
  readonly fileMaxBytes?: number;
  /** Absent or null: it runs without a sandbox, but with its limits. */
  readonly confinement?: Confinement | null;
  /** Receives standard output line by line; it is not collected then. */
  readonly onLine?: (line: string) => void;
}

export interface ProcessOutcome {
  /** Null if a signal ended it. */
  readonly exitCode: number | null;
  readonly stdout: string;
  /** The end of standard error. */
  readonly stderr: string;
}

/** Splits a constant of options at spaces, without quoting. */
export const options = (text: string): ReadonlyArray<string> => text.split(" ");

const firstExisting = (paths: ReadonlyArray<string>): string | null => paths.find(existsSync) ?? null;

const SETPRIV = firstExisting(["/usr/bin/setpriv", "/bin/setpriv"]);
const PRLIMIT = firstExisting(["/usr/bin/prlimit", "/bin/prlimit"]);

/** Wraps a command so that it is killed when the thread that started it ends. */
export const endingWithParent = (command: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...(SETPRIV === null ? [] : [SETPRIV, "--pdeathsig", "KILL"]),
  ...command
];

type LimitedCommand = Pick<
  BoundedCommand,
  "program" | "args" | "memoryMaxBytes" | "dataMaxBytes" | "fileMaxBytes"
> & {
  /** The sandbox, and the folder to which it confines the program. */
  readonly confinement?: (Confinement & { readonly folder: string }) | null;
};

/** Wraps a command in the programs that set its limits, if the system has them. */
const withLimits = (
  command: Omit<LimitedCommand, "confinement">,
  isConfined: boolean
): ReadonlyArray<string> => [
  ...(PRLIMIT === null
    ? []
    : [
        PRLIMIT,
        "--core=0",
        `--nofile=${PROCESS_LIMITS.openFilesMax}`,
        `--nproc=${isConfined ? PROCESS_LIMITS.confinedProcessesMax : PROCESS_LIMITS.processesMax}`,
        ...(command.memoryMaxBytes === undefined ? [] : [`--as=${command.memoryMaxBytes}`]),
        ...(command.dataMaxBytes === undefined ? [] : [`--data=${command.dataMaxBytes}`]),
        ...(command.fileMaxBytes === undefined ? [] : [`--fsize=${command.fileMaxBytes}`]),
        "--"
      ]),
  command.program,
  ...command.args
];

/** The command with its limits and its sandbox, if any; killed when the thread that started it ends. */
export const limited = ({ confinement = null, ...command }: LimitedCommand): ReadonlyArray<string> => {
  const bounded = withLimits(command, confinement !== null);
  return confinement === null ? endingWithParent(bounded) : confinement.sandbox.confine(confinement, bounded);
};

/** Signals a whole process group; false if it is gone. */
export const signalGroup = (pid: number, signal: NodeJS.Signals): boolean => {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
};

/**
 * The first process in a sandbox's namespaces, whose exit ends all of them; bubblewrap outside waits for it. Null
 * without a sandbox, or before they are created.
 */
const firstConfined = ({ pid, spawnfile }: ChildProcess): number | null => {
  if (pid === undefined || !spawnfile.endsWith("/bwrap")) return null;
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1");
    return Number(/^\d+/u.exec(children)?.[0] ?? 0) || null;
  } catch {
    return null;
  }
};

const endNamespaces = (first: number): boolean => {
  try {
    return process.kill(first, "SIGKILL");
  } catch {
    return false;
  }
};

/** SIGTERM, then SIGKILL, or SIGKILL at once in a sandbox; resolves once the leader and its group are gone. */
export const endGroup = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    const pid = child.pid;
    if (pid === undefined || child.exitCode !== null || child.signalCode !== null) {
      if (pid !== undefined) signalGroup(pid, "SIGKILL");
      return resolve();
    }
    const timer = setTimeout(() => signalGroup(pid, "SIGKILL"), KILL_AFTER_MS);
    child.once("exit", () => {
      clearTimeout(timer);
      signalGroup(pid, "SIGKILL");
      resolve();
    });
    const first = firstConfined(child);
    if (first === null || !endNamespaces(first)) signalGroup(pid, "SIGTERM");
  });

/** Splits chunks into lines; `end` returns the rest. */
export const lineSplitter = (
  onLine: (line: string) => void
): { readonly push: (chunk: string) => void; readonly end: () => void } => {
  let rest = "";
  return {
    push: (chunk) => {
      const lines = (rest + chunk).split("\n");
      rest = (lines.pop() ?? "").slice(0, LINE_MAX_CHARS);
      for (const line of lines) onLine(line);
    },
    end: () => {
      if (rest !== "") onLine(rest);
      rest = "";
    }
  };
};

/** Counts what a program of one thread uses, until it is stopped. */
const counting = ({ pid = 0 }: ChildProcess, count: (usedMs: number) => void): NodeJS.Timeout => {
  const clock = processorClock(() => innermost(pid));
  clock(); // From now on.
  return setInterval(() => count(clock()), COUNT_INTERVAL_MS);
};

const run = (command: BoundedCommand, count: typeof ProcessorMeter.Service) =>
  Effect.callback<ProcessOutcome, ProcessFailed>((resume) => {
    const [program = command.program, ...args] = limited({
      ...command,
      confinement: command.confinement == null ? null : { ...command.confinement, folder: command.folder }
    });
    const child = spawn(program, args, {
      cwd: command.folder,
      env: { ...command.environment },
      detached: true,
      stdio: ["ignore", "pipe", "pipe"]
    });
    const output: Array<Buffer> = [];
    let outputBytes = 0;
    let stderr = "";
    let failure: ProcessFailed | null = null;

    const giveUp = (reason: ProcessFailed["reason"], message: string): void => {
      failure ??= new ProcessFailed({ reason, message });
      void endGroup(child);
    };
    const timer = setTimeout(
      () => giveUp("timeout", "A program exceeded its time limit."),
      command.timeoutMs
    );
    const counter = count === null ? undefined : counting(child, count);
    const lines = command.onLine === undefined ? null : lineSplitter(command.onLine);
    child.stdout.on("data", (chunk: Buffer) => {
      if (lines !== null) return lines.push(chunk.toString("utf8"));
      outputBytes += chunk.length;
      if (outputBytes > command.stdoutMaxBytes)
        giveUp("output_too_large", "A program exceeded its output limit.");
      else output.push(chunk);
    });
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      stderr = (stderr + chunk).slice(-STDERR_MAX_CHARS);
    });
    child.once("error", (error) => {
      clearTimeout(timer);
      clearInterval(counter);
      resume(Effect.fail(new ProcessFailed({ reason: "not_started", message: error.message })));
    });
    let straggling: NodeJS.Timeout | undefined;
    child.once("exit", () => {
      clearInterval(counter);
      if (child.pid !== undefined) signalGroup(child.pid, "SIGKILL");
      straggling = setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, OUTPUT_AFTER_EXIT_MS);
    });
    child.once("close", (exitCode) => {
      clearTimeout(timer);
      clearTimeout(straggling);
      lines?.end();
      resume(
        failure === null
          ? Effect.succeed({ exitCode, stdout: Buffer.concat(output).toString("utf8"), stderr })
          : Effect.fail(failure)
      );
    });
    return Effect.promise(() => {
      clearTimeout(timer);
      return endGroup(child);
    });
  });

/** A non-zero exit code is a result, not a failure, because callers have to interpret it. */
export const runBounded = (command: BoundedCommand): Effect.Effect<ProcessOutcome, ProcessFailed> =>
  Effect.flatMap(ProcessorMeter, (count) => run(command, count));
