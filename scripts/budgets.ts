/** What a run of the tests may take and leave: minutes on an idle machine, and nothing in the temporary folder. */
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";

/** Of Linux's counters, on all its platforms. */
const TICKS_PER_SECOND = 100;

interface CpuSeconds {
  /**
   * Of this process, and of descendants whose parents waited for them. Browsers and servers that outlive theirs count as
   * use by others, so that a whole run is never idle.
   */
  readonly own: number;
  readonly all: number;
}

const sumOf = (ticks: ReadonlyArray<string | undefined>): number =>
  ticks.reduce((sum, each) => sum + Number(each), 0) / TICKS_PER_SECOND;

/** Null where /proc is not. */
const readCpu = (): CpuSeconds | null => {
  try {
    // Without the time that they were idle or waited for a disk, and without guests, who count as users.
    const [user, nice, system, , , irq, softIrq, steal] =
      /^cpu +(.*)$/mu.exec(readFileSync("/proc/stat", "utf8"))?.[1]?.split(" ") ?? [];
    const own = readFileSync("/proc/self/stat", "utf8")
      .replace(/^.*\) /su, "")
      .split(" ")
      .slice(11, 15);
    return { own: sumOf(own), all: sumOf([user, nice, system, irq, softIrq, steal]) };
  } catch {
    return null;
  }
};

/** Above it, times say nothing: of the processors' time, what others took. */
const OTHERS_SHARE_MAX = 0.1;

export interface Taken {
  readonly seconds: number;
  /** Shares of the processors' time; null if not known. */
  readonly ours: number | null;
  readonly others: number | null;
  readonly isIdle: boolean;
}

/** Returns what was taken since. */
export const stopwatch = (): (() => Taken) => {
  const startedAtMs = performance.now();
  const before = readCpu();
  return () => {
    const seconds = (performance.now() - startedAtMs) / 1_000;
    const after = readCpu();
    if (before === null || after === null) return { seconds, ours: null, others: null, isIdle: false };
    const available = seconds * availableParallelism();
    const ours = (after.own - before.own) / available;
    const others = Math.max(0, (after.all - before.all) / available - ours);
    return { seconds, ours, others, isIdle: others <= OTHERS_SHARE_MAX };
  };
};

const percent = (share: number | null): string =>
  share === null ? "unknown" : `${Math.round(share * 100)} %`;

export const describeTaken = ({ seconds, ours, others }: Taken): string =>
  `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s; processors: tests ${percent(ours)}, others ${percent(others)}`;

/** Short, because paths of sockets are: 108 bytes at most on Linux. */
const NAME_CHARS = 6;

/** Of the temporary folder of a test file, by its absolute path. */
export const folderNameOf = (file: string): string =>
  createHash("sha256").update(file).digest("hex").slice(0, NAME_CHARS);

/** Like the system's: PostgreSQL runs as another user if the tests run as root. */
export const makeTemporary = (folder: string): string => {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o1777);
  return folder;
};

const bytesIn = (place: string): number => {
  const found = statSync(place, { throwIfNoEntry: false });
  if (found === undefined) return 0;
  if (!found.isDirectory()) return found.size;
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => {
      const file = statSync(path.join(entry.parentPath, entry.name), { throwIfNoEntry: false });
      return sum + (file?.size ?? 0);
    }, 0);
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Of another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
};

/** A temporary folder for a whole run; those of runs that were cut off go. */
export const makeRunFolder = (): string => {
  for (const name of readdirSync(tmpdir())) {
    const [, pid] = /^winnow-(\d+)-\w{6}$/u.exec(name) ?? [];
    if (pid !== undefined && !isAlive(Number(pid)))
      rmSync(path.join(tmpdir(), name), { recursive: true, force: true });
  }
  return makeTemporary(mkdtempSync(path.join(tmpdir(), `winnow-${process.pid}-`)));
};

/** One line for each thing that is left in a folder. */
export const leftIn = (folder: string, owner: string): ReadonlyArray<string> => {
  const names = statSync(folder, { throwIfNoEntry: false }) === undefined ? [] : readdirSync(folder);
  return names.map((name) => {
    const megabytes = (bytesIn(path.join(folder, name)) / 1e6).toFixed(1);
    return `${owner} leaves ${name} (${megabytes} MB) in the temporary folder`;
  });
};
