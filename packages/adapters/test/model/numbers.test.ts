import { assert, describe, it } from "@effect/vitest";
import { readAnswer } from "../../src/model/answer/AnswerParsing.ts";
import { completionText } from "../../src/model/provider/CompletionText.ts";

describe("a number in an answer", () => {
  const BIG = "1917043659912705296";

  /** What is read of `{"it": <written>}`, with a member of this schema. */
  const readAs = (it: object, written: string): any => {
    const schema = JSON.stringify({ type: "object", properties: { it }, required: ["it"] });
    const text = `{"verdict":"ok","confidence":0.90,"evidence":[],"data":{"it":${written}}}`;
    const { read } = readAnswer({ schema, isGuided: false }, { text, isCut: false }) as any;
    assert.strictEqual(read.confidence, 0.9);
    return { it: read.extraction.it, inexact: read.inexact ?? [] };
  };

  it.each([
    ["a text", { type: "string" }, BIG, BIG],
    ["a text or null", { type: ["string", "null"] }, BIG, BIG],
    ["a text or a whole number", { type: ["integer", "string"] }, BIG, BIG],
    ["a text with zeros at its end", { type: "string" }, "1.10", "1.10"],
    ["a text with zeros at its start", { type: "string" }, "007", "007"],
    ["texts", { type: "array", items: { type: "string" } }, `[${BIG}, 12, 1.50]`, [BIG, "12", "1.50"]],
    [
      "texts by name",
      { type: "object", additionalProperties: { type: "string" } },
      `{"a":${BIG},"b":"${BIG}"}`,
      { a: BIG, b: BIG }
    ],
    ["a text of JSON to be repaired", { type: "string" }, `${BIG},`, BIG],
    ["a decimal text", { type: "string" }, "3.14159265358979323846", "3.14159265358979323846"]
  ])("keeps its digits as %s", (_what, schema, written, expected) => {
    const read = readAs(schema, written);
    assert.deepStrictEqual([read.it, read.inexact], [expected, []]);
  });

  it.each([
    ["a whole number", { type: "integer" }, BIG, Number(BIG), ["/it"]],
    ["a whole number in a text", { type: "integer" }, `"${BIG}"`, Number(BIG), ["/it"]],
    ["a whole number in groups", { type: "integer" }, '"1,917,043,659,912,705,296"', Number(BIG), ["/it"]],
    ["a decimal", { type: "number" }, "3.14159265358979323846", Math.PI, ["/it"]],
    ["a number or null", { type: ["number", "null"] }, BIG, Number(BIG), ["/it"]],
    ["anything", {}, BIG, Number(BIG), ["/it"]],
    ["an item", { type: "array", items: { type: "integer" } }, `[12, ${BIG}]`, [12, Number(BIG)], ["/it/1"]],
    [
      "a member",
      { type: "object", properties: { "a/b": { type: "integer" } } },
      `{"a/b":${BIG}}`,
      { "a/b": Number(BIG) },
      ["/it/a~1b"]
    ],
    ["a number beyond all", { type: ["number", "null"] }, "1e400", null, ["/it"]],
    ["a number with other digits", { type: "number" }, "1.50", 1.5, []],
    ["a power of ten", { type: "integer" }, "1e18", 1e18, []],
    ["a power of two", { type: "integer" }, "9007199254740992", 2 ** 53, []]
  ])("is a double as %s, and known to be rounded", (_what, schema, written, expected, inexact) => {
    const read = readAs(schema, written);
    assert.deepStrictEqual([read.it, read.inexact], [expected, inexact]);
  });

  it("keeps its digits in the arguments of a tool, as a text or an object", () => {
    for (const given of [`{"it":${BIG}}`, JSON.stringify(`{"it":${BIG}}`)]) {
      const call = `{"function":{"name":"answer","arguments":${given}}}`;
      const answer = `{"choices":[{"message":{"content":null,"tool_calls":[${call}]}}],"usage":{"prompt_tokens":12.0}}`;
      assert.deepInclude(completionText(answer), { text: `{"it":${BIG}}`, inputTokens: 12 });
    }
  });
});
