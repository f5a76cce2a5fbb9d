// @module-tag long
/**
 * The command line of the MCP Inspector, with which people try out servers. It starts anew for each request; every tool
 * is called in McpHttp.test.ts.
 */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { assert, layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { TestApp, VIDEO } from "../TestApp.ts";

const PROGRAM = fileURLToPath(new URL("../../node_modules/.bin/mcp-inspector", import.meta.url));

const inspect = (url: string, key: string, method: string, ...more: ReadonlyArray<string>) =>
  Effect.promise(async () => {
    const header = `Authorization: Bearer ${key}`;
    const args = ["--cli", `${url}/mcp`, "--transport", "http", "--header", header, "--method", method];
    const { stdout } = await promisify(execFile)(PROGRAM, [...args, ...more]);
    return JSON.parse(stdout);
  });

layer(TestApp.layerUnlimited, { excludeTestServices: true })("the inspector's command line", (it) => {
  it.effect("lists tools, calls one with arguments, and reads a resource", () =>
    Effect.gen(function* () {
      const { url, account } = yield* TestApp;
      const { key } = yield* account(10_000);
      const ask = (method: string, ...more: ReadonlyArray<string>) => inspect(url, key, method, ...more);
      const { tools } = yield* ask("tools/list");
      assert.include(
        tools.map(({ name }: { readonly name: string }) => name),
        "extract"
      );
      const given = ["--tool-arg", `url=${VIDEO}`, "--tool-arg", "waitSeconds=120"];
      const { structuredContent } = yield* ask("tools/call", "--tool-name", "extract", ...given);
      assert.strictEqual(structuredContent.status, "complete");
      const uri = `winnow://extractions/${structuredContent.id}/files/transcript.txt`;
      const { contents } = yield* ask("resources/read", "--uri", uri);
      assert.include(contents[0].text, "content of transcript.txt");
    })
  );
});
