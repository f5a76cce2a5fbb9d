// @module-tag long
/**
 * The MCP conformance suite: on the real endpoint for scenarios that need no special tools, and otherwise on
 * the same transport with the tools that the suite expects.
 */
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { getRequestListener } from "@hono/node-server";
import { FakeDownloader, FakePorts } from "@winnow/testing";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as HttpEffect from "effect/http/HttpEffect";
import * as Scope from "effect/Scope";
import { afterAll, assert, beforeAll, describe, it } from "vitest";
import { createWinnow } from "../../src/index.ts";
import * as McpTransport from "../../src/mcp/McpTransport.ts";
import { ToolUser } from "../../src/mcp/ToolUser.ts";
import * as Fixtures from "./conformanceFixtures.ts";

const PROGRAM = fileURLToPath(
  new URL("../../node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url)
);

/** The suite sends more requests per second than an account may send per minute. */
const MANY = 100_000;

type Fetch = (request: Request) => Promise<Response>;

const ends: Array<() => Promise<unknown> | void> = [];
let real = "";
let fixtures = "";

/** Starts a server; returns its URL. */
const listen = async (make: (origin: string) => Promise<Fetch>): Promise<string> => {
  let answer: Fetch = () => Promise.resolve(new Response(null, { status: 503 }));
  const server = createServer(
    getRequestListener((request) => answer(request), { overrideGlobalObjects: false })
  );
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", () => resolve()));
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  answer = await make(origin);
  return `${origin}/mcp`;
};

const makeReal = async (origin: string): Promise<Fetch> => {
  const winnow = await createWinnow({
    layers: [FakePorts.layer, FakeDownloader.layer({})],
    corsOrigins: [origin]
  });
  ends.push(() => winnow.close());
  const { id } = await winnow.admin.accounts.create({ name: "Conformance" });
  const limits = { readsPerMinute: MANY, othersPerMinute: MANY };
  await winnow.admin.accounts.update(id, { limits });
  const { key } = await winnow.admin.apiKeys.create(id);
  // The suite sends no API key.
  return (request) => {
    const { method, body, signal } = request;
    const headers = new Headers(request.headers);
    headers.set("x-api-key", key);
    return winnow.fetch(
      new Request(request.url, { method, headers, body, signal, duplex: "half" } as RequestInit)
    );
  };
};

const makeFixtures = async (origin: string): Promise<Fetch> => {
  const scope = Scope.makeUnsafe();
  ends.push(() => Effect.runPromise(Scope.close(scope, Exit.void)));
  const options = { maxCredits: 0, allowedOrigins: [origin] };
  const transport = await Effect.runPromise(
    Scope.provide(McpTransport.make(options, Effect.succeed("secret"), Fixtures.layer as never), scope)
  );
  const nobody = ToolUser.of({
    accountId: "nobody",
    source: null as never,
    isLive: Effect.succeed(true)
  });
  return HttpEffect.toWebHandler(Effect.provideService(transport, ToolUser, nobody));
};

beforeAll(async () => {
  [real, fixtures] = await Promise.all([listen(makeReal), listen(makeFixtures)]);
});
afterAll(async () => {
  for (const end of ends) await end();
});

const REAL = [
  ["server-initialize", "2025-11-25"],
  ["server-session-lifecycle", "2025-11-25"],
  ["ping", "2025-11-25"],
  ["tools-list", "2025-11-25"],
  ["tools-list", "2026-07-28"],
  ["resources-list", "2025-11-25"],
  ["resources-list", "2026-07-28"],
  ["prompts-list", "2025-11-25"],
  ["prompts-list", "2026-07-28"],
  ["sep-2164-resource-not-found", "2026-07-28"],
  ["dns-rebinding-protection", "2026-07-28"],
  ["caching", "2026-07-28"],
  ["http-header-validation", "2026-07-28"],
  ["server-sse-multiple-streams", "2026-07-28"]
] as const;

const OFFERED = [
  "tools-call-simple-text",
  "tools-call-image",
  "tools-call-audio",
  "tools-call-embedded-resource",
  "tools-call-mixed-content",
  "tools-call-error",
  "tools-call-with-progress",
  "resources-read-text",
  "resources-read-binary",
  "resources-templates-read",
  "prompts-get-simple",
  "prompts-get-with-args",
  "prompts-get-embedded-resource",
  "prompts-get-with-image",
  "completion-complete"
];

/** The suite's whole output for a version, including features that are not offered. */
const tell = async (url: string, version: string): Promise<string> => {
  const args = ["server", "--url", url, "--suite", "all", "--spec-version", version];
  const program = spawn(process.execPath, [PROGRAM, ...args]);
  let told = "";
  for (const output of [program.stdout, program.stderr]) {
    output.setEncoding("utf8").on("data", (text: string) => (told += text));
  }
  await new Promise((resolve) => void program.once("close", resolve));
  return told;
};

const told = new Map<string, Promise<string>>();

/** Runs once for all scenarios: the start takes longer than most of them. */
const toldOf = (url: string, version: string): Promise<string> => {
  const key = `${url} ${version}`;
  const telling = told.get(key) ?? tell(url, version);
  told.set(key, telling);
  return telling;
};

/** The suite's output for a scenario that fails; empty if it passes. */
const faultsOf = async (url: string, scenario: string, version: string) => {
  const whole = await toldOf(url, version);
  if (new RegExp(`^✓ ${scenario}: [1-9]\\d* passed, 0 failed$`, "mu").test(whole)) return "";
  const parts = whole.split("=== Running scenario: ");
  return parts.find((part) => part.startsWith(`${scenario} ===`)) ?? whole;
};

describe("the conformance suite", () => {
  it.each(REAL)("passes %s of %s", async (scenario, version) => {
    assert.strictEqual(await faultsOf(real, scenario, version), "");
  });

  it.each(OFFERED)("passes %s over the same transport, in both generations", async (scenario) => {
    for (const version of ["2026-07-28", "2025-11-25"]) {
      assert.strictEqual(await faultsOf(fixtures, scenario, version), "");
    }
  });
});
