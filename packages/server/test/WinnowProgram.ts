/**
 * The real `winnow` program, run to its end.
 */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import * as Effect from "effect/Effect";
import { sharedProgram } from "./ProgramBroker.ts";

/**
 * The run's, which starts in half the time; where none is made (a benchmark), that of the workspace, which the examples'
 * tests start anyway.
 */
export const BIN = (await sharedProgram()) ?? fileURLToPath(new URL("../bin/winnow.mjs", import.meta.url));

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Killed when it is interrupted. */
export const winnow = (args: ReadonlyArray<string>, env: Record<string, string> = {}): Effect.Effect<Ended> =>
  Effect.callback((resume) => {
    const child = execFile(
      process.execPath,
      [BIN, ...args],
      { env: { ...process.env, ...env } },
      (error, stdout, stderr) =>
        resume(Effect.succeed({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr }))
    );
    return Effect.sync(() => child.kill("SIGKILL"));
  });
