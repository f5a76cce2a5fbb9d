/** Processes that submit and work are killed before each of their steps; what they left is carried on. */
import { assert } from "@effect/vitest";
import { isTerminal } from "@winnow/core/domain/run/Transition";
import { Accounts } from "@winnow/core/engine/accounts/Accounts";
import { Extractions } from "@winnow/core/engine/extractions/Extractions";
import { Worker } from "@winnow/core/engine/runs/Worker";
import { Webhooks } from "@winnow/core/engine/webhooks/Webhooks";
import { Store } from "@winnow/core/ports/Store";
import { assertLaws } from "@winnow/testing/samples/accountLaws";
import * as Effect from "effect/Effect";
import * as Schedule from "effect/Schedule";
import * as SqlClient from "effect/sql/SqlClient";
import { childEngine, type ChildEnd } from "./ChildEngine.ts";
import { ARTICLE, BODIES, keyOf } from "./crashSources.ts";
import { environmentOf, type Workplace } from "./TestEngine.ts";
import { untilChildrenAreGone } from "./Workplaces.ts";

/** Top-up and bonus. */
export const CREDITS = 2_000;
/** All steps, by `npm run test:faults`; otherwise some. */
export const STRIDE = process.env["WINNOW_TEST_FAULTS"] === undefined ? 12 : 1;
const STEPS_MAX = 120;
/** Concurrent runs of the second process. */
const CONCURRENCY = 8;

const soon = Schedule.spaced("25 millis");

/** Longer than all children take together on any machine. */
const PARKED_MS = 24 * 3_600_000;

/**
 * Hides the jobs, in their present state, from all later processes until {@link unpark}; otherwise each child
 * would also do the work of all children before it. For the same reason, pending runs are dated later: the sweeper
 * enqueues those that are a minute old again, and a slow machine takes that long. The rows of files that dead
 * attempts left are moved to another table, because removing these files counts as steps too.
 */
const park = SqlClient.SqlClient.use((sql) =>
  Effect.andThen(
    sql.unsafe("create table if not exists winnow.parked_files (like winnow.attempt_files)"),
    sql.unsafe(`with parked as (
        update winnow.job set due_at = 'infinity',
          lease_until = case when claim is not null then timestamptz 'infinity' end),
      noted as (delete from winnow.attempt_files where state <> 'served' returning *),
      put_aside as (insert into winnow.parked_files select * from noted)
    update winnow.extraction set moved_at_ms = moved_at_ms + ${PARKED_MS} where status = 'pending'`)
  )
);

/** Makes these jobs due; the leases of their dead workers ended an hour ago. */
const unpark = SqlClient.SqlClient.use((sql) =>
  sql.unsafe(`with noted as (insert into winnow.attempt_files select * from winnow.parked_files)
    update winnow.job set due_at = now(),
      lease_until = case when claim is not null then now() - interval '1 hour' end`)
);

/** An account with one slot used by a run that has not started, so that the second submit must wait. */
const openAccount = Effect.gen(function* () {
  const accounts = yield* Accounts;
  const { id } = yield* accounts.create("Killed");
  yield* accounts.topUp(id, CREDITS / 2);
  yield* Webhooks.use((webhooks) => webhooks.register(id, { url: "https://hooks.example/" }));
  yield* Effect.flatMap(Extractions, ({ submit }) => submit(id, { url: ARTICLE, force: true }, "occupant"));
  yield* park;
  return id;
});

const isDone = Effect.fnUntraced(function* (accountId: string) {
  const sql = yield* SqlClient.SqlClient;
  const [found] = yield* sql<{ readonly done: boolean }>`select
    (select count(*) = ${BODIES.length} from winnow.extraction e
      where e.account_id = ${accountId} and e.status in ('complete', 'failed'))
    and not exists (select 1 from winnow.job j
      where j.claim is not null and j.account_id = ${accountId}) as done`;
  return found?.done === true;
});

/** Every run with a slot has a job, every debit its extraction, and every end its event. */
export const assertAgreement = Effect.fnUntraced(function* (accountId: string) {
  const sql = yield* SqlClient.SqlClient;
  const { extractions, ledger } = yield* assertLaws(accountId);
  for (const { extractionId } of ledger) {
    const known = extractionId === null || extractions.some(({ id }) => id === extractionId);
    assert.isTrue(known, `the ledger names ${extractionId}, which is not there`);
  }
  const lost = yield* sql<{ readonly id: string }>`select e.id from winnow.extraction e
    where e.account_id = ${accountId} and e.status in ('pending', 'running') and not exists (
      select 1 from winnow.job j where j.extraction_id = e.id)`;
  assert.deepStrictEqual([...lost], [], "a run lost its job");
  const announced = yield* sql<{ readonly id: string }>`select d.extraction_id as id
    from winnow.webhook_delivery d where d.account_id = ${accountId} and d.status = 'pending'`;
  assert.sameMembers(
    announced.map(({ id }) => id),
    extractions.filter(({ status }) => isTerminal(status)).map(({ id }) => id),
    "an end without its event, or an event without its end"
  );
});

/** Runs a process until it kills itself at its last step, or completes its work; returns which it was. */
const runChild = (place: Workplace, accountId: string, lastStep: number) =>
  Effect.gen(function* () {
    const child = yield* childEngine("crashingEngine.ts", {
      ...environmentOf(place),
      TEST_ACCOUNT: accountId,
      TEST_LAST_STEP: String(lastStep)
    });
    const died = Effect.map(
      Effect.promise(() => child.ended),
      (end): ChildEnd | "completed" => end
    );
    const completed = Effect.as(
      Effect.repeat(isDone(accountId), { schedule: soon, until: (done) => done }),
      "completed" as const
    );
    const end = yield* Effect.raceFirst(died, completed);
    if (end !== "completed") assert.strictEqual(end.signal, "SIGKILL", end.stderr);
    return end === "completed" ? "completed" : "killed";
  }).pipe(Effect.scoped);

/** Kills a process at every step, or some; returns the accounts of the processes. */
export const killEverywhere = Effect.fnUntraced(function* (place: Workplace, stride = STRIDE) {
  const accounts: Array<string> = [];
  for (let lastStep = 1; ; lastStep += stride) {
    assert.isBelow(lastStep, STEPS_MAX, "steps of one submit and run");
    const accountId = yield* openAccount;
    const end = yield* runChild(place, accountId, lastStep);
    yield* untilChildrenAreGone;
    yield* park;
    yield* Effect.catchDefect(assertAgreement(accountId), (defect) =>
      Effect.die(new Error(`Killed before step ${lastStep}`, { cause: defect }))
    );
    accounts.push(accountId);
    if (end === "completed") return accounts;
  }
});

/** The client submits again with its keys, and workers complete all runs. */
export const carryOn = Effect.fnUntraced(function* (accounts: ReadonlyArray<string>) {
  const { submit } = yield* Extractions;
  const store = yield* Store;
  yield* unpark;
  yield* Effect.flatMap(Worker, ({ work }) => work(CONCURRENCY));
  for (const accountId of accounts) {
    for (const [index, body] of BODIES.entries()) yield* submit(accountId, body, keyOf(index));
  }
  yield* Effect.forEach(accounts, (accountId) =>
    store
      .listExtractions(accountId, { after: null, limit: 10 })
      .pipe(
        Effect.repeat({ schedule: soon, until: (rows) => rows.every(({ status }) => isTerminal(status)) })
      )
  );
});
