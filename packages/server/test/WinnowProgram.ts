/**
 * Runs `winnow` command lines to their end: `winnow` within this process, by the program's own entry, with an
 * environment, streams and exit code of its own; `winnowProcess` as a process, for what only that shows (standard
 * input as a file, signals, what a start loads); `winnowOnTerminal` as one on a terminal.
 */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { format, promisify } from "node:util";
import * as Effect from "effect/Effect";
import * as Semaphore from "effect/Semaphore";
import { exitCodeOf, run } from "@winnow/cli/winnow";

/** Only if a process is started: quick tests run commands within their own. */
const launcher = (): Promise<string> => import("./WinnowLauncher.ts").then(({ BIN }) => BIN);

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Nobody is logged in there. */
const NO_LOGIN = { XDG_CONFIG_HOME: join(tmpdir(), "winnow-nobody") };

const VERSION = (
  JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
    readonly version: string;
  }
).version;

type Write = typeof process.stdout.write;

/** Replaces what a command takes from its process, until the scope closes. */
const ownProcess = (env: Record<string, string>, input: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const before = { env: process.env, stdin: process.stdin, console: { ...console } };
      const writes = { stdout: process.stdout.write, stderr: process.stderr.write };
      const texts = { stdout: "", stderr: "" };
      const into =
        (name: keyof typeof texts): Write =>
        (chunk: Uint8Array | string) => {
          texts[name] += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
          return true;
        };
      const lineInto =
        (name: keyof typeof texts) =>
        (...words: ReadonlyArray<unknown>) =>
          void (texts[name] += `${format(...words)}\n`);
      process.env = { ...before.env, ...NO_LOGIN, ...env };
      Object.defineProperty(process, "stdin", {
        configurable: true,
        value: Readable.from([Buffer.from(input)])
      });
      process.stdout.write = into("stdout");
      process.stderr.write = into("stderr");
      Object.assign(console, {
        log: lineInto("stdout"),
        info: lineInto("stdout"),
        debug: lineInto("stdout"),
        error: lineInto("stderr"),
        warn: lineInto("stderr")
      });
      return { before, writes, texts };
    }),
    ({ before, writes }) =>
      Effect.sync(() => {
        process.env = before.env;
        Object.defineProperty(process, "stdin", { configurable: true, value: before.stdin });
        process.stdout.write = writes.stdout;
        process.stderr.write = writes.stderr;
        Object.assign(console, before.console);
      })
  );

/** Commands share this process's environment and streams: one at a time. */
const turns = Semaphore.makeUnsafe(1);

export const winnow = (
  args: ReadonlyArray<string>,
  env: Record<string, string> = {},
  input = ""
): Effect.Effect<Ended> =>
  Effect.gen(function* () {
    const { texts } = yield* ownProcess(env, input);
    const exit = yield* Effect.exit(run(args, VERSION));
    return { code: exitCodeOf(exit, args), ...texts };
  }).pipe(Effect.scoped, turns.withPermit);

/** Killed if the effect is interrupted. */
export const winnowProcess = (
  args: ReadonlyArray<string>,
  env: Record<string, string> = {},
  input = ""
): Effect.Effect<Ended> =>
  Effect.flatMap(Effect.promise(launcher), (bin) =>
    Effect.callback((resume) => {
      const child = execFile(
        process.execPath,
        [bin, ...args],
        { env: { ...process.env, ...NO_LOGIN, ...env } },
        (error, stdout, stderr) =>
          resume(Effect.succeed({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr }))
      );
      // The program may end without having read it.
      child.stdin?.on("error", () => undefined).end(input);
      return Effect.sync(() => child.kill("SIGKILL"));
    })
  );

/** Types each answer when its question is there, and prints what the terminal showed. */
const ON_TERMINAL = `
import fcntl, os, pty, struct, sys, termios
questions, answers = sys.argv[1].split("|"), sys.argv[2].split("|")
pid, terminal = pty.fork()
if pid == 0: os.execvp(sys.argv[3], sys.argv[3:])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
shown = b""
while True:
    try: chunk = os.read(terminal, 4096)
    except OSError: break
    if not chunk: break
    shown += chunk
    if questions and questions[0] and questions[0].encode() in shown:
        questions.pop(0)
        os.write(terminal, (answers.pop(0) + "\\r").encode())
os.write(1, shown)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

/** Runs the program to its end on a terminal of 80 columns; everything that the terminal showed. */
export const winnowOnTerminal = (
  args: ReadonlyArray<string>,
  env: Record<string, string> = {},
  answers: ReadonlyArray<readonly [question: string, answer: string]> = []
): Effect.Effect<string> =>
  Effect.promise(async (signal) => {
    const columns = [0, 1].map((at) => answers.map((pair) => pair[at]).join("|"));
    const command = ["-c", ON_TERMINAL, ...columns, process.execPath, await launcher(), ...args];
    const options = { env: { ...process.env, ...NO_LOGIN, ...env }, signal };
    return (await promisify(execFile)("python3", command, options)).stdout;
  });
