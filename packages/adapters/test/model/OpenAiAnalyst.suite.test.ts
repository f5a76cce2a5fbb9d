// @module-tag long
import { assert, describe, it } from "@effect/vitest";
import { Analyst } from "@winnow/core/ports/Analyst";
import type { FakeOpenAiOptions } from "@winnow/testing/openai/FakeOpenAiServer";
import { suite } from "@winnow/testing/suites/AnalystSuite";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { Answers } from "../../src/model/answer/Answers.ts";
import * as OpenAiAnalyst from "../../src/model/OpenAiAnalyst.ts";
import { analystOn, RECIPE, requestOf } from "./Analysing.ts";
import { keepWorkers } from "./KeptWorkers.ts";

keepWorkers();

const analyst = (model: string, options: FakeOpenAiOptions = {}) =>
  Layer.unwrap(Effect.map(analystOn(model, options), ({ layer }) => layer));

suite("any OpenAI-compatible server", analyst("fake-ok"), {
  request: requestOf(),
  unmatched: analyst("fake-no-match"),
  broken: analyst("fake-always-server-error"),
  silent: (onAsked) => analyst("fake-slow", { onRequest: onAsked }),
  countsTokens: true
});

describe("a long analysis", () => {
  it.live("sends each answer to a worker once, and each of its two schemas", () =>
    Effect.gen(function* () {
      const { layer, server } = yield* analystOn();
      const asked: Array<string> = [];
      const counted = Layer.effect(
        Answers,
        Effect.map(
          Answers,
          (answers) =>
            new Proxy(answers, { get: (_, name: keyof typeof answers) => (asked.push(name), answers[name]) })
        )
      );
      const long = [RECIPE, ..."abcdefgh"].join(`\n${"Chop all of the tomatoes and fry them. ".repeat(500)}`);
      const analysed = Analyst.use((analyst) => analyst.analyse(requestOf(long)));
      const { outcome } = yield* Effect.provide(
        analysed,
        OpenAiAnalyst.layer({ contextTokens: 20_000 }).pipe(Layer.provide(counted), Layer.provideMerge(layer))
      );
      assert.strictEqual(outcome, "ok");
      const calls = server.requests.length;
      assert.isAbove(calls, 3);
      const count = (name: string) => asked.filter((each) => each === name).length;
      assert.deepStrictEqual(
        [count("readAnswer"), count("answerSchemaOf"), count("mergeAnswers"), asked.length],
        [calls, 2, 1, calls + 3]
      );
    }).pipe(Effect.scoped)
  );
});
