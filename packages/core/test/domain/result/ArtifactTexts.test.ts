import { assert, describe, it } from "@effect/vitest";
import { artifactTexts, slidesText } from "../../../src/domain/result/ArtifactTexts.ts";
import { PAGE_END } from "../../../src/domain/text/CleanText.ts";
import { findQuotes } from "@winnow/testing/samples/evidence";

const textsOf = (text: string) =>
  artifactTexts({ kind: "webpage" }, new Map([["transcript.txt", text]])).texts;

describe("a quote of a document with pages", () => {
  it("has the page on which it begins", () => {
    const texts = textsOf(
      `One loaf.\n${PAGE_END}\n${PAGE_END}Three loaves\n${PAGE_END}and a crumb.\n${PAGE_END}\n`
    );
    assert.deepStrictEqual(findQuotes(texts, ["One loaf", "three loaves and a crumb", "two"]), [
      { source: "page", quote: "One loaf", page: 1 },
      { source: "page", quote: "Three loaves\nand a crumb", page: 3 },
      null
    ]);
  });

  it("has no page in a text without pages", () => {
    assert.deepStrictEqual(findQuotes(textsOf("One loaf.\n"), ["One loaf"]), [
      { source: "page", quote: "One loaf" }
    ]);
  });
});

describe("a quote of the words on slides", () => {
  const texts = artifactTexts(
    { kind: "photos" },
    new Map([
      [
        "slides.txt",
        `${slidesText([
          { number: 2, text: "Soda bread\n[3] 180 degrees" },
          { number: 4, text: "45 minutes" }
        ])}\n`
      ]
    ])
  ).texts;

  it("has the number of its slide, and may span lines of it, but not two slides", () => {
    const sought = ["soda bread [3] 180", "45 minutes", "180 degrees 45 minutes"];
    assert.deepStrictEqual(findQuotes(texts, sought), [
      { source: "slides", quote: "Soda bread\n[3] 180", slide: 2 },
      { source: "slides", quote: "45 minutes", slide: 4 },
      null
    ]);
  });

  it("is not in blocks without a number", () => {
    const files = new Map([["slides.txt", "No number\n\n[x] none\n\n[1]\n"]]);
    assert.deepStrictEqual(artifactTexts({ kind: "photos" }, files).texts, []);
  });
});

describe("the Markdown of a page", () => {
  const TEXT = "Bread\nFlour 500 g\n";
  const markdownOf = (markdown: string, { text = TEXT, kind = "webpage" as "webpage" | "video" } = {}) =>
    artifactTexts(
      { kind },
      new Map([
        ["transcript.txt", text],
        ["page.md", markdown]
      ])
    ).markdown;
  const blocksOf = (markdown: string, text?: string) =>
    markdownOf(markdown, text === undefined ? {} : { text })?.segments.map((segment) => segment.text) ?? null;

  it("is split into blocks that join to the same text", () => {
    const text = "many words ".repeat(20);
    const markdown = "# Bread\n\n```\na\n\n\nb\n\n\n\nc\n```\n\n| Flour | 500 g |";
    const blocks = blocksOf(`${markdown}\n`, text);
    assert.strictEqual(blocks?.join("\n\n"), markdown);
    assert.strictEqual(blocks?.[0], "# Bread");
  });

  it("is read if it is shorter than twice the text", () => {
    const words = "a".repeat(100);
    assert.isNotNull(blocksOf("b".repeat(199), words));
    assert.isNull(blocksOf("b".repeat(200), words));
    assert.isNull(blocksOf("", words));
  });

  it("is not read if it was truncated and the text was not", () => {
    assert.isNull(blocksOf("b".repeat(1_000_000), "a".repeat(900_000)));
  });

  it("is read for webpages only", () => {
    assert.isNull(markdownOf("# Bread", { kind: "video" }));
  });

  it("keeps the page markers of a document, which the model sees", () => {
    const markdown = markdownOf("<!-- page 1 -->\n\nBread\n\n<!-- page 2 -->\n\nFlour 500 g", {
      text: `${"Bread ".repeat(20)}\n${PAGE_END}Flour 500 g\n${PAGE_END}`
    });
    assert.deepStrictEqual(
      markdown?.segments.map(({ page, text }) => [page, text]),
      [
        [1, "<!-- page 1 -->"],
        [1, "Bread"],
        [2, "<!-- page 2 -->"],
        [2, "Flour 500 g"]
      ]
    );
  });

  it("has no pages where only the words of its code look like a mark of one", () => {
    const code = "# Bread\n\n```html\n<p>\n\n<!-- page 9 -->\n\n</p>\n```";
    const segments = markdownOf(code, { text: "Bread ".repeat(20) })?.segments ?? [];
    assert.isAbove(segments.length, 1);
    for (const { page } of segments) assert.isUndefined(page);
  });
});
