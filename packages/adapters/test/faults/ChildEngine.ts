/** Child processes of the fault tests, with what they wrote to standard error. */
import { spawn, type ChildProcess } from "node:child_process";
import * as Effect from "effect/Effect";
import { bundleOf, type ChildProgram } from "./ChildBroker.ts";

export interface ChildEnd {
  readonly signal: NodeJS.Signals | null;
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Child {
  readonly pid: number;
  /** Tells the child to start its work. A child also ends with this process. */
  readonly go: () => void;
  /** Writes a line to its standard input. */
  readonly send: (line: string) => void;
  readonly kill: () => void;
  readonly ended: Promise<ChildEnd>;
}

const start = (
  { file, compileCache }: Awaited<ReturnType<typeof bundleOf>>,
  env: Readonly<Record<string, string>>,
  launcher: ReadonlyArray<string>
): Child => {
  const [command = process.execPath, ...rest] = [...launcher, process.execPath, file];
  const child: ChildProcess = spawn(command, rest, {
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache, ...env },
    stdio: ["pipe", "pipe", "pipe"]
  });
  let [stdout, stderr] = ["", ""];
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const ended = new Promise<ChildEnd>((resolve) => {
    child.once("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  const send = (line: string): void => void child.stdin?.write(`${line}\n`);
  return {
    pid: child.pid ?? 0,
    go: () => send("go"),
    send,
    kill: () => void child.kill("SIGKILL"),
    ended
  };
};

/** Killed when the scope closes. `launcher`: a command that becomes the program after it. */
export const childEngine = (
  program: ChildProgram,
  env: Readonly<Record<string, string>>,
  launcher: ReadonlyArray<string> = []
) =>
  Effect.flatMap(
    Effect.promise(() => bundleOf(program)),
    (bundle) =>
      Effect.acquireRelease(
        Effect.sync(() => start(bundle, env, launcher)),
        ({ kill, ended }) =>
          Effect.promise(() => {
            kill();
            return ended;
          })
      )
  );

/** Starts this many concurrently; the returned effect dies if one of them ends by itself. */
export const racingEngines = Effect.fnUntraced(function* (
  count: number,
  env: Readonly<Record<string, string>>
) {
  const children = yield* Effect.all(Array.from({ length: count }, () => childEngine("racing.ts", env)));
  for (const child of children) child.go();
  return Effect.raceAll(
    children.map(({ ended }) =>
      Effect.flatMap(
        Effect.promise(() => ended),
        ({ stderr }) => Effect.die(new Error(stderr))
      )
    )
  );
});
