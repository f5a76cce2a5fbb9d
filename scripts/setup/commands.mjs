/** Child processes of set-up: silent, unless they fail. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

/** Something is missing that set-up cannot install; the message says what to type. */
export class SetupFailed extends Error {}

export const say = (text) => {
  process.stderr.write(`${text}\n`);
};

/** Keys, passwords and addresses of the server's settings, which installers have no use for. */
const SETTINGS = /^(?:WINNOW_|AWS_|OPENAI_API_KEY$)/u;

/** That of this process without the server's settings, for programs of others. */
export const environment = (more = {}) => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !SETTINGS.test(name))),
  ...more
});

/** Resolves with what it printed; rejects with {@link SetupFailed} and all output if it fails. */
export const run = async (command, args, options = {}) => {
  const child = spawn(command, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: environment(),
    ...options
  });
  const ended = once(child, "close").then(
    ([status]) => ({ status, message: "" }),
    (error) => ({ status: null, message: error.message })
  );
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const { status, message } = await ended;
  if (status !== 0) {
    const output = `${stdout}${stderr}${message}`.trim().slice(-4_000);
    throw new SetupFailed(`"${[command, ...args].join(" ")}" failed:\n${output}`);
  }
  return stdout;
};

/** Whether it ends with 0. */
export const works = (command, args) =>
  run(command, args).then(
    () => true,
    () => false
  );

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Runs a program in the foreground and forwards signals; resolves with its exit code. */
export const hand = (command, args, options = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: "inherit", ...options });
    const pass = (signal) => child.kill(signal);
    for (const each of SIGNALS) process.on(each, pass);
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      for (const each of SIGNALS) process.off(each, pass);
      resolve(code ?? (signal === "SIGINT" ? 130 : 1));
    });
  });
