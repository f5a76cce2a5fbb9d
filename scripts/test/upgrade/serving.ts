/** A process of a build. */
import { spawn } from "node:child_process";
import path from "node:path";

export interface Serving {
  readonly url: string;
  readonly told: () => string;
  /** Resolves with its exit code; null if a signal ended it. */
  readonly kill: (signal: NodeJS.Signals) => Promise<number | null>;
}

/** Resolves when it listens; rejects with its output if it ends before. */
export const serve = (project: string, env: Readonly<Record<string, string>>): Promise<Serving> =>
  new Promise((resolve, reject) => {
    const program = path.join(project, "node_modules/@winnow/server/bin/winnow.mjs");
    const child = spawn(process.execPath, [program, "serve"], {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"]
    });
    let log = "";
    const exited = new Promise<number | null>((done) => child.once("exit", done));
    const kill = (signal: NodeJS.Signals): Promise<number | null> => {
      child.kill(signal);
      return exited;
    };
    for (const output of [child.stdout, child.stderr]) {
      output.setEncoding("utf8").on("data", (text: string) => {
        log += text;
        const url = /listening on (http:\/\/\S+)/u.exec(log)?.[1];
        if (url !== undefined) resolve({ url, told: () => log, kill });
      });
    }
    child.once("close", (code) => reject(new Error(`It ended with ${code}:\n${log}`)));
  });
