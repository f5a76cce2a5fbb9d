/**
 * Sessions of protocol revisions before 2026-07-28: they expire, their number is limited, and each belongs to
 * one account.
 */
import { assert, describe, it, layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import {
  McpSessions,
  SESSION_IDLE_MS,
  SESSIONS_MAX,
  SESSIONS_PER_ACCOUNT_MAX
} from "../../src/mcp/McpTransport.ts";
import { ADMIN_TOKEN, TestApp, VIDEO } from "../TestApp.ts";

describe("McpSessions", () => {
  it("ends sessions idle for an hour, and no others", () => {
    const sessions = new McpSessions();
    sessions.open("old", "acc", 0);
    sessions.open("used", "acc", 0);
    assert.isTrue(sessions.use("used", "acc", 10));
    assert.deepStrictEqual(sessions.expire(SESSION_IDLE_MS), ["old"]);
    assert.strictEqual(sessions.count, 1);
    assert.isFalse(sessions.use("old", "acc", SESSION_IDLE_MS));
  });

  it("ends an account's least recently used session if it opens too many, and no other account's", () => {
    const sessions = new McpSessions();
    sessions.open("theirs", "other", 0);
    const ended = Array.from({ length: SESSIONS_PER_ACCOUNT_MAX + 2 }, (_, n) =>
      sessions.open(`s${n}`, "acc", n)
    );
    assert.deepStrictEqual(ended.flat(), ["s0", "s1"]);
    assert.isTrue(sessions.use("theirs", "other", 0));
  });

  it("never exceeds its limit, however many are never closed", () => {
    const sessions = new McpSessions();
    for (let n = 0; n < SESSIONS_MAX * 2; n += 1) sessions.open(`s${n}`, `acc${n}`, n);
    assert.strictEqual(sessions.count, SESSIONS_MAX);
  });
});

const HEADERS = { accept: "application/json, text/event-stream" };
const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } }
};
const LIST = { jsonrpc: "2.0", id: 2, method: "tools/list" };

layer(TestApp.layerUnlimited, { excludeTestServices: true })("MCP sessions over HTTP", (it) => {
  it.effect("belong to one account, can be ended, and are unknown to others", () =>
    Effect.gen(function* () {
      const app = yield* TestApp;
      const [me, other] = [yield* app.account(0), yield* app.account(0)];
      const opened = yield* app.call("/mcp", { key: me.key, body: INITIALIZE, headers: HEADERS });
      assert.strictEqual(opened.json.result.protocolVersion, "2025-11-25");
      const session = opened.headers.get("mcp-session-id") ?? "";
      const headers = { ...HEADERS, "mcp-session-id": session };
      const status = (key: string, method = "POST") =>
        Effect.map(
          app.call("/mcp", { key, headers, method, ...(method === "POST" ? { body: LIST } : {}) }),
          (answer) => answer.status
        );
      assert.strictEqual(yield* status(me.key), 200);
      assert.strictEqual(yield* status(other.key), 404);
      assert.strictEqual(yield* status(other.key, "DELETE"), 404);
      assert.strictEqual(yield* status(me.key, "DELETE"), 204);
      assert.strictEqual(yield* status(me.key), 404);
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

  it.effect("make room for newer ones of the same account, also in the protocol implementation", () =>
    Effect.gen(function* () {
      const app = yield* TestApp;
      const me = yield* app.account(0);
      const open = Effect.map(
        app.call("/mcp", { key: me.key, body: INITIALIZE, headers: HEADERS }),
        ({ headers }) => headers.get("mcp-session-id") ?? ""
      );
      const first = yield* open;
      yield* Effect.replicateEffect(open, SESSIONS_PER_ACCOUNT_MAX, { concurrency: 10 });
      const headers = { ...HEADERS, "mcp-session-id": first };
      assert.strictEqual((yield* app.call("/mcp", { key: me.key, body: LIST, headers })).status, 404);
    })
  );
});
