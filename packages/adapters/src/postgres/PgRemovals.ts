/**
 * The part of the Store on PostgreSQL that deletes extractions and remembers which files are to go.
 */
import { DAY_MS } from "@winnow/core/domain/Usage";
import type { Store } from "@winnow/core/ports/Store";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import type * as SqlClient from "effect/sql/SqlClient";
import type { AccountTransactions } from "./AccountTransactions.ts";
import { readDeletion, type DocumentRow } from "./Documents.ts";
import { orUnavailable } from "./StorageFault.ts";

type Removals =
  | "deleteExtraction"
  | "findExpired"
  | "findAbandonedFiles"
  | "forgetAbandonedFiles"
  | "noteFiles"
  | "findLeftFiles"
  | "forgetLeftFiles";

export const makeRemovals = (
  sql: SqlClient.SqlClient,
  transactions: AccountTransactions["Service"]
): Pick<Store["Service"], Removals> => ({
  deleteExtraction: Effect.fn("PgStore.deleteExtraction")(function* (accountId, id) {
    const [row] = yield* transactions.run(
      accountId,
      sql<DocumentRow>`select winnow.delete_extraction(${accountId}, ${id}) as document`
    );
    return Option.fromNullOr(readDeletion(row?.document));
  }, orUnavailable),
  findExpired: Effect.fn("PgStore.findExpired")(function* ({ nowMs, retention, limit }) {
    const { defaultDays, daysByPlan } = retention;
    const leastDays = Math.min(defaultDays, ...Object.values(daysByPlan));
    // The index ends at what the account with the fewest days may lose; who has more is left out row by row.
    return yield* sql<{ readonly accountId: string; readonly extractionId: string }>`
      select e.account_id as "accountId", e.id as "extractionId"
      from winnow.extraction e join winnow.account a on a.id = e.account_id
      where e.status in ('complete', 'failed')
        and e.completed_at_ms < ${String(nowMs)}::bigint - ${String(DAY_MS)}::bigint * least(${leastDays}::integer,
          (select min((own.limits ->> 'retentionDays')::integer) from winnow.account own where own.limits is not null))
        and e.completed_at_ms < ${String(nowMs)}::bigint - ${String(DAY_MS)}::bigint
          * winnow.retention_days(a, ${JSON.stringify(daysByPlan)}::json, ${defaultDays}::integer)
      order by e.completed_at_ms limit ${limit}`;
  }, orUnavailable),
  findAbandonedFiles: Effect.fn("PgStore.findAbandonedFiles")(function* (limit) {
    const rows = yield* sql<{ readonly id: string }>`
      select extraction_id as id from winnow.abandoned_files order by abandoned_at limit ${limit}`;
    return rows.map(({ id }) => id);
  }, orUnavailable),
  forgetAbandonedFiles: Effect.fn("PgStore.forgetAbandonedFiles")(function* (extractionId) {
    yield* sql`delete from winnow.abandoned_files where extraction_id = ${extractionId}`;
  }, orUnavailable),
  noteFiles: Effect.fn("PgStore.noteFiles")(function* ({ extractionId, attempt }) {
    yield* sql`insert into winnow.noted_files (extraction_id, attempt) values (${extractionId}, ${attempt})
      on conflict do nothing`;
  }, orUnavailable),
  findLeftFiles: Effect.fn("PgStore.findLeftFiles")(function* (limit) {
    return yield* sql<{ readonly extractionId: string; readonly attempt: number }>`
      select extraction_id as "extractionId", attempt from winnow.left_files(${limit})`;
  }, orUnavailable),
  forgetLeftFiles: Effect.fn("PgStore.forgetLeftFiles")(function* ({ extractionId, attempt }) {
    yield* sql`delete from winnow.noted_files
      where extraction_id = ${extractionId} and attempt = ${attempt}`;
  }, orUnavailable)
});
