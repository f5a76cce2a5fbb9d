/** Memory of a server and its child processes: proportional set size, which counts shared memory once. Linux only. */
import { readdirSync, readFileSync } from "node:fs";
import { processesAbout } from "../test/ServerProcess.ts";

const read = (pid: string, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
};

const parentOf = (pid: string): string => /^PPid:\s+(\d+)/mu.exec(read(pid, "status"))?.[1] ?? "0";

/** These processes and all their descendants. */
const family = (roots: ReadonlyArray<string>): ReadonlyArray<string> => {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/u.test(name));
  const found = new Set(roots);
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const pid of pids) if (found.has(parentOf(pid))) found.add(pid);
  }
  return [...found];
};

export const PROGRAMS = ["server", "yt-dlp", "ffmpeg", "postgres"] as const;

export interface ProgramMemory {
  readonly name: (typeof PROGRAMS)[number];
  readonly pssMb: number;
  readonly processes: number;
}

const programOf = (pid: string): ProgramMemory["name"] => {
  const command = read(pid, "cmdline").split("\0").join(" ").trim();
  if (/postgres/u.test(command)) return "postgres";
  if (/python|yt[-_]?dlp/u.test(command)) return "yt-dlp";
  return /\bff(?:mpeg|probe)\b/u.test(command) ? "ffmpeg" : "server";
};

/** Of the server on this data folder, by program. */
export const memoryOf = (dataDir: string): ReadonlyArray<ProgramMemory> => {
  const roots = processesAbout(dataDir).map((line) => line.split(" ", 1)[0] ?? "");
  const found = family(roots).map((pid) => ({
    name: programOf(pid),
    pssMb: Number(/^Pss:\s+(\d+)/mu.exec(read(pid, "smaps_rollup"))?.[1] ?? 0) / 1_024
  }));
  return PROGRAMS.map((name) => {
    const own = found.filter((process) => process.name === name);
    return { name, pssMb: own.reduce((sum, { pssMb }) => sum + pssMb, 0), processes: own.length };
  });
};

export const totalMb = (memory: ReadonlyArray<ProgramMemory>): number =>
  memory.reduce((sum, { pssMb }) => sum + pssMb, 0);
