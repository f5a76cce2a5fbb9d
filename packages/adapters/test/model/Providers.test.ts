// @module-tag long
/**
 * The ways in which providers misbehave, each with its visible result: the run's message and the number of
 * calls. What models write is in reading.test.ts.
 */
import * as Effect from "effect/Effect";
import { assert, describe, it } from "@effect/vitest";
import { makeTokenMeter } from "@winnow/core/ports/TokenMeter";
import { ANSWER_BYTES_MAX } from "../../src/model-server/boundedFetch.ts";
import { ANSWER, askedOf } from "./OddAnalysis.ts";
import { completed, type Odd, refusing } from "./OddServer.ts";

const good = completed(ANSWER);
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
    () => completed(ANSWER.slice(0, 50), { finish_reason: "length" }),
    "invalid_model_output",
    2
  ],
  ["an answer over all sizes", () => completed("x".repeat(ANSWER_BYTES_MAX + 1)), "invalid_model_output", 1]
];

describe("a provider", () => {
  it.live.each(FAILURES)("that sends %s fails the run, each with its reason", ([_name, odd, reason, calls]) =>
    Effect.gen(function* () {
      const { result, requests } = yield* askedOf(odd);
      assert.strictEqual(result.failure?.reason, reason, JSON.stringify(result));
      assert.lengthOf(requests, calls);
    })
  );
});

const once =
  (first: ReturnType<Odd>): Odd =>
  (_body, number) =>
    number === 0 ? first : good;

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
      body: `data: ${JSON.stringify({ choices: [{ delta: { content: ANSWER } }] })}\n\ndata: [DONE]\n\n`
    }),
    1
  ],
  [
    "a list of parts, thoughts among them",
    () =>
      completed([
        { type: "thinking", text: '{"verdict":"no_match"}' },
        { type: "text", text: ANSWER.slice(0, 20) },
        { type: "text", text: ANSWER.slice(20) }
      ]),
    1
  ],
  ["a fault with status 200", once({ body: { error: { message: "Overloaded", code: 529 } } }), 2],
  [
    "a server that breaks on schemas",
    (body, number) => {
      if (body.response_format?.type === "json_schema") return refusing(500, "Internal error.");
      return number < 1 ? refusing(500, "Internal error.") : good;
    },
    5
  ],
  ["a limit whose wait cannot be read", once(WAITING), 2]
];

describe("an answer is had in spite of", () => {
  it.live.each(OVERCOME)("%s", ([_name, odd, calls]) =>
    Effect.gen(function* () {
      const { result, requests } = yield* askedOf(odd);
      assert.deepStrictEqual(result.success?.extraction, { title: "Tomato soup" }, JSON.stringify(result));
      assert.lengthOf(requests, calls);
    })
  );

  it.live("usage that is missing or cannot be true, whose tokens are estimated", () =>
    Effect.gen(function* () {
      const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
      for (const answer of [good, { body: { ...(good.body as object), usage } }]) {
        const meter = makeTokenMeter(1_000_000);
        yield* askedOf(() => answer, { meter });
        assert.isAbove(yield* meter.used, 200);
      }
    })
  );
});
