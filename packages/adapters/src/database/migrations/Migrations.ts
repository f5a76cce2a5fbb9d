/**
 * Migrates the database to this program's schema: numbered migrations, applied once, in order, in one transaction
 * under a lock, so that processes starting simultaneously wait for each other. A migration is an SQL file, or a folder
 * of them by subject, which are joined in the order of their names.
 *
 * An applied migration never changes; a checksum enforces this.
 *
 * Releases expand first: what the previous release needs is removed only by the next one. So a process works with a
 * database that is one release ahead, and processes can be replaced one by one; with two releases, it refuses to
 * start. Migrations of later releases than the first start with a line such as `-- Release 2.`
 */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Schema from "effect/Schema";
import * as SqlClient from "effect/sql/SqlClient";
import type { SqlError } from "effect/sql/SqlError";
import { refusalOf } from "../store/StorageFault.ts";

/** The message is for the operator. */
export class MigrationFailed extends Schema.TaggedError<MigrationFailed>()("MigrationFailed", {
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {}

export interface Migration {
  /** `0001_schema`. */
  readonly name: string;
  readonly sql: string;
}

const FOLDER = new URL("./", import.meta.url);
/** `0002_added.sql`, or `0001_schema/01_accounts.sql` as a part of `0001_schema`. */
const FILE_NAME = /^(?<name>\d{4}_[a-z0-9_]+)(?:\/\d{2}_[a-z0-9_]+)?\.sql$/u;

/** Advisory lock of all migrations of a database: "winnow" in ASCII. */
const LOCK_KEY = 0x77696e6e6f77;

/** Maximum wait for those that use a table. */
const TABLE_WAIT_MS_MAX = 10_000;

/** Dollar quotes that no migration may contain. */
const BLOCK_QUOTE = "$winnow_block$";
const BODY_QUOTE = "$winnow_body$";

const RELEASE_LINE = /^-- Release (\d{1,6})\./u;

/** The release that introduced the migration. */
const releaseOf = ({ sql }: Migration): number => Number(RELEASE_LINE.exec(sql)?.[1] ?? 1);

/** How many releases a database may be ahead of a process. */
const AHEAD_MAX = 1;

interface Applied {
  readonly name: string;
  readonly checksum: string;
  readonly release: number;
}

/** Checksum of the text with LF line ends, so that a checkout with CRLF gives the same. */
const checksumOf = (migration: Migration): string =>
  createHash("sha256").update(migration.sql.replaceAll("\r\n", "\n")).digest("hex");

/** Those of this program, in order. */
export const readMigrations: Effect.Effect<ReadonlyArray<Migration>, MigrationFailed> = Effect.tryPromise({
  try: async () => {
    const texts = new Map<string, string>();
    const files = (await readdir(FOLDER, { recursive: true })).map((file) => file.replaceAll("\\", "/"));
    for (const file of files.sort()) {
      const name = FILE_NAME.exec(file)?.groups?.["name"];
      if (name === undefined) continue;
      texts.set(name, (texts.get(name) ?? "") + (await readFile(new URL(file, FOLDER), "utf8")));
    }
    return [...texts].map(([name, sql]) => ({ name, sql }));
  },
  catch: (cause) => new MigrationFailed({ message: "The migration files cannot be read.", cause })
});

/** A migration contains many statements, but the protocol accepts one: this one executes them all. */
const asOneStatement = ({ sql }: Migration): string =>
  `do ${BLOCK_QUOTE} begin execute ${BODY_QUOTE}${sql}${BODY_QUOTE}; end ${BLOCK_QUOTE}`;

const prepareHistory = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  // Neither our own timeouts nor the role's may abort a long migration or the wait for another's.
  yield* sql`set local statement_timeout = 0`;
  yield* sql`set local lock_timeout = 0`;
  yield* sql`select pg_advisory_xact_lock(${LOCK_KEY})`;
  // Waiting to change a table blocks all writers: it is better to give up and retry.
  yield* sql.unsafe(`set local lock_timeout = ${TABLE_WAIT_MS_MAX}`).unprepared;
  yield* sql`create schema if not exists winnow`;
  yield* sql`create table if not exists winnow.migration (
    name text primary key, checksum text not null, applied_at timestamptz not null default now(),
    release integer not null)`;
  return yield* sql<Applied>`select name, checksum, release from winnow.migration order by name`;
});

const checkHistory = (
  applied: ReadonlyArray<Applied>,
  known: ReadonlyArray<Migration>
): Effect.Effect<void, MigrationFailed> => {
  const checksums = new Map(known.map((migration) => [migration.name, checksumOf(migration)]));
  const own = Math.max(1, ...known.map(releaseOf));
  for (const { name, checksum, release } of applied) {
    const expected = checksums.get(name);
    if (expected === undefined) {
      if (release <= own + AHEAD_MAX) continue;
      const message =
        `The database was migrated by a newer version of Winnow: the migration ${name} is ${release - own} ` +
        `releases ahead of this version, which supports one. Start the newer version.`;
      return Effect.fail(new MigrationFailed({ message }));
    }
    if (expected !== checksum) {
      const message =
        `This database was made by another build of Winnow: the migration ${name} was changed after it had been ` +
        `applied here. Start that build, or begin with an empty database or data folder.`;
      return Effect.fail(new MigrationFailed({ message }));
    }
  }
  return Effect.void;
};

/** PostgreSQL's own message, if there is one. */
const messageOf = ({ message, reason }: SqlError): string =>
  "cause" in reason && reason.cause instanceof Error ? reason.cause.message : message;

/** Applies missing migrations and returns their names; all or nothing. Safe to run at any time. */
export const migrate = (
  migrations: ReadonlyArray<Migration>
): Effect.Effect<ReadonlyArray<string>, MigrationFailed, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient;
    const applyMissing = Effect.gen(function* () {
      const applied = yield* prepareHistory(sql);
      yield* checkHistory(applied, migrations);
      const done = new Set(applied.map(({ name }) => name));
      const missing = migrations.filter(({ name }) => !done.has(name));
      for (const migration of missing) {
        yield* sql.unsafe(asOneStatement(migration)).unprepared;
        yield* sql`insert into winnow.migration (name, checksum, release)
          values (${migration.name}, ${checksumOf(migration)}, ${releaseOf(migration)})`;
      }
      return missing.map(({ name }) => name);
    });
    return yield* sql.withTransaction(applyMissing);
  }).pipe(
    Effect.catchTag("SqlError", (cause) => {
      const message = refusalOf(cause) ?? `The database could not be migrated: ${messageOf(cause)}`;
      return Effect.fail(new MigrationFailed({ message, cause }));
    })
  );

/** Migrates once when built, before anything that depends on it. */
export const layer: Layer.Layer<never, MigrationFailed, SqlClient.SqlClient> = Layer.effectDiscard(
  Effect.flatMap(readMigrations, migrate)
);
