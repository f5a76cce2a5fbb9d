// @module-tag long
/** `winnow mcp`: the tools with an engine in the same process, as hosts start it. */
import { spawn } from "node:child_process";
import { assert, describe, it } from "@effect/vitest";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import * as Effect from "effect/Effect";
import { ENGINE_DEFAULTS } from "@winnow/core/engine/EngineSettings";
import { patientTimers } from "../NodeOptions.ts";
import { slowSite } from "../slowSite.ts";
import { BIN } from "../WinnowLauncher.ts";
import { ask, factsOf, wrapped } from "./McpClients.ts";

const connectTo = (env: Record<string, string>, options: object) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client({ name: "test", version: "1" }, options as never);
      const started = { command: process.execPath, args: [BIN, "mcp"], env: { ...process.env, ...env } };
      await client.connect(new StdioClientTransport({ ...started, stderr: "ignore" } as never));
      return wrapped(client, () => client.getNegotiatedProtocolVersion());
    }),
    (client) => Effect.promise(() => client.close())
  );

describe("winnow mcp", () => {
  it.live("quotes, extracts and reads without a server or an account", () =>
    Effect.gen(function* () {
      const site = yield* slowSite;
      site.setSlow(false);
      const env = { WINNOW_EGRESS_ALLOW: site.host, ...patientTimers(ENGINE_DEFAULTS.inspectTimeoutMs) };
      const client = yield* connectTo(env, { versionNegotiation: { mode: "auto" } });
      assert.strictEqual(client.version, "2026-07-28");
      const body = { url: site.pageUrl, parts: ["audio"] };
      const quote = factsOf(yield* ask(client, "quote", body));
      assert.strictEqual(quote.title, "A slow talk");
      const told: Array<string> = [];
      const onprogress = ({ message }: any) => told.push(message);
      const done = factsOf(yield* ask(client, "extract", { ...body, waitSeconds: 290 }, { onprogress }));
      assert.deepInclude(done, { status: "complete" });
      assert.strictEqual(done.credits.quoted, quote.credits);
      assert.include(told, "queued");
      const { id } = done;
      const read = (name: string) => Effect.map(ask(client, "read_file", { id, name }), factsOf);
      assert.include((yield* read("description.txt")).text, "patience");
      assert.include((yield* read("audio.m4a")).next, "winnow extract");
    }).pipe(Effect.scoped)
  );

  it.live("answers hosts of the revision before", () =>
    Effect.gen(function* () {
      const client = yield* connectTo({}, {});
      assert.strictEqual(client.version, "2025-11-25");
      assert.deepStrictEqual(factsOf(yield* ask(client, "list_extractions", {})).extractions, []);
    }).pipe(Effect.scoped)
  );

  it.live("ends when its host closes standard input, and prints nothing else", () =>
    Effect.gen(function* () {
      const ended = yield* Effect.promise(
        () =>
          new Promise<readonly [number | null, string]>((resolve) => {
            const child = spawn(process.execPath, [BIN, "mcp"], { stdio: ["pipe", "pipe", "inherit"] });
            let stdout = "";
            child.stdout.on("data", (chunk) => (stdout += String(chunk)));
            child.on("close", (code) => resolve([code, stdout]));
            child.stdin.end();
          })
      );
      assert.deepStrictEqual(ended, [0, ""]);
    })
  );
});
