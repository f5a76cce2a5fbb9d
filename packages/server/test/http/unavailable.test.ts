/**
 * Responses to callers while the database is unavailable or busy.
 */
import { assert, describe, it } from "@effect/vitest";
import { RateLimits } from "@winnow/core/ports/RateLimits";
import { Unavailable } from "@winnow/core/ports/Unavailable";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { TestApp } from "../TestApp.ts";

/** An app whose rate limits fail. Every request of an account checks them first. */
const appWithout = (reason: Unavailable["reason"]) => {
  const unavailable = new Unavailable({
    what: "database",
    reason,
    message: "10.0.0.7 refused",
    retryAfterSeconds: 7
  });
  const fails = () => Effect.die(unavailable);
  const rateLimits = Layer.succeed(RateLimits, RateLimits.of({ consume: fails, readWithKey: fails }));
  return TestApp.with({ rateLimits });
};

const answer = Effect.gen(function* () {
  const { account, call } = yield* TestApp;
  const { key } = yield* account(0);
  const { status, headers, json } = yield* call("/v1/account", { key });
  return { status, retryAfter: headers.get("retry-after"), error: json.error };
});

describe("an unresponsive database", () => {
  it.live("is a 503 with the time to retry, without internal details", () =>
    Effect.gen(function* () {
      const { status, retryAfter, error } = yield* answer;
      assert.deepStrictEqual([status, retryAfter], [503, "7"]);
      assert.deepStrictEqual(error, {
        code: "internal_error",
        message: "The database is unavailable; try again in 7 seconds.",
        details: { reason: "database_away" }
      });
    }).pipe(Effect.provide(appWithout("away")))
  );

  it.live("is said to be full if it is", () =>
    Effect.map(answer, ({ error }) =>
      assert.strictEqual(error.message, "The database is full; try again in 7 seconds.")
    ).pipe(Effect.provide(appWithout("full")))
  );

  it.live("is busy if others hold the locks", () =>
    Effect.gen(function* () {
      const { status, retryAfter, error } = yield* answer;
      assert.deepStrictEqual([status, retryAfter, error.details], [503, "7", { reason: "busy" }]);
    }).pipe(Effect.provide(appWithout("busy")))
  );
});
