import { assert, it as plain, layer } from "@effect/vitest";
import * as MemoryRateLimits from "@winnow/core/memory/MemoryRateLimits";
import * as Effect from "effect/Effect";
import type { Answer } from "../../ApiCall.ts";
import { rateLimitMessage } from "../../../src/http/limits/RateLimitingHttp.ts";
import { ARTICLE, clocked, LIMITS_NOW_MS, TestApp, VIDEO } from "../../TestApp.ts";

const PARTS = { url: VIDEO, parts: ["transcript"] };

layer(TestApp.layer, { excludeTestServices: true })("rate limits", (it) => {
  it.effect(
    "submit allows 6 a minute, including replays and refusals, and the seventh says when to retry",
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
        assert.deepStrictEqual(statuses, [201, 200, 409, 400, 200, 409]);
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

  it.effect("requests for unknown paths and methods are not counted", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { key } = yield* account(0);
      const missed = [
        ["GET", "/v1/nothing", 404],
        ["PUT", "/v1/extractions", 405],
        ["GET", "/v1/extractions/none/cancel", 405],
        ["GET", "/admin/v1/nothing", 404]
      ] as const;
      for (const [method, path, status] of missed) {
        const answer = yield* call(path, { key, method });
        assert.strictEqual(answer.status, status, path);
        assert.isNull(answer.headers.get("x-ratelimit-limit"), path);
      }
      const { headers } = yield* call("/v1/extractions", { key });
      assert.strictEqual(headers.get("x-ratelimit-remaining"), "59");
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

/** The last millisecond of a minute, from which tests advance `nowMs`. */
const LAST_MS = Date.UTC(2026, 0, 1, 12, 0, 59, 999);
let nowMs = LAST_MS;

const movable = clocked(MemoryRateLimits.layer, () => nowMs);

const limitsOf = ({ headers }: Answer) => ({
  limit: headers.get("x-ratelimit-limit"),
  remaining: headers.get("x-ratelimit-remaining"),
  reset: headers.get("x-ratelimit-reset"),
  policy: headers.get("ratelimit-policy"),
  standard: headers.get("ratelimit")
});

layer(TestApp.with({ rateLimits: movable }), { excludeTestServices: true })("windows", (it) => {
  const cases = [
    { what: "submit", perMinute: 6, path: "/v1/extractions", body: { url: ARTICLE }, status: 201 },
    { what: "probe", perMinute: 10, path: "/v1/probe", body: { url: ARTICLE }, status: 200 },
    { what: "extraction", perMinute: 60, path: "/v1/extractions/none", body: undefined, status: 404 },
    { what: "list", perMinute: 60, path: "/v1/extractions", body: undefined, status: 200 },
    { what: "file", perMinute: 60, path: "/v1/extractions/none/files/a", body: undefined, status: 404 }
  ];
  for (const { what, perMinute, path, body, status } of cases) {
    it.effect(`of ${what} allow exactly ${perMinute}, and reset each minute`, () =>
      Effect.gen(function* () {
        const { account, call } = yield* TestApp;
        const { key } = yield* account(10_000);
        nowMs = LAST_MS;
        const reset = String((LAST_MS + 1) / 1_000);
        const ask = call(path, { key, ...(body === undefined ? {} : { body }) });
        for (let count = 1; count <= perMinute; count++) {
          const answer = yield* ask;
          assert.strictEqual(answer.status, status, `${count}`);
          assert.deepStrictEqual(limitsOf(answer), {
            limit: String(perMinute),
            remaining: String(perMinute - count),
            reset,
            policy: `"${what}";q=${perMinute};w=60`,
            standard: `"${what}";r=${perMinute - count};t=1`
          });
          assert.isNull(answer.headers.get("retry-after"));
        }
        const limited = yield* ask;
        assert.strictEqual(limited.status, 429);
        assert.strictEqual(limited.json.error.code, "rate_limited");
        assert.strictEqual(limited.headers.get("retry-after"), "1");
        assert.deepInclude(limitsOf(limited), { remaining: "0", reset, standard: `"${what}";r=0;t=1` });
        nowMs = LAST_MS + 1;
        const next = yield* ask;
        assert.strictEqual(next.status, status);
        assert.deepInclude(limitsOf(next), {
          remaining: String(perMinute - 1),
          reset: String((LAST_MS + 60_001) / 1_000),
          standard: `"${what}";r=${perMinute - 1};t=60`
        });
      })
    );
  }

  it.effect("are not sent to callers without a key", () =>
    Effect.gen(function* () {
      const { call } = yield* TestApp;
      const refused = yield* call("/v1/extractions", { key: "wnw_nonsense" });
      assert.strictEqual(refused.status, 401);
      assert.deepStrictEqual(Object.values(limitsOf(refused)), [null, null, null, null, null]);
    })
  );
});

plain("a limit of one is told in the singular", () => {
  const state = { limit: 1, remaining: 0, resetAtSeconds: 60, retryAfterSeconds: 9, allowed: false };
  assert.strictEqual(rateLimitMessage(state), "1 request a minute is allowed here; try again in 9 s.");
});
