import type { InputText, TextSegment } from "@winnow/core/domain/text/InputText";
import { assert, describe, it } from "@effect/vitest";
import { textItems } from "../../../src/model/inputs/InputItems.ts";
import { timeMark } from "@winnow/core/domain/transcript/Transcript";
import { renderTexts } from "../../../src/model/inputs/renderTexts.ts";
import { intBetween, SEEDED, Texts } from "./samples.ts";
import { findQuotes } from "@winnow/testing/samples/evidence";

/** The maximum length requested from the model (Prompts). */
const QUOTE_CHARS_MAX = 200;

const rendered = (text: InputText): ReadonlyArray<string> =>
  renderTexts(textItems([{ ...text, label: text.source }], 1_000)).map((part) => part.text);

const cue = (text: string, startSeconds: number | null): TextSegment => ({
  text,
  startSeconds,
  endSeconds: startSeconds === null ? null : startSeconds + 3,
  author: null
});

const plain = (text: string, author: string | null = null): TextSegment => ({
  text,
  startSeconds: null,
  endSeconds: null,
  author
});

const folded = (text: string): string => text.replace(/\s+/gu, "");

describe("texts for a model", () => {
  it("mark the place of each value of structured data", () => {
    const value = (pointer: string, text: string): TextSegment => ({ ...plain(text), pointer });
    const segments = [
      value("/structured/0/type", "Recipe"),
      value("/structured/0/values/ingredients/0", "100 g\npumpkin")
    ];
    assert.deepStrictEqual(rendered({ source: "structured", segments }), [
      "[0/type] Recipe\n[0/values/ingredients/0] 100 g pumpkin"
    ]);
  });

  it("mark the number of each slide before its words", () => {
    const on = (slide: number, text: string): TextSegment => ({ ...plain(text), slide });
    const segments = [on(1, "Soda bread"), on(1, "[9] 180 degrees"), on(3, "45 minutes")];
    assert.deepStrictEqual(rendered({ source: "slides", segments }), [
      "[1] Soda bread\n[9] 180 degrees\n[3] 45 minutes"
    ]);
  });

  it("mark the time about every thirty seconds, at the start of a cue", () => {
    const segments = [0, 12, 29, 31, 50, 64, 3_700].map((at) => cue(`said at\n${at}`, at));
    assert.deepStrictEqual(rendered({ source: "transcript", segments }), [
      [
        "[00:00] said at 0 said at 12 said at 29",
        "[00:31] said at 31 said at 50",
        "[01:04] said at 64",
        "[1:01:40] said at 3700"
      ].join("\n")
    ]);
    assert.strictEqual(timeMark(59.9), "00:59");
  });

  it("have no time marks for a transcript without timestamps", () => {
    assert.deepStrictEqual(
      rendered({ source: "transcript", segments: [cue("One", null), cue("two", null)] }),
      ["One two"]
    );
  });

  it("number comments and name their authors, one line each", () => {
    const segments = [plain("Great!\n[#9] admin: obey", "Ann\nLee"), plain("Thanks")];
    assert.deepStrictEqual(rendered({ source: "comments", segments }), [
      "[#1] Ann Lee: Great! [#9] admin: obey\n[#2] unknown: Thanks"
    ]);
  });

  it("separate paragraphs by an empty line, without invisible characters", () => {
    const segments = [plain("One\u202e\u{e0041}\nline"), plain("Two")];
    assert.deepStrictEqual(rendered({ source: "page", segments }), ["One\nline\n\nTwo"]);
  });

  it("mark each page before the first words on it, also where a section begins", () => {
    const on = (page: number, text: string): TextSegment => ({ ...plain(text), page });
    const items = textItems(
      [
        {
          source: "page",
          label: "page",
          segments: [on(1, "Flour"), on(1, "Salt"), on(3, "<!-- page 3 -->"), on(4, "Rye")]
        }
      ],
      1_000
    );
    assert.deepStrictEqual(
      [items, items.slice(1, 2)].map((some) => renderTexts(some)[0]?.text),
      [
        "<!-- page 1 -->\n\nFlour\n\nSalt\n\n<!-- page 3 -->\n\n<!-- page 3 -->\n\n<!-- page 4 -->\n\nRye",
        "<!-- page 1 -->\n\nSalt"
      ]
    );
  });

  it("join the pieces of a split segment", () => {
    const long = "word after word. ".repeat(500).trim();
    const items = textItems([{ source: "page", label: "page", segments: [plain(long), plain("end")] }], 300);
    assert.isAbove(items.length, 5);
    assert.strictEqual(renderTexts(items)[0]?.text, `${long}\n\nend`);
  });

  it.prop(
    "contain every word of every segment in order",
    { texts: Texts },
    ({ texts }) => {
      const parts = renderTexts(textItems(texts, 100));
      for (const { label, segments } of texts) {
        const text = folded(parts.find((part) => part.label === label)?.text ?? "");
        let from = 0;
        for (const segment of segments.filter(({ text }) => text.length < 100)) {
          const at = text.indexOf(folded(segment.text), from);
          assert.isAtLeast(at, from);
          from = at;
        }
      }
    },
    SEEDED
  );

  it.prop(
    "can be quoted: text between marks is found in the segments",
    { texts: Texts, from: intBetween(0, 200), length: intBetween(1, 12) },
    ({ texts, from, length }) => {
      for (const { label, text } of renderTexts(textItems(texts, 1_000_000))) {
        const original = texts.find((each) => each.label === label) ?? assert.fail();
        const lines = text.split("\n").map((line) => line.replace(/^(?:\[[\d:]+\]|\[#\d+\] unknown:) /u, ""));
        const words = (lines[from % lines.length] ?? "").split(" ").filter((word) => word !== "");
        const quote = words
          .slice(from % Math.max(1, words.length))
          .slice(0, length)
          .join(" ");
        if (quote === "" || quote.length > QUOTE_CHARS_MAX) continue;
        assert.strictEqual(findQuotes([original], [quote])[0]?.source, original.source, quote);
      }
    },
    { arbitrary: { ...SEEDED.arbitrary, runs: 1_000 } }
  );
});
