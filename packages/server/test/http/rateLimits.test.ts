import { assert, layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { LIMITS_NOW_MS, TestApp, VIDEO } from "../TestApp.ts";

const PARTS = { url: VIDEO, parts: ["transcript"] };

layer(TestApp.layer, { excludeTestServices: true })("rate limits", (it) => {
  it.effect(
    "submit takes 6 a minute, replays and refusals counted, and the seventh says when to come back",
    () =>
      Effect.gen(function* () {
        const { account, call } = yield* TestApp;
        const { key } = yield* account(1_000);
        const headers = { "idempotency-key": "same" };
        const statuses: Array<number> = [];
        for (const body of [PARTS, PARTS, { url: "nonsense" }, "{", PARTS, { url: VIDEO, typo: 1 }]) {
          const answer = yield* call("/v1/extractions", { key, headers, body });
          statuses.push(answer.status);
          assert.strictEqual(answer.headers.get("x-ratelimit-limit"), "6");
          assert.strictEqual(answer.headers.get("x-ratelimit-remaining"), String(6 - statuses.length));
          assert.isNull(answer.headers.get("retry-after"));
        }
        assert.deepStrictEqual(statuses, [201, 200, 400, 400, 200, 400]);
        const limited = yield* call("/v1/extract", { key, headers, body: PARTS });
        assert.strictEqual(limited.status, 429);
        assert.strictEqual(limited.json.error.code, "rate_limited");
        assert.strictEqual(limited.headers.get("x-ratelimit-remaining"), "0");
        assert.strictEqual(limited.headers.get("retry-after"), "15");
        assert.strictEqual(limited.headers.get("x-ratelimit-reset"), String(LIMITS_NOW_MS / 1_000 + 15));
      })
  );

  it.effect("status and result share 60, and the other endpoints have 60 each", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { key } = yield* account(1_000);
      const remaining = (path: string) =>
        Effect.map(call(path, { key }), ({ headers }) => Number(headers.get("x-ratelimit-remaining")));
      assert.strictEqual(yield* remaining("/v1/extractions/none"), 59);
      assert.strictEqual(yield* remaining("/v1/extractions/none/result"), 58);
      assert.strictEqual(yield* remaining("/v1/extractions"), 59);
      assert.strictEqual(yield* remaining("/v1/extractions/none/files/a"), 59);
      const probe = yield* call("/v1/probe", { key, body: {} });
      assert.strictEqual(probe.headers.get("x-ratelimit-limit"), "10");
      assert.strictEqual(probe.headers.get("x-ratelimit-remaining"), "9");
    })
  );

  it.effect("accounts do not share a window, keys of one account do", () =>
    Effect.gen(function* () {
      const { account, accounts, call } = yield* TestApp;
      const one = yield* account(0);
      const other = yield* account(0);
      const second = yield* Effect.orDie(accounts.createApiKey(one.id, "second"));
      const remaining = (key: string) =>
        Effect.map(call("/v1/extractions", { key }), ({ headers }) => headers.get("x-ratelimit-remaining"));
      assert.strictEqual(yield* remaining(one.key), "59");
      assert.strictEqual(yield* remaining(second.key), "58");
      assert.strictEqual(yield* remaining(other.key), "59");
    })
  );
});
