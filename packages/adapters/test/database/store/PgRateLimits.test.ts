// @module-tag long
import { assert, layer as withLayer } from "@effect/vitest";
import { RateLimits } from "@winnow/core/ports/RateLimits";
import { suite } from "@winnow/testing/suites/RateLimitsSuite";
import { uniqueId } from "@winnow/testing/samples/samples";
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
