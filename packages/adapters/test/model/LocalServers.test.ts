// @module-tag long
/** Model servers on one's own machine as they really behave: slow, short of context, thinking, failing at random. */
import { inRun } from "@winnow/testing/samples/samples";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Tracer from "effect/Tracer";
import type { ServerResponse } from "node:http";
import * as LlmClient from "../../src/model/provider/LlmClient.ts";
import * as OpenAiClient from "../../src/model/provider/OpenAiClient.ts";
import type { LlmPreset } from "../../src/model-server/ServerPresets.ts";
import { serve } from "@winnow/isolation/test/network/LoopbackServer";
import { ANSWER, askedOf, SOUP_SCHEMA } from "./OddAnalysis.ts";
import { completed, type Odd, refusing } from "./OddServer.ts";

const PIECES = ANSWER.match(/.{1,30}/gu) ?? [];

const event = (delta: object, more: object = {}): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null, ...more }] })}\n\n`;

/** A server that answers each request in its own way; number 0 is the first. */
const speaking = Effect.fnUntraced(function* (
  answer: (response: ServerResponse, number: number) => void | Promise<void>,
  settings: Partial<OpenAiClient.LlmSettings> = {}
) {
  let count = 0;
  let open = 0;
  let openMax = 0;
  const { url } = yield* serve((request, response) => {
    request.resume().on("end", () => {
      if (request.method === "GET") return void response.writeHead(404).end();
      openMax = Math.max(openMax, ++open);
      response.on("close", () => open--);
      response.on("error", () => {});
      void answer(response, count++);
    });
  });
  const client = OpenAiClient.layer({
    apiKey: null,
    baseUrl: `${url}/v1`,
    model: "some-model",
    transcriptionModel: "ear",
    ...settings
  });
  return { client: inRun(client), counts: () => ({ count, openMax }) };
});

const ask = LlmClient.LlmClient.use((client) =>
  client.complete({
    messages: [{ role: "user", content: "Which soup is it?" }],
    schema: SOUP_SCHEMA,
    isStrict: true,
    maxOutputTokens: 100
  })
);

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Between two pieces: shorter than the limit on silence by a second, which a busy machine may take. */
const PIECE_PAUSE_MS = 400;
const SILENCE_MS = 1_250;

/** In pieces, with a wait before each that is shorter than the limit on silence, and longer in all. */
const slowly = async (response: ServerResponse): Promise<void> => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const content of PIECES) {
    await pause(PIECE_PAUSE_MS);
    response.write(event({ content }));
  }
  response.end(`${event({}, { finish_reason: "stop" })}data: [DONE]\n\n`);
};

describe("a slow server", () => {
  it.live("that keeps writing is waited for, longer than it may be silent", () =>
    Effect.gen(function* () {
      const { client, counts } = yield* speaking(slowly, { silenceMs: SILENCE_MS });
      const { text } = yield* Effect.provide(ask, client);
      assert.strictEqual(text, ANSWER);
      assert.isAbove(PIECES.length * PIECE_PAUSE_MS, SILENCE_MS);
      assert.strictEqual(counts().count, 1);
    }).pipe(Effect.scoped)
  );

  it.live.each<readonly [string, (response: ServerResponse) => void]>([
    ["before its answer", () => {}],
    [
      "within its answer",
      (response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(event({ content: "{" }));
      }
    ],
    [
      "within an answer in one piece",
      (response) => {
        response.writeHead(200, { "content-type": "application/json" });
        response.write('{"choices": [');
      }
    ]
  ])("that falls silent %s ends the call, and nothing is sent again", ([, answer]) =>
    Effect.gen(function* () {
      const { client, counts } = yield* speaking(answer, { silenceMs: 300 });
      const failure: any = yield* Effect.flip(Effect.provide(ask, client));
      assert.strictEqual(failure.reason, "timeout", JSON.stringify(failure));
      assert.match(failure.hint, /language model of this server/u);
      assert.strictEqual(counts().count, 1);
    }).pipe(Effect.scoped)
  );

  it.live("with one slot gets one request at a time, the other presets as many as there are", () =>
    Effect.gen(function* () {
      const quickly = async (response: ServerResponse): Promise<void> => {
        await pause(100);
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify((completed(ANSWER) as any).body));
      };
      const openMaxOf = Effect.fnUntraced(function* (settings: Partial<OpenAiClient.LlmSettings>) {
        const { client, counts } = yield* speaking(quickly, settings);
        yield* Effect.provide(Effect.all([ask, ask, ask, ask], { concurrency: 4 }), client);
        return counts().openMax;
      });
      assert.strictEqual(yield* openMaxOf({ preset: "ollama" }), 1);
      assert.strictEqual(yield* openMaxOf({ preset: "vllm", concurrencyMax: 2 }), 2);
      assert.isAbove(yield* openMaxOf({ preset: "vllm" }), 2);
    }).pipe(Effect.scoped)
  );
});

describe("a stream", () => {
  const whole = (response: ServerResponse, events: string): void => {
    response.writeHead(200, { "content-type": "text/event-stream" }).end(events);
  };
  const rest = event({}, { finish_reason: "stop" });

  it.live("that ends without an end, or in an error, is asked for again", () =>
    Effect.gen(function* () {
      const { client, counts } = yield* speaking((response, number) => {
        if (number === 0) return whole(response, event({ content: ANSWER.slice(0, 20) }));
        if (number === 1)
          return whole(response, `${event({ content: "{" })}error: {"code":500,"message":"oops"}\n\n`);
        return whole(response, `: ping\n\n${event({ content: ANSWER })}${rest}data: [DONE]\n\n`);
      });
      assert.strictEqual((yield* Effect.provide(ask, client)).text, ANSWER);
      assert.strictEqual(counts().count, 3);
    }).pipe(Effect.scoped)
  );

  it.live("has thoughts and tool calls in pieces too", () =>
    Effect.gen(function* () {
      const [head, tail] = [ANSWER.slice(0, 30), ANSWER.slice(30)];
      const called = (part: string): string =>
        event({ tool_calls: [{ index: 0, function: { arguments: part } }] });
      const { client } = yield* speaking((response, number) =>
        number === 0
          ? whole(response, `${event({ reasoning_content: "Hm." })}${event({}, { finish_reason: "length" })}`)
          : whole(response, `${called(head)}${called(tail)}${rest}`)
      );
      yield* Effect.gen(function* () {
        assert.deepInclude(yield* ask, { text: "", isCut: true, isThoughtAlone: true });
        assert.deepInclude(yield* ask, { text: ANSWER, isThoughtAlone: false });
      }).pipe(Effect.provide(client));
    }).pipe(Effect.scoped)
  );
});

describe("the trace of a call", () => {
  it.live("has the attributes for generative AI, with the tokens of the server", () =>
    Effect.gen(function* () {
      const usage = { prompt_tokens: 812, completion_tokens: 33 };
      const { client } = yield* speaking((response) => {
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify({ ...(completed(ANSWER) as any).body, usage }));
      });
      const spans: Array<Tracer.NativeSpan> = [];
      const tracer = Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options);
          spans.push(span);
          return span;
        }
      });
      yield* ask.pipe(Effect.provide(client), Effect.provideService(Tracer.Tracer, tracer));
      const call = spans.find(({ name }) => name === "LlmClient.complete");
      assert.deepInclude(Object.fromEntries(call?.attributes ?? []), {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "other",
        "gen_ai.request.model": "some-model",
        "gen_ai.usage.input_tokens": 812,
        "gen_ai.usage.output_tokens": 33
      });
    }).pipe(Effect.scoped)
  );
});

describe("thinking that takes all of the answer", () => {
  const thoughts = completed("", { finish_reason: "length" }, { reasoning_content: "Hmm. Let me see." });

  it.live.each<readonly [LlmPreset, object]>([
    ["openai", { reasoning_effort: "low" }],
    ["llamacpp", { chat_template_kwargs: { enable_thinking: false } }],
    ["ollama", { reasoning_effort: "low" }]
  ])("is asked of %s once with less", ([preset, less]) =>
    Effect.gen(function* () {
      const odd: Odd = (body) => {
        const isLess =
          body.reasoning_effort === "low" || body.chat_template_kwargs?.enable_thinking === false;
        return isLess ? completed(ANSWER) : thoughts;
      };
      const { result, requests } = yield* askedOf(odd, { preset });
      assert.strictEqual(result.success?.outcome, "ok", JSON.stringify(result));
      assert.lengthOf(requests, 2);
      assert.deepInclude(requests[1], less);
    })
  );

  it.live("is named in the failure if less is still too much", () =>
    Effect.gen(function* () {
      const inline = completed("<think>Hmm. Let me", { finish_reason: "length" });
      const counted = {
        body: {
          ...(completed("", { finish_reason: "length" }) as any).body,
          usage: { completion_tokens_details: { reasoning_tokens: 8_000 } }
        }
      };
      for (const answer of [thoughts, inline, counted]) {
        const { result, requests } = yield* askedOf(() => answer);
        assert.strictEqual(result.failure?.reason, "invalid_model_output");
        assert.match(result.failure?.message, /spent its whole answer on thinking/u);
        assert.match(result.failure?.hint, /limit the thinking/u);
        assert.lengthOf(requests, 2);
      }
    })
  );

  it.live("is asked once more as it was if the server refuses the words for less", () =>
    Effect.gen(function* () {
      const odd: Odd = (body, number) => {
        if (number === 0) return thoughts;
        return body.reasoning_effort === undefined
          ? completed(ANSWER)
          : refusing(400, "Unknown parameter: reasoning_effort");
      };
      const { result, requests } = yield* askedOf(odd, { preset: "openai" });
      assert.strictEqual(result.success?.outcome, "ok", JSON.stringify(result));
      assert.lengthOf(requests, 3);
    })
  );
});

describe("a server's random failure", () => {
  const broken = refusing(500, "The model produced output that does not match the expected format");

  it.live("of llama.cpp is a broken answer: asked again the same, and no feature is given up", () =>
    Effect.gen(function* () {
      const odd: Odd = (_body, number) => (number < 2 ? broken : completed(ANSWER));
      const { result, requests, lines } = yield* askedOf(odd, { preset: "llamacpp" });
      assert.strictEqual(result.success?.outcome, "ok", JSON.stringify(result));
      assert.lengthOf(requests, 3);
      assert.isTrue(requests.every((body) => body.response_format?.json_schema?.strict === true));
      assert.deepStrictEqual(lines, []);
    })
  );
});
