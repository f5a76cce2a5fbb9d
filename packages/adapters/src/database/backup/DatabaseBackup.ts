/**
 * Copies Winnow's tables to a backup and back over an ordinary connection: needs no client program and works
 * between all kinds of server. Jobs are excluded: the sweeper enqueues waiting and running extractions again.
 *
 * Some accounts at a time, each as it is at one moment: a transaction over everything could take hours, during which
 * the database removes no dead row.
 */
import * as Effect from "effect/Effect";
import * as SqlClient from "effect/sql/SqlClient";
import type { SqlError } from "effect/sql/SqlError";
import * as Migrations from "../migrations/Migrations.ts";
import { BackupFailed, type ArchiveWriter, type Head } from "./BackupArchive.ts";

/**
 * Request counts are obsolete after a minute, listeners are processes, and migrations belong to the schema, not to
 * the rows.
 */
const EXCLUDED_TABLES: ReadonlySet<string> = new Set(["job", "listener", "request_count", "migration"]);

/** Accounts that are read in one transaction. */
const ACCOUNTS_AT_ONCE = 100;

/** Read in one transaction for all accounts, because a person may move to another account meanwhile. */
const TABLES_OF_PEOPLE: ReadonlySet<string> = new Set(["account_member", "web_session"]);

/** Rows fetched at once; results may be large. */
const ROWS_AT_ONCE = 200;

/** Size of the rows inserted by one statement. */
const INSERT_BYTES_MAX = 1_024 * 1_024;

const io = <A>(work: () => Promise<A>) => Effect.tryPromise({ try: work, catch: (cause) => cause as Error });

interface Named {
  readonly name: string;
}

/** The tables of a backup, referenced ones first. */
export const tablesInOrder = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const tables = yield* sql<Named>`select c.relname::text as name from pg_class c
    join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'winnow' and c.relkind = 'r' order by 1`;
  const references = yield* sql<{ readonly from: string; readonly to: string }>`
    select f.relname::text as "from", t.relname::text as "to" from pg_constraint k
    join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
    join pg_namespace n on n.oid = k.connamespace where n.nspname = 'winnow' and k.contype = 'f'`;
  const ordered: Array<string> = [];
  const visit = (name: string): void => {
    if (ordered.includes(name)) return;
    for (const { from, to } of references) if (from === name && to !== name) visit(to);
    ordered.push(name);
  };
  for (const { name } of tables) visit(name);
  return ordered.filter((name) => !EXCLUDED_TABLES.has(name));
});

const NO_DATA =
  "The database has no data of Winnow. Set WINNOW_DATA_DIR and WINNOW_DATABASE_URL as for the server.";

const hasData = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const [found] = yield* sql<{ readonly there: boolean }>`
    select to_regclass('winnow.migration') is not null as there`;
  return found?.there === true;
});

/** The accounts of this transaction. */
const THESE = "any (array(select json_array_elements_text(current_setting('winnow.accounts')::json)))";

/** Tables without a column of the account: their reference to one that has it. */
const OWNED_THROUGH: Readonly<Record<string, readonly [column: string, table: string]>> = {
  webhook_attempt: ["delivery_id", "webhook_delivery"],
  batch_item: ["batch_id", "batch"],
  correction: ["extraction_id", "extraction"]
};

/** Which rows of the table belong to these accounts; null if its rows belong to none. */
const conditionOf = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, table: string) {
  if (table === "account") return `t.id = ${THESE}`;
  const [column, owner] = OWNED_THROUGH[table] ?? [];
  if (column !== undefined) {
    return `t.${column} in (select o.id from winnow.${owner} o where o.account_id = ${THESE})`;
  }
  const found = yield* sql`select 1 from information_schema.columns
    where table_schema = 'winnow' and table_name = ${table} and column_name = 'account_id'`;
  return found.length > 0 ? `t.account_id = ${THESE}` : null;
});

interface ReadTable {
  readonly name: string;
  readonly condition: string | null;
}

/** Rows in a backup, by table. */
export type RowCounts = Record<string, number>;

/** The rows as they are at one moment. */
const exportTables = (
  sql: SqlClient.SqlClient,
  writer: Pick<ArchiveWriter, "add">,
  tables: ReadonlyArray<ReadTable>,
  accounts: ReadonlyArray<string>,
  counts: RowCounts
) =>
  sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`set transaction isolation level repeatable read, read only`;
      yield* sql`select set_config('winnow.accounts', ${JSON.stringify(accounts)}, true)`;
      for (const { name, condition } of tables) {
        yield* sql.unsafe(`declare winnow_rows no scroll cursor for
          select to_json(t)::text as row from winnow.${name} t where ${condition ?? "true"}`).unprepared;
        for (;;) {
          const found = yield* sql.unsafe<{ readonly row: string }>(`fetch ${ROWS_AT_ONCE} from winnow_rows`)
            .unprepared;
          if (found.length === 0) break;
          // As text, because JavaScript numbers would lose precision.
          yield* io(() => writer.add({ table: name, rows: found.map(({ row }) => row) }));
          counts[name] = (counts[name] ?? 0) + found.length;
        }
        yield* sql.unsafe("close winnow_rows").unprepared;
      }
    })
  );

/** Accounts that are opened meanwhile are left out. */
export const exportDatabase = (
  writer: Pick<ArchiveWriter, "add">,
  accountsAtOnce = ACCOUNTS_AT_ONCE
): Effect.Effect<RowCounts, SqlError | Error, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient;
    const counts: RowCounts = {};
    if (!(yield* hasData(sql))) return yield* Effect.fail(new BackupFailed(NO_DATA));
    const migrations = yield* sql<Named>`select name from winnow.migration order by name`;
    const head: Head = {
      winnowBackup: 1,
      migrations: migrations.map(({ name }) => name),
      madeAt: new Date().toISOString()
    };
    yield* io(() => writer.add(head));
    const tables = yield* Effect.forEach(yield* tablesInOrder(sql), (name) =>
      Effect.map(conditionOf(sql, name), (condition): ReadTable => ({ name, condition }))
    );
    const ofAccounts = tables.filter(
      ({ name, condition }) => condition !== null && !TABLES_OF_PEOPLE.has(name)
    );
    const accounts = (yield* sql<Named>`select id as name from winnow.account order by id`).map(
      ({ name }) => name
    );
    for (let from = 0; from < accounts.length; from += accountsAtOnce) {
      yield* exportTables(sql, writer, ofAccounts, accounts.slice(from, from + accountsAtOnce), counts);
    }
    const rest = tables.filter((table) => !ofAccounts.includes(table));
    yield* exportTables(sql, writer, rest, accounts, counts);
    return counts;
  });

/** Whether a restore may start: there is no database schema, or an empty one of the same version. Read-only. */
export const checkEmpty = (head: Head) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient;
    const known = yield* Migrations.readMigrations;
    const names = new Set(known.map(({ name }) => name));
    const foreign = head.migrations.find((name) => !names.has(name));
    if (foreign !== undefined) {
      return yield* Effect.fail(
        new BackupFailed(
          `The backup was made by a newer version of Winnow (${foreign}); restore it with that version.`
        )
      );
    }
    if (yield* hasData(sql)) {
      const applied = yield* sql<Named>`select name from winnow.migration order by name`;
      const [used] = yield* sql<{
        readonly used: boolean;
      }>`select exists (select 1 from winnow.account) as used`;
      if (used?.used === true) {
        return yield* Effect.fail(
          new BackupFailed(
            "The database already has accounts; a backup can only be restored into an empty one."
          )
        );
      }
      if (applied.length > head.migrations.length) {
        return yield* Effect.fail(
          new BackupFailed(
            "The database was migrated by a newer version of Winnow than the backup; use an empty one."
          )
        );
      }
    }
    return known;
  });

/** Creates the schema version of the backup; later migrations are applied once the rows are in. */
export const prepareEmpty = (known: ReadonlyArray<Migrations.Migration>, head: Head) => {
  const before = new Set(head.migrations);
  return Migrations.migrate(known.filter(({ name }) => before.has(name)));
};

const insert = (sql: SqlClient.SqlClient, table: string, rows: ReadonlyArray<string>) =>
  sql.unsafe(
    `insert into winnow.${table} overriding system value
      select r.* from json_array_elements($1::text::json) e, json_populate_record(null::winnow.${table}, e) r`,
    [`[${rows.join(",")}]`]
  );

export const insertRows = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  table: string,
  rows: ReadonlyArray<string>
) {
  let batch: Array<string> = [];
  let sizeBytes = 0;
  for (const row of rows) {
    batch.push(row);
    sizeBytes += row.length;
    if (sizeBytes < INSERT_BYTES_MAX) continue;
    yield* insert(sql, table, batch);
    batch = [];
    sizeBytes = 0;
  }
  if (batch.length > 0) yield* insert(sql, table, batch);
});

/** Triggers would update counts that the rows already contain. */
export const setTriggers = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, isOn: boolean) {
  for (const table of yield* tablesInOrder(sql)) {
    yield* sql.unsafe(`alter table winnow.${table} ${isOn ? "enable" : "disable"} trigger user`).unprepared;
  }
});

/** Sequences continue after the last value; running extractions are queued to start again. */
export const carryOn = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const identities = yield* sql<{ readonly table: string; readonly column: string }>`
    select table_name::text as "table", column_name::text as "column" from information_schema.columns
    where table_schema = 'winnow' and is_identity = 'YES'`;
  for (const { table, column } of identities) {
    yield* sql.unsafe(`select setval(pg_get_serial_sequence('winnow.${table}', '${column}'),
      coalesce((select max(${column}) from winnow.${table}), 0) + 1, false)`).unprepared;
  }
  yield* sql`update winnow.extraction set status = 'pending', started_at_ms = null where status = 'running'`;
});
