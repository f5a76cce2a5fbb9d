// @module-tag long
import { assert, layer as withLayer } from "@effect/vitest";
import { Accounts } from "@winnow/core/engine/accounts/Accounts";
import { Extractions } from "@winnow/core/engine/extractions/Extractions";
import { assertLaws } from "@winnow/testing/samples/accountLaws";
import * as FakeDownloader from "@winnow/testing/fakes/FakeDownloader";
import * as Effect from "effect/Effect";
import * as Redacted from "effect/Redacted";
import * as SqlClient from "effect/sql/SqlClient";
import type { Entry } from "../../../src/database/backup/BackupArchive.ts";
import {
  carryOn,
  exportDatabase,
  insertRows,
  prepareEmpty,
  setTriggers
} from "../../../src/database/backup/DatabaseBackup.ts";
import * as Migrations from "../../../src/database/migrations/Migrations.ts";
import { ARTICLE, SOURCES } from "../../faults/crashSources.ts";
import { layer } from "../../faults/TestEngine.ts";
import { workplace } from "../../faults/Workplaces.ts";
import { TestPostgres } from "../store/TestPostgres.ts";

const openAccount = Effect.gen(function* () {
  const { id } = yield* Accounts.use((accounts) => accounts.create("Backed up"));
  yield* Accounts.use((accounts) => accounts.topUp(id, 1_000));
  return id;
});

const submit = (accountId: string, key: string) =>
  Extractions.use((extractions) => extractions.submit(accountId, { url: ARTICLE, force: true }, key));

/** Restores to an empty database; returns its accounts with the number of their runs, and whose the members are. */
const restored = Effect.fnUntraced(function* (entries: ReadonlyArray<Entry>) {
  const { url, tcpUrl } = yield* Effect.flatMap(TestPostgres, (server) => server.emptyDatabase);
  const [head] = entries;
  if (head === undefined || !("winnowBackup" in head)) return assert.fail("no head");
  const place = {
    databaseUrl: Redacted.value(url),
    tcpUrl: Redacted.value(tcpUrl),
    artifactsFolder: "/none"
  };
  return yield* Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient;
    yield* prepareEmpty(yield* Migrations.readMigrations, head);
    yield* setTriggers(sql, false);
    for (const entry of entries) {
      if ("table" in entry) yield* insertRows(sql, entry.table, entry.rows.map(String));
    }
    yield* carryOn(sql);
    yield* setTriggers(sql, true);
    const accounts = yield* sql<{ readonly id: string }>`select id from winnow.account order by id`;
    const runs = yield* Effect.forEach(accounts, ({ id }) =>
      Effect.map(assertLaws(id), ({ extractions }) => [id, extractions.length] as const)
    );
    const members = yield* sql<{ readonly account_id: string }>`select account_id from winnow.account_member`;
    return { runs, members: members.map(({ account_id }) => account_id) };
  }).pipe(Effect.provide(layer(place, FakeDownloader.layer(SOURCES))));
});

withLayer(TestPostgres.layer, { excludeTestServices: true })("a backup of a database in use", (it) => {
  it.effect("has each account as it was at one moment, everybody once, and no transaction over all", () =>
    Effect.gen(function* () {
      const place = yield* workplace;
      const engine = layer(place, FakeDownloader.layer(SOURCES));
      const { entries, first, second } = yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient;
        const [first = "", second = ""] = [yield* openAccount, yield* openAccount].toSorted();
        yield* submit(first, "one");
        yield* submit(second, "one");
        yield* sql`insert into winnow.account_member (id, account_id, email, issuer, subject, created_at_ms)
          values ('mem_1', ${second}, 'ada@example.com', 'https://id.example', 'ada', 0)`;
        const change = Effect.gen(function* () {
          const late = yield* submit(first, "two");
          yield* sql`insert into winnow.correction values (${late.extraction.id}, '{}', 0)`;
          yield* sql`insert into winnow.batch (id, account_id, status, document, created_at_ms)
            values ('bat_1', ${first}, 'running', '{}', 0)`;
          yield* sql`insert into winnow.batch_item (batch_id, index, document) values ('bat_1', 0, '{}')`;
          yield* submit(second, "two");
          yield* sql`update winnow.account_member set account_id = ${first}`;
          yield* submit(yield* openAccount, "one");
        });
        const changing = Effect.runPromiseWith(yield* Effect.context<Accounts | Extractions>());
        const entries: Array<Entry> = [];
        const add = async (entry: Entry) => {
          const isFirst = "table" in entry && !entries.some((earlier) => "table" in earlier);
          entries.push(entry);
          // While the first account is being read.
          if (isFirst) await changing(change);
        };
        yield* exportDatabase({ add }, 1);
        return { entries, first, second };
      }).pipe(Effect.provide(engine));
      assert.deepStrictEqual(yield* restored(entries), {
        runs: [
          [first, 1],
          [second, 2]
        ],
        members: [first]
      });
    }).pipe(Effect.scoped)
  );
});
