/**
 * Fills a database with runs and their other rows: ledger entries, idempotency records, webhook deliveries with
 * their attempts, daily usage. One account has a fifth of the runs; 1,000 others share the rest unevenly: the
 * largest of them has a tenth of it, the smallest a three-thousandth.
 */
import { sampleExtraction, sampleFacts, sampleResult } from "@winnow/testing/samples/samples";
import * as Effect from "effect/Effect";
import * as SqlClient from "effect/sql/SqlClient";

/** The account with a fifth of the runs. */
export const LARGE_ACCOUNT = "acc_0";
export const OTHER_ACCOUNTS = 1_000;
export const START_MS = 1_700_000_000_000;
/** Time between two runs: more rows cover a longer time, not denser days. */
export const SPACING_MS = 500;

/** Number of active runs, at any size. */
const LIVE_RUNS = 300;
const ROWS_PER_STATEMENT = 250_000;

/**
 * Accounts differ in size: the cube of a uniformly distributed number. The largest of the others has a tenth of the
 * rest.
 */
const ACCOUNT = `case when n % 5 = 0 then '${LARGE_ACCOUNT}'
  else 'acc_' || 1 + floor(${OTHER_ACCOUNTS} * power((hashint4(n) & 1048575) / 1048576.0::float8, 3))::integer end`;

const TABLES = ["extraction", "idempotency", "ledger", "webhook_delivery", "webhook_attempt"] as const;

export const idOf = (place: number): string => `ext_${String(place).padStart(9, "0")}`;
const ID = "'ext_' || lpad(n::text, 9, '0')";

const quoted = (document: unknown): string => `'${JSON.stringify(document).replaceAll("'", "''")}'::json`;

/** Statements that insert runs `from` to `to` of `rows`, and the rows that belong to them. */
const insertsOf = (rows: number, from: number, to: number): ReadonlyArray<string> => {
  const { request, rates } = sampleExtraction(LARGE_ACCOUNT);
  const result = sampleResult("ext", { facts: sampleFacts() });
  const runs = (step: number) => `(select n, ${ID} as id, ${ACCOUNT} as account,
      ${START_MS}::bigint + n::bigint * ${SPACING_MS} as at_ms,
      case when n > ${rows - LIVE_RUNS} then case when n % 2 = 0 then 'pending' else 'running' end
        when n % 53 = 0 then 'failed' else 'complete' end as status
    from generate_series(${from}, ${to}) n where n % ${step} = 0) r`;
  return [
    `insert into winnow.extraction (id, account_id, status, request, made_by, rates, cache_key, credits_debited,
        credits_refunded, attempt, result, created_at_ms, started_at_ms, completed_at_ms, moved_at_ms, kind, outcome,
        search_text)
      select id, account, status, ${quoted(request)}, 'api', ${quoted(rates)}, encode(sha256(n::text::bytea), 'hex'), 230, case when status = 'failed' then 230 else 0 end, 1,
        case when status = 'complete' then ${quoted(result)} end, at_ms,
        case when status <> 'pending' then at_ms end,
        case when status in ('complete', 'failed') then at_ms + 900 end, at_ms,
        case when n % 7 = 0 then 'video' when n % 101 = 0 then 'photos' else 'webpage' end,
        case when status = 'complete' then case when n % 3 = 0 then 'ok' when n % 103 = 0 then 'no_match' end end,
        'a talk about ' || n || E'\\n' || 'https://example.com/watch/' || n
      from ${runs(1)}`,
    `insert into winnow.ledger (account_id, kind, credits, balance_after, extraction_id, note,
        created_at_ms)
      select account, 'debit', -230, 1000, id, 'Extraction', at_ms
      from ${runs(1)}`,
    `insert into winnow.ledger (account_id, kind, credits, balance_after, extraction_id, note,
        created_at_ms)
      select account, 'refund', 230, 1230, id, 'Refund', at_ms + 900
      from ${runs(53)} where status = 'failed'`,
    `insert into winnow.idempotency (account_id, key, body_digest, extraction_id)
      select account, 'key_' || lpad(n::text, 9, '0'), encode(sha256(n::text::bytea), 'hex'), id from ${runs(4)}`,
    `insert into winnow.webhook_delivery (id, account_id, url, receiver, event, body, extraction_id, status,
        attempt_count, attempts_left, due_at_ms, created_at_ms)
      select 'whd_' || lpad(n::text, 9, '0'), account, 'https://example.com/', 'https://example.com',
        'extraction.completed', '{"data":"delivered long ago"}', id,
        case when n % 17 = 0 then 'failed' else 'delivered' end, 1, 5, at_ms, at_ms from ${runs(10)}`,
    `insert into winnow.webhook_attempt (delivery_id, number, at_ms, status, duration_ms)
      select 'whd_' || lpad(n::text, 9, '0'), 1, at_ms, 200, 40 from ${runs(10)}`
  ];
};

interface Definition {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

const LIST = TABLES.map((table) => `'winnow.${table}'::regclass`).join(", ");

/** Without foreign keys and the indexes that enforce no constraint, which are created at the end. */
const withoutIndexes = <E, R>(filling: Effect.Effect<void, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient;
    const indexes = yield* sql.unsafe<Definition>(`
      select i.indrelid::regclass::text as "table", i.indexrelid::regclass::text as name,
        pg_get_indexdef(i.indexrelid) as definition
      from pg_index i where i.indrelid in (${LIST})
        and not exists (select 1 from pg_constraint c where c.conindid = i.indexrelid and c.contype in ('p', 'u'))`);
    // The check of each foreign key is a separate statement, which would be logged too.
    const keys = yield* sql.unsafe<Definition>(`
      select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition
      from pg_constraint where contype = 'f' and conrelid in (${LIST})`);
    for (const { table, name } of keys) yield* sql.unsafe(`alter table ${table} drop constraint ${name}`);
    for (const { name } of indexes) yield* sql.unsafe(`drop index ${name}`);
    yield* filling;
    for (const { definition } of indexes) yield* sql.unsafe(definition);
    for (const { table, name, definition } of keys) {
      yield* sql.unsafe(`alter table ${table} add constraint ${name} ${definition} not valid`);
    }
  });

/** In one transaction with the truncation, so that nothing is written to the WAL. */
export const fillRows = (rows: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient;
    const triggers = (word: "enable" | "disable") =>
      Effect.forEach(TABLES, (table) => sql.unsafe(`alter table winnow.${table} ${word} trigger user`));
    yield* sql`insert into winnow.account (id, name, balance, slots_used, bonus_granted, created_at_ms)
      select 'acc_' || n, 'Bench', 0, 0, true, n from generate_series(0, ${OTHER_ACCOUNTS}::integer) n`;
    yield* sql.unsafe(`insert into winnow.usage_day (account_id, day, api_key_id, schema_id, runs, debited, refunded,
        debited_by_part, refunded_by_part)
      select 'acc_' || n, to_timestamp(${START_MS / 1_000})::date + d, '', '', 100, 23000, 460,
        '{23000}', '{460}'
      from generate_series(0, ${OTHER_ACCOUNTS}) n,
        generate_series(0, ${Math.ceil((rows * SPACING_MS) / 86_400_000)}) d`);
    yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* triggers("disable");
        yield* sql.unsafe(`truncate ${TABLES.map((table) => `winnow.${table}`).join(", ")}`);
        yield* withoutIndexes(
          Effect.gen(function* () {
            for (let from = 1; from <= rows; from += ROWS_PER_STATEMENT) {
              const to = Math.min(rows, from + ROWS_PER_STATEMENT - 1);
              for (const statement of insertsOf(rows, from, to)) yield* sql.unsafe(statement);
              console.error(`${new Date().toISOString()} ${to} of ${rows} rows`);
            }
          })
        );
        yield* triggers("enable");
      })
    );
    console.error(`${new Date().toISOString()} indexes made`);
    yield* sql.unsafe("vacuum (analyze)").unprepared;
    console.error(`${new Date().toISOString()} vacuumed`);
  });
