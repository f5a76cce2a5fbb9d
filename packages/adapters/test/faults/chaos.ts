/**
 * Workers that are killed and frozen, connections that are cut, storage that fails: for a while, by chance, from a
 * seed. Afterwards every law must hold and every run be over.
 */
import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { assert } from "@effect/vitest";
import { isTerminal } from "@winnow/core/domain/Transition";
import { Accounts } from "@winnow/core/engine/Accounts";
import { Extractions } from "@winnow/core/engine/Extractions";
import { Store } from "@winnow/core/ports/Store";
import { assertLaws } from "@winnow/core/testing/accountLaws";
import { seededRandom } from "@winnow/core/testing/seededRandom";
import * as Effect from "effect/Effect";
import * as Schedule from "effect/Schedule";
import * as Scope from "effect/Scope";
import * as Exit from "effect/Exit";
import * as SqlClient from "effect/sql/SqlClient";
import type { SqlError } from "effect/sql/SqlError";
import { sourceAt } from "./chaosSources.ts";
import { childEngine, type Child } from "./ChildEngine.ts";
import { environmentOf, type Workplace } from "./TestEngine.ts";

export interface ChaosOptions {
  readonly seed: number;
  readonly forMs: number;
  readonly workers: number;
}

export interface ChaosReport {
  readonly submits: number;
  readonly replays: number;
  readonly refused: number;
  readonly runs: number;
  readonly failed: number;
  readonly attemptsMost: number;
  readonly kills: number;
  readonly freezes: number;
  readonly cuts: number;
}

const ACCOUNTS = 4;
const CREDITS = 10_000_000;
const FREEZE_MS_MAX = 8_000;
const PAUSE_MS_MAX = 250;
const ALL = 100_000;

/** Everything is over by then: a frozen worker's run is begun again, and what nobody names is swept. */
const SETTLED_WITHIN = "5 minutes";

interface Worker {
  readonly child: Child;
  readonly leave: Effect.Effect<void>;
}

const startWorker = Effect.fnUntraced(function* (place: Workplace) {
  const scope = yield* Scope.fork(yield* Scope.Scope);
  const child = yield* Scope.provide(childEngine("chaosWorker.ts", environmentOf(place)), scope);
  return { child, leave: Scope.close(scope, Exit.void) } satisfies Worker;
});

/** Of the workers, which come by TCP. */
const cutConnections = SqlClient.SqlClient.use(
  (sql) => sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and client_addr is not null`
);

const filesIn = async (folder: string): Promise<ReadonlyArray<string>> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith("."));

const extractionsOf = (accountId: string) =>
  Store.use((store) => store.listExtractions(accountId, { after: null, limit: ALL }));

/** Files that no result names. */
const unnamedIn = Effect.fnUntraced(function* (folder: string, accounts: ReadonlyArray<string>) {
  const rows = (yield* Effect.forEach(accounts, extractionsOf)).flat();
  const named = new Set(
    rows.flatMap(({ result }) =>
      (result?.artifacts ?? []).map(
        ({ name }) => `${result?.artifactOwner.extractionId}/${result?.artifactOwner.attempt}/${name}`
      )
    )
  );
  return (yield* Effect.promise(() => filesIn(folder))).filter((file) => !named.has(file));
});

const until = <E, R>(isDone: Effect.Effect<boolean, E, R>, what: string) =>
  Effect.repeat(isDone, { schedule: Schedule.spaced("500 millis"), until: (done) => done }).pipe(
    Effect.timeoutOrElse({
      duration: SETTLED_WITHIN,
      orElse: () => Effect.die(new Error(`Not within ${SETTLED_WITHIN}: ${what}`))
    })
  );

type ActServices = Extractions | Scope.Scope | SqlClient.SqlClient;

/** The engine that submits is the caller's, and carries out nothing. */
export const chaos = Effect.fnUntraced(function* (
  place: Workplace,
  { forMs, seed, workers: many }: ChaosOptions
) {
  const random = seededRandom(seed);
  const pick = (count: number): number => Math.floor(random() * count);
  const accounts = yield* Effect.forEach(Array.from({ length: ACCOUNTS }), () =>
    Effect.gen(function* () {
      const service = yield* Accounts;
      const { id } = yield* service.create("Chaos");
      yield* service.topUp(id, CREDITS);
      return id;
    })
  );
  const workers = yield* Effect.forEach(Array.from({ length: many }), () => startWorker(place));
  const idOf = new Map<string, string>();
  const count = { submits: 0, replays: 0, refused: 0, kills: 0, freezes: 0, cuts: 0 };

  const submit = Effect.gen(function* () {
    const accountId = accounts[pick(ACCOUNTS)] ?? "";
    const number = pick(count.submits + 10);
    const key = `key ${number}`;
    const { submit: send } = yield* Extractions;
    count.submits += 1;
    const answer = yield* send(accountId, { url: sourceAt(number), force: number % 3 === 0 }, key);
    const known = idOf.get(`${accountId} ${key}`);
    if (answer.replayed) count.replays += 1;
    assert.strictEqual(known ?? answer.extraction.id, answer.extraction.id, "a key led to two runs");
    idOf.set(`${accountId} ${key}`, answer.extraction.id);
  }).pipe(Effect.catch(() => Effect.sync(() => void (count.refused += 1))));

  const kill = Effect.gen(function* () {
    const index = pick(workers.length);
    count.kills += 1;
    yield* workers[index]?.leave ?? Effect.void;
    workers[index] = yield* startWorker(place);
  });

  const freeze = Effect.gen(function* () {
    const worker = workers[pick(workers.length)];
    count.freezes += 1;
    worker?.child.freeze();
    yield* Effect.sleep(random() * FREEZE_MS_MAX);
    worker?.child.thaw();
  });

  const cut = Effect.andThen(
    cutConnections,
    Effect.sync(() => void (count.cuts += 1))
  );

  const step = Effect.suspend(() => {
    const share = random();
    const act: Effect.Effect<unknown, SqlError, ActServices> =
      share < 0.8 ? submit : share < 0.87 ? kill : share < 0.93 ? freeze : cut;
    return Effect.andThen(act, Effect.sleep(random() * PAUSE_MS_MAX));
  });
  const endMs = Date.now() + forMs;
  yield* Effect.repeat(step, { until: () => Date.now() >= endMs });

  const areOver = Effect.map(Effect.forEach(accounts, extractionsOf), (all) =>
    all.flat().every(({ status }) => isTerminal(status))
  );
  yield* until(areOver, "every run is over");
  yield* until(
    Effect.map(unnamedIn(place.artifactsFolder, accounts), (unnamed) => unnamed.length === 0),
    "no file is left that no result names"
  );
  for (const accountId of accounts) {
    const { account } = yield* assertLaws(accountId);
    assert.strictEqual(account.slotsUsed, 0);
  }
  const rows = (yield* Effect.forEach(accounts, extractionsOf)).flat();
  assert.strictEqual(
    new Set(idOf.values()).size,
    rows.length,
    "a run that nobody submitted, or one that is lost"
  );
  return {
    ...count,
    runs: rows.filter(({ cachedFrom }) => cachedFrom === null).length,
    failed: rows.filter(({ status }) => status === "failed").length,
    attemptsMost: Math.max(...rows.map(({ attempt }) => attempt))
  } satisfies ChaosReport;
});
