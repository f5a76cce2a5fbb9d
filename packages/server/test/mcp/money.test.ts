/** Models cannot waste credits: calls that are interrupted, repeated or concurrent are charged once. */
import { assert, layer } from "@effect/vitest";
import { Failed } from "@winnow/core/domain/source/Failed";
import { DEFAULT_LIMITS } from "@winnow/core/domain/money/Plan";
import { sampleFacts } from "@winnow/testing/samples/samples";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import { STUCK, TestApp, VIDEO } from "../TestApp.ts";
import { ask, connect, errorOf, factsOf } from "./McpClients.ts";

const HELD = "https://example.com/held";
const FLAKY = "https://example.com/flaky";
const facts = sampleFacts({ durationSeconds: 213, hasComments: true });

const released = Deferred.makeUnsafe<void>();
let refusals = 1;

const app = TestApp.with({
  sources: {
    [HELD]: { facts, beforeFetch: Deferred.await(released) },
    [FLAKY]: {
      facts,
      beforeFetch: Effect.suspend(() =>
        refusals-- > 0
          ? Effect.fail(new Failed({ reason: "bot_blocked", message: "Not today." }))
          : Effect.void
      )
    }
  }
});

const ledgerOf = Effect.fnUntraced(function* (key: string) {
  const { call } = yield* TestApp;
  const { json } = yield* call("/v1/ledger?limit=100", { key });
  return json.data
    .filter(({ kind }: any) => kind === "debit" || kind === "refund")
    .map((line: any) => line.kind);
});

layer(app, { excludeTestServices: true })("money over MCP", (it) => {
  it.effect("concurrent calls, and one that lost its connection, are one run and one debit", () =>
    Effect.gen(function* () {
      const { url, account } = yield* TestApp;
      const me = yield* account(10_000);
      const [one, two] = [
        yield* connect("2026-07-28", url, me.key),
        yield* connect("2025-11-25", url, me.key)
      ];
      const cut = new AbortController();
      const lost = one.call("extract", { url: HELD }, { signal: cut.signal, onprogress: () => cut.abort() });
      assert.strictEqual(
        yield* Effect.promise(() =>
          lost.then(
            () => "answered",
            () => "lost"
          )
        ),
        "lost"
      );
      const waiting = yield* Effect.all(
        [one, two].map((client) => ask(client, "extract", { url: HELD, waitSeconds: 0 })),
        { concurrency: 2 }
      );
      const [first, second] = waiting.map(factsOf);
      assert.strictEqual(first.id, second.id);
      assert.strictEqual(first.status, "running");
      assert.match(first.next, new RegExp(`^Call get_extraction with id ${first.id}`, "u"));
      yield* Deferred.succeed(released, undefined);
      const done = factsOf(yield* ask(one, "get_extraction", { id: first.id }));
      assert.strictEqual(done.status, "complete");
      assert.deepStrictEqual(yield* ledgerOf(me.key), ["debit"]);
    })
  );

  it.effect("the same call retries a run that failed and was refunded", () =>
    Effect.gen(function* () {
      const { url, account } = yield* TestApp;
      const me = yield* account(10_000);
      const client = yield* connect("2026-07-28", url, me.key);
      const failed = factsOf(yield* ask(client, "extract", { url: FLAKY }));
      assert.strictEqual(failed.status, "failed");
      assert.deepInclude(failed.failure, { reason: "bot_blocked", retryable: true });
      assert.deepInclude(failed, { balance: 11_000 });
      const done = factsOf(yield* ask(client, "extract", { url: FLAKY }));
      assert.strictEqual(done.status, "complete");
      assert.notStrictEqual(done.id, failed.id);
      assert.sameMembers(yield* ledgerOf(me.key), ["debit", "refund", "debit"]);
    })
  );

  it.effect("a key respects its daily limit", () =>
    Effect.gen(function* () {
      const { url, account, accounts } = yield* TestApp;
      const { id } = yield* account(10_000);
      const { key } = yield* Effect.orDie(accounts.createApiKey(id, "agent", 100));
      const client = yield* connect("2026-07-28", url, key);
      const refusal = errorOf(yield* ask(client, "extract", { url: VIDEO }));
      assert.match(refusal, /^daily_credits: .*\(cost 230, balance \d+, dailyCredits 100, usedToday 0\)/u);
      assert.deepStrictEqual(yield* ledgerOf(key), []);
    })
  );

  it.effect("calls count against the key's limits of the API, and are marked as made by an assistant", () =>
    Effect.gen(function* () {
      const { url, call, account } = yield* TestApp;
      const me = yield* account(10_000);
      const client = yield* connect("2026-07-28", url, me.key);
      const limit = DEFAULT_LIMITS.submitsPerMinute;
      for (let n = 1; n < limit; n += 1) {
        factsOf(yield* ask(client, "extract", { url: VIDEO, prompt: `${n}`, waitSeconds: 0 }));
      }
      const headers = { "x-winnow-made-by": "mcp", "user-agent": "winnow-mcp" };
      const own = yield* call("/v1/extractions", { key: me.key, headers, body: { url: VIDEO, force: true } });
      assert.strictEqual(own.status, 201);
      const late = errorOf(yield* ask(client, "extract", { url: VIDEO, force: true }));
      assert.match(late, /^rate_limited: .*try again in \d+ s/u);
      const listed = yield* call("/v1/extractions", { key: me.key });
      assert.deepStrictEqual(
        listed.json.data.map(({ madeBy }: any) => madeBy),
        ["api", ...Array.from({ length: limit - 1 }, () => "mcp")]
      );
    })
  );

  it.effect("cancelling stops a run and refunds it in full", () =>
    Effect.gen(function* () {
      const { url, account } = yield* TestApp;
      const me = yield* account(10_000);
      const client = yield* connect("2026-07-28", url, me.key);
      const { id } = factsOf(yield* ask(client, "extract", { url: STUCK, waitSeconds: 0 }));
      const cancelled = factsOf(yield* ask(client, "cancel_extraction", { id }));
      assert.deepInclude(cancelled, { status: "failed", creditsRefunded: 230, balance: 11_000 });
    })
  );
});
