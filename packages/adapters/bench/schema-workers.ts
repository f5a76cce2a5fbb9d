/**
 * The cost of real schemas for the two workers that process them, one after the other: CPU time of each, and memory.
 *
 *   node bench/schema-workers.ts PATH [--every N]
 *
 * PATH is as for real-schemas.ts. CPU time is that of the worker's thread, so that other load does not count. Memory
 * is the worker's heap, including its caches of compiled and projected schemas.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { zstdDecompressSync } from "node:zlib";
import { boundsProblem } from "@winnow/core/domain/SchemaLimits";
import { checkSchema, type JsonObject } from "@winnow/core/domain/SchemaRules";
import * as Result from "effect/Result";
import type { AnswerTask } from "../src/openai/AnswerParsing.ts";
import { CHECKER_HEAP_MB } from "../src/schema/CheckLimits.ts";
import type { SchemaTask } from "../src/schema/SchemaWorker.ts";

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

const megabytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MB`;

const answered = (worker: Worker, task: unknown): Promise<void> =>
  new Promise((resolve) => {
    worker.once("message", () => resolve());
    if (task !== null) worker.postMessage(task);
  });

const computedMs = async (worker: Worker): Promise<number> => {
  const { user, system } = await worker.cpuUsage();
  return (user + system) / 1_000;
};

const measure = async (entry: string, what: string, taskOf: (schema: string) => unknown): Promise<void> => {
  const worker = new Worker(new URL(entry, import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: CHECKER_HEAP_MB }
  });
  await answered(worker, null);
  const times: Array<{ readonly name: string; readonly ms: number }> = [];
  let highestBytes = 0;
  for (const { name, schema } of lines) {
    const task = taskOf(JSON.stringify(schema));
    const startMs = await computedMs(worker);
    await answered(worker, task);
    times.push({ name, ms: (await computedMs(worker)) - startMs });
    if (times.length % 50 > 0) continue;
    highestBytes = Math.max(highestBytes, (await worker.getHeapStatistics()).total_physical_size);
  }
  const sorted = times.toSorted((a, b) => a.ms - b.ms);
  const at = (share: number): string =>
    `${(sorted[Math.floor(share * (sorted.length - 1))]?.ms ?? 0).toFixed(1)} ms`;
  const heap = await worker.getHeapStatistics();
  console.log(`${what}, ${times.length} times: p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)}`);
  console.log(
    `  the longest: ${sorted
      .slice(-3)
      .map(({ name, ms }) => `${name} ${ms.toFixed(0)} ms`)
      .join(", ")}`
  );
  console.log(
    `  memory at the end ${megabytes(heap.total_physical_size + heap.external_memory)}, ${megabytes(heap.used_heap_size)} of it used; at most seen ${megabytes(highestBytes)}`
  );
  await worker.terminate();
};

await measure("../src/schema/SchemaWorker.ts", "checks", (schema): SchemaTask => ({
  schema,
  value: null,
  faultsMax: 20
}));
await measure("../src/openai/AnswerWorker.ts", "projections", (schema): AnswerTask => ({
  _tag: "Wire",
  asked: { schema, isGuided: true }
}));
