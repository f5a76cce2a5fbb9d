// @module-tag long
/** The client's bridge as hosts start it, used by the official clients over standard input and output. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { assert, layer } from "@effect/vitest";
import { Client as NewClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as NewTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import * as Effect from "effect/Effect";
import { STUCK, TestApp, VIDEO } from "../TestApp.ts";
import { lookUntil } from "../lookUntil.ts";
import { ask, errorOf, factsOf, wrapped } from "./McpClients.ts";

const BIN = fileURLToPath(new URL("../../../client/bin/winnow-client.mjs", import.meta.url));
const INFO = { name: "test", version: "1" };
const AUTO = { versionNegotiation: { mode: "auto" } };

const GENERATIONS = {
  "2026-07-28": { Client: NewClient, Transport: NewTransport, options: AUTO },
  "2025-11-25": { Client: NewClient, Transport: NewTransport, options: {} },
  v1: { Client: OldClient, Transport: OldTransport, options: {} }
} as const;

interface Started {
  readonly command: string;
  readonly args: ReadonlyArray<string>;
  readonly env: Record<string, string>;
}

const started = (url: string, key: string): Started => ({
  command: process.execPath,
  args: [BIN, "mcp"],
  env: { WINNOW_URL: url, WINNOW_API_KEY: key }
});

const connectTo = (generation: keyof typeof GENERATIONS, program: Started) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const { Client, Transport, options } = GENERATIONS[generation];
      const client: any = new (Client as any)(INFO, options);
      await client.connect(new (Transport as any)({ ...program, stderr: "ignore" }));
      return wrapped(client, () => client.getNegotiatedProtocolVersion?.());
    }),
    (client) => Effect.promise(() => client.close().catch(() => undefined))
  );

const printed = (host: string, env: Record<string, string>) =>
  Effect.promise(async () => {
    const args = [BIN, "mcp", "--print-config", host];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...env } });
    return stdout;
  });

/** The printed command, with this checkout instead of the registry. */
const fromHere = ({ command, args, env }: Started): Started => {
  assert.deepStrictEqual([command, ...args], ["npx", "-y", "@winnow/client", "mcp"]);
  return { command: process.execPath, args: [BIN, ...args.slice(2)], env };
};

layer(TestApp.layerUnlimited, { excludeTestServices: true })("the bridge on standard input", (it) => {
  for (const generation of Object.keys(GENERATIONS) as ReadonlyArray<keyof typeof GENERATIONS>) {
    it.effect(`${generation}: lists, extracts with progress, reads, and reports errors`, () =>
      Effect.gen(function* () {
        const app = yield* TestApp;
        const me = yield* app.account(10_000);
        const client = yield* connectTo(generation, started(app.url, me.key));
        assert.strictEqual((yield* Effect.promise(() => client.tools())).length, 8);
        const told: Array<string> = [];
        const onprogress = ({ message }: any) => told.push(message);
        const done = factsOf(yield* ask(client, "extract", { url: VIDEO }, { onprogress }));
        assert.deepInclude(done, { status: "complete", balance: 10_770 });
        assert.include(told, "queued");
        assert.match(errorOf(yield* ask(client, "get_extraction", { id: "ext_no" })), /^not_found/u);
      })
    );
  }

  it.effect("ends a wait if its host cancels it, but not the run", () =>
    Effect.gen(function* () {
      const app = yield* TestApp;
      const me = yield* app.account(10_000);
      const client = yield* connectTo("2026-07-28", started(app.url, me.key));
      const { id } = factsOf(yield* ask(client, "extract", { url: STUCK, waitSeconds: 0 }));
      const cancel = new AbortController();
      const waiting = client.call(
        "get_extraction",
        { id },
        { signal: cancel.signal, onprogress: () => cancel.abort() }
      );
      assert.strictEqual(
        yield* Effect.promise(() =>
          waiting.then(
            () => "answered",
            () => "ended"
          )
        ),
        "ended"
      );
      yield* lookUntil(app.streams.count, (count) => count === 0);
      const still = factsOf(yield* ask(client, "get_extraction", { id, waitSeconds: 0 }));
      assert.strictEqual(still.status, "running");
      yield* ask(client, "cancel_extraction", { id });
    })
  );

  it.effect("reports to the host what is wrong with the key", () =>
    Effect.gen(function* () {
      const app = yield* TestApp;
      const failed = yield* Effect.promise(async () => {
        const client = new OldClient(INFO);
        const transport = new OldTransport({ ...started(app.url, "wrong"), stderr: "ignore" } as never);
        const outcome = await client.connect(transport as never).then(() => "", String);
        await client.close();
        return outcome;
      });
      assert.include(failed, "This API key is not valid");
    })
  );

  it.effect("starts with the configuration that it prints for a host", () =>
    Effect.gen(function* () {
      const app = yield* TestApp;
      const me = yield* app.account(0);
      const text = yield* printed("cursor", { WINNOW_URL: app.url, WINNOW_API_KEY: me.key });
      const client = yield* connectTo("2025-11-25", fromHere(JSON.parse(text).mcpServers.winnow));
      assert.strictEqual((yield* Effect.promise(() => client.tools())).length, 8);
    })
  );
});
