// @module-tag smoke: hundreds of runs race
/** Several processes on one database while an account's limits and plan change: slots and money hold at every commit. */
import { assert, layer as withLayer } from "@effect/vitest";
import { Accounts } from "@winnow/core/engine/accounts/Accounts";
import { assertLaws } from "@winnow/testing/samples/accountLaws";
import { Extractions } from "@winnow/core/engine/extractions/Extractions";
import { sampleFacts } from "@winnow/testing/samples/samples";
import * as FakeDownloader from "@winnow/testing/fakes/FakeDownloader";
import * as Effect from "effect/Effect";
import * as Logger from "effect/Logger";
import * as Schedule from "effect/Schedule";
import * as SqlClient from "effect/sql/SqlClient";
import { TestPostgres } from "../database/store/TestPostgres.ts";
import { racingEngines } from "./ChildEngine.ts";
import { PREMIUM_RUN_CREDITS, environmentOf, layer } from "./TestEngine.ts";
import { workplace } from "./Workplaces.ts";

/** Larger by `npm run test:faults`. */
const [PROCESSES, SUBMITS_PER_PROCESS] = process.env["WINNOW_TEST_FAULTS"] === undefined ? [2, 27] : [4, 60];
const WORKERS = 8;
const RUN_CREDITS = 50;
const CREDITS = 100_000;
/** Bonus of the first top-up. */
const BONUS = 1_000;

/**
 * In this order, each for the same number of runs. The limit goes up, down and up again, and the plan changes with
 * it.
 */
const PHASES = [
  { plan: "premium", runningMax: 1 },
  { plan: "default", runningMax: 20 },
  { plan: "premium", runningMax: 2 },
  { plan: "default", runningMax: 1 },
  { plan: "premium", runningMax: 20 },
  { plan: "default", runningMax: 2 }
] as const;
/** All submits: those of the processes, and one right after each change. */
const TOTAL = PROCESSES * SUBMITS_PER_PROCESS + PHASES.length;
const RUNS_OF_PHASE = TOTAL / PHASES.length;

const urlOf = (phase: number): string => `https://example.com/phase/${phase}`;
const article = { facts: sampleFacts({ kind: "webpage", durationSeconds: null, hasSubtitles: false }) };
const downloader = FakeDownloader.layer(
  Object.fromEntries(PHASES.map((_, phase) => [urlOf(phase), article]))
);

/** It takes some seconds on an idle machine, longer on a busy one. */
const TEST_MS = 600_000;

/**
 * Records how many slots an account uses and how many it may use, in every transaction that assigns a slot; at its
 * end, when all changes of the decision are visible. Also records for every debit whether the account may have
 * been quoted the price of the plan `default`: it is on this plan, or was less than ten minutes ago.
 */
const WITNESS = `do $$ begin
  create table race (url text, started_at timestamptz, ended_at timestamptz);
  create table slot_given (allowed integer, used integer, counted integer);
  create table debit_made (quoted_default boolean, credits integer);
  create function witness_debit() returns trigger language plpgsql as $witness$ begin
    insert into debit_made select a.plan = 'default' or coalesce(a.plans_before::text, '') like '%"default"%', new.credits_debited
      from winnow.account a where a.id = new.account_id;
    return null;
  end $witness$;
  create trigger debit_made after insert on winnow.extraction for each row execute function witness_debit();
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

/** Maximum number of slots in use when one was assigned, by the limit at that time. */
const mostUsed = SqlClient.SqlClient.use(
  (sql) => sql<{ readonly allowed: number; readonly used: number; readonly counted: number }>`
    select allowed, max(used)::integer as used, max(counted)::integer as counted from slot_given
    group by allowed order by allowed`
);

/** The different debits, by whether the lower price may have been quoted. */
const debits = SqlClient.SqlClient.use(
  (sql) => sql<{ readonly quotedDefault: boolean; readonly credits: number }>`
    select distinct quoted_default as "quotedDefault", credits from debit_made order by credits desc`
);

const race = Effect.gen(function* () {
  const place = yield* workplace;
  return yield* Effect.gen(function* () {
    yield* SqlClient.SqlClient.use((sql) => sql.unsafe(WITNESS).unprepared);
    const accounts = yield* Accounts;
    const { id } = yield* accounts.create("Raced for");
    yield* accounts.topUp(id, CREDITS);
    // Set without a record of the change, as if made long ago: otherwise the first debits could be at the price of
    // `default`, on which every account begins.
    yield* SqlClient.SqlClient.use(
      (sql) => sql`update winnow.account set plan = ${PHASES[0].plan} where id = ${id}`
    );
    yield* accounts.change(id, { limits: { runningMax: PHASES[0].runningMax } });
    const env = {
      ...environmentOf(place),
      TEST_ACCOUNTS: id,
      TEST_SUBMITS: String(SUBMITS_PER_PROCESS),
      TEST_WORKERS: String(WORKERS)
    };
    const died = yield* racingEngines(PROCESSES, env);
    const extractions = yield* Extractions;
    const changing = Effect.forEach(PHASES, ({ plan, runningMax }, phase) =>
      Effect.gen(function* () {
        yield* accounts.change(id, { plan, limits: { runningMax } });
        yield* extractions.submit(id, { url: urlOf(phase) }, null);
        yield* awaitEnded((phase + 1) * RUNS_OF_PHASE);
      })
    );
    yield* Effect.raceFirst(changing, died);
    return { used: yield* mostUsed, debits: yield* debits, laws: yield* assertLaws(id) };
  }).pipe(Effect.provide([layer(place, downloader), Logger.layer([])]));
}).pipe(Effect.scoped);

withLayer(TestPostgres.layer, { excludeTestServices: true })("processes on one database", (it) => {
  it.effect(
    "never exceed the current slot limit, and debit each run once, at no more than its quote",
    () =>
      Effect.gen(function* () {
        const { used, debits, laws } = yield* race;
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
        assert.deepStrictEqual(debits, [
          { quotedDefault: false, credits: PREMIUM_RUN_CREDITS },
          { quotedDefault: true, credits: RUN_CREDITS }
        ]);
        // Runs are settled at the rates of their debit, whatever the plan is at that time.
        assert.isTrue(extractions.every(({ creditsRefunded }) => creditsRefunded === 0));
        const debited = extractions.reduce((sum, { creditsDebited }) => sum + creditsDebited, 0);
        assert.deepInclude(account, { slotsUsed: 0, balance: CREDITS + BONUS - debited });
      }),
    TEST_MS
  );
});
