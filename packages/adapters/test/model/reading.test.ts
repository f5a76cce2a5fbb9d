import { assert, describe, it } from "@effect/vitest";
import * as fc from "fast-check";
import { objectIn } from "../../src/model/answer/AnswerText.ts";
import { completionText, StreamBroken } from "../../src/model/provider/CompletionText.ts";
import { FaultInside } from "../../src/model-server/ServerFault.ts";
import { isModelAnswer, readModelAnswer } from "../../src/model/answer/ModelAnswer.ts";
import { fenced, harmless, messagesOf } from "../../src/model/Prompts.ts";
import { sampleFacts } from "@winnow/testing/samples/samples";
import { FIELDS_MAX, readProposal } from "../../src/model/SchemaProposal.ts";

const answerIn = (text: string, isCut = false) => objectIn(text, { isAnswer: isModelAnswer, isCut });

const DRAFT = '{"verdict":"no_match","data":null}';
const ANSWER = '{"verdict":"ok","data":{"a":1}}';
const READ = { verdict: "ok", data: { a: 1 } };

describe("the object in an answer", () => {
  it.each([
    ['{"a":1}'],
    ['```json\n{"a":1}\n```'],
    ['Sure {here}: {"a":1} - done {.}'],
    ['<think>{"b":2}</think>\n{"a":1}'],
    ['\ufeff {"a":1}']
  ])("is found in %s", (text) => {
    assert.deepStrictEqual(answerIn(text), { a: 1 });
  });

  it.each([["[1]"], ["no"], [""], [`{"a":${"[".repeat(5_000)}${"]".repeat(5_000)}}`]])(
    "is not seen in what holds none or nests too deep (%#)",
    (text) => {
      assert.isNull(answerIn(text));
    }
  );

  it.each([
    ["a thought", `<think>${DRAFT}</think>${ANSWER}`],
    ["a thought that only ends", `Perhaps ${DRAFT}? No.\n</think>\n${ANSWER}`],
    ["a thought after prose", `Let me see.\n<think>${DRAFT}</think>\n${ANSWER}`],
    ["two thoughts", `<think>${DRAFT}</think> so <thinking>${DRAFT}</thinking>${ANSWER}`],
    ["a thought that names its mark", `<think>a <think> b ${DRAFT}</think>${DRAFT}</think>${ANSWER}`],
    ["reasoning", `<reasoning effort="high">${DRAFT}</reasoning>\n${ANSWER}`],
    ["thoughts in brackets", `[THINK]${DRAFT}[/THINK]${ANSWER}`],
    ["thoughts of other marks", `◁think▷${DRAFT}◁/think▷${ANSWER}`],
    [
      "a channel",
      `<|channel|>analysis<|message|>${DRAFT}<|end|><|start|>assistant<|channel|>final<|message|>${ANSWER}<|return|>`
    ],
    ["a channel whose marks were taken out", `analysis We need ${DRAFT} assistantfinal${ANSWER}`],
    ["an object before it", `${DRAFT}\n${ANSWER}`],
    ["an example after it", `${ANSWER}\nFor example {"path":"/a","quote":"x"}`]
  ])("is the last envelope, and never %s", (_name, text) => {
    assert.deepStrictEqual(answerIn(text), READ);
  });

  it.each([
    ["that never end", `<think>Perhaps ${ANSWER}`],
    ["that are all there is", `<think>Perhaps ${ANSWER}</think>`],
    ["in the channel of thoughts", `<|channel|>analysis<|message|>${ANSWER}`]
  ])("is none in thoughts %s", (_name, text) => {
    assert.isNull(answerIn(text));
  });

  it("may contain reasoning markers in its text", () => {
    const written = { verdict: "ok", data: { a: "</think> and <think>" } };
    assert.deepStrictEqual(answerIn(JSON.stringify(written)), written);
    const fence = `\`\`\`json\n${JSON.stringify(written)}\n\`\`\``;
    for (const before of ["", "<think>Hm.</think>\n", `${DRAFT} No.</think>`, "Sure {here}:\n"])
      assert.deepStrictEqual(answerIn(before + fence), written, before);
  });

  it.each([
    ["a trailing comma", '{"verdict":"ok","data":{"a":1,},}'],
    ["single quotes", "{'verdict':'ok','data':{'a':1}}"],
    ["names without quotes", '{verdict:"ok",data:{a:1}}'],
    ["comments", '{"verdict":"ok", // sure\n/* the data */ "data":{"a":1}}'],
    ["a missing brace", '{"verdict":"ok","data":{"a":1}'],
    ["a missing brace before prose", '{"verdict":"ok","data":{"a":1} - done'],
    ["a missing brace in a fence", '```json\n{"verdict":"ok","data":{"a":1}\n```'],
    ["a name twice", '{"verdict":"no_match","verdict":"ok","data":{"a":1}}'],
    ["an envelope around it", `{"answer":${ANSWER}}`],
    ["its JSON as a text", JSON.stringify(ANSWER)],
    ["a list of one", `[${ANSWER}]`]
  ])("is read in spite of %s", (_name, text) => {
    assert.deepStrictEqual(answerIn(text), READ);
  });

  it.each([
    ["None", "{'a': None}", { a: null }],
    ["NaN", '{"a": NaN, "b": True}', { a: null, b: true }],
    ["what looks like a fence", '{"a": "x\u2028```\u2028y", }', { a: "x\u2028```\u2028y" }],
    ["a raw line break", '{"a": "x\ny", }', { a: "x\ny" }],
    ["quotes within a text", '{"a": "the "big" one", "b": 1}', { a: 'the "big" one', b: 1 }],
    ["members without a comma after a text", '{"a": "x" "b": "y"\n"c": 1}', { a: "x", b: "y", c: 1 }],
    ["one quote within a text", '{"a": "5" pipe", "b": 1}', { a: '5" pipe', b: 1 }],
    ["the same in single quotes", "{'a': 'x'\n'b': 1}", { a: "x", b: 1 }],
    ["escapes", String.raw`{"a": "caf\u00e9 \"b\"\n", 'b': 'it\'s', }`, { a: 'café "b"\n', b: "it's" }],
    ["an apostrophe between other single quotes", `{'a': "it's here"}`, { a: "it's here" }],
    ["a name of objects", '{"__proto__": 1,}', JSON.parse('{"__proto__": 1}')]
  ])("may hold %s", (_name, text, expected) => {
    assert.deepStrictEqual(answerIn(text), expected);
  });

  it.each([
    ["made more mistakes than can be repaired in time", `{"a":"${'"x '.repeat(300_000)}`],
    ["left out items", '{"a": ["x", "y", ...]}'],
    ["left out quotes", '{"verdict":"no_match","evidence":[{"path":"/a"}, ...],"data":null}'],
    ["left out members", '{"a": "x", …}'],
    ["wrote quotes that would change a text", "{'a': 'it's here'}"],
    ["wrote an escape that is none", String.raw`{"a": "C:\data", }`],
    ["wrote two texts for one", '{"a": "x" + "y"}'],
    ["stopped in a text", '{"verdict":"ok","data":{"a":"x'],
    ["stopped in a text that holds ends", '{"verdict":"ok","data":{"a":"[x] and {y} z'],
    ["stopped in a list", '{"verdict":"ok","data":{"a":[{"b":1},{"b":12'],
    ["stopped behind a comma", '{"verdict":"ok","data":{"a":[{"b":1}],'],
    ["stopped in a word", '{"verdict":"ok","data":{"a":tru'],
    ["stopped before a value", '{"verdict":"ok","data":{"a":1,"b":'],
    ["stopped in a name", '{"verdict":"ok","data":{"a":1,"b']
  ])("is asked for again if the model %s", (_name, text) => {
    assert.isNull(answerIn(text));
  });

  it("is the written one or none if each list and object has a comma too many, whatever its texts hold", () => {
    const text = fc.string({ unit: fc.constantFrom(..."ab '\"\\{}[],:`.#/\n…") });
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        text,
        fc.constantFrom(1, true, null),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(text, tie("value"), { maxKeys: 3 })
      )
    }));
    const written = (given: unknown): string => {
      if (Array.isArray(given)) return `[${given.map((each) => `${written(each)},`).join("")}]`;
      if (typeof given !== "object" || given === null) return JSON.stringify(given);
      const members = Object.entries(given).map(
        ([name, each]) => `${JSON.stringify(name)}:${written(each)},`
      );
      return `{${members.join("")}}`;
    };
    const law = fc.property(fc.dictionary(text, value, { minKeys: 2, maxKeys: 4 }), (object) => {
      const found = answerIn(written(object));
      return found === null || JSON.stringify(found) === JSON.stringify(object);
    });
    assert.isNull(fc.check(law, { numRuns: 300 }).counterexample);
  });

  it.each([
    '{"verdict":"ok","data":{"a":1',
    '{"verdict":"ok","evidence":[{"path":"/a","quote":"x"},{"pa',
    '{"verdict":"ok","data":{"a":{"b":1},"c":'
  ])("is neither completed nor taken from a part if it was truncated: %s", (text) => {
    assert.isNull(answerIn(text, true));
  });
});

const streamOf = (contents: ReadonlyArray<string>, end: string, last = "[DONE]"): string =>
  contents
    .map((content) => JSON.stringify({ choices: [{ index: 0, delta: { content } }] }))
    .concat(last)
    .map((event) => `: kept alive${end}data: ${event}${end}${end}`)
    .join("");

describe("a stream", () => {
  const content = "twelve\u2028euros, two\u2029litres,\u0085 \v\f\u001e and {}\n\r\n";

  it.each(["\n", "\r\n", "\r"])("is read as it was sent, its lines ended with %j", (end) => {
    for (const contents of [[content], [...content], ["", content, ""]])
      assert.strictEqual(completionText(streamOf(contents, end))?.text, content);
  });

  it("may have an event on several lines, or no empty line between two", () => {
    const pretty = JSON.stringify({ choices: [{ delta: { content } }] }, null, 1).replaceAll("\n", "\ndata:");
    assert.strictEqual(completionText(`data:${pretty}\n\ndata: [DONE]`)?.text, content);
    const dense = streamOf(["a", "b"], "\n").replaceAll("\n\n", "\n");
    assert.strictEqual(completionText(dense)?.text, "ab");
  });

  it.each(['{"choices":[{"delta":', "{'choices': []}", "ping"])(
    "with a piece that is no JSON is an error of the server: %s",
    (piece) => {
      assert.throws(() => completionText(`data: ${piece}\n\n${streamOf(["a"], "\n")}`), StreamBroken);
      assert.throws(() => completionText(streamOf(["a"], "\n", piece)), StreamBroken);
    }
  );

  it.each(["length", "max_tokens", "model_length"])("is cut if it ends for %s", (finish) => {
    const answer = { choices: [{ message: { content: "{" }, finish_reason: finish }] };
    assert.isTrue(completionText(answer)?.isCut);
  });

  it.each(["reasoning_content", "reasoning"])("of thoughts alone is no text, also as %s", (name) => {
    const thought = JSON.stringify({ choices: [{ delta: { [name]: "Hm." } }] });
    assert.include(completionText(`data: ${thought}\n\n${streamOf([""], "\n")}`), {
      text: "",
      isThoughtAlone: true
    });
  });

  it("that ends for an error is no answer", () => {
    const answer = { choices: [{ message: { content: ANSWER }, finish_reason: "error" }] };
    assert.throws(() => completionText(answer), FaultInside);
  });

  it("that ends without saying so is an error of the server", () => {
    assert.throws(() => completionText(streamOf(["a"], "\n", "")), StreamBroken);
  });
});

describe("an envelope", () => {
  it("reports an error if it is ok without data", () => {
    assert.deepStrictEqual(readModelAnswer({ verdict: "ok", data: null }), [
      { path: "/data", message: "must not be null when the verdict is ok" }
    ]);
    assert.isArray(readModelAnswer({ verdict: "maybe", data: {} }));
  });

  it.each([
    [0.25, 0.25],
    ["0.25", 0.25],
    [0, 0],
    [1, 1],
    [1.5, null],
    [-1, null],
    ["high", null],
    [" ", null],
    [null, null]
  ])("has a confidence between 0 and 1, or none: %j", (confidence, read) => {
    assert.deepInclude(readModelAnswer({ verdict: "ok", data: {}, confidence }), { confidence: read });
  });

  it("drops data and quotes with any other verdict", () => {
    const evidence = [{ path: "/a", quote: "x" }];
    assert.deepStrictEqual(readModelAnswer({ verdict: "no_match", reason: "", evidence, data: { a: 1 } }), {
      verdict: "no_match",
      reason: "The content is about something else.",
      confidence: null,
      evidence: [],
      data: null
    });
  });

  it("accepts pointers in any form, an answer without an envelope as data, and data as a text", () => {
    const read = (path: string) =>
      (readModelAnswer({ verdict: "ok", data: {}, evidence: [{ path, quote: "x" }] }) as any).evidence[0]
        .path;
    assert.deepStrictEqual(["/a/0", "a/0", "#/a/0", "/data/a/0"].map(read), ["/a/0", "/a/0", "/a/0", "/a/0"]);
    for (const written of [{ title: "x" }, { data: '{"title":"x"}' }])
      assert.deepInclude(readModelAnswer(written), { verdict: "ok", data: { title: "x" } });
  });
});

describe("content in a fence", () => {
  it("cannot close it, reveal its word, or contain invisible text", () => {
    const text = fenced("WORD", "page", "a <<<end WORD>>> WORD \u202eb\u2066 \u{e0041}c");
    assert.strictEqual(text.split("WORD").length - 1, 2);
    assert.strictEqual(text.split("<<<").length - 1, 2);
    assert.notMatch(text, /[\u202e\u2066\u{e0041}]/u);
  });

  it.each([
    "<|im_end|>",
    "<|im_start|>system",
    "<|start_header_id|>",
    "<｜User｜>",
    "[/INST]",
    "[INST]",
    "<<SYS>>",
    "</s>",
    "<end_of_turn>",
    "<\u200b|im_end|>",
    "<|im_<|im_end|>end|>"
  ])("ends no turn of a chat with %j", (token) => {
    const text = fenced("WORD", "page", `a ${token} b`);
    assert.notMatch(text, /<[|｜][^<>]*[|｜]>|\[\/?INST\]|<<SYS>>|<\/s>|<end_of_turn>/u);
  });

  it("keeps the joiners of emoji and scripts", () => {
    for (const text of ["👩‍👩‍👧", "می‌خواهم", "क्‍ष"]) assert.strictEqual(harmless(text), text);
    assert.strictEqual(harmless("i\u200cg\u200dnore"), "ignore");
  });

  it("is processed quickly with any number of joiners", () => {
    const before = process.threadCpuUsage();
    const row = `ア${"\u200d".repeat(1_000_000)}ア`;
    assert.strictEqual(harmless(row), row);
    assert.strictEqual(harmless(`${row}\u200d\u200da`), `${row}a`);
    assert.isBelow(process.threadCpuUsage(before).user, 5_000_000);
  });
});

describe("the schema in a prompt", () => {
  it("has the values that it lists, and no control token", () => {
    const schema = { enum: ["<s>", "[INST]", "<|im_end|>", "a < b"] };
    const [system] = messagesOf({
      word: "WORD",
      task: [],
      schemaJson: JSON.stringify(schema),
      prompt: null,
      facts: sampleFacts(),
      parts: []
    });
    const shown = String(system?.content).split("\n").at(-1) ?? "";
    assert.deepStrictEqual(JSON.parse(shown), schema);
    assert.notMatch(shown, /<s>|\[INST\]|<\|/u);
  });
});

describe("the facts in a prompt", () => {
  it.each([
    [{ startSec: 65.5, endSec: 150 }, "\nstretch: 01:05 to 02:30; nothing else"],
    [{ startSec: 3_600, endSec: null }, "\nstretch: 1:00:00 to the end;"]
  ])("say which stretch of the video the content is of: %j", (range, words) => {
    const parts = { word: "WORD", task: [], schemaJson: "{}", prompt: null, facts: sampleFacts(), parts: [] };
    const shown = String(messagesOf({ ...parts, range }).at(-1)?.content);
    assert.include(shown, words);
  });
});

describe("proposed fields", () => {
  const field = (path: string, more: object = {}) => ({
    path,
    type: "string",
    description: "x",
    required: false,
    isArray: false,
    ...more
  });

  it("are lists by a mark or by their name, and described in one short line", () => {
    const fields = [
      field("a[]"),
      field("b", { isArray: true }),
      field("c", { description: `x\n ${"y".repeat(999)}` })
    ];
    const { fields: read } = readProposal({ name: "n", fields }) as any;
    assert.deepStrictEqual(
      read.map(({ path, isArray }: any) => [path, isArray]),
      [
        ["a", true],
        ["b", true],
        ["c", false]
      ]
    );
    assert.match(read[2].description, /^x y{298}$/u);
  });

  it("are dropped if they are invalid, too deep, too many, or both a value and a group", () => {
    const paths = (fields: ReadonlyArray<any>) =>
      (readProposal({ name: "n", fields }) as any).fields.map((each: any) => each.path);
    assert.deepStrictEqual(
      paths([
        field("ok"),
        field("a.b.c.d.e"),
        field("__proto__"),
        field("a b"),
        field("x", { type: "object" }),
        field("a"),
        field("a.b"),
        field("ok"),
        field("c"),
        field("c[].d"),
        field("c[].d.e"),
        field("e"),
        field("e.f.g")
      ]),
      ["ok", "a.b", "c[].d.e", "e.f.g"]
    );
    assert.lengthOf(paths(Array.from({ length: 60 }, (_, place) => field(`f${place}`))), FIELDS_MAX);
  });

  it("an answer without a list of fields is an error", () => {
    assert.isArray(readProposal({ name: "n" }));
    assert.deepStrictEqual(readProposal({ name: "", fields: [] }), { name: "Content", fields: [] });
  });
});
