/** What `npm test` checks before it runs the tests: types, lint, format, rules, and freshness of generated files. */
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { ROOT } from "./repository.ts";

/**
 * Checker threads of the compiler per project. Each of them checks again what several need, so the compiler's
 * default of four takes a sixth longer on two processors.
 */
const CHECKERS = Math.min(4, availableParallelism());

interface Check {
  readonly name: string;
  readonly command: ReadonlyArray<string>;
}

export const TYPES = "types";

/** Checks that use the compiler's output. */
const COMPILING: ReadonlyArray<Check> = [
  { name: TYPES, command: ["tsc", "-b", "--checkers", String(CHECKERS)] }
];

/** Checks that read only sources, mostly single-threaded. */
const READING: ReadonlyArray<Check> = [
  { name: "lint and layers", command: ["oxlint", "--deny-warnings"] },
  { name: "format", command: ["oxfmt", "--check", "."] },
  { name: "repository rules", command: ["node", "scripts/tidy.ts"] },
  { name: "generated files are fresh", command: ["node", "scripts/generate.ts", "--check"] },
  { name: "links of the docs", command: ["node", "scripts/links.ts"] },
  { name: "code of the docs is code of the examples", command: ["node", "scripts/docs.ts"] }
];

/** The workspace's programs come first on PATH. */
export const env = {
  ...process.env,
  PATH: `${path.join(ROOT, "node_modules/.bin")}${path.delimiter}${process.env.PATH}`
};

export interface Checked {
  readonly name: string;
  readonly isFine: boolean;
  readonly seconds: number;
}

/** Prints its output when it has ended, so that outputs do not mix. */
const run = async ({ name, command: [program = "", ...args] }: Check): Promise<Checked> => {
  const startedAt = performance.now();
  const child = spawn(program, args, { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"] });
  const status = new Promise<number | null>((resolve) => {
    child.once("error", () => resolve(null));
    child.once("close", resolve);
  });
  const printed = await Promise.all([text(child.stdout), text(child.stderr)]);
  const isFine = (await status) === 0;
  process.stdout.write(printed.join(""));
  const seconds = (performance.now() - startedAt) / 1_000;
  console.log(`${isFine ? "ok  " : "FAIL"} ${name} (${seconds.toFixed(1)} s)`);
  return { name, isFine, seconds };
};

const runInTurn = async (checks: ReadonlyArray<Check>): Promise<ReadonlyArray<Checked>> => {
  const results: Array<Checked> = [];
  for (const check of checks) results.push(await run(check));
  return results;
};

export const runChecks = async (): Promise<ReadonlyArray<Checked>> =>
  (await Promise.all([COMPILING, READING].map(runInTurn))).flat();
