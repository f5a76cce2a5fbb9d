/**
 * Peak memory of a server and its child processes during one run, and during eight concurrent ones: each fetches all
 * parts of a ten-minute HLS talk. Proportional set size, sampled every 100 ms. Linux only.
 *
 *   node packages/server/bench/run-memory.ts
 */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import * as Effect from "effect/Effect";
import { serverProcess } from "../test/ServerProcess.ts";
import { memoryOf, type ProgramMemory, totalMb } from "./ProcessMemory.ts";

const RUNS_AT_ONCE = 8;

/** The contract allows two concurrent runs per account. */
const RUNS_AN_ACCOUNT = 2;

const LOOK_EVERY_MS = 100;
const ASK_EVERY_MS = 1_000;
const ADMIN_TOKEN = "bench-admin-token-0123456789";

const call = async (url: string, token: string, body?: object): Promise<Record<string, unknown>> => {
  const response = await fetch(url, {
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" }
  });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
};

const makeKey = async (server: string): Promise<string> => {
  const accounts = `${server}/admin/v1/accounts`;
  const { id } = await call(accounts, ADMIN_TOKEN, { name: "bench" });
  await call(`${accounts}/${id}/top-ups`, ADMIN_TOKEN, { credits: 10_000 });
  return String((await call(`${accounts}/${id}/api-keys`, ADMIN_TOKEN, {}))["key"]);
};

const runToEnd = async (server: string, key: string, url: string): Promise<void> => {
  const { id } = await call(`${server}/v1/extractions`, key, { url });
  for (;;) {
    const { status } = await call(`${server}/v1/extractions/${id}`, key);
    if (status === "failed") throw new Error("a run failed");
    if (status === "complete") return;
    // Two runs share the 60 reads a minute of an account.
    await wait(ASK_EVERY_MS * 2.5);
  }
};

/** The maximum of all samples during the runs. */
const peakOf = async (dataDir: string, runs: Promise<unknown>): Promise<ReadonlyArray<ProgramMemory>> => {
  let peak = memoryOf(dataDir);
  const over = runs.then(() => true);
  while (!(await Promise.race([over, wait(LOOK_EVERY_MS, false)]))) {
    const now = memoryOf(dataDir);
    if (totalMb(now) > totalMb(peak)) peak = now;
  }
  return peak;
};

const report = (what: string, memory: ReadonlyArray<ProgramMemory>): void => {
  const parts = memory.map(({ name, pssMb, processes }) => `${name} ${pssMb.toFixed(0)} MB in ${processes}`);
  console.log(`${what.padEnd(14)} ${totalMb(memory).toFixed(0).padStart(5)} MB: ${parts.join(", ")}`);
};

const startSite = async (folder: string): Promise<{ readonly worker: Worker; readonly url: string }> => {
  const entry = new URL("../../adapters/bench/hls-latency/site.ts", import.meta.url);
  const worker = new Worker(entry, { workerData: { folder, latencyMs: 0 } });
  const [port] = await once(worker, "message");
  return { worker, url: `http://127.0.0.1:${port}` };
};

const measure = Effect.gen(function* () {
  const folder = mkdtempSync(join(tmpdir(), "winnow-runs-"));
  yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true, force: true })));
  const site = yield* Effect.acquireRelease(
    Effect.promise(() => startSite(join(folder, "talk"))),
    ({ worker }) => Effect.promise(() => worker.terminate())
  );
  const dataDir = join(folder, "data");
  const server = yield* serverProcess({
    WINNOW_DATA_DIR: dataDir,
    WINNOW_PORT: "0",
    WINNOW_WORKERS: String(RUNS_AT_ONCE),
    WINNOW_ADMIN_TOKEN: ADMIN_TOKEN,
    WINNOW_EGRESS_ALLOW: new URL(site.url).host
  });
  yield* Effect.promise(async () => {
    const keys = await Promise.all(
      Array.from({ length: RUNS_AT_ONCE / RUNS_AN_ACCOUNT + 1 }, () => makeKey(server.url))
    );
    const start = (count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, index) =>
          runToEnd(server.url, keys[index >> 1] ?? "", `${site.url}/watch?${count}.${index}`)
        )
      );
    report("idle", memoryOf(dataDir));
    report("one run", await peakOf(dataDir, start(1)));
    report(`${RUNS_AT_ONCE} runs`, await peakOf(dataDir, start(RUNS_AT_ONCE)));
  });
  yield* Effect.promise(() => server.kill("SIGTERM"));
}).pipe(Effect.scoped);

await Effect.runPromise(measure);
