/**
 * Batches and results, on one real server with a site of small articles:
 *
 * - items per second of a batch, compared with single submits of other pages of the site, 8 at once; and transactions of
 *   the database an item. Budget: 1x.
 * - a quote, and the same batch created after it
 * - results of many runs, inserted by SQL: the first page, the CSV export, and the server's memory during it. Budget of
 *   the memory: 64 MB more than before.
 *
 *   node packages/server/bench/batches.ts [items] [rounds] [runs with results]
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Winnow } from "@winnow/client";
import { AdminClient } from "@winnow/client/admin";
import { sampleResult } from "@winnow/testing/samples/samples";
import * as Effect from "effect/Effect";
import { Client } from "pg";
import { restartablePostgres } from "../test/RestartablePostgres.ts";
import { serverProcess } from "../test/ServerProcess.ts";
import { median } from "./ProcessTime.ts";

const [items = 1_000, rounds = 3, resultRuns = 100_000] = process.argv.slice(2).map(Number);
const CALLERS = 8;
const MANY = 1_000_000;
const CREDITS = 100_000_000;
const EXPORTS = 3;
const ADMIN_TOKEN = "admin-token-of-the-bench";
const LOOK_MS = 200;

const article = (path: string): string =>
  `<!doctype html><html lang="en"><head><title>Article ${path}</title></head><body><article><h1>Article ${path}</h1>${`<p>It happened at ${path}, and people wrote about it at length.</p>`.repeat(20)}</article></body></html>`;

const site = Effect.acquireRelease(
  Effect.promise(async () => {
    const server = createServer((request, response) => {
      response.setHeader("content-type", "text/html; charset=utf-8").end(article(request.url ?? ""));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { server, host: `127.0.0.1:${(server.address() as AddressInfo).port}` };
  }),
  ({ server }) => Effect.sync(() => void server.close().closeAllConnections())
);

const rowOf = (id: string) => ({
  ...sampleResult(id, {
    outcome: "ok",
    extraction: { title: "A talk", year: 2_024, topics: ["bread", "ovens"], speaker: null },
    evidence: {
      "/title": [{ source: "transcript", quote: "a talk about bread", startSec: 3, endSec: 5 }],
      "/year": [{ source: "transcript", quote: "in the year 2024", startSec: 9, endSec: 11 }]
    }
  } as never)
});

const SCHEMA = {
  type: "object",
  properties: {
    title: { type: "string" },
    year: { type: "integer" },
    topics: { type: "array", items: { type: "string" } },
    speaker: { type: ["string", "null"] }
  }
} as const;

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
const megabytes = (kilobytes: number): string => `${Math.round(kilobytes / 1_024)} MB`;

const residentKilobytes = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/mu.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);

const timed = async <A>(work: () => Promise<A>): Promise<readonly [number, A]> => {
  const startMs = performance.now();
  const value = await work();
  return [performance.now() - startMs, value];
};

interface Bench {
  readonly client: Winnow;
  readonly database: Client;
  readonly host: string;
}

let pages = 0;

/** Pages that nobody has asked for. */
const urlsOf = ({ host }: Bench, count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, () => `http://${host}/${(pages += 1)}`);

const numberOf = async ({ database }: Bench, statement: string): Promise<number> =>
  Number((await database.query<{ count: string }>(statement)).rows[0]?.count);

const transactions = async (bench: Bench): Promise<number> => {
  // A session reports its transactions at the latest a second after the last one.
  await sleep(1_500);
  return numberOf(
    bench,
    "select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()"
  );
};

const LIVE = "select count(*) from winnow.extraction where status not in ('complete', 'failed')";

const untilOver = async (bench: Bench): Promise<void> => {
  while ((await numberOf(bench, LIVE)) > 0) await sleep(LOOK_MS);
};

/** Until the last item is over. */
const runBatch = async (bench: Bench): Promise<void> => {
  const batch = { items: urlsOf(bench, items).map((url) => ({ url })) };
  const { counts } = await bench.client.batches.create(batch);
  if (counts.accepted !== items) throw new Error(`${counts.accepted} of ${items} were accepted`);
  await untilOver(bench);
};

const runSingles = async (bench: Bench): Promise<void> => {
  const waiting = [...urlsOf(bench, items)];
  const submitAll = async (): Promise<void> => {
    for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) await bench.client.submit({ url });
  };
  await Promise.all(Array.from({ length: CALLERS }, submitAll));
  await untilOver(bench);
};

const compareThroughput = async (bench: Bench): Promise<void> => {
  const sides = { batch: () => runBatch(bench), singles: () => runSingles(bench) };
  const took = { batch: [] as Array<number>, singles: [] as Array<number> };
  const asked = { batch: [] as Array<number>, singles: [] as Array<number> };
  for (let round = 0; round < rounds; round += 1) {
    for (const side of round % 2 === 0 ? (["batch", "singles"] as const) : (["singles", "batch"] as const)) {
      const before = await transactions(bench);
      took[side].push((await timed(sides[side]))[0]);
      asked[side].push(((await transactions(bench)) - before) / items);
    }
  }
  for (const side of ["batch", "singles"] as const) {
    const rate = (items * 1_000) / median(took[side]);
    console.log(
      `${side}: ${rate.toFixed(1)} items/s, ${median(asked[side]).toFixed(1)} transactions an item`
    );
  }
  const ratios = took.batch.map((ms, round) => (took.singles[round] ?? Number.NaN) / ms);
  const shown = ratios.map((ratio) => ratio.toFixed(2)).join(", ");
  console.log(
    `batch compared with single submits ${shown}, median ${median(ratios).toFixed(2)} (at least 1)`
  );
};

const quoteThenCreate = async (bench: Bench): Promise<void> => {
  const { client } = bench;
  const batch = { items: urlsOf(bench, items).map((url) => ({ url })) };
  let firstMs = Number.NaN;
  const [quoteMs] = await timed(async () => {
    const startMs = performance.now();
    for await (const _ of client.batches.quote(batch)) {
      if (Number.isNaN(firstMs)) firstMs = performance.now() - startMs;
    }
  });
  const [createMs, { id }] = await timed(async () => client.batches.create(batch));
  await client.batches.cancel(id);
  console.log(
    `quote of ${items} lines ${seconds(quoteMs)}, its first line ${seconds(firstMs)}; created after it ${seconds(createMs)}`
  );
};

/** Copies of a finished run of the account, with values. */
const insertResults = async (database: Client, schemaId: string): Promise<void> => {
  await database.query(
    `insert into winnow.extraction (id, account_id, status, request, made_by, cache_key, seen, credits_debited,
        credits_refunded, rates, attempt, result, kind, outcome, schema_id, search_text, created_at_ms, started_at_ms,
        completed_at_ms, moved_at_ms)
      select 'ext_' || lpad(n::text, 26, '0'), t.account_id, 'complete', t.request, 'api', t.cache_key || n, t.seen,
        0, 0, t.rates, 1, $1::text::json, 'webpage', 'ok', $2, 'a talk ' || n, t.created_at_ms - n, t.created_at_ms - n,
        t.created_at_ms - n, t.created_at_ms - n
      from (select * from winnow.extraction where status = 'complete' limit 1) t, generate_series(1, $3::integer) n`,
    [JSON.stringify(rowOf("ext_template")), schemaId, resultRuns]
  );
  await database.query("analyze winnow.extraction");
};

const readResults = async ({ client, database }: Bench, pid: number, url: string, key: string) => {
  const { id: schemaId } = await client.schemas.save({ name: "talk", schema: SCHEMA as never });
  await insertResults(database, schemaId);
  const pages: Array<number> = [];
  for (let turn = 0; turn < 10; turn += 1) {
    pages.push((await timed(async () => client.results.page({ schemaId, limit: 50 })))[0]);
  }
  console.log(`first page of ${resultRuns} results: ${Math.round(median(pages))} ms`);
  for (let turn = 0; turn < EXPORTS; turn += 1) {
    const beforeKilobytes = residentKilobytes(pid);
    let mostKilobytes = beforeKilobytes;
    let lines = 0;
    const [ms] = await timed(async () => {
      const response = await fetch(`${url}/v1/results?schemaId=${schemaId}&format=csv&columns=quote,at`, {
        headers: { "x-api-key": key }
      });
      for await (const chunk of response.body ?? []) {
        lines += Buffer.from(chunk).filter((byte) => byte === 10).length;
        mostKilobytes = Math.max(mostKilobytes, residentKilobytes(pid));
      }
    });
    console.log(
      `CSV of ${lines - 1} rows ${seconds(ms)}, ${Math.round((lines * 1_000) / ms)} rows/s; memory ` +
        `${megabytes(beforeKilobytes)} before, ${megabytes(mostKilobytes)} at most, ${megabytes(residentKilobytes(pid))} after`
    );
  }
};

const folder = mkdtempSync(join(tmpdir(), "winnow-bench-"));

const program = Effect.gen(function* () {
  const { url: databaseUrl } = yield* restartablePostgres;
  const { host } = yield* site;
  const server = yield* serverProcess({
    WINNOW_DATA_DIR: join(folder, "data"),
    WINNOW_DATABASE_URL: databaseUrl,
    WINNOW_PORT: "0",
    WINNOW_ADMIN_TOKEN: ADMIN_TOKEN,
    WINNOW_EGRESS_ALLOW: host
  });
  yield* Effect.promise(async () => {
    const admin = new AdminClient({ token: ADMIN_TOKEN, baseUrl: server.url });
    const { id } = await admin.accounts.create({ name: "Bench" });
    await admin.accounts.update(id, {
      limits: {
        submitsPerMinute: MANY,
        readsPerMinute: MANY,
        othersPerMinute: MANY,
        waitingMax: MANY,
        runningMax: 50
      }
    });
    await admin.topUps.create(id, { credits: CREDITS });
    const { key } = await admin.apiKeys.create(id, { name: "Bench" });
    const database = new Client({ connectionString: databaseUrl });
    // It ends with the server of the database if the bench fails.
    database.on("error", () => undefined);
    await database.connect();
    const bench: Bench = { client: new Winnow({ apiKey: key, baseUrl: server.url }), database, host };
    await compareThroughput(bench);
    await quoteThenCreate(bench);
    await readResults(bench, server.pid, server.url, key);
    await database.end();
  });
}).pipe(Effect.scoped);

await Effect.runPromise(program).finally(() => rmSync(folder, { recursive: true, force: true }));
