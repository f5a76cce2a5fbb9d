import { assert, layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { ARTICLE, STUCK, TestApp } from "../../TestApp.ts";
import { lookUntil } from "../../lookUntil.ts";

// Without rate limits, because these tests poll.
layer(TestApp.layerUnlimited, { excludeTestServices: true })("cancel", (it) => {
  it.effect("stops a running extraction with a full refund and starts the next one", () =>
    Effect.gen(function* () {
      const { account, accounts, call } = yield* TestApp;
      const { id: accountId, key } = yield* account(10_000);
      const submit = Effect.map(
        call("/v1/extractions", { key, body: { url: STUCK } }),
        ({ json }) => json.id
      );
      const [first, , third] = [yield* submit, yield* submit, yield* submit];
      const read = (id: string) => Effect.map(call(`/v1/extractions/${id}`, { key }), ({ json }) => json);
      yield* lookUntil(read(first), ({ status }) => status === "running");
      const { status, json } = yield* call(`/v1/extractions/${first}/cancel`, { key, method: "POST" });
      assert.strictEqual(status, 200);
      assert.deepInclude(json, { id: first, status: "failed", phase: "failed", creditsRefunded: 230 });
      assert.deepStrictEqual(yield* read(first), json);
      assert.notStrictEqual((yield* read(third)).status, "queued");
      const result = yield* call(`/v1/extractions/${first}/result`, { key });
      assert.strictEqual(result.json.failure.reason, "cancelled");
      const again = yield* call(`/v1/extractions/${first}/cancel`, { key, method: "POST" });
      assert.deepStrictEqual([again.status, again.json], [200, json]);
      assert.strictEqual((yield* Effect.orDie(accounts.get(accountId))).balance, 11_000 - 460);
    })
  );

  it.effect("returns a complete extraction unchanged, and 404 for another account", () =>
    Effect.gen(function* () {
      const app = yield* TestApp;
      const me = yield* app.account(10_000);
      const { key: stranger } = yield* app.account(0);
      const id = yield* app.finished(me, { url: ARTICLE });
      const read = yield* app.call(`/v1/extractions/${id}`, { key: me.key });
      const cancelled = yield* app.call(`/v1/extractions/${id}/cancel`, { key: me.key, method: "POST" });
      assert.deepStrictEqual(cancelled.json, read.json);
      assert.strictEqual(cancelled.headers.get("x-ratelimit-limit"), "60");
      const foreign = yield* app.call(`/v1/extractions/${id}/cancel`, { key: stranger, method: "POST" });
      assert.strictEqual(foreign.status, 404);
    })
  );
});

layer(TestApp.layerUnlimited, { excludeTestServices: true })("delete", (it) => {
  it.effect(
    "removes the extraction and its files; ledger and balance remain, and its key cannot be used again",
    () =>
      Effect.gen(function* () {
        const { account, accounts, call, store } = yield* TestApp;
        const { id: accountId, key } = yield* account(10_000);
        const send = { key, body: { url: ARTICLE }, headers: { "idempotency-key": "one" } };
        const { id } = (yield* call("/v1/extractions", send)).json;
        const reading = call(`/v1/extractions/${id}`, { key });
        yield* lookUntil(reading, ({ json }) => json.status === "complete");
        const file = `/v1/extractions/${id}/files/transcript.txt`;
        assert.strictEqual((yield* call(file, { key })).status, 200);
        const { key: stranger } = yield* account(0);
        const foreign = yield* call(`/v1/extractions/${id}`, { key: stranger, method: "DELETE" });
        assert.strictEqual(foreign.status, 404);
        const deleted = yield* call(`/v1/extractions/${id}`, { key, method: "DELETE" });
        assert.deepStrictEqual([deleted.status, deleted.text], [204, ""]);
        for (const path of [`/v1/extractions/${id}`, `/v1/extractions/${id}/result`, file]) {
          assert.strictEqual((yield* call(path, { key })).status, 404);
        }
        assert.strictEqual((yield* call(`/v1/extractions/${id}`, { key, method: "DELETE" })).status, 404);
        assert.deepStrictEqual((yield* call("/v1/extractions", { key })).json.data, []);
        assert.strictEqual((yield* Effect.orDie(accounts.get(accountId))).balance, 11_000 - 50);
        const ledger = yield* store.listLedger(accountId, { before: null, limit: 10 });
        assert.strictEqual(ledger[0]?.extractionId, id);
        assert.strictEqual((yield* call("/v1/extractions", send)).status, 409);
        const { headers: _spent, ...anew } = send;
        assert.strictEqual((yield* call("/v1/extractions", anew)).json.creditsDebited, 50);
      })
  );

  it.effect("cancels an active extraction first", () =>
    Effect.gen(function* () {
      const { account, accounts, call } = yield* TestApp;
      const { id: accountId, key } = yield* account(10_000);
      const { id } = (yield* call("/v1/extractions", { key, body: { url: STUCK } })).json;
      assert.strictEqual((yield* call(`/v1/extractions/${id}`, { key, method: "DELETE" })).status, 204);
      assert.strictEqual((yield* call(`/v1/extractions/${id}`, { key })).status, 404);
      assert.strictEqual((yield* Effect.orDie(accounts.get(accountId))).balance, 11_000);
    })
  );
});
