import { assert, layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { uniqueId } from "@winnow/testing/samples/samples";
import { ADMIN_TOKEN, ARTICLE, TestApp } from "../../TestApp.ts";

const TOKEN = { authorization: `Bearer ${ADMIN_TOKEN}` };

/** Headers of the operator acting for an account. */
const actingFor = (accountId: string) => ({ ...TOKEN, "x-winnow-account": accountId });

layer(TestApp.layer, { excludeTestServices: true })("the operator", (it) => {
  it.effect("acts for the account in the header, on the account's endpoints", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const [me, other] = [yield* account(10_000), yield* account(10_000)];
      const headers = actingFor(me.id);
      assert.strictEqual((yield* call("/v1/account", { headers })).json.id, me.id);
      const made = yield* call("/v1/extractions", { headers, body: { url: ARTICLE } });
      assert.strictEqual(made.status, 201);
      const own = yield* call(`/v1/extractions/${made.json.id}`, { key: me.key });
      assert.deepInclude(own.json, { madeBy: "api", apiKeyName: null });
      const theirs = yield* call(`/v1/extractions/${made.json.id}`, { headers: actingFor(other.id) });
      assert.strictEqual(theirs.status, 404);
      const hook = { url: "https://example.org/hook" };
      const endpoint = yield* call("/v1/webhook-endpoints", { headers, body: hook });
      assert.strictEqual(endpoint.status, 201);
      const keys = yield* call("/v1/api-keys", { headers });
      assert.deepStrictEqual(
        keys.json.data.map(({ name }: { name: string }) => name),
        ["test"]
      );
    })
  );

  it.effect("has no session to sign out of, and learns how to end those of an account", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const headers = actingFor((yield* account(0)).id);
      for (const path of ["/v1/session", "/v1/sessions"]) {
        const { status, json } = yield* call(path, { method: "DELETE", headers });
        assert.strictEqual(status, 400);
        assert.strictEqual(json.error.details.reason, "no_session");
        assert.include(json.error.message, "/admin/v1/accounts/{id}/sessions");
      }
    })
  );

  it.effect("does not use the account's rate limit", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const me = yield* account(0);
      const left = (headers: Record<string, string>) =>
        Effect.map(call("/v1/account", { headers }), (answer) => answer.headers.get("x-ratelimit-remaining"));
      assert.strictEqual(yield* left({ "x-api-key": me.key }), "59");
      assert.strictEqual(yield* left(actingFor(me.id)), "59");
      assert.strictEqual(yield* left({ "x-api-key": me.key }), "58");
    })
  );

  it.effect("must name an existing account", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const me = yield* account(0);
      const unnamed = yield* call("/v1/account", { headers: TOKEN });
      assert.strictEqual(unnamed.status, 401);
      assert.strictEqual(unnamed.json.error.details.reason, "account_required");
      for (const path of ["/v1/account", "/v1/api-keys"]) {
        const unknown = yield* call(path, { headers: actingFor("acc_none") });
        assert.strictEqual(unknown.status, 401, path);
        assert.strictEqual(unknown.json.error.details.reason, "unknown_account");
        assert.include(unknown.json.error.message, "There is no such account");
      }
      const wrong = { authorization: "Bearer nonsense", "x-winnow-account": me.id };
      assert.strictEqual((yield* call("/v1/account", { headers: wrong })).status, 401);
    })
  );

  it.effect("is the only one who may use the header", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const [me, other] = [yield* account(0), yield* account(0)];
      const headers = { "x-api-key": me.key, "x-winnow-account": other.id };
      assert.strictEqual((yield* call("/v1/account", { headers })).json.id, me.id);
      assert.strictEqual(
        (yield* call("/v1/account", { headers: { "x-winnow-account": me.id } })).status,
        401
      );
    })
  );

  it.effect("finds accounts by name and id, page by page, and renames them", () =>
    Effect.gen(function* () {
      const { accounts, call } = yield* TestApp;
      const mark = uniqueId("mark");
      const ids: Array<string> = [];
      for (const name of ["One", "two", "THREE"]) ids.unshift((yield* accounts.create(`${name} ${mark}`)).id);
      const seen: Array<string> = [];
      let cursor = "";
      do {
        const query = `q=${mark.toUpperCase()}&limit=2${cursor}`;
        const { json } = yield* call(`/admin/v1/accounts?${query}`, { headers: TOKEN });
        seen.push(...json.data.map(({ id }: { id: string }) => id));
        cursor = json.next_cursor === null ? "" : `&cursor=${encodeURIComponent(json.next_cursor)}`;
      } while (cursor !== "");
      assert.deepStrictEqual(seen.toSorted(), ids.toSorted());
      const [first = ""] = ids;
      const renamed = yield* call(`/admin/v1/accounts/${first}`, {
        method: "PATCH",
        headers: TOKEN,
        body: { name: "Renamed" }
      });
      assert.deepInclude(renamed.json, { id: first, name: "Renamed", balance: 0 });
      const { json: byId } = yield* call(`/admin/v1/accounts?q=${first}`, { headers: TOKEN });
      assert.deepStrictEqual(byId.data, [renamed.json]);
      for (const [path, method, body, status] of [
        ["/admin/v1/accounts/acc_none", "PATCH", { name: "x" }, 404],
        [`/admin/v1/accounts/${first}`, "PATCH", { name: " " }, 400]
      ] as const) {
        const answer = yield* call(path, { method, headers: TOKEN, ...(body === undefined ? {} : { body }) });
        assert.strictEqual(answer.status, status, path);
      }
      assert.strictEqual((yield* call("/admin/v1/accounts")).status, 401);
    })
  );
});
