/**
 * Memory of an idle server with everything it started: proportional set size, so that what processes
 * share counts once. Linux only.
 *
 *   node packages/server/bench/idle-memory.ts
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as Effect from "effect/Effect";
import { processesAbout, serverProcess } from "../test/ServerProcess.ts";

/** Start-up garbage is collected and pools have settled by then. */
const SETTLE = "10 seconds";

interface Memory {
  readonly name: string;
  readonly pssKb: number;
}

const read = (pid: string, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
};

const parentOf = (pid: string): string => /^PPid:\s+(\d+)/mu.exec(read(pid, "status"))?.[1] ?? "0";

/** These and all that descend from them. */
const family = (roots: ReadonlyArray<string>): ReadonlyArray<string> => {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/u.test(name));
  const found = new Set(roots);
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const pid of pids) if (found.has(parentOf(pid))) found.add(pid);
  }
  return [...found];
};

const memoryOf = (pid: string): Memory => {
  const command = read(pid, "cmdline").split("\0").join(" ").trim();
  const name = /postgres/u.test(command)
    ? "postgres"
    : /python|yt[-_]?dlp/u.test(command)
      ? "yt-dlp"
      : "server";
  return { name, pssKb: Number(/^Pss:\s+(\d+)/mu.exec(read(pid, "smaps_rollup"))?.[1] ?? 0) };
};

const measure = Effect.gen(function* () {
  const folder = mkdtempSync(join(tmpdir(), "winnow-idle-"));
  yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true, force: true })));
  const startMs = performance.now();
  const server = yield* serverProcess({ WINNOW_DATA_DIR: folder, WINNOW_PORT: "0" });
  console.log(`first start, database made: ${Math.round(performance.now() - startMs)} ms`);
  yield* Effect.sleep(SETTLE);
  const roots = processesAbout(folder).map((line) => line.split(" ", 1)[0] ?? "");
  const memories = family(roots).map(memoryOf);
  for (const name of ["server", "yt-dlp", "postgres"]) {
    const own = memories.filter((memory) => memory.name === name);
    const pssKb = own.reduce((sum, memory) => sum + memory.pssKb, 0);
    console.log(`${name.padEnd(10)} ${(pssKb / 1_024).toFixed(0).padStart(5)} MB in ${own.length} processes`);
  }
  const total = memories.reduce((sum, memory) => sum + memory.pssKb, 0);
  console.log(`in all     ${(total / 1_024).toFixed(0).padStart(5)} MB`);
  yield* Effect.promise(() => server.kill("SIGTERM"));
}).pipe(Effect.scoped);

await Effect.runPromise(measure);
