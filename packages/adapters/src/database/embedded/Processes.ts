/** Finds which process is a PostgreSQL server on a given cluster. */
import { readdir, readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import { codeOf } from "./EmbeddedPostgresFailed.ts";
import { run } from "./Program.ts";

/** True also for zombies and processes of other users. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return codeOf(cause) === "EPERM";
  }
};

/** By its command line; the folder is compared by identity, not by name. */
export const isPostmasterOf = async (pid: number, cluster: string): Promise<boolean> => {
  if (!isAlive(pid)) return false;
  const [program = "", option, folder = ""] = await commandLine(pid);
  return basename(program) === "postgres" && option === "-D" && isSameFolder(folder, cluster);
};

/** For a cluster with a damaged lock file: searches all processes. */
export const searchPostmaster = async (cluster: string): Promise<number | null> => {
  const pids = process.platform === "linux" ? await readdir("/proc") : await listPids();
  for (const name of pids) {
    const pid = Number(name);
    if (Number.isInteger(pid) && (await isPostmasterOf(pid, cluster))) return pid;
  }
  return null;
};

/** Program, option and folder; empty for a process that is gone or a zombie. */
export const commandLine = async (pid: number): Promise<ReadonlyArray<string>> => {
  if (process.platform === "linux") {
    return (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).split("\0");
  }
  // ps joins with spaces, which a path may contain: the options around it (Settings.ts) delimit it.
  const { output } = await run("ps", ["-ww", "-o", "args=", "-p", String(pid)], {});
  const [, program = "", folder = ""] = /^(.*\/postgres) -D (.+?) -p \d/u.exec(output) ?? [];
  return [program, "-D", folder];
};

const listPids = async (): Promise<ReadonlyArray<string>> => {
  const { output } = await run("ps", ["-ax", "-o", "pid="], {});
  return output.split("\n").map((line) => line.trim());
};

const isSameFolder = async (one: string, other: string): Promise<boolean> => {
  const [a, b] = await Promise.all([one, other].map((path) => stat(path).catch(() => null)));
  return a != null && b != null && a.ino === b.ino && a.dev === b.dev;
};
