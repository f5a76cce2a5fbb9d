/** Part of PgStore: reads of batches and their items. Tests: PgStore.test.ts (StoreBatches.ts). */
import type { Batch, BatchItem, ItemState } from "@winnow/core/domain/run/Batch";
import type { Store } from "@winnow/core/ports/Store";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import type * as SqlClient from "effect/sql/SqlClient";
import { readBatch, readBatchItem, type DocumentRow } from "./Documents.ts";
import { orUnavailable } from "./StorageFault.ts";

export const makeBatches = (sql: SqlClient.SqlClient) =>
  ({
    getBatch: Effect.fn("PgStore.getBatch")(function* (accountId, id) {
      const [row] = yield* sql<DocumentRow>`select b.document from winnow.batch b
        where b.id = ${id} and b.account_id = ${accountId}`;
      return Option.map(Option.fromUndefinedOr(row), ({ document }): Batch => readBatch(document));
    }, orUnavailable),
    listBatches: Effect.fn("PgStore.listBatches")(function* (accountId, { after, limit }) {
      const past =
        after === null
          ? sql.literal("")
          : sql`and (b.created_at_ms, b.id) < (${String(after.createdAtMs)}::bigint, ${after.id})`;
      const rows = yield* sql<DocumentRow>`select b.document from winnow.batch b
        where b.account_id = ${accountId} ${past} order by b.created_at_ms desc, b.id desc limit ${limit}`;
      return rows.map(({ document }): Batch => readBatch(document));
    }, orUnavailable),
    listBatchItems: Effect.fn("PgStore.listBatchItems")(function* (accountId, id) {
      const rows = yield* sql<DocumentRow & Pick<ItemState, "status">>`
        select i.document, e.status from winnow.batch b
        join winnow.batch_item i on i.batch_id = b.id
        left join winnow.extraction e on e.id = i.extraction_id and e.account_id = b.account_id
        where b.id = ${id} and b.account_id = ${accountId} order by i.index`;
      return rows.map(({ document, status }) => {
        const item: BatchItem = readBatchItem(document);
        return { ...item, status };
      });
    }, orUnavailable),
    findCancelledBatches: Effect.fn("PgStore.findCancelledBatches")(function* (limit) {
      return yield* sql<Pick<Batch, "id" | "accountId">>`select b.id, b.account_id as "accountId"
        from winnow.batch b where b.status = 'cancelled' and b.completed_at_ms is null
        order by b.id limit ${limit}`;
    }, orUnavailable)
  }) satisfies Partial<Store["Service"]>;
