// @module-tag smoke: a process is killed at each of its steps
/** Dispatchers that are killed, cut off or duplicated: every event arrives, and none is lost. */
import { assert, layer as withLayer } from "@effect/vitest";
import { Accounts } from "@winnow/core/engine/accounts/Accounts";
import { WebhookDispatcher } from "@winnow/core/engine/webhooks/WebhookDispatcher";
import { WebhookOutbox } from "@winnow/core/ports/WebhookOutbox";
import { WebhookTransport } from "@winnow/core/ports/WebhookTransport";
import * as FakeDownloader from "@winnow/testing/fakes/FakeDownloader";
import { sampleDelivery } from "@winnow/testing/samples/webhookSteps";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import * as Option from "effect/Option";
import * as Redacted from "effect/Redacted";
import * as Schedule from "effect/Schedule";
import * as SqlClient from "effect/sql/SqlClient";
import * as PgConnection from "../../src/database/store/PgConnection.ts";
import { TestPostgres } from "../database/store/TestPostgres.ts";
import { childEngine } from "./ChildEngine.ts";
import * as RecordingTransport from "./recordingTransport.ts";
import { environmentOf, layer, type Workplace } from "./TestEngine.ts";
import { untilChildrenAreGone, workplace } from "./Workplaces.ts";

/** Claim, arrivals and records of two deliveries; some of them share a statement. */
const STEPS = 10;
/** All steps, by `npm run test:faults`; otherwise some. */
const STRIDE = process.env["WINNOW_TEST_FAULTS"] === undefined ? 4 : 1;
/** Fewer kills mean that some steps are not counted. */
const KILLED_MIN = 3 / STRIDE;
/** It takes ten seconds on an idle machine, longer on a busy one. */
const TEST_MS = 600_000;

const soon = Schedule.spaced("10 millis");

const connection = ({ databaseUrl }: Workplace) =>
  Layer.orDie(PgConnection.layer({ url: Redacted.make(databaseUrl) }));

const transport = (place: Workplace) =>
  Layer.provide(RecordingTransport.layer, Layer.fresh(connection(place)));

const engine = (place: Workplace, webhooks = transport(place)) =>
  layer(place, FakeDownloader.layer({}), undefined, webhooks);

/** Runs on a new database, with an engine of the test's own that sends nothing by itself. */
const onNewDatabase = <A, E, R>(use: (place: Workplace) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const place = yield* workplace;
    const prepared = Effect.gen(function* () {
      yield* SqlClient.SqlClient.use((sql) => sql.unsafe(RecordingTransport.CREATE_ARRIVALS));
      return yield* use(place);
    });
    return yield* Effect.provide(prepared, [engine(place), Logger.layer([])]);
  }).pipe(Effect.scoped);

const write = Effect.fnUntraced(function* (urls: ReadonlyArray<string>) {
  const outbox = yield* WebhookOutbox;
  const { id } = yield* Accounts.use((accounts) => accounts.create("Notified"));
  const deliveries = urls.map((url) =>
    sampleDelivery(id, { url, nextAttemptAtMs: 0, createdAtMs: Date.now() })
  );
  yield* Effect.forEach(deliveries, outbox.insert, { discard: true });
  return { accountId: id, deliveries };
});

type Written = Effect.Success<ReturnType<typeof write>>;

const readAll = ({ accountId, deliveries }: Written) =>
  WebhookOutbox.use((outbox) =>
    Effect.forEach(deliveries, ({ id }) => Effect.map(outbox.get(accountId, id), Option.getOrThrow))
  );

const until = (written: Written, isReached: (statuses: ReadonlyArray<string>) => boolean) =>
  readAll(written).pipe(
    Effect.map((rows) => rows.map(({ delivery }) => `${delivery.status} ${delivery.attemptCount}`)),
    Effect.repeat({ schedule: soon, until: isReached })
  );

const areDelivered = (statuses: ReadonlyArray<string>): boolean =>
  statuses.every((status) => status.startsWith("delivered"));

const arrivalsOf = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient;
  return yield* sql<{ readonly body: string }>`select body from arrival where delivery_id = ${id}`;
});

/** Runs a dispatcher until it kills itself at its last step, or until each delivery was attempted once. */
const runDispatcher = (place: Workplace, written: Written, lastStep: number) =>
  Effect.gen(function* () {
    const env = { ...environmentOf(place), TEST_LAST_STEP: String(lastStep) };
    const child = yield* childEngine("crashingDispatcher.ts", env);
    const died = Effect.map(
      Effect.promise(() => child.ended),
      ({ signal, stderr }) => {
        assert.strictEqual(signal, "SIGKILL", stderr);
        return "killed" as const;
      }
    );
    const attempted = (statuses: ReadonlyArray<string>) => statuses.every((status) => !status.endsWith(" 0"));
    return yield* Effect.raceFirst(died, Effect.as(until(written, attempted), "completed" as const));
  }).pipe(Effect.scoped);

/** As if time passed: leases end, and deliveries that wait for their next attempt are due. */
const letTimePass = SqlClient.SqlClient.use(
  (sql) => sql`update winnow.webhook_delivery set due_at_ms = 0 where status = 'pending'`
);

/** The same only for deliveries that wait for their next attempt; leases of those being sent are kept. */
const letRetriesBeDue = SqlClient.SqlClient.use(
  (sql) => sql`update winnow.webhook_delivery set due_at_ms = 0
    where status = 'pending' and due_at_ms = next_attempt_at_ms`
);

withLayer(TestPostgres.layer, { excludeTestServices: true })("webhooks", (it) => {
  it.effect(
    "of a dispatcher that is killed before any of its statements arrive all the same",
    () =>
      onNewDatabase((place) =>
        Effect.gen(function* () {
          const batches: Array<Written> = [];
          let killed = 0;
          for (let lastStep = 1; lastStep <= STEPS; lastStep += STRIDE) {
            const written = yield* write([RecordingTransport.STEADY, RecordingTransport.FLAKY]);
            if ((yield* runDispatcher(place, written, lastStep)) === "killed") killed += 1;
            yield* untilChildrenAreGone;
            // Postpones what this dispatcher left, so that the next one does not send it.
            yield* SqlClient.SqlClient.use(
              (sql) => sql`update winnow.webhook_delivery set due_at_ms = 9e15 where status = 'pending'`
            );
            batches.push(written);
          }
          assert.isAtLeast(killed, KILLED_MIN);
          yield* letTimePass;
          yield* Effect.flatMap(WebhookDispatcher, ({ run }) => run);
          yield* Effect.forkScoped(Effect.repeat(letRetriesBeDue, Schedule.spaced("1 second")));
          for (const written of batches) {
            yield* until(written, areDelivered);
            for (const { delivery, attempts } of yield* readAll(written)) {
              const arrived = yield* arrivalsOf(delivery.id);
              assert.isAtLeast(arrived.length, delivery.url === RecordingTransport.FLAKY ? 2 : 1);
              assert.isAtMost(arrived.length, 3, "one more than without a kill");
              for (const { body } of arrived) assert.strictEqual(body, delivery.body);
              assert.lengthOf(attempts, delivery.attemptCount);
              assert.isNull(attempts.at(-1)?.error ?? null);
            }
          }
        }).pipe(Effect.scoped)
      ),
    TEST_MS
  );

  it.effect(
    "of two dispatchers on one database arrive once each",
    () =>
      onNewDatabase((place) =>
        Effect.gen(function* () {
          const written = yield* write(
            Array.from({ length: 200 / STRIDE }, (_, index) => `https://r.example/${index}`)
          );
          const others = yield* Effect.all(
            [1, 2].map(() => Layer.build(Layer.fresh(engine(place, Layer.fresh(transport(place))))))
          );
          yield* Effect.all(
            others.map((other) => Context.get(other, WebhookDispatcher).run),
            { concurrency: 2 }
          );
          yield* until(written, areDelivered);
          for (const { id } of written.deliveries) assert.lengthOf(yield* arrivalsOf(id), 1);
        }).pipe(Effect.scoped)
      ),
    TEST_MS
  );

  it.effect(
    "that arrived during a database outage are recorded afterwards, and not sent again",
    () =>
      Effect.gen(function* () {
        const place = yield* workplace;
        const cutting = Layer.effect(
          WebhookTransport,
          Effect.gen(function* () {
            const sql = yield* SqlClient.SqlClient;
            const real = yield* WebhookTransport;
            const cut = sql`select pg_terminate_backend(pid) from pg_stat_activity
              where datname = current_database() and pid <> pg_backend_pid()`;
            return WebhookTransport.of({
              ...real,
              post: (request) => Effect.tap(real.post(request), Effect.orDie(cut))
            });
          })
        ).pipe(Layer.provide([transport(place), Layer.fresh(connection(place))]));
        yield* Effect.gen(function* () {
          yield* SqlClient.SqlClient.use((sql) => sql.unsafe(RecordingTransport.CREATE_ARRIVALS));
          const written = yield* write([RecordingTransport.STEADY]);
          yield* Effect.flatMap(WebhookDispatcher, ({ run }) => run);
          const delivered = until(written, areDelivered).pipe(
            Effect.catchDefect(() => Effect.fail("cut off")),
            Effect.retry({ schedule: soon, times: 5_000 })
          );
          yield* delivered;
          const [row] = yield* readAll(written);
          assert.strictEqual(row?.delivery.attemptCount, 1);
          assert.lengthOf(yield* arrivalsOf(written.deliveries[0]?.id ?? ""), 1);
        }).pipe(Effect.scoped, Effect.provide([engine(place, cutting), Logger.layer([])]));
      }).pipe(Effect.scoped),
    TEST_MS
  );
});
