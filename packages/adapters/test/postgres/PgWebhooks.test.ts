import { assert, layer as withLayer } from "@effect/vitest";
import { SLOW_ATTEMPT_MS } from "@winnow/core/domain/WebhookDelivery";
import { WebhookOutbox } from "@winnow/core/ports/WebhookOutbox";
import { openAccount } from "@winnow/core/testing/storeSteps";
import { suite as endpoints } from "@winnow/core/testing/WebhookEndpointsSuite";
import { suite as outbox } from "@winnow/core/testing/WebhookOutboxSuite";
import { ARRIVED, claim, insert, record } from "@winnow/core/testing/webhookSteps";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as SqlClient from "effect/sql/SqlClient";
import * as PgWebhookEndpoints from "../../src/postgres/PgWebhookEndpoints.ts";
import * as PgWebhookOutbox from "../../src/postgres/PgWebhookOutbox.ts";
import { storeLayer } from "./TestPostgres.ts";

const layer = Layer.mergeAll(PgWebhookEndpoints.layer, PgWebhookOutbox.layer).pipe(
  Layer.provideMerge(storeLayer)
);

endpoints("PostgreSQL", layer);
outbox("PostgreSQL", layer);

/** Longer than a statement takes that waits for nobody. */
const PATIENCE = "5 seconds";

/** Runs the effect while another transaction holds what the query locks. */
const whileHeld = Effect.fnUntraced(function* <A, E, R>(
  lock: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, unknown>,
  effect: Effect.Effect<A, E, R>
) {
  const sql = yield* SqlClient.SqlClient;
  const [held, over] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()];
  const holding = Effect.orDie(lock(sql)).pipe(
    Effect.andThen(Deferred.succeed(held, undefined)),
    Effect.andThen(Deferred.await(over))
  );
  yield* Effect.forkScoped(Effect.orDie(sql.withTransaction(holding)));
  yield* Deferred.await(held);
  const done = yield* Effect.timeoutOption(effect, PATIENCE);
  yield* Deferred.succeed(over, undefined);
  return done;
}, Effect.scoped);

withLayer(layer, { excludeTestServices: true })("PgWebhookOutbox", (it) => {
  it.effect("attempts are recorded while a decision holds their receivers", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      for (let index = 0; index < 3; index++) yield* insert(accountId);
      const claimed = yield* claim([accountId]);
      const recorded = yield* whileHeld(
        (sql) => sql`select 1 from winnow.webhook_receiver where account_id = ${accountId} for update`,
        Effect.forEach(claimed, (one) => record(one, { ...ARRIVED, durationMs: SLOW_ATTEMPT_MS }), {
          concurrency: "unbounded"
        })
      );
      assert.deepStrictEqual(
        Option.getOrNull(recorded)?.map((delivery) => delivery?.status),
        ["delivered", "delivered", "delivered"]
      );
    })
  );

  it.effect("the sweep of old deliveries passes over one that somebody holds", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const held = yield* insert(accountId, { createdAtMs: 1 });
      yield* insert(accountId, { createdAtMs: 2 });
      const swept = WebhookOutbox.use(({ removeOld }) => removeOld(3, 10));
      const removed = yield* whileHeld(
        (sql) => sql`select 1 from winnow.webhook_delivery where id = ${held.id} for update`,
        swept
      );
      assert.deepStrictEqual(removed, Option.some(1));
      assert.strictEqual(yield* swept, 1);
    })
  );
});
