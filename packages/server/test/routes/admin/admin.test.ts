import { assert, layer } from "@effect/vitest";
import { DEFAULT_LIMITS } from "@winnow/core/domain/money/Plan";
import * as Effect from "effect/Effect";
import { ADMIN_TOKEN, TestApp, VIDEO } from "../../TestApp.ts";

layer(TestApp.layer, { excludeTestServices: true })("admin", (it) => {
  const operator = Effect.gen(function* () {
    const app = yield* TestApp;
    const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
      app.call(`/admin/v1${path}`, {
        method,
        headers: { ...headers, authorization: `Bearer ${ADMIN_TOKEN}` },
        ...(body === undefined ? {} : { body })
      });
    return { ...app, ask };
  });

  it.effect("creates an account, tops it up and creates a key that works until it is revoked", () =>
    Effect.gen(function* () {
      const { ask, call } = yield* operator;
      const made = yield* ask("POST", "/accounts", { name: "Newsroom" });
      assert.strictEqual(made.status, 201);
      const onPlan = { owedCredits: 0, plan: "default", limits: DEFAULT_LIMITS };
      assert.deepStrictEqual(made.json, { id: made.json.id, name: "Newsroom", balance: 0, ...onPlan });
      const { id } = made.json;
      const first = yield* ask("POST", `/accounts/${id}/top-ups`, { credits: 500 });
      assert.strictEqual(first.status, 201);
      assert.deepStrictEqual(first.json, { balance: 1_500 });
      const second = yield* ask("POST", `/accounts/${id}/top-ups`, { credits: 500 });
      assert.deepStrictEqual(second.json, { balance: 2_000 });
      const read = yield* ask("GET", `/accounts/${id}`);
      assert.deepStrictEqual(read.json, { id, name: "Newsroom", balance: 2_000, ...onPlan });
      const key = yield* ask("POST", `/accounts/${id}/api-keys`, { name: "script" });
      assert.strictEqual(key.status, 201);
      assert.sameMembers(Object.keys(key.json), ["id", "name", "key"]);
      assert.strictEqual((yield* call("/v1/extractions", { key: key.json.key })).status, 200);
      const revoked = yield* ask("DELETE", `/api-keys/${key.json.id}`);
      assert.strictEqual(revoked.status, 204);
      assert.strictEqual(revoked.text, "");
      assert.strictEqual((yield* call("/v1/extractions", { key: key.json.key })).status, 401);
    })
  );

  it.effect("a repeated top-up with its key is added once, and rejected with another amount", () =>
    Effect.gen(function* () {
      const { ask, account, call } = yield* operator;
      const { id, key } = yield* account(0);
      const topUp = (credits: number, invoice: string) =>
        ask("POST", `/accounts/${id}/top-ups`, { credits }, { "idempotency-key": invoice });
      const first = yield* topUp(500, "invoice-7");
      const again = yield* topUp(500, "invoice-7");
      assert.deepStrictEqual([again.status, again.json], [201, first.json]);
      const other = yield* topUp(600, "invoice-7");
      assert.strictEqual(other.status, 409);
      assert.strictEqual(other.json.error.code, "conflict");
      assert.strictEqual(other.json.error.details.param, "Idempotency-Key");
      assert.strictEqual((yield* topUp(500, "\u00e9")).status, 400);
      // Idempotency keys of the account's own requests are separate.
      const body = { url: VIDEO };
      const headers = { "idempotency-key": "invoice-7" };
      const submitted = yield* call("/v1/extractions", { method: "POST", key, headers, body });
      assert.strictEqual(submitted.status, 201);
    })
  );

  it.effect("the name of a key, and the body, may be omitted", () =>
    Effect.gen(function* () {
      const { ask, account } = yield* operator;
      const { id } = yield* account(0);
      for (const body of [{}, undefined]) {
        const { status, json } = yield* ask("POST", `/accounts/${id}/api-keys`, body);
        assert.strictEqual(status, 201);
        assert.isNotEmpty(json.name);
      }
      const nameless = yield* ask("POST", "/accounts");
      assert.strictEqual(nameless.json.error.details.param, "name");
    })
  );

  it.effect("an unknown resource is 404", () =>
    Effect.gen(function* () {
      const { ask } = yield* operator;
      assert.strictEqual((yield* ask("GET", "/accounts/none")).status, 404);
      assert.strictEqual((yield* ask("POST", "/accounts/none/api-keys", {})).status, 404);
      assert.strictEqual((yield* ask("POST", "/accounts/none/top-ups", { credits: 1 })).status, 404);
      assert.strictEqual((yield* ask("DELETE", "/api-keys/none")).status, 404);
    })
  );

  it.effect("an invalid field is named, with what is expected", () =>
    Effect.gen(function* () {
      const { ask, account } = yield* operator;
      const { id } = yield* account(0);
      const bad = [
        ["/accounts", {}, "name"],
        ["/accounts", { name: "" }, "name"],
        ["/accounts", { name: "  " }, "name"],
        ["/accounts", { name: "a".repeat(201) }, "name"],
        ["/accounts", { name: "a", balance: 5 }, "balance"],
        [`/accounts/${id}/top-ups`, { credits: 0 }, "credits"],
        [`/accounts/${id}/top-ups`, { credits: -5 }, "credits"],
        [`/accounts/${id}/top-ups`, { credits: 1.5 }, "credits"],
        [`/accounts/${id}/top-ups`, { credits: 1e12 }, "credits"],
        [`/accounts/${id}/top-ups`, { credits: "5" }, "credits"]
      ] as const;
      for (const [path, body, param] of bad) {
        const { status, json } = yield* ask("POST", path, body);
        assert.strictEqual(status, 400, JSON.stringify(body));
        assert.strictEqual(json.error.code, "invalid_request");
        assert.strictEqual(json.error.details.param, param);
        assert.include(json.error.message, param);
        // Names of internal schemas mean nothing to the caller.
        assert.notInclude(json.error.message, "TopUpCredits");
      }
      assert.strictEqual((yield* ask("POST", "/accounts", [])).status, 400);
      const unknown = (yield* ask("POST", "/accounts", { name: "a", balance: 5 })).json.error;
      assert.strictEqual(unknown.message, "`balance` is not a field of this request.");
      assert.strictEqual(unknown.details.reason, "unknown_field");
    })
  );

  it.effect("only the operator's token is accepted", () =>
    Effect.gen(function* () {
      const { account, call } = yield* operator;
      const { id, key } = yield* account(0);
      for (const headers of [
        {},
        { authorization: `Bearer ${key}` },
        { authorization: `Bearer ${ADMIN_TOKEN}x` },
        { authorization: "Bearer " },
        { "x-api-key": ADMIN_TOKEN }
      ]) {
        const answer = yield* call(`/admin/v1/accounts/${id}`, {
          headers: headers as Record<string, string>
        });
        assert.strictEqual(answer.status, 401);
        assert.strictEqual(answer.json.error.code, "unauthorized");
      }
    })
  );
});
