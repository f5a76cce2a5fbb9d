// @module-tag smoke: a worker is cut off for two minutes
/**
 * The database, the bucket, the API and two workers at addresses of their own; a worker is cut off from the database,
 * from the bucket, or from both, for two minutes, and comes back. `npm test` does it once, for seconds.
 */
import { assert, describe, it } from "@effect/vitest";
import { assertLaws } from "@winnow/testing/samples/accountLaws";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import * as Redacted from "effect/Redacted";
import * as Schedule from "effect/Schedule";
import * as SqlClient from "effect/sql/SqlClient";
import * as Migrations from "../../src/database/migrations/Migrations.ts";
import * as PgConnection from "../../src/database/store/PgConnection.ts";
import { urlOf as databaseUrlOf } from "../database/store/TestPostgres.ts";
import { type RunningPostgres, startPostgres } from "../database/store/ThrowAwayPostgres.ts";
import { s3ServerAt } from "../storage/s3/S3Server.ts";
import type { ChildProgram } from "./ChildBroker.ts";
import { type Child, childEngine } from "./ChildEngine.ts";
import {
  accountName,
  CREDITS,
  distantEnvironmentOf,
  type DistantPlace,
  engineAt,
  isWhole
} from "./distantEngine.ts";
import { addressOf, clientsOf, connectHost, LAUNCHER, networks, problem, type Reached } from "./Hosts.ts";

/** Runs at once of each worker. */
const WORKERS = 4;
const CUT_OFF_MS = isWhole ? 120_000 : 5_000;
/** A dead worker must be noticed within 60 s. */
const TAKE_OVER_MS = 60_000;
/** Not promised; in the store's connections, what could not be sent may be repeated as late as the cut-off was long. */
const RETURN_MS = 120_000;
const TEST_MS = 900_000;
const RUN_CREDITS = 50;
/** For a new account. */
const BONUS_CREDITS = 1_000;

const SKIPPED = problem === null ? "" : ` (skipped: ${problem})`;

/** From what a worker is cut off. The cases run at the same time, each with a database and hosts of its own. */
const CASES: Readonly<Record<string, ReadonlyArray<Reached>>> = {
  database: ["database"],
  ...(isWhole ? { bucket: ["bucket"], both: ["database", "bucket"] } : {})
};

type Bucket = Effect.Success<ReturnType<typeof s3ServerAt>>;

const placeOf = Effect.fnUntraced(function* (name: string, server: RunningPostgres, bucket: Bucket) {
  const admin = PgConnection.layer({ url: databaseUrlOf(server, "postgres", "socket") });
  yield* SqlClient.SqlClient.use((sql) => sql.unsafe(`create database cut_off_${name}`).unprepared).pipe(
    Effect.provide(admin)
  );
  const url = databaseUrlOf(server, `cut_off_${name}`, "socket");
  yield* Effect.scoped(Layer.build(Layer.provide(Migrations.layer, PgConnection.layer({ url }))));
  const tcpUrl = databaseUrlOf(server, `cut_off_${name}`, "tcp");
  return {
    databaseUrl: Redacted.value(url),
    tcpUrl: Redacted.value(tcpUrl).replace("127.0.0.1", addressOf("database")),
    artifactsFolder: "",
    endpoint: bucket.endpoint,
    prefix: name
  } satisfies DistantPlace;
});

/** Dies if the program ends by itself. */
const untilEnd = ({ ended }: Child) =>
  Effect.flatMap(
    Effect.promise(() => ended),
    ({ stderr }) => Effect.die(new Error(stderr))
  );

/** A program on the host with this number. */
const hostOf = Effect.fnUntraced(function* (program: ChildProgram, place: DistantPlace, number: number) {
  const env = { ...distantEnvironmentOf(place), TEST_WORKERS: String(WORKERS) };
  const child = yield* childEngine(program, env, LAUNCHER);
  const host = yield* connectHost(child.pid, number);
  return { ...host, ...child };
});

interface Run {
  readonly name: string;
  readonly status: string;
  readonly attempt: number;
}

/** Waits until the condition holds for all these runs. */
const awaitRuns = (indices: ReadonlyArray<number>, limitMs: number, holds: (run: Run) => boolean) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient;
    const runs = sql<Run>`select a.name, e.status, e.attempt
      from winnow.extraction e join winnow.account a on a.id = e.account_id
      where ${sql.in("a.name", indices.map(accountName))}`;
    yield* Effect.repeat(runs, {
      until: (found) => found.length === indices.length && found.every(holds),
      schedule: Schedule.spaced("100 millis")
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

/** Settled, paid and announced once, by this attempt; its files are there, and others are noted to be removed. */
const assertSettledOnce = Effect.fnUntraced(function* (
  { prefix }: DistantPlace,
  bucket: Bucket,
  index: number,
  attempt: number
) {
  const sql = yield* SqlClient.SqlClient;
  const [found] = yield* sql<{ readonly id: string }>`select id from winnow.account
    where name = ${accountName(index)}`;
  const accountId = found?.id ?? assert.fail("no account");
  const { account, extractions } = yield* assertLaws(accountId);
  assert.deepStrictEqual(
    extractions.map((run) => [run.status, run.attempt, run.creditsRefunded]),
    [["complete", attempt, 0]]
  );
  assert.strictEqual(account.balance, CREDITS + BONUS_CREDITS - RUN_CREDITS);
  const [events] = yield* sql`select count(*)::integer as events from winnow.webhook_delivery
    where account_id = ${accountId}`;
  assert.deepStrictEqual(events, { events: 1 });
  const id = extractions[0]?.id ?? "";
  const folder = `${prefix}/${id}/`;
  const paths = (yield* Effect.promise(() => bucket.kept())).filter((path) => path.startsWith(folder));
  const stored = new Set(paths.map((path) => Number(path.slice(folder.length).split("/")[0])));
  assert.isTrue(stored.delete(attempt), `run ${index} has no files`);
  const noted = yield* sql<{ readonly attempt: number }>`select attempt from winnow.attempt_files
    where extraction_id = ${id}`;
  assert.includeMembers(
    noted.map((each) => each.attempt),
    [...stored],
    `files of run ${index} that nobody will remove`
  );
});

/** `number`: the first of three for its hosts. */
const cutOff = Effect.fnUntraced(function* (
  from: ReadonlyArray<Reached>,
  place: DistantPlace,
  bucket: Bucket,
  number: number
) {
  const api = yield* hostOf("distantApi.ts", place, number);
  const submit = (indices: ReadonlyArray<number>) =>
    Effect.sync(() => {
      for (const index of indices) api.send(String(index));
      return indices;
    });
  const cut = yield* hostOf("distantWorker.ts", place, number + 1);
  cut.go();
  const scenario = Effect.gen(function* () {
    const lost = yield* submit([0, 1, 2, 3]);
    yield* awaitRuns(lost, TAKE_OVER_MS, isRunning);
    const other = yield* hostOf("distantWorker.ts", place, number + 2);
    other.go();
    const kept = yield* submit([4]);
    yield* awaitRuns(kept, TAKE_OVER_MS, isRunning);

    yield* cut.cut(from);
    const cutAtMs = performance.now();
    // A worker that reaches the database keeps its runs, and stores their files as soon as it can.
    const takenOver = from.includes("database") ? lost : [];
    // The other worker's own run ends meanwhile, so that there is room for the four.
    yield* awaitRuns(takenOver, TAKE_OVER_MS, ({ attempt }) => attempt === 2);
    yield* awaitRuns([...takenOver, ...kept], TAKE_OVER_MS, isComplete);
    yield* Effect.sleep(Math.max(0, cutAtMs + CUT_OFF_MS - performance.now()));
    if (takenOver.length === 0) yield* awaitRuns(lost, 1_000, isRunning);
    yield* cut.mend;
    other.kill();

    // The worker that was cut off works again, and settles nothing that another one has.
    yield* awaitRuns(lost, RETURN_MS, isComplete);
    const later = yield* submit([5, 6, 7, 8]);
    yield* awaitRuns(later, RETURN_MS, isComplete);
    yield* Effect.forEach(lost, (index) =>
      assertSettledOnce(place, bucket, index, takenOver.length > 0 ? 2 : 1)
    );
    yield* Effect.forEach([...kept, ...later], (index) => assertSettledOnce(place, bucket, index, 1));
  });
  yield* Effect.raceFirst(scenario, Effect.raceFirst(untilEnd(api), untilEnd(cut)));
});

describe.skipIf(problem !== null)(
  `A worker that is cut off from ${isWhole ? "the database, the bucket or both" : "the database"}, and comes back${SKIPPED}`,
  () => {
    it.live(
      "loses and doubles no run, is taken over from within a minute if it lost the database, and works again",
      () =>
        Effect.gen(function* () {
          yield* networks;
          const server = yield* Effect.acquireRelease(
            Effect.promise(() =>
              startPostgres({ address: addressOf("database"), clients: clientsOf("database") })
            ),
            ({ stop }) => Effect.promise(stop)
          );
          const bucket = yield* s3ServerAt(addressOf("bucket"));
          yield* Effect.forEach(
            Object.entries(CASES),
            Effect.fnUntraced(function* ([name, from], index) {
              const place = yield* placeOf(name, server, bucket);
              yield* cutOff(from, place, bucket, 2 + 3 * index).pipe(
                Effect.provide([engineAt(place), Logger.layer([])]),
                Effect.catchDefect((defect) =>
                  Effect.die(new Error(`${name}: ${String(defect)}`, { cause: defect }))
                )
              );
            }),
            { concurrency: "unbounded", discard: true }
          );
        }).pipe(Effect.scoped),
      TEST_MS
    );
  }
);
