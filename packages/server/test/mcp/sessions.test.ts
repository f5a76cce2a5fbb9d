/** Sessions of protocol revisions before 2026-07-28: each belongs to one account. */
import { assert, layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { ADMIN_TOKEN, TestApp, VIDEO } from "../TestApp.ts";

const HEADERS = { accept: "application/json, text/event-stream" };
const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } }
};
const LIST = { jsonrpc: "2.0", id: 2, method: "tools/list" };

layer(TestApp.layerUnlimited, { excludeTestServices: true })("MCP sessions over HTTP", (it) => {
  it.effect("belong to one account, need not be ended, and are unknown to others", () =>
    Effect.gen(function* () {
      const app = yield* TestApp;
      const [me, other] = [yield* app.account(0), yield* app.account(0)];
      const opened = yield* app.call("/mcp", { key: me.key, body: INITIALIZE, headers: HEADERS });
      assert.strictEqual(opened.json.result.protocolVersion, "2025-11-25");
      const session = opened.headers.get("mcp-session-id") ?? "";
      assert.match(session, /^[\x21-\x7e]+$/u);
      const status = (key: string, id = session, method = "POST") =>
        Effect.map(
          app.call("/mcp", {
            key,
            headers: { ...HEADERS, "mcp-session-id": id },
            method,
            ...(method === "POST" ? { body: LIST } : {})
          }),
          (answer) => answer.status
        );
      assert.strictEqual(yield* status(me.key), 200);
      assert.strictEqual(yield* status(other.key), 404);
      for (const forged of ["", "x", `${session}x`, session.slice(1), crypto.randomUUID()]) {
        assert.strictEqual(yield* status(me.key, forged), 404, forged);
      }
      assert.strictEqual(yield* status(me.key, session, "DELETE"), 405);
      assert.strictEqual(yield* status(me.key), 200);
    })
  );

  it.effect("act for the account of the key, or for the one that the operator names", () =>
    Effect.gen(function* () {
      const app = yield* TestApp;
      const [me, other] = [yield* app.account(10_000), yield* app.account(0)];
      const { json } = yield* app.call("/v1/extractions", { key: me.key, body: { url: VIDEO } });
      const listed = Effect.fnUntraced(function* (access: Record<string, string>) {
        const headers = { ...HEADERS, ...access };
        const opened = yield* app.call("/mcp", { body: INITIALIZE, headers });
        const session = opened.headers.get("mcp-session-id") ?? "";
        const called = yield* app.call("/mcp", {
          body: { ...LIST, method: "tools/call", params: { name: "list_extractions", arguments: {} } },
          headers: { ...headers, "mcp-session-id": session }
        });
        return JSON.stringify(called.json).includes(json.id);
      });
      const operator = { authorization: `Bearer ${ADMIN_TOKEN}` };
      assert.isTrue(yield* listed({ "x-api-key": me.key }));
      for (const named of ["", " ", other.id, "ä"]) {
        assert.isTrue(yield* listed({ "x-api-key": me.key, "x-winnow-account": named }), named);
      }
      assert.isTrue(yield* listed({ ...operator, "x-winnow-account": ` ${me.id}` }));
      assert.isFalse(yield* listed({ ...operator, "x-winnow-account": other.id }));
    })
  );
});
