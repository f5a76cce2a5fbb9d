/**
 * Files that LibreOffice 7.4 wrote from pages of our own (folder `libreoffice`), compared with the text and
 * structure of those pages.
 */
import { readFileSync } from "node:fs";
import { assert, describe, it } from "@effect/vitest";
import type { PageReading } from "../../src/facts/PageReading.ts";
import { readBytes } from "../../src/ReadBytes.ts";
import { PAGE_URL } from "../pages.ts";

const readingOf = async (name: string): Promise<PageReading> => {
  const bytes = readFileSync(new URL(`libreoffice/${name}`, import.meta.url));
  const outcome = await readBytes(bytes, { url: PAGE_URL, contentType: null });
  return "reading" in outcome ? outcome.reading : assert.fail(outcome.refused);
};

const readText = async (...given: Parameters<typeof readingOf>) => (await readingOf(...given)).text;

const OPENING =
  "The bakery on the corner of the market opens at six in the morning, six days a week, and sells what its two ovens can bake until noon. Nothing is kept for the next day, and nobody has ever seen a loaf go to waste.";
const OWNER = "Its owner learnt the trade from an aunt, who had it from hers. See the mill for the flour.";
const ITEMS = ["Rye bread", "with caraway", "without", "Rolls"];
const STEPS = ["Weigh the flour", "Knead the dough", "Bake it"];
const ROWS = ["Loaf Weight Price", "Rye 1000 g 4.20", "Spelt 750 g 4.80", "Roll 60 g 0.60"];
const END = "Prices hold until the end of the year.";

/** The text of the report, block by block. */
const REPORT = [
  "The village bakery",
  OPENING,
  OWNER,
  "What it sells",
  ...ITEMS,
  "How a loaf is made",
  ...STEPS,
  "Prices",
  ...ROWS,
  END
];

const TABLE_ROWS = "| Rye | 1000 g | 4.20 |\n| Spelt | 750 g | 4.80 |\n| Roll | 60 g | 0.60 |";

const wordsOf = (text: string): string =>
  text
    .replaceAll(/[•\f]|^\d\. /gmu, " ")
    .replaceAll(/\s+/gu, " ")
    .trim();

describe("a report that LibreOffice wrote", () => {
  for (const name of ["report.docx", "report.epub", "report.pdf"])
    it(`contains all words in order, its title and its author (${name})`, async () => {
      const {
        text: { plain: text },
        metadata: { title, uploader }
      } = await readingOf(name);
      assert.strictEqual(wordsOf(text), wordsOf(REPORT.join("\n")));
      assert.deepStrictEqual([title, uploader], ["The village bakery", "Mira Tal"]);
    });

  for (const name of ["report.docx", "report.pdf"])
    it(`has its blocks line by line, its headings and its table (${name})`, async () => {
      const { markdown, plain: text } = await readText(name);
      assert.deepStrictEqual(text.split("\n").map(wordsOf), REPORT);
      assert.deepStrictEqual(
        markdown.split("\n").filter((line) => line.startsWith("#")),
        ["# The village bakery", "## What it sells", "## How a loaf is made", "## Prices"]
      );
      assert.include(markdown, TABLE_ROWS);
      assert.include(markdown, "1. Weigh the flour\n2. Knead the dough\n3. Bake it");
      assert.include(markdown, "- Rye bread\n");
    });

  it("has the links, the emphasis and the lists in each other of a text document", async () => {
    const { links, markdown } = await readText("report.docx");
    assert.deepStrictEqual(links, [{ url: "https://mill.test/flour", text: "the mill" }]);
    assert.include(markdown, "**Nothing is kept** for the next day, and *nobody* has");
    assert.include(markdown, "- Rye bread\n  - with caraway\n  - without\n- Rolls");
  });
});

describe("slides that LibreOffice wrote", () => {
  it("are pages with their lists and tables", async () => {
    const { markdown, plain: text } = await readText("slides.pptx");
    assert.strictEqual(
      text,
      "Bread in the valley\nOne oven\nof stone\nTwo bakers\n\fPrices\nLoaf Price\nRye 4.20"
    );
    assert.include(markdown, "- One oven\n  - of stone\n- Two bakers");
    assert.include(markdown, "| Loaf | Price |\n| Rye | 4.20 |");
  });
});

/** The text of each column of the book; in each chapter, it begins with another paragraph. */
const PARAGRAPHS = [
  "A bakery lives by its oven. It is lit before anybody in the village is awake, and it is still warm when the last customers have gone home with their bread under their arms.",
  "The flour comes from a mill that stands a few kilometres up the river. Its stones were cut by hand, and the miller turns them only when the water is high enough, so that in a dry summer there is sometimes no rye at all.",
  "Whoever wants to learn the trade begins with the sweeping. After a month comes the weighing, after another the kneading, and nobody touches the oven before the first winter is over.",
  "What is left at noon is given to the school across the street, where the children have learnt that a loaf of yesterday makes the better toast.",
  "Customers ask for recipes, and they get them. The recipe is the same as everywhere: flour, water, salt and time. It is the time that most people leave out.",
  "In the evening the dough for the next day is set. It rests in wooden bowls under a cloth, rises while the village sleeps, and has doubled by the morning."
];

const chapter = (number: string, first: number): ReadonlyArray<string> => [
  `Chapter ${number}`,
  ...PARAGRAPHS.slice(first),
  ...PARAGRAPHS.slice(0, first),
  ...PARAGRAPHS
];

describe("a book in two columns that LibreOffice wrote", () => {
  it("is read chapter by chapter and column by column, without the titles and numbers of its pages", async () => {
    const { markdown, pageCount, plain: text } = await readText("columns.pdf");
    const all = [...chapter("one", 0), ...chapter("two", 1), ...chapter("three", 2)];
    assert.strictEqual(pageCount, 3);
    assert.strictEqual(wordsOf(text), wordsOf(all.join("\n")));
    assert.sameMembers(
      text.split(/\n\f?/u).filter((line) => line.startsWith("Chapter")),
      ["Chapter one", "Chapter two", "Chapter three"]
    );
    const paragraphs = new Set(markdown.split("\n\n"));
    assert.isTrue(PARAGRAPHS.every((each) => paragraphs.has(each)));
    assert.include(markdown, "# Chapter three");
  });
});
