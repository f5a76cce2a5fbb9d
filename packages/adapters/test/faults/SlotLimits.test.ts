/** Several processes on one database while an account's limits change: slots and money hold at every commit. */
import { assert, layer as withLayer } from "@effect/vitest";
import { Accounts } from "@winnow/core/engine/Accounts";
import { assertLaws } from "@winnow/core/testing/accountLaws";
import * as FakeDownloader from "@winnow/core/testing/FakeDownloader";
import * as Effect from "effect/Effect";
import * as Logger from "effect/Logger";
import * as Schedule from "effect/Schedule";
import * as SqlClient from "effect/sql/SqlClient";
import { TestPostgres } from "../postgres/TestPostgres.ts";
import { racingEngines } from "./ChildEngine.ts";
import { environmentOf, layer } from "./TestEngine.ts";
import { workplace } from "./Workplaces.ts";

const PROCESSES = 4;
const WORKERS = 8;
const SUBMITS_PER_PROCESS = 60;
const TOTAL = PROCESSES * SUBMITS_PER_PROCESS;
const RUN_CREDITS = 50;
const CREDITS = 100_000;
/** First top-up. */
const BONUS = 1_000;

/** One after the other, each for as many runs; up, down and up again. */
const LIMITS = [1, 20, 2, 1, 20, 2] as const;
const RUNS_OF_LIMIT = TOTAL / LIMITS.length;

/** Some seconds on an idle machine; a busy one may take its time. */
const TEST_MS = 180_000;

/**
 * Writes down, in the transaction that gives a slot, how many the account then uses and how many it may. At its end,
 * so that all that the decision changed is seen.
 */
const WITNESS = `do $$ begin
  create table race (url text, started_at timestamptz, ended_at timestamptz);
  create table slot_given (allowed integer, used integer, counted integer);
  create function witness_slot() returns trigger language plpgsql as $witness$ begin
    insert into slot_given select (a.limits ->> 'runningMax')::integer, a.slots_used, (
        select count(*) from winnow.extraction e where e.account_id = a.id and e.status in ('pending', 'running'))
      from winnow.account a where a.id = new.account_id;
    return null;
  end $witness$;
  create constraint trigger slot_given_new after insert on winnow.extraction deferrable initially deferred
    for each row when (new.status = 'pending') execute function witness_slot();
  create constraint trigger slot_given_waiting after update of status on winnow.extraction
    deferrable initially deferred
    for each row when (old.status = 'queued' and new.status = 'pending') execute function witness_slot();
end $$`;

const endedCount = SqlClient.SqlClient.use(
  (sql) => sql<{ readonly ended: number }>`select count(*)::integer as ended from winnow.extraction
    where status in ('complete', 'failed')`
).pipe(Effect.map(([row]) => row?.ended ?? 0));

const awaitEnded = (count: number) =>
  Effect.repeat(endedCount, { schedule: Schedule.spaced("5 millis"), until: (ended) => ended >= count });

/** Most slots that were in use when one was given, by what was allowed then. */
const mostUsed = SqlClient.SqlClient.use(
  (sql) => sql<{ readonly allowed: number; readonly used: number; readonly counted: number }>`
    select allowed, max(used)::integer as used, max(counted)::integer as counted from slot_given
    group by allowed order by allowed`
);

const race = Effect.gen(function* () {
  const place = yield* workplace;
  return yield* Effect.gen(function* () {
    yield* SqlClient.SqlClient.use((sql) => sql.unsafe(WITNESS).unprepared);
    const accounts = yield* Accounts;
    const { id } = yield* accounts.create("Raced for");
    yield* accounts.topUp(id, CREDITS);
    yield* accounts.change(id, { limits: { runningMax: LIMITS[0] } });
    const env = {
      ...environmentOf(place),
      TEST_ACCOUNTS: id,
      TEST_SUBMITS: String(SUBMITS_PER_PROCESS),
      TEST_WORKERS: String(WORKERS)
    };
    const died = yield* racingEngines(PROCESSES, env);
    const changing = Effect.forEach(LIMITS, (runningMax, phase) =>
      Effect.andThen(accounts.change(id, { limits: { runningMax } }), awaitEnded((phase + 1) * RUNS_OF_LIMIT))
    );
    yield* Effect.raceFirst(changing, died);
    return { used: yield* mostUsed, laws: yield* assertLaws(id) };
  }).pipe(Effect.provide([layer(place, FakeDownloader.layer({})), Logger.layer([])]));
}).pipe(Effect.scoped);

withLayer(TestPostgres.layer, { excludeTestServices: true })("processes on one database", (it) => {
  it.effect(
    "never give a slot beyond the limit of that moment, use what a raised one allows, and debit each run once",
    () =>
      Effect.gen(function* () {
        const { used, laws } = yield* race;
        assert.deepStrictEqual(
          used.map(({ allowed }) => allowed),
          [1, 2, 20]
        );
        for (const each of used) {
          assert.isAtMost(each.used, each.allowed);
          assert.strictEqual(each.counted, each.used);
        }
        assert.isAbove(used.at(-1)?.used ?? 0, 2);
        const { account, extractions, ledger } = laws;
        assert.lengthOf(extractions, TOTAL);
        assert.isTrue(extractions.every(({ status, attempt }) => status === "complete" && attempt === 1));
        assert.lengthOf(
          ledger.filter(({ kind }) => kind === "debit"),
          TOTAL
        );
        assert.deepInclude(account, { slotsUsed: 0, balance: CREDITS + BONUS - TOTAL * RUN_CREDITS });
      }),
    TEST_MS
  );
});
