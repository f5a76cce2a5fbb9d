/**
 * GET of a status and of a result, 8 connections, against Fastify and pg doing the same three things (key,
 * limit, row) on the same database. Many short alternating rounds and the median of their ratios, so that other load
 * affects both. Budget: 1.5x the CPU time of a request.
 *
 * Neither side logs requests; with `log` as the third argument, both do, to a file.
 *
 *     node packages/server/bench/reads.ts [rounds] [requests] [log]
 */
import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as EmbeddedPostgres from "@winnow/adapters/database/embedded/EmbeddedPostgres";
import * as PgConnection from "@winnow/adapters/database/store/PgConnection";
import { API_KEY_RANDOM_BYTES, apiKeyFrom, hashApiKey } from "@winnow/core/domain/access/ApiKey";
import { sampleExtraction, sampleFacts, sampleResult } from "@winnow/testing/samples/samples";
import * as Effect from "effect/Effect";
import * as Redacted from "effect/Redacted";
import * as SqlClient from "effect/sql/SqlClient";
import { Client } from "undici";
import { cpuSeconds, median, tenth } from "./ProcessTime.ts";

const [rounds = 60, requests = 200] = process.argv.slice(2, 4).map(Number);
const logs = process.argv[4] === "log";
const CONNECTIONS = 8;
/** Warm-up requests of each side, until hot code is compiled. */
const WARM_UP_REQUESTS = 10_000;
/** Enough that none reaches its 60 reads a minute. */
const ACCOUNTS = 10_000;
const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const ARTIFACTS = ["video.mp4", "audio.m4a", "transcript.txt", "comments.json", "thumbnail.jpg"].map(
  (name) => ({ name, contentType: "application/octet-stream", sizeBytes: 1_000_000 })
);

interface Reader {
  readonly key: string;
  readonly id: string;
}

const readers: ReadonlyArray<Reader> = Array.from({ length: ACCOUNTS }, (_, number) => ({
  key: apiKeyFrom(crypto.getRandomValues(new Uint8Array(API_KEY_RANDOM_BYTES))),
  id: `ext_${number}`
}));

/** One account per reader, with a key and a complete extraction. */
const fill = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient;
  const { request, rates } = sampleExtraction("");
  const facts = sampleFacts({ description: "About things. ".repeat(40) });
  const result = sampleResult("ext", { facts, artifacts: ARTIFACTS });
  yield* sql`insert into winnow.account (id, name, balance, slots_used, bonus_granted, created_at_ms)
    select 'acc_' || n, 'Bench', 0, 0, true, 0 from generate_series(0, ${ACCOUNTS - 1}::integer) n`;
  yield* sql`insert into winnow.extraction (id, account_id, status, request, made_by, search_text, rates, cache_key,
      credits_debited, credits_refunded, attempt, result, created_at_ms, started_at_ms, completed_at_ms,
      moved_at_ms)
    select 'ext_' || n, 'acc_' || n, 'complete', ${JSON.stringify(request)}::json, 'api', '', ${JSON.stringify(rates)}::json, 'key',
      230, 0, 1, ${JSON.stringify(result)}::json,
      1700000000000, 1700000000000, 1700000000000, 1700000000000
    from generate_series(0, ${ACCOUNTS - 1}::integer) n`;
  const hashes = JSON.stringify(readers.map(({ key }) => hashApiKey(key)));
  yield* sql`insert into winnow.api_key (id, account_id, name, hash, start, created_at_ms)
    select 'key_' || n, 'acc_' || n - 1, 'Bench', hash, 'wnw_', 0
    from json_array_elements_text(${hashes}::json) with ordinality as keys (hash, n)`;
  yield* sql`vacuum analyze`.unprepared;
}).pipe(Effect.orDie);

interface Server {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
}

interface Loaded {
  readonly pid: number;
  readonly clients: ReadonlyArray<Client>;
}

const connected = ({ url, pid }: Server): Loaded => ({
  pid,
  clients: Array.from({ length: CONNECTIONS }, () => new Client(url))
});

/** Ends with the scope. Logs to a file, like a service. */
const start = (name: string, args: ReadonlyArray<string>, env: Record<string, string>, log: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const child = spawn(process.execPath, args, {
        env: { ...process.env, ...env },
        stdio: ["pipe", "pipe", openSync(log, "a")]
      });
      const url = await new Promise<string>((resolve, reject) => {
        let output = "";
        child.stdout?.setEncoding("utf8").on("data", (text: string) => {
          output += text;
          const found = /listening on (http:\S+)/u.exec(output)?.[1];
          if (found !== undefined) resolve(found);
        });
        child.once("exit", () => reject(new Error(`${name} ended: ${readFileSync(log, "utf8")}`)));
      });
      return { server: { name, url, pid: child.pid ?? 0 } satisfies Server, child };
    }),
    ({ child }) =>
      Effect.promise(
        () =>
          new Promise((resolve) => {
            child.once("exit", resolve).kill("SIGTERM");
          })
      )
  ).pipe(Effect.map(({ server }) => server));

let next = 0;

/** The server's CPU time per request in µs, over the given number of requests. */
const load = async ({ pid, clients }: Loaded, suffix: string, requests: number): Promise<number> => {
  const startCpu = cpuSeconds(pid);
  let left = requests;
  const connection = async (client: Client): Promise<void> => {
    while (left-- > 0) {
      const { key, id } = readers[next++ % ACCOUNTS] ?? { key: "", id: "" };
      const { statusCode, body } = await client.request({
        method: "GET",
        path: `/v1/extractions/${id}${suffix}`,
        headers: { "x-api-key": key }
      });
      const text = await body.text();
      if (statusCode !== 200) throw new Error(`${statusCode}: ${text}`);
    }
  };
  await Promise.all(clients.map(connection));
  return ((cpuSeconds(pid) - startCpu) * 1e6) / requests;
};

const compare = async (winnow: Loaded, fastify: Loaded, suffix: string): Promise<void> => {
  await load(winnow, suffix, WARM_UP_REQUESTS);
  await load(fastify, suffix, WARM_UP_REQUESTS);
  const ours: Array<number> = [];
  const theirs: Array<number> = [];
  for (let round = 0; round < rounds; round++) {
    ours.push(await load(winnow, suffix, requests));
    theirs.push(await load(fastify, suffix, requests));
  }
  const ratios = ours.map((cost, round) => cost / (theirs[round] ?? Number.NaN));
  const row = (name: string, of: (values: ReadonlyArray<number>) => number, ratio: number): string =>
    `  ${name}: winnow ${of(ours).toFixed(0)} µs, fastify ${of(theirs).toFixed(0)} µs, ratio ${ratio.toFixed(2)}`;
  console.log(`GET /v1/extractions/{id}${suffix}, processor time, ${rounds} rounds of ${requests} requests`);
  console.log(row("median", median, median(ratios)));
  // For the rounds with the least interference.
  console.log(row("tenth percentile", tenth, tenth(ours) / tenth(theirs)));
};

const program = Effect.gen(function* () {
  const folder = mkdtempSync(join(tmpdir(), "winnow-bench-"));
  yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true, force: true })));
  chmodSync(folder, 0o755); // as root, PostgreSQL's user must enter
  const { url } = yield* EmbeddedPostgres.start({ dataDir: folder });
  const env = {
    WINNOW_DATABASE_URL: Redacted.value(url),
    WINNOW_DATA_DIR: folder,
    WINNOW_PORT: "0",
    WINNOW_ROLE: "api",
    WINNOW_LOG_LEVEL: logs ? "info" : "warn",
    BENCH_LOG: logs ? "1" : ""
  };
  const log = join(folder, "log");
  const winnow = yield* start("winnow", [here("../../cli/bin/winnow.mjs"), "serve"], env, log);
  const fastify = yield* start("fastify", [here("readsFastify.ts")], env, log);
  yield* fill.pipe(Effect.provide(PgConnection.layer({ url })));
  const [left, right] = [connected(winnow), connected(fastify)];
  for (const suffix of ["", "/result"]) yield* Effect.promise(() => compare(left, right, suffix));
  yield* Effect.promise(() =>
    Promise.all([...left.clients, ...right.clients].map((client) => client.close()))
  );
}).pipe(Effect.scoped);

await Effect.runPromise(program);
