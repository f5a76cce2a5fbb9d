/** A server with a table of runs of a given size, which tells of its statements what they cost. */
import { createReadStream, statSync } from "node:fs";
import { join } from "node:path";
import type { Store } from "@winnow/core/ports/Store";
import { sampleExtraction, sampleFacts, sampleResult } from "@winnow/core/testing/samples";
import * as Effect from "effect/Effect";
import * as SqlClient from "effect/sql/SqlClient";
import { openBenchStore } from "../BenchStore.ts";

/** Who has a fifth of the runs. */
export const LARGE_ACCOUNT = "acc_0";
export const OTHER_ACCOUNTS = 1_000;
export const START_MS = 1_700_000_000_000;
/** Of the last run. */
export const END_MS = START_MS + 30 * 86_400_000;

/** So many of the last runs are live, at any size. */
const LIVE_RUNS = 300;
const ROWS_PER_STATEMENT = 250_000;

/** The server writes a line of each statement, with plan and pages. Timing of each node would cost more than most. */
const EXPLAIN_ALL = {
  session_preload_libraries: "auto_explain",
  "auto_explain.log_min_duration": "0",
  "auto_explain.log_analyze": "on",
  "auto_explain.log_timing": "off",
  "auto_explain.log_buffers": "on",
  "auto_explain.log_nested_statements": "on",
  // Sorts of new indexes; nothing that is measured needs as much.
  maintenance_work_mem: "512MB"
};

const NO_TIMEOUTS = { statementMs: 0, lockMs: 0, idleInTransactionMs: 0 };

const insertRuns = Effect.fnUntraced(function* (rows: number, from: number) {
  const sql = yield* SqlClient.SqlClient;
  const { request, pricedFacts } = sampleExtraction(LARGE_ACCOUNT);
  const result = sampleResult("ext", { facts: sampleFacts() });
  const to = Math.min(rows, from + ROWS_PER_STATEMENT - 1);
  const spacing = String((END_MS - START_MS) / rows);
  yield* sql`insert into winnow.extraction (id, account_id, status, request, cache_key, priced_facts, credits_debited,
      credits_refunded, attempt, result, created_at_ms, started_at_ms, completed_at_ms, moved_at_ms, kind, outcome,
      search_text)
    select 'ext_' || n, case when n % 5 = 0 then ${LARGE_ACCOUNT} else 'acc_' || 1 + n % ${OTHER_ACCOUNTS}::integer end,
      status, ${JSON.stringify(request)}::json, encode(sha256(n::text::bytea), 'hex'),
      ${JSON.stringify(pricedFacts)}::json, 230, 0, 1,
      case when status = 'complete' then ${JSON.stringify(result)}::json end, at_ms,
      case when status <> 'pending' then at_ms end, case when status in ('complete', 'failed') then at_ms + 900 end,
      at_ms, case when n % 7 = 0 then 'video' when n % 101 = 0 then 'photos' else 'webpage' end,
      case when n % 3 = 0 then 'ok' when n % 103 = 0 then 'no_match' end,
      'a talk about ' || n || E'\n' || 'https://example.com/watch/' || n
    from (select n, (${String(START_MS)}::float8 + n * ${spacing}::float8)::bigint as at_ms,
        case when n > ${rows - LIVE_RUNS}::integer then case when n % 2 = 0 then 'pending' else 'running' end
          when n % 53 = 0 then 'failed' else 'complete' end as status
      from generate_series(${from}::integer, ${to}::integer) n) r`;
});

/** In one transaction with the truncation, so that none of it is logged; indexes are made when all is there. */
const fill = (rows: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient;
    yield* sql`insert into winnow.account (id, name, balance, slots_used, bonus_granted, created_at_ms)
      select 'acc_' || n, 'Bench', 0, 0, true, n from generate_series(0, ${OTHER_ACCOUNTS}::integer) n`;
    yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* sql.unsafe("truncate winnow.extraction cascade");
        const indexes = yield* sql<{ name: string; definition: string }>`
          select indexname as name, indexdef as definition from pg_indexes
          where schemaname = 'winnow' and tablename = 'extraction' and indexname <> 'extraction_pkey'`;
        // Each row's check of a key is a statement of its own, which would be told too.
        const keys = yield* sql<{ name: string; definition: string }>`
          select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
          where conrelid = 'winnow.extraction'::regclass and contype = 'f'`;
        for (const { name } of indexes) yield* sql.unsafe(`drop index winnow.${name}`);
        for (const { name } of keys)
          yield* sql.unsafe(`alter table winnow.extraction drop constraint ${name}`);
        yield* sql.unsafe("alter table winnow.extraction disable trigger user");
        for (let from = 1; from <= rows; from += ROWS_PER_STATEMENT) yield* insertRuns(rows, from);
        yield* sql.unsafe("alter table winnow.extraction enable trigger user");
        for (const { definition } of indexes) yield* sql.unsafe(definition);
        for (const { name, definition } of keys)
          yield* sql.unsafe(`alter table winnow.extraction add constraint ${name} ${definition}`);
      })
    );
    yield* sql`vacuum analyze winnow.extraction`.unprepared;
  });

export interface ExplainedStatement {
  readonly durationMs: number;
  /** The indexes and tables that it and what it calls read. */
  readonly plan: string;
  readonly buffers: number;
}

/** What was read: the name of the index, or `Seq Scan` where there was none. */
const SCAN =
  /(?:Index (?:Only )?Scan (?:Backward )?using |Bitmap Index Scan on |(?=Seq Scan))(Seq Scan on \w+|\w+)/gu;

/** A line of the log and what follows it, up to the next line. */
const entriesOf = (log: string): ReadonlyArray<string> =>
  log.split(/^(?=\d{4}-\d\d-\d\d )/mu).filter((entry) => entry.includes("duration: "));

/** Statements of our functions come before the one that called them, which counts alone for all of them. */
const statementsOf = (log: string, own: string): ReadonlyArray<ExplainedStatement> => {
  const found: Array<ExplainedStatement> = [];
  let scans: Array<string> = [];
  for (const entry of entriesOf(log)) {
    scans.push(...Array.from(entry.matchAll(SCAN), ([, name = ""]) => name));
    if (!entry.slice(0, entry.indexOf("(cost=")).includes(own)) continue;
    const [, duration] = /duration: ([\d.]+) ms/u.exec(entry) ?? [];
    const [, hit = 0, read = 0] = /Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/u.exec(entry) ?? [];
    const plan = [...new Set(scans)].join(", ");
    found.push({ durationMs: Number(duration), plan, buffers: Number(hit) + Number(read) });
    scans = [];
  }
  return found;
};

export const rowsDatabase = Effect.fnUntraced(function* (rows: number) {
  const { folder, services } = yield* openBenchStore({ settings: EXPLAIN_ALL, timeouts: NO_TIMEOUTS });
  const logPath = join(folder, "postgres", "server.log");
  yield* Effect.provideContext(fill(rows), services);
  const sql = yield* Effect.provideContext(SqlClient.SqlClient, services);
  const [size] = yield* sql<{ bytes: string }>`
    select pg_size_pretty(pg_total_relation_size('winnow.extraction') / ${rows}::integer) as bytes`;
  return {
    rows,
    size: size?.bytes ?? "",
    /** Of the statements with `own` in their text that the asking made. */
    explained: (asking: Effect.Effect<unknown, never, Store>, own: string) =>
      Effect.gen(function* () {
        const before = statSync(logPath).size;
        yield* Effect.provideContext(asking, services);
        const added = createReadStream(logPath, { start: before }).setEncoding("utf8");
        return statementsOf((yield* Effect.promise(() => added.toArray())).join(""), own);
      }),
    vacuum: Effect.gen(function* () {
      const startMs = performance.now();
      yield* sql`vacuum winnow.extraction`.unprepared;
      return `${(performance.now() - startMs).toFixed(0)} ms`;
    })
  };
});
