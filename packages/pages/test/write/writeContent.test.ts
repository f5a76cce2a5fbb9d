import { assert, describe, it } from "@effect/vitest";
import { artifactTexts } from "@winnow/core/domain/result/ArtifactTexts";
import { HEADING_CHARS_MAX } from "@winnow/core/domain/text/CleanText";
import { findQuotes } from "@winnow/testing/samples/evidence";
import { type ContentBlock, plainContent } from "../../src/write/Content.ts";
import { writeContent } from "../../src/write/writeContent.ts";
import { archive, WORD_FILES } from "../documents/archives.ts";
import { page, paragraphs, readText } from "../pages.ts";
import { pagedPdf, type PlacedText } from "../pdfs.ts";

const writtenOf = (blocks: ReadonlyArray<ContentBlock>) =>
  writeContent({ pages: [{ blocks, links: [] }], isPaged: false });

const paragraph = (text: string): ContentBlock => ({ type: "paragraph", children: [{ type: "text", text }] });
const heading = (text: string, level = 2): ContentBlock => ({
  type: "heading",
  level,
  children: [{ type: "text", text }]
});

describe("the pages of a document", () => {
  const pages = ["One", "", "Three"].map(plainContent);

  it("keep their numbers, with and without text", () => {
    const { markdown, plain, sections } = writeContent({ pages, isPaged: true });
    assert.strictEqual(plain, "One\n\f\n\fThree");
    assert.strictEqual(markdown, "<!-- page 1 -->\n\nOne\n\n<!-- page 2 -->\n\n<!-- page 3 -->\n\nThree");
    assert.deepStrictEqual(sections, [
      { page: 1, text: "One", markdown: ["One"] },
      { page: 2, text: "", markdown: [] },
      { page: 3, text: "Three", markdown: ["Three"] }
    ]);
  });

  it("are no pages if nobody can cite them", () => {
    const { markdown, plain } = writeContent({ pages, isPaged: false });
    assert.deepStrictEqual([plain, markdown], ["One\nThree", "One\n\nThree"]);
  });

  it("without any text are empty", () => {
    const { markdown, plain } = writeContent({ pages: ["", " "].map(plainContent), isPaged: true });
    assert.deepStrictEqual([plain, markdown], ["", ""]);
  });
});

describe("the sections of a text", () => {
  it("begin at each heading, at each page, and before the first heading", () => {
    const pages = [
      [paragraph("Before"), heading("Bread", 1), paragraph("Flour")],
      [paragraph("Salt"), heading("Soup")]
    ].map((blocks) => ({ blocks, links: [] }));
    assert.deepStrictEqual(writeContent({ pages, isPaged: true }).sections, [
      { page: 1, text: "Before", markdown: ["Before"] },
      { page: 1, heading: "Bread", text: "Bread\nFlour", markdown: ["# Bread", "Flour"] },
      { page: 2, heading: "Bread", text: "Salt", markdown: ["Salt"] },
      { page: 2, heading: "Soup", text: "Soup", markdown: ["## Soup"] }
    ]);
  });

  it("keep the heading above if their own has no words, and have at most so much of a long one", () => {
    const { sections } = writtenOf([
      heading("Bread"),
      heading(" "),
      paragraph("Flour"),
      heading("é".repeat(999))
    ]);
    assert.deepStrictEqual(
      sections.map((section) => section.heading),
      ["Bread", "Bread", "é".repeat(HEADING_CHARS_MAX)]
    );
  });

  it("begin at the headings in lists and quotes too, whose Markdown stays whole under the heading above them", () => {
    const list: ContentBlock = {
      type: "list",
      start: 1,
      items: [
        [heading("Soup", 3), paragraph("Leek")],
        [paragraph("Side"), { type: "quote", blocks: [heading("Bread", 3), paragraph("Rye")] }]
      ]
    };
    const markdown = "1. ### Soup\n\n   Leek\n\n2. Side\n\n   > ### Bread\n   >\n   > Rye";
    const written = writtenOf([list, heading("Menu"), list]);
    assert.deepStrictEqual(written.sections, [
      { text: "", markdown: [markdown] },
      { heading: "Soup", text: "1. Soup\nLeek\n2. Side", markdown: [] },
      { heading: "Bread", text: "Bread\nRye", markdown: [] },
      { heading: "Menu", text: "Menu", markdown: ["## Menu", markdown] },
      { heading: "Soup", text: "1. Soup\nLeek\n2. Side", markdown: [] },
      { heading: "Bread", text: "Bread\nRye", markdown: [] }
    ]);
    const plain = "1. Soup\nLeek\n2. Side\nBread\nRye";
    assert.strictEqual(written.plain, `${plain}\nMenu\n${plain}`);
    assert.strictEqual(written.markdown, `${markdown}\n\n## Menu\n\n${markdown}`);
  });

  it("have each block of Markdown whole, whatever empty lines are within", () => {
    const code: ContentBlock = { type: "code", language: "html", text: "<p>\n\n<!-- page 9 -->\n\n</p>" };
    const { markdown, sections } = writtenOf([code, paragraph("Bread")]);
    assert.deepStrictEqual(sections[0]?.markdown, ["```html\n<p>\n\n<!-- page 9 -->\n\n</p>\n```", "Bread"]);
    assert.strictEqual(markdown, sections[0]?.markdown.join("\n\n"));
  });
});

describe("a list that is typed", () => {
  it("keeps its numbers in the text as they are typed", async () => {
    const { plain } = await readText(
      page({ body: `${paragraphs(3)}<p>1) Mix the flour.</p><p>2) Wait until the evening.</p>` })
    );
    assert.include(plain, "1) Mix the flour.\n2) Wait until the evening.");
  });
});

const evidenceIn = async (read: ReturnType<typeof readText>, ...quotes: ReadonlyArray<string>) => {
  const { markdown, plain, sections } = await read;
  const files = new Map([
    ["transcript.txt", `${plain}\n`],
    ["page.md", `${markdown}\n`]
  ]);
  const found = artifactTexts({ kind: "webpage" }, files, sections);
  return findQuotes([...found.texts, ...(found.markdown === null ? [] : [found.markdown])], quotes);
};

describe("a quote of what was read", () => {
  it("has the page of a PDF and its heading, which may be on the page before", async () => {
    const line = (text: string, y: number, points = 10): PlacedText => ({ text, x: 72, y, points });
    const words = (from: number) =>
      Array.from({ length: 5 }, (_, row) =>
        line(`A line of plain words in the text, number ${from + row}.`, 660 - 12 * row)
      );
    const bytes = pagedPdf([
      [line("Of bread", 700, 20), ...words(1)],
      [...words(6), line("Of soup", 560, 20), line("It boils for twenty minutes and then it rests.", 530)]
    ]);
    assert.deepStrictEqual(
      await evidenceIn(readText(bytes, "application/pdf"), "number 2", "number 7", "twenty minutes"),
      [
        { source: "page", quote: "number 2", page: 1, heading: "Of bread" },
        { source: "page", quote: "number 7", page: 2, heading: "Of bread" },
        { source: "page", quote: "twenty minutes", page: 2, heading: "Of soup" }
      ]
    );
  });

  it("has the heading of a text document, and no page", async () => {
    const type = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
    assert.deepStrictEqual(
      await evidenceIn(readText(archive(WORD_FILES), type), "Salt 10 g", "https://mill.test/flour"),
      [
        { source: "page", quote: "Salt 10 g", heading: "Bread" },
        { source: "page", quote: "https://mill.test/flour", heading: "Bread" }
      ]
    );
  });

  it("may be of a title that its Markdown does not begin with, because it is beside it", async () => {
    const body = (text: string) => `<main><article><h1>On<br>bread</h1>${text}</article></main>`;
    const titled = (title: string, text = `${paragraphs(3)}<h2>On bread</h2>${paragraphs(1)}`) =>
      readText(page({ head: `<title>${title}</title>`, body: body(text) }));
    const { markdown, plain } = await titled("On Bread");
    assert.match(plain, /^On\nbread\nPart 1\./u);
    assert.match(markdown, /^Part 1\.[^]*\n\n## On bread\n\nPart 1\./u);
    assert.deepStrictEqual(await evidenceIn(titled("On Bread"), "On bread", "Part 2"), [
      { source: "page", quote: "On bread", heading: "On bread" },
      { source: "page", quote: "Part 2", heading: "On bread" }
    ]);
    assert.match((await titled("On soup")).markdown, /^# On bread\n/u);
    assert.strictEqual((await titled("On bread", "")).markdown, "# On bread");
  });

  it("has the heading of an article's section, and none before the first", async () => {
    const body = `<main><article>${paragraphs(3)}<h2>The <em>second</em> loaf</h2><p>It is baked for forty minutes, says the baker of the town, and everybody agrees.</p>${paragraphs(2).replaceAll("Part", "Piece")}<h3>Salt</h3><p>Ten grams of salt are enough for a loaf of this size, and no more.</p></article></main>`;
    assert.deepStrictEqual(
      await evidenceIn(readText(page({ body })), "Part 2", "forty minutes", "Piece 1", "Ten grams"),
      [
        { source: "page", quote: "Part 2" },
        { source: "page", quote: "forty minutes", heading: "The second loaf" },
        { source: "page", quote: "Piece 1", heading: "The second loaf" },
        { source: "page", quote: "Ten grams", heading: "Salt" }
      ]
    );
  });

  it("has the heading of its card in a list of cards, and a link's target the one above the list", async () => {
    const card = (dish: string, what: string) =>
      `<li><h3>${dish}</h3><p>It is made of ${what}, and the whole town has eaten it for as long as anybody remembers. <a href="/${what}">More</a></p></li>`;
    const body = `<main><article>${paragraphs(3)}<h2>Menu</h2><ul>${card("Soup", "leek")}${card("Bread", "spelt")}</ul><blockquote><h3>A guest</h3><p>I have never had a better loaf of bread than theirs, and I have had many.</p></blockquote></article></main>`;
    assert.deepStrictEqual(
      await evidenceIn(
        readText(page({ body })),
        "made of leek",
        "made of spelt",
        "a better loaf",
        "https://site.test/spelt"
      ),
      [
        { source: "page", quote: "made of leek", heading: "Soup" },
        { source: "page", quote: "made of spelt", heading: "Bread" },
        { source: "page", quote: "a better loaf", heading: "A guest" },
        { source: "page", quote: "https://site.test/spelt", heading: "Menu" }
      ]
    );
  });

  it("has no page where the words of a page only look like its marks", async () => {
    const body = `<main><article><p>&lt;!-- page 1 --&gt;</p><h2>Marks</h2>${paragraphs(3)}<pre>[2] a slide\n\n\n&lt;!-- page 2 --&gt;\n\n# no heading</pre><p>&lt;!-- page 3 --&gt; The oven takes an hour to get hot enough for all of the loaves.</p></article></main>`;
    assert.deepStrictEqual(await evidenceIn(readText(page({ body })), "Part 2", "a slide", "an hour"), [
      { source: "page", quote: "Part 2", heading: "Marks" },
      { source: "page", quote: "a slide", heading: "Marks" },
      { source: "page", quote: "an hour", heading: "Marks" }
    ]);
  });
});
