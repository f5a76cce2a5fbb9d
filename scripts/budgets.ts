/** What a run of the tests may take and leave: minutes on an idle machine, and nothing in the temporary folder. */
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";

/** Of Linux's counters, on all its platforms. */
const TICKS_PER_SECOND = 100;

/**
 * Seconds that all processors together have worked by /proc/stat, also for other virtual machines: without those that
 * they were idle or waited for a disk, and without guests, who count as users. Null where it is not.
 */
export const busySecondsOf = (stat: string): number | null => {
  const [, counters] = /^cpu +(.*)$/mu.exec(stat) ?? [];
  if (counters === undefined) return null;
  const [user, nice, system, , , irq, softIrq, steal] = counters.split(" ").map(Number);
  return (
    [user, nice, system, irq, softIrq, steal].reduce<number>((sum, each = 0) => sum + each, 0) /
    TICKS_PER_SECOND
  );
};

const busySeconds = (): number | null => {
  try {
    return busySecondsOf(readFileSync("/proc/stat", "utf8"));
  } catch {
    return null;
  }
};

/** Long against a tick, short for a person. */
const SAMPLE_MS = 2_000;

/** What others take of the processors' time, while nothing of ours runs: from 0 to 1, null if not known. */
export const othersShare = async (sampleMs = SAMPLE_MS): Promise<number | null> => {
  const startedAtMs = performance.now();
  const before = busySeconds();
  await setTimeout(sampleMs);
  const after = busySeconds();
  if (before === null || after === null) return null;
  const available = ((performance.now() - startedAtMs) / 1_000) * availableParallelism();
  return Math.min(1, (after - before) / available);
};

/** Above it, times say nothing. */
const OTHERS_SHARE_MAX = 0.1;

export interface Timed<A> {
  readonly value: A;
  readonly seconds: number;
  /** The larger share of others, just before and just after; null if not known. */
  readonly others: number | null;
}

/** During the run nobody can tell its processes from others: those whose parents have ended belong to nobody. */
export const timed = async <A>(run: () => Promise<A>, look = othersShare): Promise<Timed<A>> => {
  const before = await look();
  const startedAtMs = performance.now();
  const value = await run();
  const seconds = (performance.now() - startedAtMs) / 1_000;
  const after = await look();
  return { value, seconds, others: before === null || after === null ? null : Math.max(before, after) };
};

const isIdle = (others: number | null): boolean => others !== null && others <= OTHERS_SHARE_MAX;

/** What a run brings that says nothing beside others: null if there are any, before it (then it is left out) or after. */
export const whenIdle = async <A>(run: () => Promise<A>, look = othersShare): Promise<A | null> => {
  if (!isIdle(await look())) return null;
  const value = await run();
  return isIdle(await look()) ? value : null;
};

/**
 * A run or a quick file that takes longer by this factor, on an idle machine, fails. On one day the same commit took
 * 8:12 and 10:50, those like it up to 13:33, on machines of one kind, idle before and after: what else their processors
 * do shows in no counter.
 */
export const TOLERANCE = 5 / 3;

/**
 * What the compiler takes for all types of a clean clone on the machine whose minutes the budgets are: a whole run took
 * 27 to 33 times as long in each of eleven, whether that was 9:36 or 13:33.
 */
const TYPES_SECONDS = 16.5;

/** On a machine that is known to be slow by that time. */
const SLOW_TOLERANCE = 3 / 2;

const minutes = (seconds: number): string => `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;

export interface RunTimes extends Omit<Timed<unknown>, "value"> {
  /** Of the compiler, within the run; null if it had compiled most of it before. */
  readonly typesSeconds: number | null;
}

/** One line about the minutes of a run, and whether it breaks its budget. */
export const judgeMinutes = (
  { others, seconds, typesSeconds }: RunTimes,
  secondsMax: number
): { readonly line: string; readonly isBroken: boolean } => {
  const slowness = (typesSeconds ?? 0) / TYPES_SECONDS;
  const tolerance = Math.max(TOLERANCE, slowness * SLOW_TOLERANCE);
  const where = tolerance > TOLERANCE ? `, on a machine ${slowness.toFixed(1)} times as fast` : "";
  const line = `${minutes(seconds)} (${minutes(secondsMax)} at most${where})`;
  if (seconds <= secondsMax * tolerance) return { line, isBroken: false };
  if (isIdle(others)) return { line: `Too slow: ${line}, on an idle machine`, isBroken: true };
  const why =
    others === null ? "it is not known" : `${Math.round(others * 100)} % of the processors' time is used`;
  return { line: `${line}, which is not held: ${why} before or after the run`, isBroken: false };
};

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
