// @module-tag long
import { assert, layer as withLayer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as SqlClient from "effect/sql/SqlClient";
import { migrate, readMigrations, type Migration } from "../../../src/database/migrations/Migrations.ts";
import * as PgConnection from "../../../src/database/store/PgConnection.ts";
import { TestPostgres, type TestDatabase } from "../store/TestPostgres.ts";

const on =
  (database: TestDatabase) =>
  <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
    Effect.provide(effect, Layer.orDie(PgConnection.layer(database)));

const tables = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ readonly name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'winnow' order by 1`
);

/** Settings of the function that every decision calls. */
const settingsOfView = SqlClient.SqlClient.use(
  (sql) => sql<{ readonly settings: ReadonlyArray<string> }>`
    select proconfig as settings from pg_proc where oid = 'winnow.lock_view'::regproc`
);

/** Functions of the schema that are called for each row, instead of becoming part of the statement. */
const calledForEachRow = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient;
  const ofRows = yield* sql<{ readonly name: string; readonly table: string }>`
    select p.proname as name, t.typname as table from pg_proc p join pg_type t on t.oid = p.proargtypes[0]
    where p.pronamespace = 'winnow'::regnamespace and p.pronargs = 1 and t.typtype = 'c' order by 1`;
  const statements = [
    ...ofRows.map(({ name, table }) => [name, `select winnow.${name}(r) from winnow.${table} r`] as const),
    ["find_idempotency", "select i.key from winnow.find_idempotency('acc', 'key') i"] as const
  ];
  const plans = yield* Effect.forEach(statements, ([name, statement]) =>
    Effect.map(sql.unsafe(`explain verbose ${statement}`).unprepared, (plan) => ({
      name,
      isCalled: JSON.stringify(plan).includes(name)
    }))
  );
  return { all: plans.map(({ name }) => name), called: plans.filter(({ isCalled }) => isCalled) };
});

const two: ReadonlyArray<Migration> = [
  {
    name: "0001_first",
    sql: "create table winnow.first (id text); insert into winnow.first values ('a;b');"
  },
  { name: "0002_second", sql: "alter table winnow.first add column note text default '$$';" }
];

withLayer(TestPostgres.layer, { excludeTestServices: true })("Migrations", (it) => {
  const emptyDatabase = Effect.flatMap(TestPostgres, (server) => server.emptyDatabase);

  it.effect("the files of every subject create a complete database, and a second run changes nothing", () =>
    Effect.gen(function* () {
      const run = on(yield* emptyDatabase);
      const files = yield* readMigrations;
      assert.isAbove(files.length, 0);
      assert.deepStrictEqual(
        yield* run(migrate(files)),
        files.map(({ name }) => name)
      );
      assert.deepStrictEqual(yield* run(migrate(files)), []);
      const names = (yield* run(tables)).map(({ name }) => name);
      assert.includeMembers(names, [
        "account",
        "extraction",
        "ledger",
        "webhook_attempt",
        "attempt_files",
        "job"
      ]);
    })
  );

  it.effect(
    "what a decision reads is planned once a session; documents are computed in the statement, without a call for each row",
    () =>
      Effect.gen(function* () {
        const run = on(yield* emptyDatabase);
        yield* run(migrate(yield* readMigrations));
        const { all, called } = yield* run(calledForEachRow);
        assert.includeMembers([...all], ["account_json", "extraction_json", "ledger_json"]);
        assert.deepStrictEqual(called, []);
        const [view] = yield* run(settingsOfView);
        assert.includeMembers(
          [...(view?.settings ?? [])],
          ["plan_cache_mode=force_generic_plan", "enable_seqscan=off"]
        );
      })
  );

  it.effect("processes that start at once migrate once", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase;
      const files = yield* readMigrations;
      const applied = yield* Effect.forEach([1, 2, 3, 4], () => on(database)(migrate(files)), {
        concurrency: 4
      });
      assert.deepStrictEqual(
        applied.flat(),
        files.map(({ name }) => name)
      );
    })
  );

  it.effect("a later file is added to a database that has the earlier ones", () =>
    Effect.gen(function* () {
      const run = on(yield* emptyDatabase);
      yield* run(migrate(two.slice(0, 1)));
      assert.deepStrictEqual(yield* run(migrate(two)), ["0002_second"]);
    })
  );

  it.effect("a file that was changed after it had been applied is refused", () =>
    Effect.gen(function* () {
      const run = on(yield* emptyDatabase);
      yield* run(migrate(two));
      const changed = two.map((file) => ({ ...file, sql: `${file.sql} -- changed` }));
      const refused = yield* Effect.flip(run(migrate(changed)));
      assert.include(refused.message, "0001_first was changed");
    })
  );

  it.effect("CRLF line ends of a checkout are not a change", () =>
    Effect.gen(function* () {
      const run = on(yield* emptyDatabase);
      const file = { name: "0001_lines", sql: "create table winnow.lines (\n  id text\n);\n" };
      yield* run(migrate([file]));
      assert.deepStrictEqual(yield* run(migrate([{ ...file, sql: file.sql.replaceAll("\n", "\r\n") }])), []);
    })
  );

  it.effect("a database one release ahead is worked with, and one two releases ahead refused", () =>
    Effect.gen(function* () {
      const run = on(yield* emptyDatabase);
      const next = { name: "0003_next", sql: "-- Release 2.\ncreate table winnow.next (id text);" };
      const second = { name: "0004_second", sql: "-- Release 3.\ncreate table winnow.second (id text);" };
      yield* run(migrate([...two, next]));
      assert.deepStrictEqual(yield* run(migrate(two)), []);
      yield* run(migrate([...two, next, second]));
      assert.deepStrictEqual(yield* run(migrate([...two, next])), []);
      const refused = yield* Effect.flip(run(migrate(two)));
      assert.include(refused.message, "newer version of Winnow");
      assert.include(refused.message, "2 releases ahead");
    })
  );

  it.effect("a file that fails rolls back the whole run", () =>
    Effect.gen(function* () {
      const run = on(yield* emptyDatabase);
      const broken = { name: "0003_broken", sql: "create table winnow.third (id text); select nonsense;" };
      yield* Effect.flip(run(migrate([...two, broken])));
      assert.deepStrictEqual(yield* run(tables), []);
    })
  );
});
