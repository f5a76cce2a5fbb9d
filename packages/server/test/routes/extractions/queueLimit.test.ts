import { assert, layer } from "@effect/vitest";
import { bookOf, DEFAULT_LIMITS, plansFrom } from "@winnow/core/domain/money/Plan";
import { fixedPlans, Plans } from "@winnow/core/ports/Plans";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { STUCK, TestApp } from "../../TestApp.ts";

const WAITING_MAX = 3;
const SLOTS = 2;
const CREDITS = 100_000;
/** Credits added to the first top-up. */
const BONUS = 1_000;

const book = bookOf(plansFrom({ default: { waitingMax: WAITING_MAX } }));
const settings = Layer.succeed(Plans, fixedPlans(book));

layer(TestApp.layerUnlimited.pipe(Layer.provide(settings)), { excludeTestServices: true })(
  "an account's queue",
  (it) => {
    it.effect("that is full rejects with 429 queue_full before any debit, and keeps the key usable", () =>
      Effect.gen(function* () {
        const { account, accounts, call } = yield* TestApp;
        const { id, key } = yield* account(CREDITS);
        const submit = (headers: Record<string, string> = {}) =>
          call("/v1/extractions", { key, headers, body: { url: STUCK } });
        const accepted = yield* Effect.all(Array.from({ length: SLOTS + WAITING_MAX }, () => submit()));
        assert.isTrue(accepted.every(({ status }) => status === 201));
        const [first, , third] = accepted;
        assert.deepStrictEqual([first!.json.status, third!.json.status], ["pending", "queued"]);
        const { balance } = yield* Effect.orDie(accounts.get(id));
        assert.strictEqual(
          balance,
          CREDITS + BONUS - accepted.length * (first!.json.creditsDebited as number)
        );

        for (const path of ["/v1/extractions", "/v1/extract"]) {
          const headers = { "idempotency-key": "refused" };
          const refused = yield* call(path, { key, headers, body: { url: STUCK } });
          assert.strictEqual(refused.status, 429);
          assert.strictEqual(refused.json.error.code, "rate_limited");
          assert.strictEqual(refused.json.error.details.reason, "queue_full");
          assert.isAtLeast(Number(refused.headers.get("retry-after")), 1);
        }
        assert.strictEqual((yield* Effect.orDie(accounts.get(id))).balance, balance, "it was debited");
        const listed = yield* call("/v1/extractions", { key });
        assert.strictEqual(listed.json.data.length, accepted.length);

        const other = yield* account(CREDITS);
        const elsewhere = yield* call("/v1/extractions", { key: other.key, body: { url: STUCK } });
        assert.strictEqual(elsewhere.status, 201, "the queue is the account's own");
      })
    );

    it.effect("has 1,000 places by default", () =>
      Effect.sync(() => {
        assert.strictEqual(DEFAULT_LIMITS.waitingMax, 1_000);
      })
    );
  }
);
