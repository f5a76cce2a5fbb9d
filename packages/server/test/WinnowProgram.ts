/**
 * Runs the real `winnow` program to its end.
 */
import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as Effect from "effect/Effect";
import { sharedProgram } from "./ProgramBroker.ts";

/**
 * The bundle of the test run, which starts in half the time. If there is none, as in benchmarks, the program of
 * the workspace, which the demo's tests start in any case.
 */
export const BIN = (await sharedProgram()) ?? fileURLToPath(new URL("../bin/winnow.mjs", import.meta.url));

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Nobody is logged in there. */
const NO_LOGIN = { XDG_CONFIG_HOME: join(tmpdir(), "winnow-nobody") };

/** Killed if the effect is interrupted. */
export const winnow = (
  args: ReadonlyArray<string>,
  env: Record<string, string> = {},
  input = ""
): Effect.Effect<Ended> =>
  Effect.callback((resume) => {
    const child = execFile(
      process.execPath,
      [BIN, ...args],
      { env: { ...process.env, ...NO_LOGIN, ...env } },
      (error, stdout, stderr) =>
        resume(Effect.succeed({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr }))
    );
    // The program may end without having read it.
    child.stdin?.on("error", () => undefined).end(input);
    return Effect.sync(() => child.kill("SIGKILL"));
  });
