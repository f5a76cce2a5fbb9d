// @module-tag long
import { assert, layer as withLayer } from "@effect/vitest";
import { RateLimits } from "@winnow/core/ports/RateLimits";
import { suite } from "@winnow/testing/suites/RateLimitsSuite";
import { Store } from "@winnow/core/ports/Store";
import { sampleAccount, sampleApiKey, uniqueId } from "@winnow/testing/samples/samples";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as SqlClient from "effect/sql/SqlClient";
import { TestClock } from "effect/testing";
import * as PgRateLimits from "../../../src/database/store/PgRateLimits.ts";
import { connectionLayer, storeLayer } from "./TestPostgres.ts";

const MINUTE_MS = 60_000;

const consume = (accountId: string) =>
  RateLimits.use((limits) => limits.consume(accountId, { bucket: "probe", perMinute: 2 }));

suite("PostgreSQL", Layer.provideMerge(PgRateLimits.layer, storeLayer));

withLayer(Layer.provideMerge(PgRateLimits.layer, connectionLayer))("PgRateLimits", (it) => {
  it.effect("refused requests and old windows leave one row, without writes", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient;
      const account = uniqueId("acc");
      const rows = sql`select requests, ctid::text as version from winnow.request_count
        where account_id = ${account}`;
      yield* Effect.forEach([1, 2], () => consume(account));
      const full = yield* rows;
      yield* Effect.forEach([1, 2, 3], () => consume(account));
      assert.deepStrictEqual(yield* rows, full);
      yield* TestClock.adjust(MINUTE_MS);
      yield* consume(account);
      assert.deepStrictEqual(
        (yield* rows).map(({ requests }) => requests),
        [1]
      );
    })
  );

  it.effect("a server whose clock is slow counts into the newest window and opens no old one", () =>
    Effect.gen(function* () {
      const account = uniqueId("acc");
      yield* TestClock.setTime(10 * MINUTE_MS);
      yield* consume(account);
      yield* TestClock.setTime(10 * MINUTE_MS - 1);
      assert.strictEqual((yield* consume(account)).remaining, 0);
      assert.isFalse((yield* consume(account)).allowed);
      yield* TestClock.setTime(10 * MINUTE_MS + 1);
      assert.isFalse((yield* consume(account)).allowed);
    })
  );

  it.effect("a clock that was far off for a moment blocks no one afterwards", () =>
    Effect.gen(function* () {
      const account = uniqueId("acc");
      yield* TestClock.setTime(1_000 * MINUTE_MS);
      yield* Effect.forEach([1, 2], () => consume(account));
      assert.isFalse((yield* consume(account)).allowed);
      yield* TestClock.setTime(10 * MINUTE_MS);
      const states = yield* Effect.forEach([1, 2, 3], () => consume(account));
      assert.deepStrictEqual(
        states.map(({ allowed }) => allowed),
        [true, true, false]
      );
    })
  );
});

withLayer(Layer.provideMerge(PgRateLimits.layer, storeLayer))("the use of a key", (it) => {
  it.effect(
    "is written with a commit that does not wait for the disk, and later requests write nothing",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient;
        const store = yield* Store;
        const account = sampleAccount();
        yield* store.createAccount(account);
        const key = sampleApiKey(account.id);
        yield* store.createApiKey(key);
        const commitOf = Effect.gen(function* () {
          yield* sql`set local synchronous_commit to on`;
          const limits = yield* RateLimits;
          const limit = { bucket: "extraction", limit: "readsPerMinute", times: 1 } as const;
          yield* limits.readWithKey(key.hash, limit, null);
          const [row] = yield* sql<{
            commit: string;
          }>`select current_setting('synchronous_commit') as commit`;
          return row?.commit;
        }).pipe(sql.withTransaction);
        yield* TestClock.setTime(10 * MINUTE_MS);
        assert.deepStrictEqual([yield* commitOf, yield* commitOf], ["off", "on"]);
        const [kept] = yield* store.listApiKeys(account.id);
        assert.strictEqual(kept?.lastUsedAtMs, 10 * MINUTE_MS);
      })
  );
});
