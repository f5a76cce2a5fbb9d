/** The conformance suite of MCP, as far as it needs no tools of its own, against the real endpoint. */
import { spawn } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { getRequestListener } from "@hono/node-server";
import { FakeDownloader, FakePorts } from "@winnow/core/testing";
import { afterAll, assert, beforeAll, describe, it } from "vitest";
import { createWinnow, type EmbeddedWinnow } from "../../src/index.ts";

const PROGRAM = fileURLToPath(
  new URL("../../node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url)
);

let winnow: EmbeddedWinnow;
let server: Server;
let url = "";

beforeAll(async () => {
  winnow = await createWinnow({ layers: [FakePorts.layer, FakeDownloader.layer({})] });
  const { id } = await winnow.engine.accounts.create({ name: "Conformance" });
  const { key } = await winnow.engine.accounts.createApiKey(id);
  // The suite knows nothing of keys.
  const withKey = (request: Request): Promise<Response> => {
    const { method, body, signal } = request;
    const headers = new Headers(request.headers);
    headers.set("x-api-key", key);
    return winnow.fetch(
      new Request(request.url, { method, headers, body, signal, duplex: "half" } as RequestInit)
    );
  };
  server = createServer(getRequestListener(withKey, { overrideGlobalObjects: false }));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", () => resolve()));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await winnow.close();
});

const SCENARIOS = [
  ["server-initialize", "2025-11-25"],
  ["ping", "2025-11-25"],
  ["tools-list", "2025-11-25"],
  ["tools-list", "2026-07-28"],
  ["server-session-lifecycle", "2025-11-25"],
  ["resources-list", "2025-11-25"],
  ["resources-list", "2026-07-28"],
  ["prompts-list", "2026-07-28"],
  ["server-stateless", "2026-07-28"],
  ["sep-2164-resource-not-found", "2026-07-28"],
  ["dns-rebinding-protection", "2026-07-28"],
  ["caching", "2026-07-28"],
  ["http-header-validation", "2026-07-28"],
  ["server-sse-multiple-streams", "2026-07-28"]
] as const;

describe("the conformance suite", () => {
  it.each(SCENARIOS)("passes %s of %s", async (scenario, version) => {
    const args = ["server", "--url", url, "--scenario", scenario, "--spec-version", version];
    const program = spawn(process.execPath, [PROGRAM, ...args]);
    let told = "";
    for (const output of [program.stdout, program.stderr]) {
      output.setEncoding("utf8").on("data", (text: string) => (told += text));
    }
    const code = await new Promise((resolve) => void program.once("close", resolve));
    assert.strictEqual(code, 0, told);
    assert.include(told, "0 failed");
  });
});
