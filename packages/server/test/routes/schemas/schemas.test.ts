import { assert, layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { ADMIN_TOKEN, TestApp } from "../../TestApp.ts";

const SCHEMA = { type: "object", properties: { topic: { type: "string" } }, required: ["topic"] };
const BODY = { name: "Topic", schema: SCHEMA, prompt: "Be brief." };
const RECIPE = "winnow.predefined.recipe.v1";

layer(TestApp.layer, { excludeTestServices: true })("schemas", (it) => {
  it.effect("are saved, read, listed and deleted", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { key } = yield* account(0);
      const saved = yield* call("/v1/schemas", { key, body: BODY });
      assert.strictEqual(saved.status, 201);
      const { id, createdAt } = saved.json;
      assert.deepStrictEqual(saved.json, { id, ...BODY, version: 1, createdAt });
      assert.strictEqual(new Date(createdAt).toISOString(), createdAt);
      assert.deepStrictEqual((yield* call(`/v1/schemas/${id}`, { key })).json, saved.json);
      const { prompt: _, ...plain } = BODY;
      const again = yield* call("/v1/schemas", { key, body: plain });
      assert.strictEqual(again.json.version, 2);
      assert.notProperty(again.json, "prompt");
      const list = yield* call("/v1/schemas", { key });
      const ids = list.json.data.map((each: any) => each.id);
      assert.includeMembers(ids, [id, again.json.id, RECIPE]);
      assert.isFalse(list.json.has_more);
      const deleted = yield* call(`/v1/schemas/${id}`, { key, method: "DELETE" });
      assert.deepStrictEqual([deleted.status, deleted.text], [204, ""]);
      assert.strictEqual((yield* call(`/v1/schemas/${id}`, { key })).status, 404);
      assert.strictEqual((yield* call(`/v1/schemas/${id}`, { key, method: "DELETE" })).status, 404);
    })
  );

  it.effect("are saved once per idempotency key", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { id: accountId, key } = yield* account(0);
      const headers = { "idempotency-key": "once" };
      const saved = yield* call("/v1/schemas", { key, body: BODY, headers });
      const again = yield* call("/v1/schemas", { key, body: BODY, headers });
      assert.deepStrictEqual([again.status, again.json], [201, saved.json]);
      const operator = {
        ...headers,
        authorization: `Bearer ${ADMIN_TOKEN}`,
        "x-winnow-account": accountId
      };
      assert.deepStrictEqual(
        (yield* call("/v1/schemas", { body: BODY, headers: operator })).json,
        saved.json
      );
      const other = yield* call("/v1/schemas", { key, body: { ...BODY, name: "Other" }, headers });
      assert.deepStrictEqual([other.status, other.json.error.code], [409, "conflict"]);
    })
  );

  it.effect("are paged", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { key } = yield* account(0);
      yield* call("/v1/schemas", { key, body: BODY });
      const seen: Array<string> = [];
      let cursor = "";
      do {
        const { json } = yield* call(`/v1/schemas?limit=2${cursor}`, { key });
        seen.push(...json.data.map((each: any) => each.id));
        cursor = json.has_more ? `&cursor=${json.next_cursor}` : "";
      } while (cursor !== "");
      assert.isAtLeast(seen.length, 4);
      assert.strictEqual(new Set(seen).size, seen.length);
    })
  );

  it.effect("that are invalid are rejected, naming the field", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { key } = yield* account(0);
      for (const [body, param] of [
        [{ ...BODY, name: "" }, "name"],
        [{ ...BODY, schema: { type: "array" } }, "schema"],
        [{ ...BODY, schema: { type: "object", description: "x".repeat(102_400) } }, "schema"],
        [{ ...BODY, prompt: "x".repeat(20_481) }, "prompt"],
        [{ ...BODY, id: "mine" }, "id"],
        [[], "body"]
      ] as const) {
        const { status, json } = yield* call("/v1/schemas", { key, body });
        assert.strictEqual(status, 400);
        assert.strictEqual(json.error.code, "invalid_request");
        assert.strictEqual(json.error.details.param, param);
      }
    })
  );

  it.effect("of another account are not found, and every endpoint allows 60 a minute", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { key } = yield* account(0);
      const { key: stranger } = yield* account(0);
      const { json } = yield* call("/v1/schemas", { key, body: BODY });
      const foreign = yield* call(`/v1/schemas/${json.id}`, { key: stranger });
      const unknown = yield* call("/v1/schemas/sch_none", { key: stranger });
      assert.deepStrictEqual([foreign.status, foreign.json], [404, unknown.json]);
      assert.strictEqual(foreign.headers.get("x-ratelimit-limit"), "60");
      assert.strictEqual(unknown.headers.get("x-ratelimit-remaining"), "58");
      const remove = yield* call(`/v1/schemas/${json.id}`, { key: stranger, method: "DELETE" });
      assert.strictEqual(remove.status, 404);
      assert.strictEqual(remove.headers.get("x-ratelimit-remaining"), "59");
      assert.strictEqual((yield* call("/v1/schemas")).status, 401);
    })
  );

  it.effect("the operator manages those of any account", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { id, key } = yield* account(0);
      const ask = (method: string, path: string, body?: unknown, accountId = id) =>
        call(`/v1/schemas${path}`, {
          method,
          headers: { authorization: `Bearer ${ADMIN_TOKEN}`, "x-winnow-account": accountId },
          ...(body === undefined ? {} : { body })
        });
      const saved = yield* ask("POST", "", BODY);
      assert.strictEqual(saved.status, 201);
      const path = `/${saved.json.id}`;
      assert.deepStrictEqual((yield* call(`/v1/schemas${path}`, { key })).json, saved.json);
      assert.deepStrictEqual((yield* ask("GET", path)).json, saved.json);
      const list = yield* ask("GET", "?limit=100");
      assert.deepInclude(list.json.data, saved.json);
      assert.strictEqual((yield* ask("DELETE", path)).status, 204);
      assert.strictEqual((yield* ask("GET", path)).status, 404);
      for (const [method, body] of [
        ["GET", undefined],
        ["POST", BODY]
      ] as const) {
        const { status, json } = yield* ask(method, "", body, "acc_none");
        assert.deepStrictEqual([status, json.error.details.reason], [401, "unknown_account"]);
      }
      const withKey = { "x-winnow-account": id, authorization: `Bearer ${key}` };
      assert.strictEqual((yield* call(`/v1/schemas${path}`, { headers: withKey })).status, 404);
    })
  );
});
