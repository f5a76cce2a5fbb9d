// @module-tag long
/** Examples with tools for models: the real SDKs, fake models, and a server in this process. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { Winnow } from "@winnow/client";
import { FakeDownloader, FakePorts, sampleFacts } from "@winnow/testing";
import { createWinnow, type EmbeddedWinnow } from "@winnow/server";
import { MockLanguageModelV4 } from "ai/test";
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest";
import { answer } from "../agents/vercel-ai.ts";
import { startExample, TIMEOUTS } from "./Stage.ts";

vi.setConfig(TIMEOUTS);

const TALK = "https://video.example/watch/talk";
const CALL = { url: TALK, parts: ["transcript"] };
const ANSWER = "It is about sieves.";

const listening = (server: Server): Promise<string> =>
  new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  );

let embedded: EmbeddedWinnow;
let service: Server;
let url = "";

beforeAll(async () => {
  embedded = await createWinnow({
    layers: [
      FakePorts.layer,
      FakeDownloader.layer({ [TALK]: { facts: sampleFacts({ durationSeconds: 60 }) } })
    ]
  });
  service = createServer(getRequestListener(embedded.fetch, { overrideGlobalObjects: false }));
  url = await listening(service);
});
afterAll(async () => {
  service.close();
  await embedded.close();
});

const account = async (): Promise<{ readonly WINNOW_URL: string; readonly WINNOW_API_KEY: string }> => {
  const { id } = await embedded.admin.accounts.create({ name: "Agent" });
  await embedded.admin.topUps.create(id, { credits: 1_000 });
  const { key } = await embedded.admin.apiKeys.create(id);
  return { WINNOW_URL: url, WINNOW_API_KEY: key };
};

/**
 * A provider whose first response calls `extract` and whose later ones are the answer; records its requests.
 */
const provider = async (first: unknown, last: unknown) => {
  const seen: Array<any> = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    seen.push(JSON.parse(text));
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(seen.length === 1 ? first : last));
  });
  return { seen, url: await listening(server), close: () => server.close() };
};

describe("agents", () => {
  it("openai.ts: the model calls a tool and reads its result", async () => {
    const choice = (message: object) => ({ object: "chat.completion", choices: [{ index: 0, message }] });
    const call = { name: "extract", arguments: JSON.stringify(CALL) };
    const toolCall = { id: "call_1", type: "function", function: call };
    const model = await provider(
      choice({ role: "assistant", content: null, tool_calls: [toolCall] }),
      choice({ role: "assistant", content: ANSWER })
    );
    const env = { ...(await account()), OPENAI_API_KEY: "k", OPENAI_BASE_URL: model.url };
    const { code, stdout, stderr } = await startExample("agents/openai.ts", ["What?"], env).ended;
    model.close();
    assert.deepStrictEqual([code, stdout.trim()], [0, ANSWER], stderr);
    assert.strictEqual(model.seen[0].tools.length, 8);
    const said = model.seen[1].messages.at(-1);
    assert.strictEqual(said.tool_call_id, "call_1");
    assert.match(said.content, /^id: ext_\w+\nstatus: complete\n/u);
  });

  it("anthropic.ts: the model calls a tool and reads its result", async () => {
    const message = (content: ReadonlyArray<object>, stop_reason: string) => ({
      id: "msg_1",
      type: "message",
      role: "assistant",
      content,
      stop_reason,
      usage: { input_tokens: 1, output_tokens: 1 }
    });
    const toolUse = { type: "tool_use", id: "toolu_1", name: "extract", input: CALL };
    const model = await provider(
      message([toolUse], "tool_use"),
      message([{ type: "text", text: ANSWER }], "end_turn")
    );
    const env = { ...(await account()), ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: model.url };
    const { code, stdout, stderr } = await startExample("agents/anthropic.ts", ["What?"], env).ended;
    model.close();
    assert.deepStrictEqual([code, stdout.trim()], [0, ANSWER], stderr);
    const [result] = model.seen[1].messages.at(-1).content;
    assert.deepInclude(result, { type: "tool_result", tool_use_id: "toolu_1" });
    assert.include(result.content, "status: complete");
  });

  it("vercel-ai.ts: the model calls a tool and reads its result", async () => {
    const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
    const said = (content: ReadonlyArray<object>, unified: string) =>
      ({ content, finishReason: { unified, raw: unified }, usage, warnings: [] }) as any;
    const toolCall = {
      type: "tool-call",
      toolCallId: "call_1",
      toolName: "extract",
      input: JSON.stringify(CALL)
    };
    const model = new MockLanguageModelV4({
      doGenerate: [said([toolCall], "tool-calls"), said([{ type: "text", text: ANSWER }], "stop")]
    });
    const { WINNOW_URL: baseUrl, WINNOW_API_KEY: apiKey } = await account();
    assert.strictEqual(await answer(model, "What?", new Winnow({ baseUrl, apiKey })), ANSWER);
    const [, second] = model.doGenerateCalls;
    assert.include(JSON.stringify(second?.prompt.at(-1)), "status: complete");
  });
});
