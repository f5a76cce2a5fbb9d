/**
 * Memory of an idle server and its child processes: proportional set size, which counts shared memory
 * once. Linux only.
 *
 *   node packages/server/bench/idle-memory.ts
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as Effect from "effect/Effect";
import { serverProcess } from "../test/ServerProcess.ts";
import { memoryOf, totalMb } from "./ProcessMemory.ts";

/** By then, start-up garbage is collected and pools have settled. */
const SETTLE = "10 seconds";

const measure = Effect.gen(function* () {
  const folder = mkdtempSync(join(tmpdir(), "winnow-idle-"));
  yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true, force: true })));
  const startMs = performance.now();
  const server = yield* serverProcess({ WINNOW_DATA_DIR: folder, WINNOW_PORT: "0" });
  console.log(`first start, database made: ${Math.round(performance.now() - startMs)} ms`);
  yield* Effect.sleep(SETTLE);
  const memory = memoryOf(folder);
  for (const { name, pssMb, processes } of memory) {
    if (processes > 0)
      console.log(`${name.padEnd(10)} ${pssMb.toFixed(0).padStart(5)} MB in ${processes} processes`);
  }
  console.log(`in all     ${totalMb(memory).toFixed(0).padStart(5)} MB`);
  yield* Effect.promise(() => server.kill("SIGTERM"));
}).pipe(Effect.scoped);

await Effect.runPromise(measure);
