/**
 * CPU time of a download-only run of a small article, each with a different page: an API and a worker process on one
 * database, a site on loopback. Reading such a page is also measured alone, in this process. The sum over all processes
 * gives the runs per second of two cores.
 *
 *     node packages/server/bench/runs.ts [rounds] [runs of a round]
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as EmbeddedPostgres from "@winnow/adapters/database/embedded/EmbeddedPostgres";
import { readPage } from "@winnow/adapters/page";
import * as Effect from "effect/Effect";
import * as Redacted from "effect/Redacted";
import { serverProcess } from "../test/ServerProcess.ts";
import { cpuSeconds, median, tenth } from "./ProcessTime.ts";

const [rounds = 8, runs = 50] = process.argv.slice(2).map(Number);
const WARM_UP_RUNS = 100;
const TOKEN = "bench-admin-token-of-some-length";
const MANY = 100_000;
const LOOK_INTERVAL_MS = 200;

const pageOf = (path: string) =>
  `<!doctype html><html lang="en"><head><title>Article ${path}</title><meta name="author" content="A. Writer"></head>` +
  `<body><article><h1>Article ${path}</h1>${`<p>Words about ${path}, a thing that happened to somebody.</p>`.repeat(40)}` +
  "</article></body></html>";

const site = Effect.acquireRelease(
  Effect.promise(
    () =>
      new Promise<ReturnType<typeof createServer>>((resolve) => {
        const server = createServer(({ url = "" }, response) =>
          response.writeHead(200, { "content-type": "text/html" }).end(pageOf(url))
        );
        server.listen(0, "127.0.0.1", () => resolve(server));
      })
  ),
  (server) => Effect.sync(() => server.close())
).pipe(Effect.map((server) => (server.address() as AddressInfo).port));

const CLOCK_TICKS_PER_SECOND = 100;

const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // ended meanwhile
  }
};

/** CPU time of all descendants of a process: running ones, and ended ones that were reaped. */
const childrenMs = (pid: number): number => {
  const fields = read(`/proc/${pid}/stat`).split(") ")[1]?.split(" ") ?? [];
  const endedMs = ((Number(fields[13] ?? 0) + Number(fields[14] ?? 0)) * 1_000) / CLOCK_TICKS_PER_SECOND;
  const living = readdirSync("/proc").filter((name) =>
    read(`/proc/${name}/status`).includes(`\nPPid:\t${pid}\n`)
  );
  return living.reduce((sum, child) => {
    const threads = read(`/proc/${child}/schedstat`);
    return sum + Number(threads.split(" ", 1)[0]) / 1e6 + childrenMs(Number(child));
  }, endedMs);
};

const asked = async (url: string, headers: Record<string, string>, body?: object, method = "POST") => {
  const answer = await fetch(url, {
    ...(body === undefined ? {} : { method, body: JSON.stringify(body) }),
    headers: { "content-type": "application/json", ...headers }
  });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
};

const openAccount = async (url: string) => {
  const admin = { authorization: `Bearer ${TOKEN}` };
  const accounts = `${url}/admin/v1/accounts`;
  const { id } = await asked(accounts, admin, { name: "Bench" });
  const limits = { submitsPerMinute: MANY, othersPerMinute: MANY, waitingMax: MANY, runningMax: 8 };
  await asked(`${accounts}/${id}`, admin, { limits }, "PATCH");
  await asked(`${accounts}/${id}/top-ups`, admin, { credits: 100_000_000 });
  const { key } = await asked(`${accounts}/${id}/api-keys`, admin, { name: "Bench" });
  return String(key);
};

let pages = 0;

/** Submits this many runs and waits until all have ended. */
const executeRuns = async (url: string, key: string, port: number, count: number) => {
  const headers = { "x-api-key": key };
  for (let run = 0; run < count; run++)
    await asked(`${url}/v1/extract`, headers, { url: `http://127.0.0.1:${port}/${pages++}` });
  for (;;) {
    const { runningExtractions, queuedExtractions } = await asked(`${url}/v1/account`, headers);
    if (runningExtractions === 0 && queuedExtractions === 0) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_INTERVAL_MS));
  }
};

/** CPU time of reading a page, in ms. */
const reading = (count: number) => {
  const start = cpuSeconds(process.pid);
  const read = async () => {
    for (let page = 0; page < count; page++)
      await readPage(new TextEncoder().encode(pageOf(`/${page}`)), {
        url: "http://127.0.0.1/",
        contentType: "text/html"
      });
    return ((cpuSeconds(process.pid) - start) * 1e3) / count;
  };
  return read();
};

const bench = Effect.gen(function* () {
  const folder = mkdtempSync(join(tmpdir(), "winnow-runs-"));
  yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true, force: true })));
  const port = yield* site;
  const { url: database } = yield* EmbeddedPostgres.start({ dataDir: join(folder, "database") });
  const env = {
    WINNOW_DATABASE_URL: Redacted.value(database),
    WINNOW_ARTIFACTS_URL: `file:${join(folder, "artifacts")}`,
    WINNOW_PORT: "0",
    WINNOW_ADMIN_TOKEN: TOKEN,
    WINNOW_EGRESS_ALLOW: `127.0.0.1:${port}`,
    WINNOW_LOG_LEVEL: "warn",
    WINNOW_PUBLIC_URL: "http://127.0.0.1"
  };
  const api = yield* serverProcess({ ...env, WINNOW_ROLE: "api", WINNOW_DATA_DIR: join(folder, "api") });
  const worker = yield* serverProcess({
    ...env,
    WINNOW_ROLE: "worker",
    WINNOW_WORKERS: "4",
    WINNOW_DATA_DIR: join(folder, "worker")
  });
  const postmaster = Number(
    readFileSync(join(folder, "database", "postgres", "cluster", "postmaster.pid"), "utf8").split("\n")[0]
  );
  yield* Effect.promise(async () => {
    const key = await openAccount(api.url);
    await executeRuns(api.url, key, port, WARM_UP_RUNS);
    await reading(WARM_UP_RUNS);
    const meters: Record<string, () => number> = {
      "api, itself": () => cpuSeconds(api.pid) * 1e3,
      "worker, itself": () => cpuSeconds(worker.pid) * 1e3,
      "programs of both": () => childrenMs(api.pid) + childrenMs(worker.pid),
      database: () => childrenMs(postmaster)
    };
    const costs: Record<string, Array<number>> = {
      ...Object.fromEntries(Object.keys(meters).map((name) => [name, []])),
      reading: []
    };
    for (let round = 0; round < rounds; round++) {
      const before = Object.entries(meters).map(([name, meter]) => [name, meter, meter()] as const);
      await executeRuns(api.url, key, port, runs);
      for (const [name, meter, start] of before) costs[name]?.push((meter() - start) / runs);
      costs["reading"]?.push(await reading(runs));
    }
    for (const [name, values] of Object.entries(costs))
      console.log(
        `${name}: median ${median(values).toFixed(1)} ms, tenth percentile ${tenth(values).toFixed(1)} ms`
      );
    const ofAll = (of: (values: ReadonlyArray<number>) => number): number =>
      Object.keys(meters).reduce((sum, name) => sum + of(costs[name] ?? []), 0);
    console.log(
      `two cores: ${(2_000 / ofAll(median)).toFixed(0)} to ${(2_000 / ofAll(tenth)).toFixed(0)} a second`
    );
    await Promise.all([api.kill("SIGTERM"), worker.kill("SIGTERM")]);
  });
}).pipe(Effect.scoped);

await Effect.runPromise(bench);
