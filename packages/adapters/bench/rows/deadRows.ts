/** The cost of dead rows: of vacuum for each removed row, and of queries that scan past them before vacuum. */
import * as Effect from "effect/Effect";
import * as SqlClient from "effect/sql/SqlClient";
import { idOf } from "./fillRows.ts";
import type { RowsDatabase } from "./RowsDatabase.ts";

interface VacuumCost {
  readonly removed: number;
  readonly durationMs: number;
  readonly readMb: number;
}

const vacuumReads = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient;
  const [row] = yield* sql<{ mb: number }>`
    select coalesce(sum(read_bytes) / 1048576, 0)::float8 as mb from pg_stat_io where context = 'vacuum'`;
  return row?.mb ?? 0;
});

/** Removes the oldest rows, like retention, without measuring it. */
const removeOldest = (rows: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient;
    yield* sql.unsafe(
      "alter table winnow.idempotency drop constraint if exists idempotency_extraction_id_fkey"
    );
    yield* sql.unsafe("alter table winnow.extraction disable trigger user");
    const [oldest] = yield* sql<{ place: number }>`
      select substr(min(id), 5)::integer as place from winnow.extraction`;
    yield* sql`delete from winnow.extraction where id < ${idOf((oldest?.place ?? 0) + rows)}`;
    yield* sql.unsafe("alter table winnow.extraction enable trigger user");
  });

const vacuumed = (removed: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient;
    const before = yield* vacuumReads;
    const startMs = performance.now();
    yield* sql`vacuum winnow.extraction`.unprepared;
    const durationMs = performance.now() - startMs;
    yield* sql`select pg_sleep(1.5)`; // counters are updated when the session is idle
    return { removed, durationMs, readMb: (yield* vacuumReads) - before } satisfies VacuumCost;
  });

const show = (name: string, rows: number, { removed, durationMs, readMb }: VacuumCost): void =>
  console.log(
    `vacuum after ${name}, ${rows} rows, ${removed} removed: ${durationMs.toFixed(0)} ms, ${readMb.toFixed(0)} MB ` +
      `read; of each: ${((durationMs * 1_000) / removed).toFixed(1)} us, ${((readMb * 1_024) / removed).toFixed(2)} KB`
  );

/**
 * Removes a fortieth of each table (vacuum skips indexes below a fiftieth of the pages), then equally many rows of
 * both.
 */
export const deadRows = Effect.fnUntraced(function* (small: RowsDatabase, large: RowsDatabase) {
  const few = Math.floor(small.rows / 40);
  for (const { name, database, count } of [
    { name: "a fortieth", database: small, count: few },
    { name: "a fortieth", database: large, count: Math.floor(large.rows / 40) },
    { name: "as many", database: small, count: few },
    { name: "as many", database: large, count: few }
  ]) {
    const cost = Effect.andThen(removeOldest(count), vacuumed(count));
    show(name, database.rows, yield* Effect.provideContext(cost, database.services));
  }
});
