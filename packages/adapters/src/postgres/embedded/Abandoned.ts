/** Finds and stops unused servers, for operators who do not want to wait for their watchdogs. Linux only. */
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { stopPostmaster } from "./Postmaster.ts";
import { commandLine } from "./Processes.ts";
import { SESSION } from "./Watchdog.ts";

export interface AbandonedServer {
  readonly pid: number;
  /** The server's data folder. */
  readonly cluster: string;
}

const childrenOf = async (pid: number): Promise<ReadonlyArray<number> | null> => {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => null);
  return text === null ? null : text.split(" ").filter(Boolean).map(Number);
};

const hasSession = async (children: ReadonlyArray<number>): Promise<boolean> => {
  for (const child of children) {
    const title = await readFile(`/proc/${child}/cmdline`, "utf8").catch(() => "");
    if (title.includes(SESSION)) return true;
  }
  return false;
};

/** The layout of embedded/ServerPaths.ts. A server whose folder is deleted ends by itself within a minute. */
const isOurs = (cluster: string): boolean =>
  basename(cluster) === "cluster" && /^(?:postgres|database-[0-9a-f]{16})$/u.test(basename(dirname(cluster)));

/** A starting server has no session yet. */
const YOUNG_SECONDS = 60;

/** USER_HZ, which is 100 on every architecture that Node supports. */
const TICKS_PER_SECOND = 100;

/** proc(5): field 22 of stat, counted after the name in parentheses. */
const ageSeconds = async (pid: number): Promise<number> => {
  const [uptime, stat] = await Promise.all(
    ["/proc/uptime", `/proc/${pid}/stat`].map((path) => readFile(path, "latin1").catch(() => ""))
  );
  const fields = (stat ?? "").slice((stat ?? "").lastIndexOf(")") + 2).split(" ");
  return Number.parseFloat(uptime ?? "") - Number(fields[19]) / TICKS_PER_SECOND;
};

/** Unused embedded servers on this machine that this user may see. */
export const findAbandoned = async (
  youngSeconds = YOUNG_SECONDS
): Promise<ReadonlyArray<AbandonedServer>> => {
  if (process.platform !== "linux") return [];
  const found: Array<AbandonedServer> = [];
  for (const name of await readdir("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const [program = "", option, cluster = ""] = await commandLine(pid);
    if (basename(program) !== "postgres" || option !== "-D" || !isOurs(cluster)) continue;
    if ((await ageSeconds(pid)) < youngSeconds) continue;
    const children = await childrenOf(pid);
    if (children !== null && !(await hasSession(children))) found.push({ pid, cluster });
  }
  return found;
};

/** Stops it unless it is in use by now; its data is kept. False if this user may not stop it. */
export const endAbandoned = async ({ pid, cluster }: AbandonedServer): Promise<boolean> => {
  const children = await childrenOf(pid);
  if (children === null || (await hasSession(children))) return true;
  try {
    await stopPostmaster(pid, cluster);
    return true;
  } catch {
    return false;
  }
};
