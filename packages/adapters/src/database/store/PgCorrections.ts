/** Part of PgStore: what people corrected in results. Tests: PgStore.test.ts (StoreRemovals.ts). */
import type { Corrections } from "@winnow/core/domain/result/ResultRow";
import type { Store } from "@winnow/core/ports/Store";
import * as Effect from "effect/Effect";
import type * as SqlClient from "effect/sql/SqlClient";
import { orUnavailable } from "./StorageFault.ts";

export const makeCorrections = (sql: SqlClient.SqlClient) =>
  ({
    setCorrections: Effect.fn("PgStore.setCorrections")(function* (
      accountId,
      extractionId,
      corrections,
      nowMs
    ) {
      if (Object.keys(corrections).length === 0) {
        yield* sql`delete from winnow.correction c using winnow.extraction e
          where c.extraction_id = ${extractionId} and e.id = c.extraction_id and e.account_id = ${accountId}`;
        return;
      }
      yield* sql`insert into winnow.correction (extraction_id, corrections, corrected_at_ms)
        select e.id, ${JSON.stringify(corrections)}::text::json, ${String(nowMs)}::bigint from winnow.extraction e
        where e.id = ${extractionId} and e.account_id = ${accountId}
        on conflict (extraction_id) do update set corrections = excluded.corrections,
          corrected_at_ms = excluded.corrected_at_ms`;
    }, orUnavailable),
    findCorrections: Effect.fn("PgStore.findCorrections")(function* (accountId, extractionIds) {
      const rows = yield* sql<{ readonly id: string; readonly corrections: Corrections }>`
        select c.extraction_id as id, c.corrections from winnow.correction c
        join winnow.extraction e on e.id = c.extraction_id and e.account_id = ${accountId}
        where c.extraction_id in (select json_array_elements_text(${JSON.stringify(extractionIds)}::text::json))`;
      return new Map(rows.map(({ id, corrections }) => [id, corrections]));
    }, orUnavailable)
  }) satisfies Partial<Store["Service"]>;
