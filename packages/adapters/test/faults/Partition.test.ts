// @module-tag long
/** A worker on a host of its own is cut off from the database for two minutes, and comes back. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { Accounts } from "@winnow/core/engine/accounts/Accounts";
import { Extractions } from "@winnow/core/engine/extractions/Extractions";
import { Webhooks } from "@winnow/core/engine/webhooks/Webhooks";
import { assertLaws } from "@winnow/testing/samples/accountLaws";
import * as FakeDownloader from "@winnow/testing/fakes/FakeDownloader";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import * as Redacted from "effect/Redacted";
import * as Schedule from "effect/Schedule";
import * as SqlClient from "effect/sql/SqlClient";
import * as Migrations from "../../src/database/migrations/Migrations.ts";
import * as PgConnection from "../../src/database/store/PgConnection.ts";
import { urlOf as databaseUrlOf } from "../database/store/TestPostgres.ts";
import { startPostgres } from "../database/store/ThrowAwayPostgres.ts";
import { childEngine } from "./ChildEngine.ts";
import { SOURCES, urlOf } from "./distantSources.ts";
import { bridge, connectHost, LAUNCHER, problem, REACH } from "./Hosts.ts";
import { environmentOf, layer, type Workplace } from "./TestEngine.ts";

/** Runs at once of each worker. */
const WORKERS = 4;
const CUT_OFF_MS = 120_000;
/** A dead worker must be noticed within 60 s. */
const TAKE_OVER_MS = 60_000;
/** Not promised; in the store's connections, what could not be sent may be repeated as late as that. */
const RETURN_MS = 120_000;
const TEST_MS = 900_000;
const CREDITS = 10_000;
const RUN_CREDITS = 50;

const SKIPPED = problem === null ? "" : ` (skipped: ${problem})`;

const database = Effect.gen(function* () {
  yield* bridge;
  const server = yield* Effect.acquireRelease(
    Effect.promise(() => startPostgres(REACH)),
    ({ stop }) => Effect.promise(stop)
  );
  const artifactsFolder = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "winnow-hosts-"))),
    (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
  );
  const url = databaseUrlOf(server, "postgres", "socket");
  yield* Layer.build(Layer.provide(Migrations.layer, PgConnection.layer({ url })));
  const tcpUrl = databaseUrlOf(server, "postgres", "tcp");
  return {
    databaseUrl: Redacted.value(url),
    tcpUrl: Redacted.value(tcpUrl).replace("127.0.0.1", REACH.address),
    artifactsFolder
  } satisfies Workplace;
});

/** A worker on the host with this number. */
const worker = Effect.fnUntraced(function* (place: Workplace, number: number) {
  const env = { ...environmentOf(place), TEST_WORKERS: String(WORKERS) };
  const child = yield* childEngine("distantWorker.ts", env, LAUNCHER);
  const host = yield* connectHost(child.pid, number);
  child.go();
  return { ...host, kill: child.kill };
});

/** Submits a run of an account of its own. */
const submit = Effect.fnUntraced(function* (index: number) {
  const { id } = yield* Accounts.use((accounts) => accounts.create("Distant"));
  yield* Accounts.use((accounts) => accounts.topUp(id, CREDITS));
  yield* Webhooks.use((webhooks) => webhooks.register(id, { url: "https://hooks.example/" }));
  yield* Extractions.use((extractions) => extractions.submit(id, { url: urlOf(index) }, null));
  return id;
});

const submitAll = (indices: ReadonlyArray<number>) => Effect.forEach(indices, submit);

interface Run {
  readonly status: string;
  readonly attempt: number;
}

/** Waits until the condition holds for the runs of all these accounts. */
const awaitRuns = (accounts: ReadonlyArray<string>, limitMs: number, holds: (run: Run) => boolean) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient;
    const runs = sql<Run>`select status, attempt from winnow.extraction where ${sql.in("account_id", accounts)}`;
    yield* Effect.repeat(runs, {
      until: (found) => found.length === accounts.length && found.every(holds),
      schedule: Schedule.spaced("50 millis")
    }).pipe(
      Effect.timeoutOrElse({
        duration: limitMs,
        orElse: () =>
          Effect.flatMap(runs, (found) =>
            Effect.die(new Error(`Not within ${limitMs} ms: ${JSON.stringify(found)}`))
          )
      })
    );
  });

const isRunning = ({ status }: Run) => status === "running";
const isComplete = ({ status }: Run) => status === "complete";

const assertSettledOnce = Effect.fnUntraced(function* (accountId: string, attempts: number) {
  const sql = yield* SqlClient.SqlClient;
  const { account, extractions } = yield* assertLaws(accountId);
  assert.deepStrictEqual(
    extractions.map(({ status, attempt, creditsRefunded }) => ({ status, attempt, creditsRefunded })),
    [{ status: "complete", attempt: attempts, creditsRefunded: 0 }]
  );
  assert.strictEqual(account.balance, CREDITS + 1_000 - RUN_CREDITS);
  const [events] = yield* sql`select count(*)::integer as events from winnow.webhook_delivery
    where account_id = ${accountId}`;
  assert.deepStrictEqual(events, { events: 1 });
});

const cutOff = Effect.fnUntraced(function* (place: Workplace) {
  const cut = yield* worker(place, 2);
  const lost = yield* submitAll([0, 1, 2, 3]);
  yield* awaitRuns(lost, TAKE_OVER_MS, isRunning);
  const other = yield* worker(place, 3);
  const kept = yield* submitAll([4]);
  yield* awaitRuns(kept, TAKE_OVER_MS, isRunning);

  yield* cut.cut;
  const cutAtMs = performance.now();
  // Its own job ends meanwhile, so that there is room for the four.
  yield* awaitRuns(lost, TAKE_OVER_MS, ({ attempt }) => attempt === 2);
  yield* awaitRuns([...lost, ...kept], CUT_OFF_MS, isComplete);
  yield* Effect.sleep(Math.max(0, cutAtMs + CUT_OFF_MS - performance.now()));
  yield* cut.mend;
  other.kill();

  // The worker that was cut off works again, and settles nothing that another one has.
  const later = yield* submitAll([5, 6, 7, 8]);
  yield* awaitRuns(later, RETURN_MS, isComplete);
  yield* Effect.forEach(lost, (id) => assertSettledOnce(id, 2));
  yield* Effect.forEach([...kept, ...later], (id) => assertSettledOnce(id, 1));
});

describe.skipIf(problem !== null)(`A worker that is cut off for two minutes and comes back${SKIPPED}`, () => {
  it.live(
    "loses and doubles no run, is taken over from within a minute, and works again",
    () =>
      Effect.gen(function* () {
        const place = yield* database;
        yield* cutOff(place).pipe(
          Effect.provide([layer(place, FakeDownloader.layer(SOURCES)), Logger.layer([])])
        );
      }).pipe(Effect.scoped),
    TEST_MS
  );
});
