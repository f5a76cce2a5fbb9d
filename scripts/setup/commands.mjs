/** Child processes of set-up: silent, unless they fail. */
import { spawn, spawnSync } from "node:child_process";

/** Something is missing that set-up cannot install; the message says what to type. */
export class SetupFailed extends Error {}

export const say = (text) => {
  process.stderr.write(`${text}\n`);
};

/** Runs to completion; throws {@link SetupFailed} with the output if it fails. */
export const run = (command, args, options = {}) => {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    stdio: ["ignore", "pipe", "pipe"],
    ...options
  });
  if (error !== undefined || status !== 0) {
    const output = `${stdout ?? ""}${stderr ?? ""}${error?.message ?? ""}`.trim().slice(-4_000);
    throw new SetupFailed(`"${[command, ...args].join(" ")}" failed:\n${output}`);
  }
  return stdout;
};

/** Runs a program in the foreground and forwards signals; resolves with its exit code. */
export const hand = (command, args, options = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: "inherit", ...options });
    const pass = (signal) => child.kill(signal);
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, pass);
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(code ?? (signal === "SIGINT" ? 130 : 1)));
  });
