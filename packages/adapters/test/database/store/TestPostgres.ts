/** Databases for tests, on a temporary PostgreSQL server. */
import { randomBytes } from "node:crypto";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Redacted from "effect/Redacted";
import * as SqlClient from "effect/sql/SqlClient";
import * as PgJobQueue from "../../../src/database/queue/PgJobQueue.ts";
import * as Migrations from "../../../src/database/migrations/Migrations.ts";
import * as PgConnection from "../../../src/database/store/PgConnection.ts";
import * as PgStore from "../../../src/database/store/PgStore.ts";
import { sharedPostgres } from "./PostgresBroker.ts";
import { PASSWORD, ROLE, type RunningPostgres, startPostgres } from "./ThrowAwayPostgres.ts";

const TEMPLATE = "migrated";

export const urlOf = (
  { folder, port }: Pick<RunningPostgres, "folder" | "port">,
  database: string,
  host: "socket" | "tcp"
): Redacted.Redacted => {
  const credentials = `${ROLE}:${encodeURIComponent(PASSWORD)}`;
  return Redacted.make(
    host === "tcp"
      ? `postgres://${credentials}@127.0.0.1:${port}/${database}`
      : `postgres://${credentials}@localhost/${database}?host=${encodeURIComponent(folder)}&port=${port}`
  );
};

/** URLs of one database. */
export interface TestDatabase {
  readonly url: Redacted.Redacted;
  readonly tcpUrl: Redacted.Redacted;
}

/** The server of the test run if there is one, otherwise a new one until the scope closes. */
const someServer = Effect.gen(function* () {
  const shared = yield* Effect.promise(sharedPostgres);
  if (shared !== null) return shared;
  return yield* Effect.acquireRelease(
    Effect.promise(() => startPostgres()),
    ({ stop }) => Effect.promise(stop)
  );
});

type Admin = <A, E>(use: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>) => Effect.Effect<A>;

/** An arbitrary number: the file that creates the template holds this lock, and the others wait for it. */
const TEMPLATE_LOCK = 7_405;

/** Test files wait for the one that creates the template. */
const PATIENT = { lockMs: 0, statementMs: 0 };

/** Creates the template unless another test file has; it is complete or does not exist. */
const makeTemplate = (admin: Admin, { url }: TestDatabase): Effect.Effect<void> =>
  admin((sql) =>
    Effect.acquireUseRelease(
      sql`select pg_advisory_lock(${TEMPLATE_LOCK})`,
      Effect.fnUntraced(function* () {
        const found = yield* sql`select 1 from pg_database where datname = ${TEMPLATE} and datistemplate`;
        if (found.length > 0) return;
        yield* sql.unsafe(`drop database if exists ${TEMPLATE}`).unprepared;
        yield* sql.unsafe(`create database ${TEMPLATE}`).unprepared;
        yield* Effect.scoped(Layer.build(Layer.provide(Migrations.layer, PgConnection.layer({ url }))));
        yield* sql.unsafe(`alter database ${TEMPLATE} is_template true`).unprepared;
      }),
      () => Effect.orDie(sql`select pg_advisory_unlock(${TEMPLATE_LOCK})`)
    )
  );

const make = Effect.gen(function* () {
  const server = yield* someServer;
  const database = (name: string): TestDatabase => ({
    url: urlOf(server, name, "socket"),
    tcpUrl: urlOf(server, name, "tcp")
  });
  const admin: Admin = (use) =>
    Effect.flatMap(SqlClient.SqlClient, use).pipe(
      Effect.provide(
        PgConnection.layer({ url: database("postgres").url, connectionsMax: 1, timeouts: PATIENT })
      ),
      Effect.orDie
    );
  const create = (template: string) =>
    Effect.gen(function* () {
      const name = `test_${randomBytes(6).toString("hex")}`;
      yield* admin((sql) => sql.unsafe(`create database ${name} template ${template}`).unprepared);
      return database(name);
    });

  yield* makeTemplate(admin, database(TEMPLATE));

  return {
    /** Without any tables. */
    emptyDatabase: create("template0"),
    /** With the tables of Winnow. */
    migratedDatabase: create(TEMPLATE)
  };
});

export class TestPostgres extends Context.Service<TestPostgres, Effect.Success<typeof make>>()(
  "@winnow/adapters/test/TestPostgres"
) {
  /** Databases on the run's server. */
  static readonly layer = Layer.effect(TestPostgres, make);
}

/** A connection pool to a new migrated database. */
export const connectionLayer = Layer.unwrap(
  Effect.gen(function* () {
    const { migratedDatabase } = yield* TestPostgres;
    return PgConnection.layer(yield* migratedDatabase);
  })
).pipe(Layer.provide(TestPostgres.layer));

/** The queue on a new migrated database, with the connections it shares. */
export const queueLayer = Layer.unwrap(
  Effect.gen(function* () {
    const { migratedDatabase } = yield* TestPostgres;
    const { url } = yield* migratedDatabase;
    return Layer.provideMerge(PgJobQueue.layer(), PgConnection.layer({ url }));
  })
).pipe(Layer.provide(TestPostgres.layer));

/** The store, its queue and its connections on a new migrated database. */
export const storeLayer = Layer.provideMerge(PgStore.layer, queueLayer);
