/**
 * The environment of the examples: the sample site, and the server of the test run. Every program gets its own account,
 * because of the limit of six submits a minute.
 */
import { spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import path from "node:path";
import { createAccount, type DemoAccount } from "../demo/server.ts";
import { startGatedSite, type GatedSite } from "./GatedSite.ts";
import { newFolder } from "./newFolder.ts";
import { runServer, type RunServer } from "./ServerBroker.ts";

const EXAMPLES = path.resolve(import.meta.dirname, "..");
const CREDITS = 10_000;

const PORTS_FROM = 28_000;
const PORTS_EACH = 20;
const PROCESSES = 200;

let port = PORTS_FROM + (process.pid % PROCESSES) * PORTS_EACH;

/** A port below the range of ephemeral ports, so that no other program takes it before ours listens. */
export const nextPort = (): number => ++port;

/** Real programs, some of them started twice, on a busy machine. */
export const TIMEOUTS = { testTimeout: 300_000, hookTimeout: 300_000 };

export interface Stage extends AsyncDisposable {
  readonly site: GatedSite;
  readonly server: RunServer;
  /** A folder that is removed with the stage. */
  readonly folder: string;
  readonly account: (credits?: number) => Promise<DemoAccount>;
}

export const openStage = async (): Promise<Stage> => {
  const folder = await newFolder("examples");
  const [site, { value: server, stop }] = await Promise.all([startGatedSite(), runServer()]);
  return {
    site,
    server,
    folder,
    account: (credits = CREDITS) => createAccount(server, credits),
    [Symbol.asyncDispose]: async () => {
      await stop();
      await site[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    }
  };
};

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Program extends AsyncDisposable {
  readonly ended: Promise<Ended>;
  /** Resolves with the first match in its output; rejects if it ends without one. */
  readonly printed: (pattern: RegExp) => Promise<RegExpExecArray>;
  /** Sends the signal; see `ended` for the exit. */
  readonly stop: (signal: NodeJS.Signals) => void;
}

type Environment = Readonly<Record<string, string>>;

/** The part of the tests' environment that examples inherit: PATH and Node's compile cache. */
const inherited = (): Environment => {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH: PATH ?? "", ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }) };
};

export const startProgram = (command: string, args: ReadonlyArray<string>, env: Environment): Program => {
  const child = spawn(command, args, {
    cwd: EXAMPLES,
    env: { ...inherited(), ...env },
    stdio: ["ignore", "pipe", "pipe"]
  });
  let stdout = "";
  let stderr = "";
  const listeners = new Set<() => void>();
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    for (const listener of listeners) listener();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stdout, stderr }));
  });
  return {
    ended,
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const match = pattern.exec(stdout);
          if (match === null) return;
          listeners.delete(look);
          resolve(match);
        };
        listeners.add(look);
        look();
        void ended.then(
          ({ code }) => reject(new Error(`It ended with code ${code}: ${stdout}${stderr}`)),
          reject
        );
      }),
    stop: (signal) => void child.kill(signal),
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await ended;
    }
  };
};

/** Starts an example in TypeScript. */
export const startExample = (file: string, args: ReadonlyArray<string>, env: Environment): Program =>
  startProgram(process.execPath, [path.join(EXAMPLES, file), ...args], env);

/** The URL of an example's server, once it listens. */
export const addressOf = async (program: Program): Promise<string> => {
  const [, port] = await program.printed(/port: (\d+)/u);
  return `http://127.0.0.1:${port}`;
};
