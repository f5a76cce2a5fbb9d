/** The real program as a separate process, for tests that kill it. */
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assert } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Schedule from "effect/Schedule";
import { BIN } from "./WinnowLauncher.ts";

/** Creating the database for the first time takes longest. */
const READY_TIMEOUT_MS = 120_000;

/** For a server that reads nothing, or pages only: a yt-dlp that finds no media, and costs no start. */
export const NO_MEDIA = {
  WINNOW_YTDLP: fileURLToPath(new URL("../../adapters/test/sources/site/noMedia.sh", import.meta.url))
};

export interface ServerProcess {
  readonly pid: number;
  readonly url: string;
  /** Everything on standard output until the server was ready. */
  readonly stdout: string;
  /**
   * Resolves with the exit code. Except after SIGKILL, it also waits for the rest of the output, which may
   * arrive after the exit; after SIGKILL, other processes may hold the output open.
   */
  readonly kill: (signal: NodeJS.Signals) => Promise<number | null>;
  /** Standard error so far. */
  readonly stderr: () => string;
}

const exitOf = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) =>
    child.exitCode === null && child.signalCode === null
      ? child.once("exit", resolve)
      : resolve(child.exitCode)
  );

const closed = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve) => void child.once("close", resolve));

const start = (
  env: Readonly<Record<string, string>>,
  args: ReadonlyArray<string>,
  launcher: ReadonlyArray<string>
): Promise<ServerProcess> =>
  new Promise((resolve, reject) => {
    const [program = process.execPath, ...rest] = [...launcher, process.execPath, BIN, ...args];
    const child = spawn(program, rest, {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"]
    });
    let stdout = "";
    let stderr = "";
    const closing = closed(child);
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    const timer = setTimeout(() => reject(new Error(`not ready in time\n${stderr}`)), READY_TIMEOUT_MS);
    child.once("exit", (code) => reject(new Error(`ended with ${code}\n${stderr}`)));
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      const url = /listening on (http:\S+)/u.exec(stdout)?.[1];
      if (url === undefined) return;
      clearTimeout(timer);
      const kill = async (signal: NodeJS.Signals): Promise<number | null> => {
        child.kill(signal);
        const code = await exitOf(child);
        if (signal !== "SIGKILL") await closing;
        return code;
      };
      resolve({ pid: child.pid ?? 0, url, stdout, kill, stderr: () => stderr });
    });
  });

/** After that, a server that was told to stop is killed. */
const STOP_TIMEOUT_MS = 20_000;

/** A killed server would leave a database that goes on for a while, and the folder of its proxy's socket. */
const stop = async ({ kill }: ServerProcess): Promise<void> => {
  const timer = setTimeout(() => void kill("SIGKILL"), STOP_TIMEOUT_MS);
  await kill("SIGTERM");
  clearTimeout(timer);
};

/**
 * Stopped when the scope closes, if it still runs.
 *
 * @param launcher a command prefix, which executes the rest
 */
export const serverProcess = (
  env: Readonly<Record<string, string>>,
  args: ReadonlyArray<string> = ["serve"],
  launcher: ReadonlyArray<string> = []
) =>
  Effect.acquireRelease(
    Effect.promise(() => start(env, args, launcher)),
    (server) => Effect.promise(() => stop(server))
  );

/** The first account's key, which a server without a terminal leaves in a file of its data folder. */
export const firstKey = (dataDir: string): string =>
  readFileSync(join(dataDir, "first-api-key"), "utf8").trim();

export interface FailedStart {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Exit code and output of a start that must fail; it is killed if it does not.
 *
 * @param launcher a command prefix, which executes the rest
 */
export const failedStart = (
  env: Readonly<Record<string, string>>,
  launcher: ReadonlyArray<string> = []
): Effect.Effect<FailedStart> =>
  Effect.callback((resume) => {
    const [program = process.execPath, ...args] = [...launcher, process.execPath, BIN, "serve"];
    const child = execFile(
      program,
      args,
      { env: { ...process.env, ...env }, timeout: READY_TIMEOUT_MS, killSignal: "SIGKILL" },
      (_error, stdout, stderr) => resume(Effect.succeed({ code: child.exitCode, stdout, stderr }))
    );
    return Effect.sync(() => child.kill("SIGKILL"));
  });

/** Command lines of the running processes that mention the folder, in their arguments or environment. */
export const processesAbout = (folder: string): ReadonlyArray<string> =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/u.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
        const environment = readFileSync(`/proc/${pid}/environ`, "utf8");
        return command !== "" && (command.includes(folder) || environment.includes(folder))
          ? [`${pid} ${command}`]
          : [];
      } catch {
        return [];
      }
    });

/** A killed process disappears only after a moment. */
const GONE_TIMEOUT = "60 seconds";

/** Fails if a process that mentions the folder keeps running. */
export const assertGone = (folder: string) =>
  Effect.sync(() => processesAbout(folder)).pipe(
    Effect.repeat({ schedule: Schedule.spaced("50 millis"), until: (living) => living.length === 0 }),
    Effect.timeoutOrElse({
      duration: GONE_TIMEOUT,
      orElse: () => Effect.sync(() => processesAbout(folder))
    }),
    Effect.map((living) => assert.isEmpty(living))
  );
