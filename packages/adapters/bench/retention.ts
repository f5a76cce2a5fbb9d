/**
 * Retention: runs removed per second of database work, one at a time as when their owners delete them, in batches by
 * one process, and in batches by several at once, alternating on the same server. Each run has ledger entries, an
 * idempotency record and a delivery; half of the accounts keep their results forever.
 *
 *     node packages/adapters/bench/retention.ts [runs]
 */
import { Store } from "@winnow/core/ports/Store";
import { sampleExtraction, sampleFacts, sampleResult } from "@winnow/testing/samples/samples";
import * as Effect from "effect/Effect";
import * as SqlClient from "effect/sql/SqlClient";
import { benchStore } from "./BenchStore.ts";

const [runs = 100_000] = process.argv.slice(2).map(Number);
const ACCOUNTS = 1_000;
/** One by one is so slow that only a part is measured. */
const SINGLE_RUNS = 2_000;
const BATCH = 500;
const PROCESSES = 3;
const DAY_MS = 86_400_000;
const DONE_MS = 1_700_000_000_000;

const fill = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient;
  const { request, pricedFacts, rates } = sampleExtraction("");
  const result = JSON.stringify(sampleResult("ext", { facts: sampleFacts() }));
  yield* sql`set statement_timeout = 0`;
  yield* sql`insert into winnow.account (id, name, balance, slots_used, bonus_granted, created_at_ms, plan)
    select 'acc_' || n, 'Bench', 0, 0, true, 0, case when n % 2 = 0 then 'default' else 'archive' end
    from generate_series(0, ${ACCOUNTS - 1}::integer) n on conflict do nothing`;
  const rows = sql`select n, 'ext_' || n as id, 'acc_' || n % ${ACCOUNTS}::integer as account
    from generate_series(1, ${2 * runs}::integer) n`;
  yield* sql`insert into winnow.extraction (id, account_id, status, request, made_by, search_text, rates, cache_key, priced_facts,
      credits_debited, credits_refunded, attempt, result, created_at_ms, started_at_ms, completed_at_ms, moved_at_ms)
    select id, account, 'complete', ${JSON.stringify(request)}::json, 'api', '', ${JSON.stringify(rates)}::json, encode(sha256(id::bytea), 'hex'),
      ${JSON.stringify(pricedFacts)}::json, 230, 0, 1, ${result}::json, ${String(DONE_MS)}::bigint + n,
      ${String(DONE_MS)}::bigint, ${String(DONE_MS)}::bigint + n, ${String(DONE_MS)}::bigint
    from (${rows}) r`;
  yield* sql`insert into winnow.idempotency (account_id, key, body_digest, extraction_id)
    select account, 'key_' || id, 'digest', id from (${rows}) r`;
  yield* sql`insert into winnow.webhook_delivery (id, account_id, url, receiver, event, body,
      extraction_id, status, attempt_count, attempts_left, due_at_ms, created_at_ms)
    select 'whd_' || id, account, 'https://example.com/', 'https://example.com',
      'extraction.completed', '{"data":"delivered long ago"}', id, 'delivered', 1, 5, 0, 0 from (${rows}) r`;
  yield* sql`vacuum analyze`.unprepared;
});

const retention = { defaultDays: 3, daysByPlan: { archive: 36_500 } };

/** Removes batches until `most` runs, or all, are removed. */
const removeBatches = (most: number) =>
  Effect.gen(function* () {
    const store = yield* Store;
    let removed = 0;
    let after: string | null = null;
    do {
      const query = { nowMs: DONE_MS + 30 * DAY_MS, retention, after, limit: BATCH };
      const batch: Effect.Success<ReturnType<typeof store.removeExpired>> = yield* store.removeExpired(query);
      removed += batch.removed.length;
      after = batch.next;
    } while (after !== null && removed < most);
    return removed;
  });

const removeSingly = Effect.gen(function* () {
  const store = yield* Store;
  // Even numbers belong to accounts with the plan `default`.
  for (let number = 1; number <= SINGLE_RUNS; number++) {
    const place = 2 * number;
    yield* store.deleteExtraction(`acc_${place % ACCOUNTS}`, `ext_${place}`);
  }
  return SINGLE_RUNS;
});

const report = (name: string, removing: Effect.Effect<number, never, Store>) =>
  Effect.gen(function* () {
    const startMs = performance.now();
    const removed = yield* removing;
    const seconds = (performance.now() - startMs) / 1_000;
    console.log(`${name}: ${removed} runs, ${(removed / seconds).toFixed(0)} a second`);
  });

const program = Effect.gen(function* () {
  const database = yield* benchStore;
  yield* Effect.gen(function* () {
    yield* fill;
    yield* report("one by one", removeSingly);
    yield* report("in batches, one process", removeBatches(runs / 2));
    yield* report(
      `in batches, ${PROCESSES} at once`,
      Effect.all(
        Array.from({ length: PROCESSES }, () => removeBatches(runs)),
        { concurrency: PROCESSES }
      ).pipe(Effect.map((all) => all.reduce((sum, removed) => sum + removed, 0)))
    );
    yield* report("a round with nothing to remove", removeBatches(runs));
    const sql = yield* SqlClient.SqlClient;
    const [left] = yield* sql<{ runs: number; keys: number; files: number }>`select
      (select count(*) from winnow.extraction)::integer as runs,
      (select count(*) from winnow.idempotency where extraction_id is null)::integer as keys,
      (select count(*) from winnow.abandoned_files)::integer as files`;
    console.log(`left: ${JSON.stringify(left)}`);
  }).pipe(Effect.provideContext(database));
});

await Effect.runPromise(Effect.scoped(program));
