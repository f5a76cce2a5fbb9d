// @module-tag long
/**
 * How many rows a page reads for an account that was busy and is now quiet, while others are still busy: the
 * planner assumes that an account's rows are evenly distributed, and scans past all other rows if an index allows
 * it. And how many a decision reads.
 */
import { assert, layer as withLayer } from "@effect/vitest";
import { Store } from "@winnow/core/ports/Store";
import { WebhookOutbox } from "@winnow/core/ports/WebhookOutbox";
import { sampleAccount, sampleExtraction } from "@winnow/testing/samples/samples";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as SqlClient from "effect/sql/SqlClient";
import * as PgWebhookOutbox from "../../../src/database/store/PgWebhookOutbox.ts";
import { storeLayer } from "./TestPostgres.ts";

const ROWS = 12_000;
/** The number of rows of the quiet account, which are the first ones. */
const QUIET_ROWS = 3_000;
const LIMIT = 20;

const fill = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient;
  const [quiet, busy] = [sampleAccount(), sampleAccount()];
  for (const account of [quiet, busy]) yield* Store.use((store) => store.createAccount(account));
  const account = sql`case when n <= ${QUIET_ROWS}::integer then ${quiet.id} else ${busy.id} end`;
  yield* sql`insert into winnow.ledger (account_id, kind, credits, balance_after, note, created_at_ms)
    select r.account, 'top_up', 1, n, '', n
    from (select n, ${account} as account from generate_series(1, ${ROWS}::integer) n) r order by n`;
  yield* sql`insert into winnow.webhook_delivery (id, account_id, url, receiver, event, status, attempt_count,
      attempts_left, due_at_ms, created_at_ms)
    select 'whd_' || lpad(n::text, 9, '0'), ${account}, 'https://example.com/', 'https://example.com',
      'extraction.completed', case when n <= ${QUIET_ROWS}::integer then 'delivered' else 'failed' end,
      1, 5, n, n from generate_series(1, ${ROWS}::integer) n`;
  const { request, rates } = sampleExtraction("");
  yield* sql`insert into winnow.extraction (id, account_id, status, request, made_by, search_text, rates, cache_key,
      credits_debited, credits_refunded, attempt, created_at_ms, completed_at_ms, moved_at_ms)
    select 'ext_' || n, ${account}, 'failed', ${JSON.stringify(request)}::json, 'api', '', ${JSON.stringify(rates)}::json, 'key',
      0, 0, 1, n, n, n from generate_series(1, ${ROWS}::integer) n`;
  yield* sql`vacuum analyze winnow.ledger`.unprepared;
  yield* sql`vacuum analyze winnow.extraction`.unprepared;
  yield* sql`vacuum analyze winnow.webhook_delivery`.unprepared;
  return quiet.id;
});

/** Counts the rows read by this transaction, and by earlier ones that the session has not reported yet. */
const rowsRead = Effect.fnUntraced(function* (table: string) {
  const sql = yield* SqlClient.SqlClient;
  const [counted] = yield* sql<{ rows: number }>`
    select (coalesce(idx_tup_fetch, 0) + seq_tup_read)::integer as rows
    from pg_stat_xact_user_tables where schemaname = 'winnow' and relname = ${table}`;
  return counted?.rows ?? Number.NaN;
});

/**
 * The length of the page and the number of rows read from the table; only within a transaction, they are counted
 * at once.
 */
const measured = (table: string, page: Effect.Effect<ReadonlyArray<unknown>>) =>
  SqlClient.SqlClient.use((sql) =>
    sql.withTransaction(
      Effect.gen(function* () {
        const before = yield* rowsRead(table);
        const { length } = yield* page;
        return [length, (yield* rowsRead(table)) - before];
      })
    )
  );

withLayer(Layer.provideMerge(PgWebhookOutbox.layer, storeLayer))("an account that is quiet now", (it) => {
  it.effect("reads no rows but its own, of the ledger, the deliveries and the runs", () =>
    Effect.gen(function* () {
      const accountId = yield* fill;
      const store = yield* Store;
      const outbox = yield* WebhookOutbox;
      const after = { createdAtMs: QUIET_ROWS / 2, id: "" };
      const pages = [
        ["ledger", store.listLedger(accountId, { before: null, limit: LIMIT })],
        ["ledger", store.listLedger(accountId, { before: String(QUIET_ROWS), limit: LIMIT })],
        ["webhook_delivery", outbox.list(accountId, { after: null, limit: LIMIT, status: null })],
        ["webhook_delivery", outbox.list(accountId, { after, limit: LIMIT, status: "delivered" })]
      ] as const;
      const counts = yield* Effect.forEach(pages, ([table, page]) => measured(table, page));
      assert.deepStrictEqual(
        counts,
        pages.map(() => [LIMIT, LIMIT])
      );
      // No delivery has failed; the planner itself reads the ends of an index.
      const again = Effect.as(outbox.redeliverFailed(accountId, 0, ROWS), []);
      const [, read = Number.NaN] = yield* measured("webhook_delivery", again);
      assert.isAtMost(read, 2);
    })
  );
});

/** The view of a decision about these extractions of a batch. */
const viewOf = (accountId: string, known: ReadonlyArray<string>) =>
  SqlClient.SqlClient.use(
    (sql) =>
      sql`select winnow.lock_view(${accountId}, null, null, 3, 'batch', ${`{${known.join(",")}}`}, true)`
  );

withLayer(storeLayer)("a decision", (it) => {
  it.effect("reads no rows but those that it is about, by a plan of before the account had thousands", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient;
      const account = sampleAccount();
      yield* Store.use((store) => store.createAccount(account));
      const { request, rates } = sampleExtraction("");
      const insert = (
        count: number
      ) => sql`insert into winnow.extraction (id, account_id, status, request, made_by,
          search_text, rates, cache_key, credits_debited, credits_refunded, attempt, created_at_ms, completed_at_ms,
          moved_at_ms, batch_id)
        select 'ext_' || ${count}::integer || '_' || n, ${account.id}, 'failed', ${JSON.stringify(request)}::json,
          'api', '', ${JSON.stringify(rates)}::json, 'key', 0, 0, 1, n, n, n, 'batch'
        from generate_series(1, ${count}::integer) n`;
      yield* insert(3);
      yield* sql`vacuum analyze winnow.extraction`.unprepared;
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* Effect.repeat(viewOf(account.id, ["ext_3_1"]), { times: 6 });
          yield* insert(ROWS);
          const before = yield* rowsRead("extraction");
          yield* viewOf(account.id, ["ext_3_1", `ext_${ROWS}_1`, `ext_${ROWS}_2`]);
          assert.strictEqual((yield* rowsRead("extraction")) - before, 3);
        })
      );
    })
  );
});
