/** The part of the PostgreSQL Store that deletes extractions and records files to remove. */
import type { Expired, LeftFiles, Store } from "@winnow/core/ports/Store";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import type * as SqlClient from "effect/sql/SqlClient";
import type { AccountTransactions } from "./AccountTransactions.ts";
import { readDeletion, type DocumentRow } from "./Documents.ts";
import { orUnavailable } from "./StorageFault.ts";

type Removals =
  | "deleteExtraction"
  | "removeExpired"
  | "findAbandonedFiles"
  | "forgetAbandonedFiles"
  | "noteFiles"
  | "findLeftFiles"
  | "noteRemoval"
  | "forgetLeftFiles";

/** Accounts per batch of retention, each an index probe. */
const ACCOUNTS_MAX = 1_000;

/** Records of served files deleted per statement. */
const FORGOTTEN_MAX = 1_000;

const REMOVE_EXPIRED = "select winnow.remove_expired($1, $2::bigint, $3::json, $4, $5, $6) as expired";

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
      sql.unsafe<{ readonly expired: Expired }>(REMOVE_EXPIRED, parameters)
    );
    return row?.expired ?? { removed: [], next: null };
  }, orUnavailable),
  findAbandonedFiles: Effect.fn("PgStore.findAbandonedFiles")(function* (limit) {
    const rows = yield* sql<{ readonly id: string }>`
      select extraction_id as id from winnow.abandoned_files order by abandoned_at limit ${limit}`;
    return rows.map(({ id }) => id);
  }, orUnavailable),
  forgetAbandonedFiles: Effect.fn("PgStore.forgetAbandonedFiles")(function* (extractionIds) {
    yield* sql`delete from winnow.abandoned_files where extraction_id in (
      select json_array_elements_text(${JSON.stringify(extractionIds)}::text::json))`;
  }, orUnavailable),
  noteFiles: Effect.fn("PgStore.noteFiles")(function* ({ extractionId, attempt }) {
    yield* sql`insert into winnow.noted_files (extraction_id, attempt) values (${extractionId}, ${attempt})
      on conflict do nothing`;
  }, orUnavailable),
  findLeftFiles: Effect.fn("PgStore.findLeftFiles")(function* (limit) {
    // Deletes records of files that are still served first, so that the query below scans few.
    for (let forgotten = FORGOTTEN_MAX; forgotten === FORGOTTEN_MAX;) {
      const [row] = yield* sql<{ readonly count: number }>`
        select winnow.forget_served_files(${FORGOTTEN_MAX}) as count`;
      forgotten = row?.count ?? 0;
    }
    return yield* sql<LeftFiles>`
      select extraction_id as "extractionId", attempt, removed_at_ms::float8 as "removedAtMs"
      from winnow.left_files(${limit})`;
  }, orUnavailable),
  noteRemoval: Effect.fn("PgStore.noteRemoval")(function* ({ extractionId, attempt }, nowMs) {
    yield* sql`update winnow.noted_files set removed_at_ms = coalesce(removed_at_ms, ${String(nowMs)}::bigint)
      where extraction_id = ${extractionId} and attempt = ${attempt}`;
  }, orUnavailable),
  forgetLeftFiles: Effect.fn("PgStore.forgetLeftFiles")(function* ({ extractionId, attempt }) {
    yield* sql`delete from winnow.noted_files
      where extraction_id = ${extractionId} and attempt = ${attempt}`;
  }, orUnavailable)
});
