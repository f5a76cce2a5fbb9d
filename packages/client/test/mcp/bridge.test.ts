/** The bridge against a server that fails. */
import { Readable, Writable } from "node:stream";
import { assert, describe, it, vi } from "vitest";
import { bridgeTo } from "../../src/mcp/bridge.ts";
import { main } from "../../src/mcp/program.ts";
import { faultyServer, type Step } from "../FaultyServer.ts";

const CALL = { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "extract", arguments: {} } };
const RESULT = { jsonrpc: "2.0", id: 7, result: { content: [] } };
const EVENTS = { "content-type": "text/event-stream" };

const said = async (message: unknown, ...steps: ReadonlyArray<Step>) => {
  await using server = await faultyServer(...steps);
  const lines: Array<any> = [];
  const warnings: Array<string> = [];
  const take = bridgeTo(
    { baseUrl: server.baseUrl, apiKey: "key", fetch: globalThis.fetch, maxRetries: 4, timeoutMs: 60_000 },
    (line) => lines.push(JSON.parse(line)),
    (line) => warnings.push(line)
  );
  await take(typeof message === "string" ? message : JSON.stringify(message));
  return { lines, warnings, seen: server.seen };
};

describe("the bridge", () => {
  it("resends a request without a response, whether dropped or interrupted", async () => {
    const half = (response: any) => {
      response.writeHead(200, EVENTS).write('data: {"jsonrpc":"2.0","method":"notifications/progress"}\n\n');
      response.end();
    };
    const { lines, seen } = await said(CALL, "drop", half, { status: 200, body: RESULT });
    assert.deepStrictEqual(lines, [{ jsonrpc: "2.0", method: "notifications/progress" }, RESULT]);
    assert.strictEqual(seen.length, 3);
    assert.strictEqual(new Set(seen.map(({ body }) => body)).size, 1);
  });

  it("reports a refusal of the service once", async () => {
    const refusal = { error: { code: "rate_limited", message: "Try again in 5 s." } };
    const { lines, seen, warnings } = await said(CALL, { status: 429, body: refusal });
    assert.deepStrictEqual(lines, [
      { jsonrpc: "2.0", id: 7, error: { code: -32_000, message: "Try again in 5 s." } }
    ]);
    assert.deepStrictEqual([seen.length, warnings], [1, ["Try again in 5 s."]]);
  });

  it("responds to a line that is not JSON, and not to a notification", async () => {
    assert.strictEqual((await said("{", { status: 500 })).lines[0].error.code, -32_700);
    assert.deepStrictEqual((await said("null", { status: 200, body: RESULT })).lines, [RESULT]);
    const notification = { jsonrpc: "2.0", method: "notifications/initialized" };
    const { lines } = await said(notification, { status: 202, headers: { "content-type": "text/plain" } });
    assert.deepStrictEqual(lines, []);
  });

  it("goes on in the session that the server opened, until its host opens another", async () => {
    const initialize = { jsonrpc: "2.0", id: 1, method: "initialize", params: {} };
    const opened = (id: string) => ({
      status: 200,
      body: { jsonrpc: "2.0", id: 1, result: {} },
      headers: { "mcp-session-id": id, "mcp-protocol-version": "2025-11-25" }
    });
    const wrong = { jsonrpc: "2.0", id: 7, error: { code: -32_602, message: "Wrong." } };
    const gone = { error: { code: "not_found", message: "This MCP session does not exist." } };
    await using server = await faultyServer(
      opened("s1"),
      "drop",
      { status: 400, body: wrong },
      { status: 404, body: gone },
      opened("s2"),
      { status: 200, body: RESULT }
    );
    const lines: Array<any> = [];
    const transport = { baseUrl: server.baseUrl, apiKey: "key", fetch, maxRetries: 4, timeoutMs: 60_000 };
    const take = bridgeTo(
      transport,
      (line) => lines.push(JSON.parse(line)),
      () => undefined
    );
    for (const message of [initialize, CALL, CALL, initialize, CALL]) await take(JSON.stringify(message));
    assert.deepStrictEqual(
      lines.map(({ error, result }) => error?.message ?? result),
      [{}, "Wrong.", "This MCP session does not exist.", {}, RESULT.result]
    );
    assert.deepStrictEqual(
      server.seen.map(({ headers }) => headers["mcp-session-id"]),
      [undefined, "s1", "s1", "s1", undefined, "s2"]
    );
  });

  it("sends method, tool and key in headers, base64-encoded if not ASCII", async () => {
    const { seen } = await said({ ...CALL, params: { name: "größe" } }, { status: 200, body: RESULT });
    const { headers, url } = seen[0]!;
    assert.strictEqual(url, "/mcp");
    assert.deepInclude(headers, {
      authorization: "Bearer key",
      "mcp-method": "tools/call",
      "mcp-name": `=?base64?${btoa("grÃ¶Ã\u009fe")}?=`
    });
  });
});

const run = async (args: ReadonlyArray<string>, input: ReadonlyArray<Buffer> = []) => {
  let [out, err] = ["", ""];
  const code = await main(args, {
    stdin: Readable.from(input),
    stdout: new Writable({ write: (chunk, _, done) => ((out += String(chunk)), done()) }),
    stderr: new Writable({ write: (chunk, _, done) => ((err += String(chunk)), done()) })
  });
  return { code, out, err };
};

describe("the program", () => {
  it("prints its usage and the known hosts", async () => {
    assert.deepInclude(await run(["--help"]), { code: 0, err: "" });
    assert.include((await run([])).err, "Usage: npx @winnow/client mcp");
    assert.deepInclude(await run(["mcp", "--wrong"]), { code: 2, out: "" });
    const { code, err } = await run(["mcp", "--print-config", "nobody"]);
    assert.strictEqual(code, 1);
    assert.match(err, /Unknown host "nobody"; known are claude-desktop, claude-code, cursor, vscode/u);
  });

  it.each([
    ["claude-desktop", "mcpServers"],
    ["cursor", "mcpServers"],
    ["windsurf", "mcpServers"],
    ["vscode", "servers"]
  ] as const)("prints the configuration for %s", async (host, member) => {
    vi.stubEnv("WINNOW_URL", "https://winnow.example/a").stubEnv("WINNOW_API_KEY", "key");
    const { out } = await run(["mcp", "--print-config", host]).finally(() => vi.unstubAllEnvs());
    assert.deepInclude(JSON.parse(out)[member].winnow, {
      command: "npx",
      args: ["-y", "@winnow/client", "mcp"],
      env: { WINNOW_URL: "https://winnow.example/a", WINNOW_API_KEY: "key" }
    });
  });

  it("prints a command for Claude Code and a table for Codex", async () => {
    vi.stubEnv("WINNOW_URL", "https://winnow.example/a").stubEnv("WINNOW_API_KEY", "");
    const [command, table] = await Promise.all(
      ["claude-code", "codex"].map((host) => run(["mcp", "--print-config", host]))
    ).finally(() => vi.unstubAllEnvs());
    assert.strictEqual(
      command?.out,
      "claude mcp add winnow --env WINNOW_URL=https://winnow.example/a --env WINNOW_API_KEY=YOUR_API_KEY -- npx -y @winnow/client mcp\n"
    );
    assert.include(table?.out, '[mcp_servers.winnow]\ncommand = "npx"\nargs = ["-y","@winnow/client","mcp"]');
  });

  it("takes and writes a line whose text has other line breaks as one", async () => {
    const text = "one\u2028two\u2029three\u0085four\u{1F600}";
    const call = { ...CALL, params: { name: "extract", arguments: { prompt: text } } };
    const result = { ...RESULT, result: { content: [{ type: "text", text }] } };
    await using server = await faultyServer({ status: 200, body: result }, { status: 200, body: result });
    vi.stubEnv("WINNOW_URL", server.baseUrl).stubEnv("WINNOW_API_KEY", "key");
    const bytes = Buffer.from([call, { ...call, id: 8 }].map((each) => JSON.stringify(each)).join("\r\n"));
    const pieces = Array.from(bytes, (byte) => Buffer.of(byte));
    const { out, err } = await run(["mcp"], pieces).finally(() => vi.unstubAllEnvs());
    assert.strictEqual(err, "");
    assert.notMatch(out, /[\u0085\u2028\u2029]/u);
    const lines = out.trimEnd().split("\n");
    assert.deepStrictEqual(
      lines.map((line) => JSON.parse(line)),
      [result, result]
    );
    assert.sameDeepMembers(
      server.seen.map(({ body }) => JSON.parse(body)),
      [call, { ...call, id: 8 }]
    );
  });
});
