// @module-tag long
/**
 * The ways in which providers misbehave, each with its visible result: the run's message and the number of
 * calls.
 */
import * as Effect from "effect/Effect";
import { assert, describe, it } from "@effect/vitest";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
import { Analyst } from "@winnow/core/ports/Analyst";
import { CurrentTokenMeter, makeTokenMeter } from "@winnow/core/ports/TokenMeter";
import { ANSWER_BYTES_MAX } from "../../src/model/client/Sdk.ts";
import { analystAt, RECIPE, requestOf } from "./Analysing.ts";
import { keepWorkers } from "./KeptWorkers.ts";
import { completed, type Odd, oddServer, refusing } from "./OddServer.ts";

keepWorkers();

const TEST_MS = 60_000;

const SCHEMA: JsonObject = {
  type: "object",
  properties: {
    title: { type: "string" },
    price: { type: "number" },
    day: { type: "string", format: "date" }
  },
  required: ["title"],
  additionalProperties: false
};

const analysed = Effect.fnUntraced(function* (odd: Odd, runs = 1) {
  const { baseUrl, requests } = yield* oddServer(odd);
  const layer = yield* analystAt(baseUrl, "some-model");
  const results = yield* Effect.provide(
    Effect.forEach(Array.from({ length: runs }), () =>
      Effect.result(Analyst.use((analyst) => analyst.analyse(requestOf(RECIPE, SCHEMA))))
    ),
    layer
  );
  return { result: results.at(-1) as any, requests };
}, Effect.scoped);

const DATA = { title: "Tomato soup", price: null, day: null };
const envelope = (data: unknown = DATA) => ({ verdict: "ok", reason: "", confidence: 1, evidence: [], data });
const JSON_ANSWER = JSON.stringify(envelope());
const good = completed(JSON_ANSWER);
const WAITING = { ...refusing(429, "Rate limit reached."), headers: { "retry-after": "soon" } };

/** Responses that fail the run, each with its reason and the number of calls. */
const FAILURES: ReadonlyArray<readonly [name: string, odd: Odd, reason: string, calls: number]> = [
  ["a refusal in its field", () => completed(null, {}, { refusal: "I cannot help." }), "model_refused", 1],
  ["a refusal in words", () => completed("I'm sorry, but I can't help with that."), "model_refused", 1],
  [
    "a refusal in German",
    () => completed("Es tut mir leid, dabei kann ich nicht helfen."),
    "model_refused",
    1
  ],
  [
    "a content filter at the end",
    () => completed("", { finish_reason: "content_filter" }),
    "model_filtered",
    1
  ],
  [
    "the filter of Azure",
    () =>
      refusing(400, "The response was filtered due to the prompt triggering the content management policy.", {
        code: "content_filter"
      }),
    "model_filtered",
    1
  ],
  [
    "a policy",
    () =>
      refusing(400, "Your prompt was flagged as potentially violating our usage policy.", {
        code: "invalid_prompt"
      }),
    "model_filtered",
    1
  ],
  [
    "no such model",
    () => refusing(404, "The model `some-model` does not exist.", { code: "model_not_found" }),
    "model_unavailable",
    1
  ],
  ["no such model, as 400", () => refusing(400, "Model Not Exist"), "model_unavailable", 1],
  [
    "no such address",
    () => ({ status: 404, type: "text/html", body: "<h1>Not found</h1>" }),
    "model_unavailable",
    1
  ],
  [
    "a quota",
    () => refusing(429, "You exceeded your current quota.", { code: "insufficient_quota" }),
    "model_quota",
    1
  ],
  ["an error of the server each time", () => refusing(500, "Internal error."), "model_error", 6],
  ["a bill", () => refusing(402, "Insufficient Balance"), "model_quota", 1],
  [
    "a limit for an hour",
    () => ({ ...refusing(429, "Rate limit reached."), headers: { "retry-after": "3600" } }),
    "model_error",
    1
  ],
  [
    "a page of HTML with status 200",
    () => ({ type: "text/html", body: "<html><title>Gateway</title></html>" }),
    "model_error",
    1
  ],
  ["words that are not a completion", () => ({ type: "text/plain", body: "Welcome!" }), "model_error", 1],
  ["a list", () => ({ body: [] }), "model_error", 1],
  [
    "an answer that is cut each time",
    () => completed(JSON_ANSWER.slice(0, 50), { finish_reason: "length" }),
    "invalid_model_output",
    2
  ],
  [
    "thoughts that take all tokens",
    () => completed("", { finish_reason: "length" }, { reasoning_content: "Hmm." }),
    "invalid_model_output",
    2
  ],
  ["an answer over all sizes", () => completed("x".repeat(ANSWER_BYTES_MAX + 1)), "invalid_model_output", 1]
];

describe("a provider", () => {
  for (const [name, odd, reason, calls] of FAILURES) {
    it.live(
      `that sends ${name} fails the run with ${reason}`,
      () =>
        Effect.gen(function* () {
          const { result, requests } = yield* analysed(odd);
          assert.strictEqual(result.failure?.reason, reason, JSON.stringify(result));
          assert.lengthOf(requests, calls);
        }),
      TEST_MS
    );
  }
});

const once =
  (first: ReturnType<Odd>, then: ReturnType<Odd> = good): Odd =>
  (_body, number) =>
    number === 0 ? first : then;

const needs =
  (met: (body: any) => boolean, refusal: ReturnType<Odd>, answer: ReturnType<Odd> = good): Odd =>
  (body) =>
    met(body) ? answer : refusal;

const calledWith = (given: unknown) =>
  completed(
    null,
    { finish_reason: "tool_calls" },
    {
      tool_calls: [{ id: "1", type: "function", function: { name: "answer", arguments: given } }]
    }
  );

const roles = (body: any): ReadonlyArray<string> => body.messages.map(({ role }: any) => role);

/** Problems that are overcome, each with the number of calls. */
const OVERCOME: ReadonlyArray<readonly [name: string, odd: Odd, calls: number]> = [
  [
    "JSON that is labelled as text",
    () => ({ ...good, type: "text/plain; charset=utf-8", body: JSON.stringify(good.body) }),
    1
  ],
  [
    "a stream that nobody asked for",
    () => ({
      type: "text/event-stream",
      body: `data: ${JSON.stringify({ choices: [{ delta: { content: JSON_ANSWER } }] })}\n\ndata: [DONE]\n\n`
    }),
    1
  ],
  [
    "a list of parts, thoughts among them",
    () =>
      completed([
        { type: "thinking", text: '{"verdict":"no_match"}' },
        { type: "text", text: JSON_ANSWER.slice(0, 20) },
        { type: "text", text: JSON_ANSWER.slice(20) }
      ]),
    1
  ],
  ["a fault with status 200", once({ body: { error: { message: "Overloaded", code: 529 } } }), 2],
  ["an answer that is cut once", once(completed("{", { finish_reason: "length" })), 2],
  ["a fence and prose", () => completed(`Here:\n\`\`\`json\n${JSON_ANSWER}\n\`\`\`\nDone.`), 1],
  [
    "thoughts that hold a draft",
    () => completed(`Perhaps {"verdict":"no_match","data":null}</think>${JSON_ANSWER}`),
    1
  ],
  [
    "a server that breaks on schemas",
    (body, number) => {
      if (body.response_format?.type === "json_schema") return refusing(500, "Internal error.");
      return number < 1 ? refusing(500, "Internal error.") : good;
    },
    5
  ],
  ["a limit whose wait cannot be read", (_body, number) => (number === 0 ? WAITING : good), 2],
  [
    "a model that only calls tools",
    (body) => (body.tools === undefined ? completed("") : calledWith(JSON_ANSWER)),
    2
  ],
  [
    "tools that are called with an object",
    (body) => (body.tools === undefined ? completed("") : calledWith(envelope())),
    2
  ],
  [
    "a server without a role of the system",
    needs(
      (body) => !roles(body).includes("system"),
      refusing(400, "Role 'system' is not supported by this template.")
    ),
    2
  ],
  [
    "a server with strict turns",
    needs(
      (body) => roles(body).every((role, place, all) => role !== all[place - 1]) && roles(body)[0] === "user",
      refusing(400, "Conversation roles must alternate user/assistant/user/assistant/...")
    ),
    2
  ],
  [
    "the old name of the token limit",
    needs(
      (body) => body.max_tokens !== undefined,
      refusing(400, "Unsupported parameter: 'max_completion_tokens'.", { param: "max_completion_tokens" })
    ),
    2
  ],
  [
    "a limit of the answer below ours",
    needs(
      (body) => body.max_completion_tokens <= 4_096,
      refusing(
        400,
        "max_completion_tokens is too large: 8192. This model supports at most 4096 completion tokens."
      )
    ),
    2
  ],
  [
    "a short context",
    needs(
      (body) => JSON.stringify(body.messages).length / 4 + body.max_completion_tokens <= 8_192,
      refusing(400, "This model's maximum context length is 8192 tokens. However, you requested more.", {
        code: "context_length_exceeded"
      })
    ),
    2
  ]
];

const DRAFT = '{"verdict":"no_match","reason":"","confidence":1,"evidence":[],"data":null}';
const DATA_TEXT = JSON.stringify(DATA);

/** What models write around, before and instead of one JSON object; each is read in one call. */
const WRITTEN: ReadonlyArray<readonly [name: string, text: string]> = [
  ["two blocks of thoughts", `<think>${DRAFT}</think>So:<think>${DRAFT}</think>${JSON_ANSWER}`],
  ["prose before thoughts", `Let me see.\n<think>${DRAFT}</think>\n${JSON_ANSWER}`],
  ["reasoning", `<reasoning>${DRAFT}</reasoning>${JSON_ANSWER}`],
  [
    "channels of harmony",
    `<|channel|>analysis<|message|>${DRAFT}<|end|><|start|>assistant<|channel|>final<|message|>${JSON_ANSWER}<|return|>`
  ],
  ["two objects in a row", `${DRAFT}\n${JSON_ANSWER}`],
  ["a mark of byte order", `\ufeff${JSON_ANSWER}`],
  ["a name twice", JSON_ANSWER.replace("{", '{"verdict":"no_match",')],
  ["trailing commas", JSON_ANSWER.replaceAll("}", ",}")],
  ["single quotes and None", JSON_ANSWER.replaceAll('"', "'").replaceAll("null", "None")],
  ["NaN", JSON_ANSWER.replaceAll('"price":null', '"price":NaN')],
  ["comments", JSON_ANSWER.replace("{", "{ // sure\n/* the answer */ ")],
  ["a missing brace", JSON_ANSWER.slice(0, -1)],
  ["JSON as a text", JSON.stringify(JSON_ANSWER)],
  ["data as a text", JSON.stringify({ ...envelope(), data: DATA_TEXT })],
  ["an envelope of its own", `{"answer":${JSON_ANSWER}}`],
  ["data without the envelope", DATA_TEXT]
];

/** Prices and dates as people write them, and their values. */
const SPELT: ReadonlyArray<readonly [price: string, day: string, readAs: number]> = [
  ["1,200", "2024-05-06", 1_200],
  ["12,50", "6 May 2024", 12.5],
  ["€12.50", "May 6, 2024", 12.5],
  ["1.200,50 €", "6 May 2024", 1_200.5],
  ["12%", "6. Mai 2024", 12]
];

describe("an answer is parsed in spite of", () => {
  for (const [name, text] of WRITTEN) {
    it.live(
      name,
      () =>
        Effect.gen(function* () {
          const { result, requests } = yield* analysed(() => completed(text));
          assert.deepStrictEqual(
            result.success?.extraction,
            { title: "Tomato soup" },
            JSON.stringify(result)
          );
          assert.lengthOf(requests, 1);
        }),
      TEST_MS
    );
  }

  for (const [price, day, readAs] of SPELT) {
    it.live(
      `${price} and ${day}`,
      () =>
        Effect.gen(function* () {
          const text = JSON.stringify(envelope({ title: "Tomato soup", price, day }));
          const { result, requests } = yield* analysed(() => completed(text));
          assert.deepStrictEqual(result.success?.extraction, {
            title: "Tomato soup",
            price: readAs,
            day: "2024-05-06"
          });
          assert.lengthOf(requests, 1);
        }),
      TEST_MS
    );
  }

  it.live(
    "a raw line break in a text",
    () =>
      Effect.gen(function* () {
        const text = JSON_ANSWER.replace("Tomato soup", "Tomato\nsoup");
        const { result, requests } = yield* analysed(() => completed(text));
        assert.deepStrictEqual(result.success?.extraction, { title: "Tomato\nsoup" });
        assert.lengthOf(requests, 1);
      }),
    TEST_MS
  );

  for (const [name, odd, calls] of OVERCOME) {
    it.live(
      name,
      () =>
        Effect.gen(function* () {
          const { result, requests } = yield* analysed(odd);
          assert.deepStrictEqual(
            result.success?.extraction,
            { title: "Tomato soup" },
            JSON.stringify(result)
          );
          assert.lengthOf(requests, calls);
        }),
      TEST_MS
    );
  }

  it.live("values in everyday notation, with a warning about missing ones", () =>
    Effect.gen(function* () {
      const written = envelope({ title: "Tomato soup", price: "€1,200.50", day: "6 May 2024" });
      const { result, requests } = yield* analysed(() => completed(JSON.stringify(written)));
      assert.deepStrictEqual(result.success?.extraction, {
        title: "Tomato soup",
        price: 1_200.5,
        day: "2024-05-06"
      });
      assert.lengthOf(requests, 1);
      const unsaid = envelope({ title: "Tomato soup", price: "unknown", day: "n/a" });
      const other = yield* analysed(() => completed(JSON.stringify(unsaid)));
      assert.deepStrictEqual(other.result.success?.extraction, { title: "Tomato soup" });
      assert.match(other.result.success?.warnings.join(" "), /"unknown" or the like for 2 values/u);
    })
  );

  it.live("usage that is missing or cannot be true, whose tokens are estimated", () =>
    Effect.gen(function* () {
      const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
      for (const answer of [good, { body: { ...(good.body as object), usage } }]) {
        const meter = makeTokenMeter(1_000_000);
        yield* Effect.provideService(
          analysed(() => answer),
          CurrentTokenMeter,
          meter
        );
        assert.isAbove(yield* meter.used, 500);
      }
    })
  );
});
