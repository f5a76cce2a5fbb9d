import { assert, describe, it } from "@effect/vitest";
import { artifactTexts } from "../../../src/domain/result/ArtifactTexts.ts";
import type { TextSection } from "../../../src/domain/text/InputText.ts";
import { findQuotes } from "@winnow/testing/samples/evidence";

const textsOf = (text: string, sections: ReadonlyArray<TextSection> = []) =>
  artifactTexts({ kind: "webpage" }, new Map([["transcript.txt", text]]), sections).texts;

const SECTIONS = [
  { page: 1, heading: "Bread", text: "Bread\nOne loaf.", markdown: ["# Bread", "One loaf."] },
  { page: 2, heading: "Bread", text: "", markdown: [] },
  { page: 3, text: "Three loaves", markdown: ["Three loaves"] },
  { page: 4, heading: "Soup", text: "and a crumb.", markdown: ["and a crumb."] }
];

describe("a quote of a document with pages", () => {
  it("has the page and the heading where it begins", () => {
    const texts = textsOf("Whatever the file has.\n", SECTIONS);
    assert.deepStrictEqual(findQuotes(texts, ["One loaf", "three loaves and a crumb", "a crumb", "two"]), [
      { source: "page", quote: "One loaf", page: 1, heading: "Bread" },
      { source: "page", quote: "Three loaves\nand a crumb", page: 3 },
      { source: "page", quote: "a crumb", page: 4, heading: "Soup" },
      null
    ]);
  });

  it("has neither if the downloader handed over files alone, whatever marks they have", () => {
    const texts = textsOf("<!-- page 1 -->\nOne loaf.\n\f# Bread\n\fTwo\n");
    assert.deepStrictEqual(findQuotes(texts, ["One loaf", "Two"]), [
      { source: "page", quote: "One loaf" },
      { source: "page", quote: "Two" }
    ]);
  });
});

describe("a quote of a scanned page", () => {
  it("says that a program read it, and on which page it is, beside those of the document's own text", () => {
    const { markdown, texts } = artifactTexts({ kind: "webpage" }, new Map([["page.md", "…"]]), [
      { page: 1, text: "Typed words", markdown: ["Typed words"] },
      {
        page: 2,
        readBy: "ocr",
        text: "Soda bread\nat 180 degrees",
        markdown: ["Soda bread", "at 180 degrees"]
      }
    ]);
    assert.deepStrictEqual(findQuotes(texts, ["Soda bread at 180", "typed words"]), [
      { source: "ocr", quote: "Soda bread\nat 180", page: 2 },
      { source: "page", quote: "Typed words", page: 1 }
    ]);
    assert.strictEqual(texts.length, 1, "the model reads all pages in their order");
    assert.isNull(markdown);
  });
});

describe("a quote of the words on slides", () => {
  const files = new Map([["slides.txt", "[2] Soda bread\n[3] 180 degrees\n\n[4] 45 minutes\n"]]);
  const textsWith = (sections: ReadonlyArray<TextSection>) =>
    artifactTexts({ kind: "photos" }, files, sections).texts;

  it("has the number of its slide, and may span lines of it, but not two slides", () => {
    const texts = textsWith([
      { slide: 2, text: "Soda bread\n[3] 180 degrees", markdown: [] },
      { slide: 4, text: "45 minutes", markdown: [] }
    ]);
    const sought = ["soda bread [3] 180", "45 minutes", "180 degrees 45 minutes"];
    assert.deepStrictEqual(findQuotes(texts, sought), [
      { source: "slides", quote: "Soda bread\n[3] 180", slide: 2 },
      { source: "slides", quote: "45 minutes", slide: 4 },
      null
    ]);
  });

  it("has no number if the downloader handed over the file alone", () => {
    assert.deepStrictEqual(findQuotes(textsWith([]), ["45 minutes"]), [
      { source: "slides", quote: "45 minutes" }
    ]);
  });
});

describe("the Markdown of a page", () => {
  const TEXT = "Bread\nFlour 500 g\n";
  const markdownOf = (
    markdown: string,
    { text = TEXT, kind = "webpage" as "webpage" | "video", sections = [] as ReadonlyArray<TextSection> } = {}
  ) =>
    artifactTexts(
      { kind },
      new Map([
        ["transcript.txt", text],
        ["page.md", markdown]
      ]),
      sections
    ).markdown;
  const blocksOf = (...given: Parameters<typeof markdownOf>) =>
    markdownOf(...given)?.segments.map((segment) => segment.text) ?? null;

  it("is the blocks of the sections, with their places", () => {
    const markdown = markdownOf("# Bread\n", { text: "Bread ".repeat(20), sections: SECTIONS });
    assert.deepStrictEqual(
      markdown?.segments.map(({ heading, page, text }) => [page, heading, text]),
      [
        [1, "Bread", "# Bread"],
        [1, "Bread", "One loaf."],
        [3, undefined, "Three loaves"],
        [4, "Soup", "and a crumb."]
      ]
    );
  });

  it("is one piece if the downloader handed over files alone, whatever is in it", () => {
    const markdown = "# Bread\n\n```\na\n\n\n<!-- page 9 -->\n\n\n\nc\n```\n\n| Flour | 500 g |";
    assert.deepStrictEqual(blocksOf(`${markdown}\n`, { text: "many words ".repeat(20) }), [markdown]);
  });

  it("is read if it is shorter than twice the text", () => {
    const text = "a".repeat(100);
    assert.isNotNull(blocksOf("b".repeat(199), { text }));
    assert.isNull(blocksOf("b".repeat(200), { text }));
    assert.isNull(blocksOf("", { text }));
  });

  it("is not read if it was truncated and the text was not", () => {
    assert.isNull(blocksOf("b".repeat(1_000_000), { text: "a".repeat(900_000) }));
  });

  it("is read for webpages only", () => {
    assert.isNull(markdownOf("# Bread", { kind: "video" }));
  });
});
