/** Child processes of the fault tests, with what they wrote to standard error. */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as Effect from "effect/Effect";
import { build } from "vite";
import { afterAll } from "vitest";

export interface ChildEnd {
  readonly signal: NodeJS.Signals | null;
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Child {
  /** Tells the child to start its work. A child also ends with this process. */
  readonly go: () => void;
  readonly kill: () => void;
  readonly ended: Promise<ChildEnd>;
}

const folder = mkdtempSync(join(tmpdir(), "winnow-children-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bundles = new Map<string, Promise<string>>();

/** Bundles the program and its imports into one file, because loading hundreds takes most of a short run. */
const bundle = async (program: string): Promise<string> => {
  const name = `${basename(program, ".ts")}.mjs`;
  await build({
    configFile: false,
    publicDir: false,
    logLevel: "error",
    build: {
      ssr: fileURLToPath(new URL(program, import.meta.url)),
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: { output: { entryFileNames: name, codeSplitting: false } }
    },
    ssr: { noExternal: true }
  });
  return join(folder, name);
};

const bundleOf = (program: string): Promise<string> => {
  const made = bundles.get(program) ?? bundle(program);
  bundles.set(program, made);
  return made;
};

const start = (file: string, env: Readonly<Record<string, string>>): Child => {
  const child: ChildProcess = spawn(process.execPath, [file], {
    // A hundred children load the same file: it is compiled once, and then read from this cache.
    env: { ...process.env, NODE_COMPILE_CACHE: join(folder, "compiled"), ...env },
    stdio: ["pipe", "pipe", "pipe"]
  });
  let [stdout, stderr] = ["", ""];
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const ended = new Promise<ChildEnd>((resolve) => {
    child.once("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return {
    go: () => void child.stdin?.write("go\n"),
    kill: () => void child.kill("SIGKILL"),
    ended
  };
};

/** `program` is a file in this folder. Killed when the scope closes. */
export const childEngine = (program: string, env: Readonly<Record<string, string>>) =>
  Effect.flatMap(
    Effect.promise(() => bundleOf(program)),
    (file) =>
      Effect.acquireRelease(
        Effect.sync(() => start(file, env)),
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
