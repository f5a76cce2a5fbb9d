// @module-tag long
/** Contexts that are short: of servers that say so, of those that do not, and by the settings. */
import { assert, describe, it } from "@effect/vitest";
import { Analyst } from "@winnow/core/ports/Analyst";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as OpenAiAnalyst from "../../src/model/OpenAiAnalyst.ts";
import type { LlmPreset } from "../../src/model-server/ServerPresets.ts";
import { analystOn, RECIPE, RECIPE_SCHEMA, requestOf } from "./Analysing.ts";
import { keepWorkers } from "./KeptWorkers.ts";
import { analysedBy, ANSWER, answerOf } from "./OddAnalysis.ts";
import { completed, type Odd, refusing } from "./OddServer.ts";
import { findQuotes } from "@winnow/testing/samples/evidence";

keepWorkers();

const TEST_MS = 60_000;

const sentText = (body: any): string => body.messages.map(({ content }: any) => content).join("");

const FILLER = "Nothing of any importance is told in this long paragraph about the weather.\n";
const LONG = `${RECIPE}\n${FILLER.repeat(600)}`;

const CONTEXT = 4_096;
const CHARS_PER_TOKEN = 4.4;

/** Reads the first tokens of a prompt, says nothing of the rest, and answers from what it has read. */
const cuttingAt = (body: any, context: number) => {
  const sent = sentText(body);
  const tokens = Math.min(context, Math.ceil(sent.length / CHARS_PER_TOKEN));
  const read = sent.slice(0, tokens * CHARS_PER_TOKEN);
  const data = { title: "Tomato soup", servings: read.includes("servings: 4") ? 4 : null };
  const answer = completed(answerOf(data)) as { body: object };
  return { body: { ...answer.body, usage: { prompt_tokens: tokens, completion_tokens: 20 } } };
};

const cutting: Odd = (body) => cuttingAt(body, CONTEXT);

describe("a server that cuts what is too long without saying so", () => {
  it.live(
    "is not believed: the content is split, and the next run knows",
    () =>
      Effect.gen(function* () {
        const { result, requests, lines } = yield* analysedBy(cutting, { text: LONG, runs: 2 });
        assert.strictEqual(result.success?.outcome, "ok", JSON.stringify(result));
        const lengths = requests.map((body) => sentText(body).length);
        assert.isAbove(lengths[0] ?? 0, 40_000);
        assert.isTrue(
          lengths.slice(1).every((length) => length < CONTEXT * CHARS_PER_TOKEN),
          `${lengths}`
        );
        assert.strictEqual(lines.filter((line) => line.includes("reads only part")).length, 1);
      }),
    TEST_MS
  );

  it.live(
    "is not believed either if it cuts a second content, sent before that was known, a little earlier",
    () =>
      Effect.gen(function* () {
        const both = Promise.withResolvers<void>();
        let wholes = 0;
        const uneven: Odd = (body) => {
          if (sentText(body).length < 40_000) return cutting(body, 0);
          wholes += 1;
          if (wholes === 2) both.resolve();
          return { ...cuttingAt(body, wholes === 1 ? CONTEXT : 0.95 * CONTEXT), after: both.promise };
        };
        const { result, lines } = yield* analysedBy(uneven, { text: LONG, runs: 2, concurrency: 2 });
        assert.deepStrictEqual([wholes, result.success?.outcome], [2, "ok"]);
        assert.notInclude(lines.join(), "fewer tokens than were sent");
      }),
    TEST_MS
  );

  it.live(
    "is told from one that only counts otherwise, whose answers stand",
    () =>
      Effect.gen(function* () {
        const counting: Odd = (body) => {
          const answer = completed(ANSWER) as { body: object };
          const prompt_tokens = Math.ceil(sentText(body).length / 12);
          return { body: { ...answer.body, usage: { prompt_tokens, completion_tokens: 20 } } };
        };
        const { result, requests, lines } = yield* analysedBy(counting, { text: LONG, runs: 2 });
        assert.strictEqual(result.success?.outcome, "ok", JSON.stringify(result));
        // The second run asks once for everything.
        assert.isAbove(sentText(requests.at(-1)).length, 40_000);
        assert.isTrue(
          lines.some((line) => line.includes("fewer tokens than were sent")),
          lines.join("\n")
        );
      }),
    TEST_MS
  );
});

describe("a context", () => {
  const whole: Odd = () => completed(ANSWER);
  it.live.each<readonly [LlmPreset, object]>([
    ["llamacpp", { id: "some-model", meta: { n_ctx: 8_192, n_ctx_train: 32_768 } }],
    ["vllm", { id: "some-model", max_model_len: 8_192 }],
    ["other", { id: "another-name-of-the-only-model", max_model_len: 8_192 }]
  ])("that %s tells is kept to from the first request", ([preset, model]) =>
    Effect.gen(function* () {
      const { result, requests } = yield* analysedBy(whole, { text: LONG, preset, models: [model] });
      assert.strictEqual(result.success?.outcome, "ok");
      for (const body of requests) assert.isBelow(sentText(body).length, 8_192 * CHARS_PER_TOKEN);
    })
  );

  it.live("that a refusal states is kept to by the next request and the next run", () =>
    Effect.gen(function* () {
      const refuses: Odd = (body) => {
        const tokens = Math.ceil(sentText(body).length / CHARS_PER_TOKEN);
        return tokens <= 6_000
          ? completed(ANSWER)
          : refusing(
              400,
              `request (${tokens} tokens) exceeds the available context size (6000 tokens), try increasing it`
            );
      };
      const { result, requests } = yield* analysedBy(refuses, { text: LONG, preset: "llamacpp", runs: 2 });
      assert.strictEqual(result.success?.outcome, "ok", JSON.stringify(result));
      const tooLong = requests.filter((body) => sentText(body).length > 6_000 * CHARS_PER_TOKEN);
      assert.lengthOf(tooLong, 1);
    })
  );

  it.live("that ends within an answer is named, and not asked to hold a longer one", () =>
    Effect.gen(function* () {
      const usage = { prompt_tokens: 1_500, completion_tokens: 2_595 };
      const cut = completed('{"verdict": "ok", "rea', { finish_reason: "length" }) as { body: object };
      const odd: Odd = () => ({ body: { ...cut.body, usage } });
      const models = [{ id: "some-model", meta: { n_ctx: 4_096 } }];
      const { result, requests } = yield* analysedBy(odd, { preset: "llamacpp", models });
      assert.strictEqual(result.failure?.reason, "invalid_model_output");
      assert.match(result.failure?.message, /context of the language model ended/u);
      assert.lengthOf(requests, 1);
      // Without a known context, or in one with room left, a higher limit may help.
      const roomy = [{ id: "some-model", meta: { n_ctx: 5_000 } }];
      assert.lengthOf((yield* analysedBy(odd, { preset: "llamacpp" })).requests, 2);
      assert.lengthOf((yield* analysedBy(odd, { preset: "llamacpp", models: roomy })).requests, 2);
    })
  );
});

/** A page whose values are at both ends: no section of a short context contains both. */
const stretched = (lines: number): string => `title: Tomato soup\n${FILLER.repeat(lines)}servings: 4`;

describe("an analyst with a short context", () => {
  it.live("merges values from both ends of a long page, with quotes from the page", () =>
    Effect.gen(function* () {
      const { server, layer } = yield* analystOn();
      const short = OpenAiAnalyst.layer({ contextTokens: 4_000 }).pipe(Layer.provideMerge(layer));
      const request = requestOf(stretched(200), RECIPE_SCHEMA);
      const analysis = yield* Effect.flatMap(Analyst, (analyst) => analyst.analyse(request)).pipe(
        Effect.provide(short)
      );
      assert.strictEqual(analysis.outcome, "ok");
      const { title, servings } = analysis.extraction as Record<string, unknown>;
      assert.deepStrictEqual({ title, servings }, { title: "Tomato soup", servings: 4 });
      assert.deepStrictEqual(analysis.warnings, []);
      assert.isAbove(server.requests.length, 3);
      const quotes = analysis.quotes.filter(({ pointer }) => ["/title", "/servings"].includes(pointer));
      assert.isNotEmpty(quotes);
      for (const { quote } of quotes) assert.isNotNull(findQuotes(request.texts, [quote])[0] ?? null);
    }).pipe(Effect.scoped)
  );

  // The last value is beyond the sections that are read.
  it.live("says that not all was read if required values are missing", () =>
    Effect.gen(function* () {
      const { server, layer } = yield* analystOn();
      const short = OpenAiAnalyst.layer({ contextTokens: 4_000 }).pipe(Layer.provideMerge(layer));
      const analyse = Analyst.use((analyst) => analyst.analyse(requestOf(stretched(1_500), RECIPE_SCHEMA)));
      const failure = yield* Effect.provide(Effect.flip(analyse), short);
      assert.strictEqual(failure.reason, "invalid_model_output");
      assert.match(failure.message, /does not match the schema\. .*only its first \d+ % were read/u);
      const asked = JSON.stringify(server.requests.at(-1)?.body["messages"]);
      assert.match(asked, /only its first \d+ % were read/u);
    }).pipe(Effect.scoped)
  );
});
