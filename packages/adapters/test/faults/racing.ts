/**
 * One of several processes on one database: submits, works, and records when each run was executed, by the
 * database's clock. Starts on request.
 */
import { once } from "node:events";
import { Extractions } from "@winnow/core/engine/extractions/Extractions";
import { Worker } from "@winnow/core/engine/runs/Worker";
import { Downloader } from "@winnow/core/ports/Downloader";
import * as FakeDownloader from "@winnow/testing/fakes/FakeDownloader";
import { sampleFacts } from "@winnow/testing/samples/samples";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as SqlClient from "effect/sql/SqlClient";
import * as PgConnection from "../../src/database/store/PgConnection.ts";
import { childLogging, endWithParent, layer, workplaceOf } from "./TestEngine.ts";
import * as Redacted from "effect/Redacted";

const workplace = workplaceOf(process.env);
const accounts = (process.env["TEST_ACCOUNTS"] ?? "").split(",");
const submits = Number(process.env["TEST_SUBMITS"]);

const SUBMITTERS = 8;
const WORKERS = Number(process.env["TEST_WORKERS"] ?? 4);

const article = { facts: sampleFacts({ kind: "webpage", durationSeconds: null, hasSubtitles: false }) };
const urlOf = (number: number): string => `https://example.com/${process.pid}/${number}`;

/** Long enough to detect a third concurrent run of the account. */
const DURATION = "5 millis";

const record = (sql: SqlClient.SqlClient, url: string) =>
  Effect.gen(function* () {
    yield* sql`insert into race (url, started_at) values (${url}, clock_timestamp())`;
    yield* Effect.sleep(DURATION);
    yield* sql`update race set ended_at = clock_timestamp() where url = ${url} and ended_at is null`;
  }).pipe(Effect.orDie);

const downloader = Layer.effect(
  Downloader,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient;
    const fake = (url: string) =>
      Effect.provide(
        Downloader,
        FakeDownloader.layer({ [url]: { ...article, beforeFetch: record(sql, url) } })
      );
    return {
      isWarm: Effect.succeed(true),
      inspect: (url, options) => Effect.flatMap(fake(url), ({ inspect }) => inspect(url, options)),
      list: (request) => Effect.flatMap(fake(request.url), ({ list }) => list(request)),
      fetch: (request) => Effect.flatMap(fake(request.url), ({ fetch }) => fetch(request))
    };
  })
).pipe(
  Layer.provide(PgConnection.layer({ url: Redacted.make(workplace.databaseUrl), connectionsMax: 2 })),
  Layer.orDie
);

/** Different runs, for every account in turn. */
const submit = (number: number) =>
  Extractions.use((extractions) =>
    extractions.submit(accounts[number % accounts.length] ?? "", { url: urlOf(number) }, null)
  );

const work = Effect.gen(function* () {
  endWithParent();
  yield* Effect.promise(() => once(process.stdin, "data"));
  yield* Effect.flatMap(Worker, ({ work }) => work(WORKERS));
  const numbers = Array.from({ length: submits }, (_, number) => number);
  yield* Effect.forEach(numbers, submit, { concurrency: SUBMITTERS, discard: true });
  return yield* Effect.never;
});

await Effect.runPromise(
  Effect.scoped(work).pipe(Effect.provide([layer(workplace, downloader), childLogging]))
);
