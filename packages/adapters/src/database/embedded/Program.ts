/** Runs a short program to completion. */
import { spawn, type SpawnOptions } from "node:child_process";

export interface Ended {
  /** Null if a signal ended it. */
  readonly exitCode: number | null;
  /** Both streams interleaved. */
  readonly output: string;
}

/** Rejects if the program cannot be started; abort kills it. */
export const run = (
  file: string,
  args: ReadonlyArray<string>,
  options: SpawnOptions,
  signal?: AbortSignal
): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(file, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    const kill = () => child.kill("SIGKILL");
    let output = "";
    const collect = (chunk: Buffer) => {
      output += chunk.toString("utf8");
    };
    child.stdout?.on("data", collect);
    child.stderr?.on("data", collect);
    child.once("error", reject);
    child.once("close", (exitCode) => {
      signal?.removeEventListener("abort", kill);
      resolve({ exitCode, output });
    });
    if (signal?.aborted === true) kill();
    else signal?.addEventListener("abort", kill, { once: true });
  });
