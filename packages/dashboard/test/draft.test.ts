import { assert, describe, it } from "vitest";
import { isWebUrl, withScheme } from "@winnow/client/links";
import type { Submission, SubmitBody } from "@winnow/client";
import { bodyOf, draftOf, EMPTY, wrongEnds } from "../src/screens/new/draft.ts";
import { isNoUrl, isSeveral } from "../src/screens/new/LinksBox.tsx";
import { isUsableSchema, newField, readSchema, repeatedName } from "../src/parts/schema/fields.ts";
import { childPointer, pathText } from "../src/parts/jsonPointer.ts";
import { refusalText } from "../src/words/refusals.ts";

const EMPTY_SCHEMAS = [
  '{"type":"object"}',
  '{"type":"object","properties":{},"required":[],"additionalProperties":false}',
  '{"$schema":"https://json-schema.org/draft/2020-12/schema","title":"Nothing","description":"x","type":"object"}'
];

describe("an address", () => {
  it("is complete if it is a web address", () => {
    assert.isTrue(isWebUrl("https://example.com/x"));
    for (const text of ["foo:bar", "javascript:alert(1)", "example", "https://"])
      assert.isFalse(isWebUrl(text), text);
  });

  it("is one a line", () => {
    for (const text of ["https://example.com/a   https://example.com/b", "example.com/a, example.com/b"])
      assert.isTrue(isSeveral(text), text);
    for (const text of [
      "https://example.com/a,b.html",
      "https://example.com/a b",
      "example.com/a\nb.com",
      ""
    ])
      assert.isFalse(isSeveral(text), text);
  });

  it("is told that it is none once it is more than a beginning", () => {
    for (const text of ["two words", "mailto:ada", "a@b.c", "例え.jp", "/talk.html"])
      assert.isTrue(isNoUrl(text), text);
    for (const text of ["", "exam", "www.", "a@", "example.com", "https://例え.jp", "https://a@b.c/"])
      assert.isFalse(isNoUrl(text), text);
  });

  it("is completed if its scheme is missing", () => {
    assert.strictEqual(withScheme(" example.com/watch?v=1 "), "https://example.com/watch?v=1");
    assert.strictEqual(withScheme("two words"), "two words");
  });
});

describe("a draft", () => {
  const url = "https://example.com/talk";

  it("omits the service's defaults", () => {
    assert.deepStrictEqual(bodyOf({ ...EMPTY, url }), { url });
    assert.deepStrictEqual(bodyOf({ ...EMPTY, url, parts: ["video"] }), { url, parts: ["video"] });
  });

  it("is not a body while its schema is missing or broken", () => {
    assert.isUndefined(bodyOf({ ...EMPTY, url, choice: "saved" }));
    assert.isUndefined(bodyOf({ ...EMPTY, url, choice: "own", schemaText: "{" }));
  });

  it("has no texts of spaces alone, and no spaces around a text", () => {
    const body = bodyOf({ ...EMPTY, url, language: " ", webhookUrl: " https://hooks.example/ " });
    assert.deepStrictEqual(body, { url, webhookUrl: "https://hooks.example/" });
  });

  it("is not a body while its own fields have no name, or its schema asks for nothing", () => {
    assert.isUndefined(bodyOf({ ...EMPTY, url, choice: "own" }));
    for (const text of EMPTY_SCHEMAS)
      assert.isUndefined(bodyOf({ ...EMPTY, url, choice: "own", schemaText: text }), text);
  });

  it("is not a body while the limit of the automatic choice is missing", () => {
    const draft = { ...EMPTY, url, choice: "auto" as const, auto: true };
    for (const maxSpendCredits of [undefined, 0, -5, 1.5, Number.NaN])
      assert.isUndefined(bodyOf({ ...draft, maxSpendCredits }), String(maxSpendCredits));
    assert.isUndefined(bodyOf({ ...EMPTY, url, choice: "auto" })?.maxSpendCredits);
    assert.strictEqual(bodyOf({ ...draft, maxSpendCredits: 500 })?.maxSpendCredits, 500);
  });

  it("is not a body while a time of its stretch is none, or the end not after the start, and says which is wrong", () => {
    const times = { from: " 1:05 ", to: "2:30" };
    assert.deepStrictEqual(bodyOf({ ...EMPTY, url, ...times }), {
      url,
      range: { startSec: 65, endSec: 150 }
    });
    for (const [wrong, ends] of [
      [{ from: "1:" }, ["from"]],
      [{ to: "1:75" }, ["to"]],
      [{ to: "1:05" }, ["to"]],
      [{ from: "", to: "0" }, ["to"]],
      [{ from: "x", to: "y" }, ["from", "to"]]
    ] as const) {
      const draft = { ...EMPTY, url, ...times, ...wrong };
      assert.isUndefined(bodyOf(draft), JSON.stringify(wrong));
      assert.deepStrictEqual(wrongEnds(draft), ends, JSON.stringify(wrong));
    }
    assert.deepStrictEqual(wrongEnds({ ...EMPTY, from: "1:00", to: "0:30" }, 60), ["from"]);
  });

  it("names no parts or inputs that the service chooses by itself", () => {
    const reading = { ...EMPTY, url, choice: "auto" as const };
    assert.deepStrictEqual(bodyOf({ ...EMPTY, url }), { url });
    assert.deepStrictEqual(bodyOf(reading), { url, schemaId: "auto" });
    assert.deepStrictEqual(bodyOf({ ...reading, inputs: ["transcript"] })?.inputs, ["transcript"]);
  });

  it("is restored from its body", () => {
    const draft = {
      ...EMPTY,
      url,
      choice: "own" as const,
      schemaText: JSON.stringify({ type: "object", properties: { dish: { type: "string" } } }, null, 2),
      inputs: ["transcript" as const],
      prompt: "in euros",
      language: "de",
      policy: "strict" as const,
      auto: true,
      speech: true,
      maxSpendCredits: 500
    };
    const body = bodyOf(draft);
    assert.isDefined(body);
    assert.deepStrictEqual(draftOf(body), draft);
  });
});

/** Values of each field that are not its default: a new field does not compile until it stands here. */
const VALUES: { readonly [Field in keyof SubmitBody]-?: ReadonlyArray<unknown> } = {
  url: ["https://example.com/talk"],
  // Such a run is repeated by fetching its source (New.tsx).
  fromExtraction: [],
  schema: [{ type: "object", properties: { dish: { type: "string" } } }],
  schemaId: ["sch_1", "winnow.predefined.recipe.v1", "auto"],
  parts: [["video"], ["transcript", "comments", "audio"]],
  inputs: [["audio", "transcript"]],
  prompt: ["in euros"],
  range: [{ startSec: 65 }, { endSec: 9.5 }, { startSec: 0, endSec: 3_723.025 }],
  language: ["pt-BR"],
  captions: ["people", "automatic"],
  policy: ["strict", "best-effort"],
  evidence: ["require"],
  webhookUrl: ["https://hooks.example/"],
  auto: [true],
  maxSpendCredits: [500],
  force: [true],
  maxAgeSeconds: [0, 60],
  speech: [true],
  maxCredits: [0, 40]
};

const OF_ANY = [
  "range",
  "language",
  "captions",
  "policy",
  "webhookUrl",
  "force",
  "maxAgeSeconds",
  "speech",
  "maxCredits"
] as const;
const KINDS: ReadonlyArray<
  readonly [needed: ReadonlyArray<keyof SubmitBody>, free: ReadonlyArray<keyof SubmitBody>]
> = [
  [["url"], ["parts", ...OF_ANY]],
  [
    ["url", "schema", "inputs"],
    ["prompt", "evidence", ...OF_ANY]
  ],
  [
    ["url", "schemaId", "inputs", "auto", "maxSpendCredits"],
    ["prompt", "evidence", ...OF_ANY]
  ]
];

/** Every choice of the free fields, each with each of its values in turn. */
const submissions = (): ReadonlyArray<Submission> =>
  KINDS.flatMap(([needed, free]) =>
    Array.from({ length: 2 ** free.length }, (_, choice) => {
      const fields = [...needed, ...free.filter((__, bit) => (choice & (1 << bit)) !== 0)];
      return Object.fromEntries(
        fields.map((field) => [field, VALUES[field][choice % VALUES[field].length]])
      ) as unknown as Submission;
    })
  );

describe("a refusal of a stretch", () => {
  it("has the words of the form, not those of the API", () => {
    const message = "`range` begins where the video has ended, after 600 s: choose an earlier `startSec`.";
    for (const [reason, text] of [
      ["beyond_end", "The stretch is not within the video: correct its times."],
      ["not_a_video", "Only a video has stretches, and this is none: leave both times empty."]
    ])
      assert.strictEqual(refusalText({ message, details: { param: "range", reason } }), text);
  });
});

describe("a submission that is run again", () => {
  it("knows every field", () => {
    const tried = new Set(KINDS.flat(2));
    for (const field of Object.keys(VALUES) as Array<keyof SubmitBody>)
      assert.strictEqual(tried.has(field), VALUES[field].length > 0, field);
  });

  it("is the same, whatever fields it has", () => {
    for (const body of submissions())
      assert.deepStrictEqual(bodyOf(draftOf(body)) as Submission | undefined, body);
  });

  it("is the same after a reload of the form", () => {
    for (const body of submissions())
      assert.deepStrictEqual(
        bodyOf({ ...EMPTY, ...JSON.parse(JSON.stringify(draftOf(body))) }) as Submission | undefined,
        body
      );
  });
});

describe("a schema as fields", () => {
  it("names nothing before a field has a name, and leaves other schemas to the server", () => {
    for (const text of EMPTY_SCHEMAS) assert.isFalse(isUsableSchema(text), text);
    for (const schema of [
      { type: "object", properties: { dish: { type: "string" } } },
      { type: "object", additionalProperties: { type: "number" } },
      { type: "object", required: ["a"] },
      { $ref: "#/$defs/a", $defs: { a: { type: "object", properties: { b: {} } } } }
    ]) {
      assert.isTrue(isUsableSchema(JSON.stringify(schema)), JSON.stringify(schema));
    }
  });

  it("reports a duplicate name", () => {
    const names = ["dish", "minutes", " dish "];
    assert.strictEqual(repeatedName(names.map((name) => ({ ...newField(), name }))), "dish");
  });

  it("says in which line its text is invalid", () => {
    assert.deepStrictEqual(readSchema('{\n  "type": "object",\n  oops\n}'), {
      ok: false,
      reason: "syntax",
      line: 3
    });
    assert.deepStrictEqual(readSchema("[]"), { ok: false, reason: "notObject", line: null });
  });
});

describe("a path of evidence", () => {
  it("is readable, and decodes its escapes", () => {
    const pointer = childPointer(childPointer(childPointer("", "a/b"), 0), "c~d");
    assert.strictEqual(pointer, "/a~1b/0/c~0d");
    assert.strictEqual(pathText(pointer), "a/b[0].c~d");
  });
});
