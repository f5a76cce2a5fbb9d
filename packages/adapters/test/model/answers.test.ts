import { assert, describe, it } from "@effect/vitest";
import { FAULTS_MAX } from "@winnow/core/ports/SchemaChecker";
import { readAnswer } from "../../src/model/answer/AnswerParsing.ts";
import { answerOf } from "./OddAnalysis.ts";

describe("an answer", () => {
  const PATTERN = "^(?=(a+)+$)x";
  const schema = JSON.stringify({
    type: "object",
    properties: {
      title: { type: "string" },
      servings: { type: "integer", minimum: 1 },
      code: { type: "string", pattern: PATTERN }
    },
    required: ["title"]
  });

  const read = (data: object): any =>
    readAnswer({ schema, isGuided: false }, { text: answerOf(data), isCut: false });

  it("that conforms is kept as it is, and coerced only if it does not conform", () => {
    assert.deepStrictEqual(read({ title: "12", servings: 4 }).read.extraction, { title: "12", servings: 4 });
    assert.deepStrictEqual(read({ title: 12, servings: "4" }).read.extraction, { title: "12", servings: 4 });
  });

  it("that conforms neither way has the faults that coercion leaves, with pointers into it", () => {
    assert.deepStrictEqual(read({ title: "Soup", servings: "0" }).faults, [
      { path: "/data/servings", message: "must be >= 1" }
    ]);
  });

  it("shows the model as many of its faults as any check reports", () => {
    const many = Object.fromEntries(
      Array.from({ length: 2 * FAULTS_MAX }, (_, at) => [`n${at}`, { type: "null" }])
    );
    const asked = { schema: JSON.stringify({ type: "object", properties: many }), isGuided: false };
    const data = Object.fromEntries(Object.keys(many).map((name) => [name, { a: 1 }]));
    const { faults } = readAnswer(asked, { text: answerOf(data), isCut: false }) as any;
    assert.lengthOf(faults, FAULTS_MAX);
  });

  it("names a pattern that could not be checked in time in its warnings", () => {
    const { warnings, extraction } = read({ title: "Soup", code: `${"a".repeat(40)}!` }).read;
    assert.property(extraction, "code");
    assert.deepStrictEqual(warnings, [
      `The extraction could not be checked against the pattern "${PATTERN}" in time.`
    ]);
  });
});
