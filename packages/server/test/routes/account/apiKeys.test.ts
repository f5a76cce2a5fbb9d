import { assert, layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { signedIn } from "../../SignedIn.ts";
import { ARTICLE, TestApp } from "../../TestApp.ts";

layer(TestApp.layerUnlimited, { excludeTestServices: true })("API keys of the own account", (it) => {
  it.effect("are created, listed without their secret and revoked in a web session", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const me = yield* account(0);
      const { ask } = yield* signedIn(me.id);
      const made = yield* ask("/v1/api-keys", { body: { name: "Nightly import" } });
      assert.strictEqual(made.status, 201);
      const fields = ["id", "name", "start", "key", "dailyCredits", "createdBy", "createdAt"];
      assert.sameMembers(Object.keys(made.json), fields);
      assert.strictEqual((yield* call("/v1/account", { key: made.json.key })).json.id, me.id);
      const listed = yield* ask("/v1/api-keys");
      const { key, ...shown } = made.json;
      const { lastUsedAt, ...item } = listed.json.data[0];
      assert.deepStrictEqual(item, shown);
      assert.isNotNull(lastUsedAt);
      assert.isNull(listed.json.data[1].lastUsedAt);
      assert.strictEqual(shown.start, key.slice(0, 8));
      assert.strictEqual(listed.json.data.length, 2);
      assert.notInclude(listed.text, key);
      const gone = yield* ask(`/v1/api-keys/${shown.id}`, { method: "DELETE" });
      assert.deepStrictEqual([gone.status, gone.text], [204, ""]);
      assert.strictEqual((yield* call("/v1/account", { key })).status, 401);
      assert.strictEqual((yield* ask("/v1/api-keys")).json.data.length, 1);
      assert.strictEqual((yield* ask(`/v1/api-keys/${shown.id}`, { method: "DELETE" })).status, 404);
    })
  );

  it.effect("respect their daily limit, without affecting other keys of the account", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const me = yield* account(10_000);
      const { ask } = yield* signedIn(me.id);
      const { json: made } = yield* ask("/v1/api-keys", { body: { name: "Small", dailyCredits: 70 } });
      assert.strictEqual(made.dailyCredits, 70);
      const submit = (key: string) => call("/v1/extractions", { key, body: { url: ARTICLE, force: true } });
      const first = yield* submit(made.key);
      assert.strictEqual(first.status, 201);
      const { status, json } = yield* submit(made.key);
      assert.strictEqual(status, 402);
      assert.strictEqual(json.error.code, "insufficient_credits");
      const cost = first.json.creditsDebited;
      assert.deepStrictEqual(json.error.details, {
        reason: "daily_credits",
        dailyCredits: 70,
        usedToday: cost,
        balance: (yield* call("/v1/account", { key: me.key })).json.balance,
        cost
      });
      assert.include(json.error.message, "dailyCredits");
      assert.strictEqual((yield* submit(me.key)).status, 201);
      const none = yield* ask("/v1/api-keys", { body: { dailyCredits: 0 } });
      assert.strictEqual((yield* submit(none.json.key)).status, 402);
      assert.strictEqual((yield* ask("/v1/api-keys", { body: { dailyCredits: -1 } })).status, 400);
      const words = yield* ask("/v1/api-keys", { body: { dailyCredits: "ten" } });
      assert.strictEqual(words.json.error.message, "`dailyCredits`: must be a number or null.");
      assert.isNull((yield* ask("/v1/api-keys", { body: { dailyCredits: null } })).json.dailyCredits);
    })
  );

  it.effect("cannot be managed with an API key", () =>
    Effect.gen(function* () {
      const { account, call, store } = yield* TestApp;
      const { id, key } = yield* account(0);
      const [own] = yield* store.listApiKeys(id);
      for (const [method, path, body] of [
        ["GET", "/v1/api-keys", undefined],
        ["POST", "/v1/api-keys", {}],
        ["DELETE", `/v1/api-keys/${own?.id}`, undefined],
        ["DELETE", "/v1/session", undefined],
        ["GET", "/v1/sessions", undefined],
        ["DELETE", "/v1/sessions", undefined]
      ] as const) {
        const answer = yield* call(path, { method, key, ...(body === undefined ? {} : { body }) });
        assert.strictEqual(answer.status, 401, `${method} ${path}`);
        assert.strictEqual(answer.json.error.code, "unauthorized");
        assert.strictEqual(answer.json.error.details.reason, "session_required");
        assert.include(answer.json.error.message, "web session");
      }
      assert.strictEqual((yield* store.listApiKeys(id)).length, 1);
    })
  );

  it.effect("of another account do not exist", () =>
    Effect.gen(function* () {
      const { account, call, store } = yield* TestApp;
      const [me, other] = [yield* account(0), yield* account(0)];
      const { ask } = yield* signedIn(me.id);
      const [theirs] = yield* store.listApiKeys(other.id);
      const refused = yield* ask(`/v1/api-keys/${theirs?.id}`, { method: "DELETE" });
      const unknown = yield* ask("/v1/api-keys/key_none", { method: "DELETE" });
      assert.strictEqual(refused.status, 404);
      assert.strictEqual(refused.text, unknown.text);
      assert.strictEqual((yield* call("/v1/account", { key: other.key })).status, 200);
    })
  );

  it.effect("have an optional, validated name", () =>
    Effect.gen(function* () {
      const { account } = yield* TestApp;
      const { ask } = yield* signedIn((yield* account(0)).id);
      assert.isNotEmpty((yield* ask("/v1/api-keys", { body: {} })).json.name);
      for (const [body, param] of [
        [{ name: "" }, "name"],
        [{ name: 5 }, "name"],
        [{ name: "a".repeat(201) }, "name"],
        [{ label: "a" }, "label"]
      ] as const) {
        const { status, json } = yield* ask("/v1/api-keys", { body });
        assert.strictEqual(status, 400);
        assert.strictEqual(json.error.details.param, param);
      }
    })
  );

  it.effect("are a hundred at most, until one is revoked", () =>
    Effect.gen(function* () {
      const { account, accounts } = yield* TestApp;
      const { id } = yield* account(0);
      const { ask } = yield* signedIn(id);
      for (let count = 1; count < 100; count++) yield* Effect.orDie(accounts.createApiKey(id, "more"));
      const refused = yield* ask("/v1/api-keys", { body: {} });
      assert.strictEqual(refused.status, 400);
      assert.deepStrictEqual(refused.json.error.details, { reason: "too_many_api_keys", maxApiKeys: 100 });
      const { json } = yield* ask("/v1/api-keys");
      assert.strictEqual(json.data.length, 100);
      yield* ask(`/v1/api-keys/${json.data[50].id}`, { method: "DELETE" });
      assert.strictEqual((yield* ask("/v1/api-keys", { body: {} })).status, 201);
    })
  );
});
