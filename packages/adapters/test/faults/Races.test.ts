// @module-tag smoke: hundreds of runs race
/** Several processes on one database: slots, order and money hold as in one. */
import { assert, layer as withLayer } from "@effect/vitest";
import { SLOTS_MAX } from "@winnow/core/domain/money/Plan";
import { Accounts } from "@winnow/core/engine/accounts/Accounts";
import { assertLaws } from "@winnow/testing/samples/accountLaws";
import * as FakeDownloader from "@winnow/testing/fakes/FakeDownloader";
import * as Effect from "effect/Effect";
import * as Logger from "effect/Logger";
import * as Schedule from "effect/Schedule";
import * as SqlClient from "effect/sql/SqlClient";
import { TestPostgres } from "../database/store/TestPostgres.ts";
import { racingEngines } from "./ChildEngine.ts";
import { environmentOf, layer, type Workplace } from "./TestEngine.ts";
import { workplace } from "./Workplaces.ts";

/** Larger by `npm run test:faults`. */
const [PROCESSES, SUBMITS_PER_PROCESS] = process.env["WINNOW_TEST_FAULTS"] === undefined ? [2, 15] : [4, 60];
const ACCOUNTS = 3;
const CREDITS = 100_000;
/** Bonus of the first top-up. */
const BONUS = 1_000;
const RUN_CREDITS = 50;

/** It takes ten seconds on an idle machine, longer on a busy one. */
const TEST_MS = 600_000;

/** Runs on a new database, with an engine of the test's own that has no workers. */
const onNewDatabase = <A, E, R>(use: (place: Workplace) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const place = yield* workplace;
    yield* Effect.provide(use(place), [layer(place, FakeDownloader.layer({})), Logger.layer([])]);
  }).pipe(Effect.scoped);

const openAccount = Effect.gen(function* () {
  const accounts = yield* Accounts;
  const { id } = yield* accounts.create("Raced for");
  yield* accounts.topUp(id, CREDITS);
  return id;
});

/** Accounts whose counts do not match their extractions, or with a third run; checked continuously. */
const brokenCounts = SqlClient.SqlClient.use(
  (sql) => sql`select a.id, a.slots_used, a.waiting_count, seen.* from winnow.account a
    cross join lateral (
      select count(*) filter (where e.status in ('pending', 'running'))::integer as live,
        count(*) filter (where e.status = 'queued')::integer as waiting
      from winnow.extraction e where e.account_id = a.id) seen
    where seen.live <> a.slots_used or seen.waiting <> a.waiting_count or seen.live > ${SLOTS_MAX}`
);

const ended = (accounts: ReadonlyArray<string>) =>
  Effect.map(
    SqlClient.SqlClient.use(
      (sql) => sql<{ readonly ended: number }>`select count(*)::integer as ended from winnow.extraction e
        where ${sql.in("account_id", accounts)} and e.status in ('complete', 'failed')`
    ),
    ([row]) => row?.ended ?? 0
  );

interface ClaimedRun {
  readonly position: number;
  readonly started: number;
  readonly ended: number;
}

/** In the order of submission; times in milliseconds. */
const carriedOut = (accountId: string) =>
  SqlClient.SqlClient.use(
    (sql) => sql<ClaimedRun>`select e.position::integer,
        extract(epoch from r.started_at)::float8 * 1000 as started,
        extract(epoch from r.ended_at)::float8 * 1000 as ended
      from winnow.extraction e join race r on r.url = e.request ->> 'normalizedUrl'
      where e.account_id = ${accountId} order by e.position`
  );

const assertSlotsAndOrder = (runs: ReadonlyArray<ClaimedRun>): void => {
  for (const [index, run] of runs.entries()) {
    const beside = runs.filter(({ started, ended }) => started <= run.started && ended > run.started);
    assert.isAtMost(beside.length, SLOTS_MAX, "a third run at the same time");
    // Two runs with slots may start in either order, but a run overtakes none except the one beside it.
    const overtaken = runs.slice(0, index).filter(({ started }) => started > run.started);
    assert.isBelow(overtaken.length, SLOTS_MAX, `run ${run.position} came before its turn`);
  }
};

withLayer(TestPostgres.layer, { excludeTestServices: true })("processes on one database", (it) => {
  it.effect(
    "never execute a third run of an account, preserve its order, and lose and charge nothing",
    () =>
      onNewDatabase((place) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient;
          yield* sql`create table race (url text, started_at timestamptz, ended_at timestamptz)`;
          const accounts = yield* Effect.all(Array.from({ length: ACCOUNTS }, () => openAccount));
          const env = {
            ...environmentOf(place),
            TEST_ACCOUNTS: accounts.join(),
            TEST_SUBMITS: String(SUBMITS_PER_PROCESS)
          };
          const died = yield* racingEngines(PROCESSES, env);
          const watched = Effect.gen(function* () {
            assert.deepStrictEqual([...(yield* brokenCounts)], []);
            return yield* ended(accounts);
          });
          const total = PROCESSES * SUBMITS_PER_PROCESS;
          yield* Effect.raceFirst(
            Effect.repeat(watched, {
              schedule: Schedule.spaced("5 millis"),
              until: (count) => count === total
            }),
            died
          );

          for (const accountId of accounts) {
            const runs = yield* carriedOut(accountId);
            assert.strictEqual(runs.length, total / ACCOUNTS, "a run was lost or carried out twice");
            assertSlotsAndOrder(runs);
            const { account, extractions } = yield* assertLaws(accountId);
            assert.isTrue(extractions.every(({ status, attempt }) => status === "complete" && attempt === 1));
            assert.strictEqual(account.slotsUsed, 0);
            assert.strictEqual(account.balance, CREDITS + BONUS - (total / ACCOUNTS) * RUN_CREDITS);
          }
        })
      ),
    TEST_MS
  );
});
