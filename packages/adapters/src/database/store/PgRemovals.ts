/** The part of the PostgreSQL Store that deletes extractions and has the register of files. Tests: PgStore.test.ts (StoreRemovals.ts). */
import { ORPHANS_AGAIN_MS, type OrphanedFiles, type Store } from "@winnow/core/ports/Store";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import type * as SqlClient from "effect/sql/SqlClient";
import type { AccountTransactions } from "./AccountTransactions.ts";
import type { DocumentRow } from "./Documents.ts";
import { orUnavailable } from "./StorageFault.ts";

type Removals = "deleteExtraction" | "removeExpired" | "noteFiles" | "takeOrphans" | "forgetFiles";

/** Accounts per batch of retention, each an index probe. */
const ACCOUNTS_MAX = 1_000;

const REMOVE_EXPIRED = "select winnow.remove_expired($1, $2::bigint, $3::json, $4, $5, $6) as next";

export const makeRemovals = (
  sql: SqlClient.SqlClient,
  transactions: AccountTransactions["Service"]
): Pick<Store["Service"], Removals> => ({
  deleteExtraction: Effect.fn("PgStore.deleteExtraction")(function* (accountId, id) {
    const [row] = yield* transactions.run(
      accountId,
      sql<DocumentRow>`select winnow.delete_extraction(${accountId}, ${id}) as document`
    );
    return Option.fromNullishOr(row?.document as ReadonlyArray<OrphanedFiles> | null | undefined);
  }, orUnavailable),
  removeExpired: Effect.fn("PgStore.removeExpired")(function* ({ nowMs, retention, after, limit }) {
    const { defaultDays, daysByPlan } = retention;
    const parameters = [
      after ?? "",
      String(nowMs),
      JSON.stringify(daysByPlan),
      defaultDays,
      ACCOUNTS_MAX,
      limit
    ];
    // A transaction, so that no reads queue behind it on a shared connection.
    const [row] = yield* sql.withTransaction(
      sql.unsafe<{ readonly next: string | null }>(REMOVE_EXPIRED, parameters)
    );
    return row?.next ?? null;
  }, orUnavailable),
  noteFiles: Effect.fn("PgStore.noteFiles")(function* ({ extractionId, attempt }) {
    yield* sql`insert into winnow.attempt_files as f (extraction_id, attempt, state)
      values (${extractionId}, ${attempt}, 'writing')
      on conflict (extraction_id, attempt) do update set state = 'writing', ended_at_ms = null
        where f.state = 'orphan'`;
  }, orUnavailable),
  takeOrphans: Effect.fn("PgStore.takeOrphans")(function* ({ nowMs, limit }) {
    const now = String(nowMs);
    const rows = yield* sql<{ readonly orphan: OrphanedFiles }>`
      with due as (
        select f.extraction_id, f.attempt from winnow.attempt_files f
        where f.state <> 'served' and f.due_at_ms <= ${now}::bigint and (f.state = 'orphan' or not exists (
          select from winnow.extraction e
          where e.id = f.extraction_id and e.attempt = f.attempt and e.status = 'running'))
        order by f.due_at_ms limit ${limit} for update of f skip locked)
      update winnow.attempt_files f set state = 'orphan', ended_at_ms = coalesce(f.ended_at_ms, ${now}::bigint),
        due_at_ms = ${now}::bigint + ${String(ORPHANS_AGAIN_MS)}::bigint
      from due where f.extraction_id = due.extraction_id and f.attempt = due.attempt
      returning winnow.attempt_files_json(f) as orphan`;
    return rows.map(({ orphan }) => orphan);
  }, orUnavailable),
  forgetFiles: Effect.fn("PgStore.forgetFiles")(function* ({ extractionId, attempt, endedAtMs }) {
    yield* sql`delete from winnow.attempt_files where extraction_id = ${extractionId} and attempt = ${attempt}
      and state = 'orphan' and ended_at_ms = ${String(endedAtMs)}::bigint`;
  }, orUnavailable)
});
