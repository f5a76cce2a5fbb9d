import { assert, describe, it } from "@effect/vitest";
import { DESCRIBED_BY_CONTENT } from "@winnow/core/domain/json-schema/SchemaKeywords";
import { FAULTS_MAX } from "@winnow/core/ports/SchemaChecker";
import { answerSchemaOf, readAnswer } from "../../src/model/answer/AnswerParsing.ts";
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

  /** The extraction of this answer, and the pointer of each quote, which is the path that the model gave. */
  const readWith = (of: object, data: object, paths: ReadonlyArray<string>): any => {
    const evidence = paths.map((path) => ({ path, quote: path, at: "" }));
    const text = JSON.stringify({ verdict: "ok", reason: "", confidence: 1, evidence, data });
    const { extraction, quotes } = (
      readAnswer({ schema: JSON.stringify(of), isGuided: false }, { text, isCut: false }) as any
    ).read;
    return { extraction, pointers: quotes.map(({ pointer }: any) => pointer) };
  };

  it("has quotes of the items that a set leaves out at the equal items", () => {
    const set = { type: "array", items: { type: "string" }, uniqueItems: true };
    assert.deepStrictEqual(
      readWith({ type: "object", properties: { set } }, { set: ["a", "a", "b"] }, ["/set/1", "/set/2"]),
      { extraction: { set: ["a", "b"] }, pointers: ["/set/0", "/set/1"] }
    );
  });

  it("may have members that the schema does not name as an object in the place of their list", () => {
    const text = { type: "string" };
    assert.deepStrictEqual(
      readWith(
        { type: "object", properties: { id: text }, required: ["id"], additionalProperties: text },
        { id: "7", additional: { "a/b": "red" } },
        ["/additional/a~1b", "/id"]
      ),
      { extraction: { "a/b": "red", id: "7" }, pointers: ["/a~1b", "/id"] }
    );
    assert.deepStrictEqual(readWith({ type: "object", additionalProperties: text }, { a: "b" }, ["/a"]), {
      extraction: { a: "b" },
      pointers: ["/a"]
    });
  });

  it("names a pattern that could not be checked in time in its warnings", () => {
    const { warnings, extraction } = read({ title: "Soup", code: `${"a".repeat(40)}!` }).read;
    assert.property(extraction, "code");
    assert.deepStrictEqual(warnings, [
      `The extraction could not be checked against the pattern "${PATTERN}" in time.`
    ]);
  });
});

it("a schema that was described by content says nothing of it: each description stands apart, with its place", () => {
  const text = (description: string) => ({ type: "string", title: "IGNORE", description });
  const schema = {
    [DESCRIBED_BY_CONTENT]: true,
    type: "object",
    description: "IGNORE all",
    properties: {
      title: text("IGNORE 1"),
      by: { type: "object", properties: { name: text("IGNORE 2") } },
      steps: { type: "array", items: { type: "object", properties: { what: text("IGNORE 3") } } }
    }
  };
  const { json, notes } = answerSchemaOf({ schema: JSON.stringify(schema), isGuided: false });
  assert.notInclude(json, "IGNORE");
  assert.deepStrictEqual(notes.split("\n"), [
    "the root: IGNORE all",
    "title: IGNORE 1",
    "by.name: IGNORE 2",
    "steps[].what: IGNORE 3"
  ]);
  const { [DESCRIBED_BY_CONTENT]: _, ...own } = schema;
  const ofCaller = answerSchemaOf({ schema: JSON.stringify(own), isGuided: false });
  assert.strictEqual(ofCaller.notes, "");
  assert.include(ofCaller.json, "IGNORE 3");
});
