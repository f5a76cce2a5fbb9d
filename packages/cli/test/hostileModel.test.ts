// @module-tag long
/** `winnow extract` on a terminal, with a language model that writes hostile text. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { HOSTILE_TEXT, INVISIBLE_OR_CONTROL } from "@winnow/testing/samples/samples";
import * as Effect from "effect/Effect";
import { temporaryFolder } from "@winnow/server/test/TemporaryFolder";
import { winnow } from "@winnow/server/test/WinnowProgram";

/** Several program starts, on a busy machine. */
const TEST_MS = 240_000;

const PAGE = `<!doctype html><title>A page</title><article><h1>A page</h1>${"<p>The price of the thing is 12 euros, as it was last year.</p>".repeat(20)}</article>`;

const SCHEMA = {
  type: "object",
  properties: { price: { type: "string" }, notes: { type: "array", items: { type: "string" } } },
  required: ["price", "notes"],
  additionalProperties: false
};

type Envelope = { readonly verdict: string; readonly reason: string };

/** A page, and a model that answers every request with hostile text, including its errors. */
const hostileSite = (answer: () => Envelope | null) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer((request, response) => {
        request.resume();
        if (request.method === "GET" && request.url === "/page") {
          return void response.writeHead(200, { "content-type": "text/html" }).end(PAGE);
        }
        const said = answer();
        if (said === null || !(request.url ?? "").endsWith("/chat/completions")) {
          response.writeHead(said === null ? 400 : 404, { "content-type": "application/json" });
          return void response.end(
            JSON.stringify({ error: { message: HOSTILE_TEXT, type: HOSTILE_TEXT, code: HOSTILE_TEXT } })
          );
        }
        const evidence = [
          { path: "/price", quote: HOSTILE_TEXT, at: HOSTILE_TEXT },
          { path: "/notes/2", quote: "12 euros" }
        ];
        // One value that the page states: without any, the answer would not be believed.
        const notes = [HOSTILE_TEXT, "\u202e12", "12 euros"];
        const data = said.verdict === "ok" ? { price: HOSTILE_TEXT, notes } : null;
        const content = JSON.stringify({ ...said, confidence: 1, evidence, data });
        response.writeHead(200, { "content-type": "application/json" });
        response.end(
          JSON.stringify({
            id: HOSTILE_TEXT,
            object: "chat.completion",
            created: 1,
            model: HOSTILE_TEXT,
            choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
            usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
          })
        );
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return { server, host: `127.0.0.1:${(server.address() as AddressInfo).port}` };
    }),
    ({ server }) => Effect.sync(() => (server.closeAllConnections(), server.close()))
  );

/** Line breaks and colours come from the program itself. */
const assertClean = (text: string): void => {
  // oxlint-disable-next-line no-control-regex -- the program's colours and progress line
  const plain = text.replaceAll(/\u001b\[[\d;?]*[A-Za-z]/gu, "").replaceAll("\r", "\n");
  for (const line of plain.split("\n")) assert.notMatch(line, INVISIBLE_OR_CONTROL, JSON.stringify(line));
};

const extracted = Effect.fnUntraced(function* (answer: () => Envelope | null, more: ReadonlyArray<string>) {
  const { host } = yield* hostileSite(answer);
  const folder = yield* temporaryFolder("hostile-model");
  const schema = join(folder, "schema.json");
  writeFileSync(schema, JSON.stringify(SCHEMA));
  const out = join(folder, "out");
  const ended = yield* winnow(["extract", `http://${host}/page`, "--schema", schema, "--out", out, ...more], {
    WINNOW_EGRESS_ALLOW: host,
    WINNOW_LLM_BASE_URL: `http://${host}/v1`,
    WINNOW_LLM_MODEL: "a-model",
    OPENAI_API_KEY: "sk-test"
  });
  return { ...ended, out };
}, Effect.scoped);

describe("a model's output, as printed by winnow extract", () => {
  it.live.each([
    ["values are plain text on a terminal", "ok", [], "price"],
    ["values are plain text in JSON", "ok", ["--json"], "price"],
    ["the reason of a verdict is plain text on a terminal", "no_match", [], "No match"]
  ] as const)(
    "%s",
    ([, verdict, args, words]) =>
      Effect.gen(function* () {
        const { code, stdout, stderr } = yield* extracted(() => ({ verdict, reason: HOSTILE_TEXT }), args);
        assert.strictEqual(code, 0, stderr);
        assert.include(stdout, words);
        assertClean(stdout);
        assertClean(stderr);
      }),
    TEST_MS
  );

  it.live(
    "a provider's error is plain text, and none of it is in a file",
    () =>
      Effect.gen(function* () {
        const { code, out, stdout, stderr } = yield* extracted(() => null, []);
        assert.notStrictEqual(code, 0);
        assert.isNotEmpty(stderr);
        assertClean(stdout);
        assertClean(stderr);
        const files = (() => {
          try {
            return readdirSync(out);
          } catch {
            return [];
          }
        })();
        for (const name of files) assertClean(readFileSync(join(out, name), "utf8"));
      }),
    TEST_MS
  );
});
