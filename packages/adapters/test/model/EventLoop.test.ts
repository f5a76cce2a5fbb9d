// @module-tag alone: turns of the event loop
/** Neither a schema nor an answer blocks the event loop, whatever it contains. */
import { assert, describe, it } from "@effect/vitest";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
import { WORDS_TO_JUDGE_MIN } from "@winnow/core/domain/evidence/Verdict";
import { Analyst } from "@winnow/core/ports/Analyst";
import * as Effect from "effect/Effect";
import { AnswerReader, layer as answerReader } from "../../src/model/answer/AnswerReader.ts";
import { longestTurnMs } from "../programs/worker/LongestTurn.ts";
import { analystOn, requestOf } from "./Analysing.ts";
import { keepWorkers } from "./KeptWorkers.ts";

keepWorkers();

const ACCOUNT = "acc_test";

const branches = (count: number): JsonObject => ({
  oneOf: Array.from({ length: count }, (_, number) => ({
    type: "object",
    properties: { [`kind${number % 7}`]: { type: "string" }, [`value${number}`]: { type: "number" } },
    required: [`kind${number % 7}`]
  }))
});

const MANY: JsonObject = {
  type: "object",
  properties: Object.fromEntries(
    Array.from({ length: 400 }, (_, number) => [
      `property_number_${number}`,
      { type: ["string", "null"], description: "One of very many values, told at some length.", minLength: 1 }
    ])
  )
};

const CHOICES: JsonObject = {
  type: "object",
  properties: { each: branches(450), list: { type: "array", items: branches(450) } }
};

const TREE: JsonObject = {
  type: "object",
  properties: { root: { $ref: "#/$defs/node" } },
  $defs: {
    node: {
      anyOf: [
        { type: "object", properties: { left: { $ref: "#/$defs/node" }, right: { $ref: "#/$defs/node" } } },
        { type: "array", items: { $ref: "#/$defs/node" } },
        { type: "string" }
      ]
    }
  }
};

const SCHEMAS = { MANY, CHOICES, TREE };

const ANSWERS: Readonly<Record<string, string>> = {
  "of a hundred thousand values": JSON.stringify({
    verdict: "ok",
    data: { root: Array.from({ length: 99_000 }, (_, number) => `value ${number}`) }
  }),
  "of a million values": `{"verdict":"ok","data":{"root":[${"1,".repeat(900_000)}1]}}`,
  "of a hundred levels": `{"verdict":"ok","data":{"root":${'{"left":{"right":['.repeat(40)}"x"${"]}}".repeat(40)}}}`,
  "of a hundred thousand levels": `{"verdict":"ok","data":${"[".repeat(100_000)}`,
  "with a deep text of JSON": JSON.stringify({
    verdict: "ok",
    data: { root: { json: "[".repeat(50_000) + "]".repeat(50_000) } }
  }),
  "of braces alone": "{".repeat(500_000)
};

describe("an analyst", () => {
  it.live("does not block the event loop while projecting a large schema", () =>
    Effect.gen(function* () {
      const reader = yield* AnswerReader;
      for (const schema of Object.values(SCHEMAS)) {
        const { longest } = yield* longestTurnMs(reader.answerSchema(ACCOUNT, { schema, isGuided: true }));
        assert.isBelow(longest, 50);
      }
    }).pipe(Effect.provide(answerReader))
  );

  for (const [what, text] of Object.entries(ANSWERS)) {
    it.live(`does not block the event loop while reading an answer ${what}`, () =>
      Effect.gen(function* () {
        const reader = yield* AnswerReader;
        yield* reader.answerSchema(ACCOUNT, { schema: TREE, isGuided: true });
        const reading = reader.answer(
          ACCOUNT,
          { schema: TREE, isGuided: true },
          { text, isCut: false },
          true
        );
        const { longest } = yield* longestTurnMs(reading);
        assert.isBelow(longest, 50, what);
      }).pipe(Effect.provide(answerReader))
    );
  }

  it.live("still works after an unreadable answer", () =>
    Effect.gen(function* () {
      const { layer, server } = yield* analystOn();
      server.script("huge_answer", "deep_answer");
      const words = `title: Soup\nservings: 4\n${"filling words ".repeat(WORDS_TO_JUDGE_MIN)}`;
      const analyse = Analyst.use((analyst) => analyst.analyse(requestOf(words)));
      const [failed, read] = yield* Effect.provide(
        Effect.all([Effect.flip(analyse), analyse] as const),
        layer
      );
      assert.strictEqual(failed.reason, "invalid_model_output");
      assert.strictEqual(read.outcome, "ok");
    }).pipe(Effect.scoped)
  );
});
