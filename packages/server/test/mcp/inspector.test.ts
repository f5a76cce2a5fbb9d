// @module-tag long
/**
 * The command line of the MCP Inspector, with which people try out servers: uses everything that is offered,
 * once.
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
  it.effect("lists and calls every tool", () =>
    Effect.gen(function* () {
      const { url, account } = yield* TestApp;
      const { key } = yield* account(10_000);
      const ask = (method: string, ...more: ReadonlyArray<string>) => inspect(url, key, method, ...more);
      const call = (tool: string, ...given: ReadonlyArray<string>) =>
        Effect.map(
          ask("tools/call", "--tool-name", tool, ...given.flatMap((each) => ["--tool-arg", each])),
          ({ structuredContent }) => structuredContent
        );

      const { tools } = yield* ask("tools/list");
      assert.strictEqual(tools.length, 8);
      assert.strictEqual((yield* ask("resources/list")).resources.length, 1);
      assert.strictEqual((yield* ask("resources/templates/list")).resourceTemplates.length, 2);
      assert.strictEqual((yield* ask("prompts/list")).prompts.length, 1);

      const quote = yield* call("quote", `url=${VIDEO}`);
      const { id, status, credits } = yield* call("extract", `url=${VIDEO}`, "waitSeconds=120");
      assert.deepStrictEqual([status, credits.debited], ["complete", quote.credits]);
      assert.strictEqual((yield* call("get_extraction", `id=${id}`)).id, id);
      assert.include((yield* call("read_transcript", `id=${id}`)).text, "content of transcript.txt");
      assert.include((yield* call("read_file", `id=${id}`, "name=description.txt")).text, "About");
      assert.strictEqual((yield* call("list_extractions", "limit=1")).extractions[0].id, id);
      assert.strictEqual((yield* call("cancel_extraction", `id=${id}`)).status, "complete");
      const uri = `winnow://extractions/${id}/files/transcript.txt`;
      const { contents } = yield* ask("resources/read", "--uri", uri);
      assert.include(contents[0].text, "content of transcript.txt");
    })
  );
});
