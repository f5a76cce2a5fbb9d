/**
 * The cost of real schemas for the two workers that process them, one after the other: CPU time of each, and memory.
 *
 *   node bench/schema-workers.ts PATH [--every N]
 *
 * PATH is as for real-schemas.ts. Times include both way through the pipes, so measure on a quiet machine. Memory
 * is what is resident, including the worker's caches of compiled and projected schemas.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { zstdDecompressSync } from "node:zlib";
import { boundsProblem } from "@winnow/core/domain/json-schema/SchemaLimits";
import { checkSchema, type JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
import * as Effect from "effect/Effect";
import * as Result from "effect/Result";
import type { AnswerTask } from "../src/model/answer/AnswerParsing.ts";
import { jsonFrame } from "../src/programs/worker/Frames.ts";
import { startWorker } from "../src/programs/worker/WorkerProcess.ts";
import { CHECKER_BUFFERS_MB, CHECKER_HEAP_MB } from "../src/schema-check/CheckLimits.ts";
import type { SchemaTask } from "../src/schema-check/SchemaWorker.ts";

interface Line {
  readonly name: string;
  readonly schema: JsonObject;
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { every: { type: "string", default: "1" } }
});
const [path] = positionals;
if (path === undefined) throw new Error("Name a file: node bench/schema-workers.ts PATH");

const file = readFileSync(path);
const lines = (path.endsWith(".zst") ? zstdDecompressSync(file) : file)
  .toString()
  .split("\n")
  .filter((text, number) => text !== "" && number % Number(values.every) === 0)
  .map((text) => JSON.parse(text) as Line)
  .filter(({ schema }) => Result.isSuccess(checkSchema(schema)) && boundsProblem(schema) === null);

const measure = async (entry: string, what: string, taskOf: (schema: string) => object): Promise<void> => {
  const worker = startWorker(
    {
      entry,
      from: import.meta.url,
      packages: [],
      heapMb: CHECKER_HEAP_MB,
      buffersMb: CHECKER_BUFFERS_MB,
      answerBytesMax: 2 ** 26
    },
    null
  );
  await Effect.runPromise(worker.ready);
  const times: Array<{ readonly name: string; readonly ms: number }> = [];
  let highestMb = 0;
  for (const { name, schema } of lines) {
    const task = jsonFrame(taskOf(JSON.stringify(schema)));
    const startMs = performance.now();
    await Effect.runPromise(worker.ask(task));
    times.push({ name, ms: performance.now() - startMs });
    if (times.length % 50 === 0) highestMb = Math.max(highestMb, worker.residentMb());
  }
  const sorted = times.toSorted((a, b) => a.ms - b.ms);
  const at = (share: number): string =>
    `${(sorted[Math.floor(share * (sorted.length - 1))]?.ms ?? 0).toFixed(1)} ms`;
  console.log(`${what}, ${times.length} times: p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)}`);
  console.log(
    `  the longest: ${sorted
      .slice(-3)
      .map(({ name, ms }) => `${name} ${ms.toFixed(0)} ms`)
      .join(", ")}`
  );
  console.log(
    `  memory at the end ${worker.residentMb().toFixed(0)} MB; at most seen ${highestMb.toFixed(0)} MB`
  );
  await Effect.runPromise(worker.end);
};

await measure("../src/schema-check/SchemaWorker", "checks", (schema): SchemaTask => ({
  schema,
  value: null,
  faultsMax: 20
}));
await measure("../src/model/answer/AnswerWorker", "projections", (schema): AnswerTask => ({
  _tag: "Wire",
  asked: { schema, isGuided: true }
}));
