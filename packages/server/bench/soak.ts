/**
 * Thousands of runs of all kinds (articles, videos, AI, failed, cancelled, reused) on one server. Every hundred runs,
 * measures memory, file descriptors and processes of the server and its child processes. After the first thousand and
 * after the last run, measures the heap after a collection, where a leak would show. Exits with 1 if one of them grew by
 * more than a tenth. Linux only.
 *
 *     node packages/server/bench/soak.ts --runs 10000
 */
import { readdirSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { fakeOpenAi } from "@winnow/testing/openai/FakeOpenAiServer";
import * as Effect from "effect/Effect";
import { restartablePostgres } from "../test/RestartablePostgres.ts";
import { serverProcess } from "../test/ServerProcess.ts";
import { temporaryFolder } from "../test/TemporaryFolder.ts";
import { startSite } from "./chaos/Site.ts";
import { INSPECTOR_OPTIONS, liveHeapMb } from "./LiveHeap.ts";
import { memoryOf } from "./ProcessMemory.ts";

const { values } = parseArgs({
  options: { runs: { type: "string", default: "10000" }, at: { type: "string", default: "8" } }
});

const LOOK_EVERY = 100;
/** By then, caches and pools are full. */
const SETTLED_AFTER = 1_000;
const GROWTH_MAX = 1.1;
const AI_EVERY = 5;
const CANCEL_EVERY = 20;
const ASK_MS = 150;
const MANY = 1_000_000;
const TOKEN = "admin-token-of-the-soak";

interface Look {
  readonly runs: number;
  readonly serverMb: number;
  readonly heapMb: number;
  readonly ytDlpMb: number;
  readonly descriptors: number;
  readonly processes: number;
}

const SCHEMA = { type: "object", properties: { title: { type: "string" } }, required: ["title"] };

const call = async (url: string, token: string, method = "GET", body?: object) => {
  const response = await fetch(url, {
    method,
    body: body === undefined ? null : JSON.stringify(body),
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" }
  });
  const json = (await response.json()) as Record<string, string>;
  return { status: response.status, json };
};

const openAccount = async (server: string): Promise<string> => {
  const { json: account } = await call(`${server}/admin/v1/accounts`, TOKEN, "POST", { name: "soak" });
  const at = `${server}/admin/v1/accounts/${account["id"]}`;
  const limits = { runningMax: 100, submitsPerMinute: MANY, readsPerMinute: MANY, othersPerMinute: MANY };
  await call(at, TOKEN, "PATCH", { limits });
  await call(`${at}/top-ups`, TOKEN, "POST", { credits: 100_000_000 });
  return (await call(`${at}/api-keys`, TOKEN, "POST", { name: "soak" })).json["key"] ?? "";
};

/** One run, until it ends in any way. */
const runOnce = async (server: string, key: string, url: string, number: number): Promise<string> => {
  const ai = { schema: SCHEMA, prompt: "What is it called?" };
  // Every tenth repeats an earlier one.
  const source = number % 10 === 0 ? url.replace(/\d+$/u, "7") : url;
  const body = { url: source, ...(number % AI_EVERY === 0 ? ai : {}) };
  const submitted = await call(`${server}/v1/extractions`, key, "POST", body);
  if (submitted.status >= 400) return `refused ${submitted.status}`;
  const at = `${server}/v1/extractions/${submitted.json["id"]}`;
  if (number % CANCEL_EVERY === 0) await call(`${at}/cancel`, key, "POST", {});
  for (;;) {
    const { status = "" } = (await call(at, key)).json;
    if (status === "complete" || status === "failed") return status;
    await wait(ASK_MS);
  }
};

const heapMbOf = async (server: string): Promise<number> => {
  const text = await (await fetch(`${server}/metrics`)).text();
  return Number(/^nodejs_heap_size_used_bytes (\S+)/mu.exec(text)?.[1] ?? 0) / 2 ** 20;
};

const lookAt = async (server: string, pid: number, folder: string, runs: number): Promise<Look> => {
  const memory = memoryOf(folder);
  const of = (name: string) => memory.find((program) => program.name === name)?.pssMb ?? 0;
  return {
    runs,
    serverMb: Math.round(of("server")),
    heapMb: Math.round(await heapMbOf(server)),
    ytDlpMb: Math.round(of("yt-dlp")),
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    processes: memory.reduce((sum, { processes }) => sum + processes, 0)
  };
};

const median = (numbers: ReadonlyArray<number>): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;

/** Ratio of the last ten samples to the first ten after the warm-up. */
const growthOf = (looks: ReadonlyArray<Look>, name: keyof Look): number => {
  const settled = looks.filter(({ runs }) => runs >= SETTLED_AFTER).map((look) => look[name]);
  return median(settled.slice(-10)) / Math.max(1, median(settled.slice(0, 10)));
};

const soak = Effect.gen(function* () {
  const folder = yield* temporaryFolder("soak");
  const { url } = yield* restartablePostgres;
  const model = yield* fakeOpenAi();
  const site = yield* Effect.acquireRelease(
    Effect.promise(() => startSite(0)),
    ({ stop }) => Effect.promise(stop)
  );
  const server = yield* serverProcess({
    WINNOW_DATA_DIR: folder,
    WINNOW_PORT: "0",
    WINNOW_DATABASE_URL: url,
    WINNOW_ADMIN_TOKEN: TOKEN,
    WINNOW_WORKERS: values.at,
    WINNOW_EGRESS_ALLOW: site.host,
    WINNOW_LLM_BASE_URL: model.baseUrl,
    WINNOW_LLM_MODEL: "fake",
    WINNOW_LOG_LEVEL: "error",
    NODE_OPTIONS: `${process.env["NODE_OPTIONS"] ?? ""} ${INSPECTOR_OPTIONS}`
  });
  return yield* Effect.promise(async () => {
    const key = await openAccount(server.url);
    const looks: Array<Look> = [];
    const liveMb: Array<number> = [];
    const noteLive = async (): Promise<void> => {
      liveMb.push(await liveHeapMb(server));
      console.log(`heap after a collection: ${liveMb.at(-1)} MB`);
    };
    const ends = new Map<string, number>();
    const most = Number(values.runs);
    let begun = 0;
    let done = 0;
    const work = async (): Promise<void> => {
      while (begun < most) {
        const number = (begun += 1);
        const end = await runOnce(server.url, key, site.urlOf(number), number);
        ends.set(end, (ends.get(end) ?? 0) + 1);
        (model.requests as Array<unknown>).length = 0;
        done += 1;
        if (done % LOOK_EVERY !== 0) continue;
        const look = await lookAt(server.url, server.pid, folder, done);
        looks.push(look);
        console.log(JSON.stringify(look));
        if (done === SETTLED_AFTER) await noteLive();
      }
    };
    await Promise.all(Array.from({ length: Number(values.at) }, work));
    await noteLive();
    console.log(JSON.stringify(Object.fromEntries(ends)));
    const grown = (["serverMb", "heapMb", "ytDlpMb", "descriptors", "processes"] as const).map(
      (name) => [name, Math.round(growthOf(looks, name) * 100) / 100] as const
    );
    console.log(`last ten looks by the first ten after ${SETTLED_AFTER} runs:`, Object.fromEntries(grown));
    await server.kill("SIGTERM");
    const liveGrowth = (liveMb.at(-1) ?? 0) / (liveMb[0] ?? 1);
    return [...grown.map(([, growth]) => growth), liveGrowth].every((growth) => growth <= GROWTH_MAX);
  });
}).pipe(Effect.scoped);

process.exitCode = (await Effect.runPromise(soak)) ? 0 : 1;
