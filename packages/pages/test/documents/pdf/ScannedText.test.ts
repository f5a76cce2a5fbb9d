import { assert, describe, it } from "@effect/vitest";
import { type ScannedWord, withScannedText } from "../../../src/documents/pdf/ScannedText.ts";
import type { PageText } from "../../../src/facts/PageReading.ts";
import { writeContent } from "../../../src/write/writeContent.ts";

/** A document whose pages have these texts. */
const documentOf = (...texts: ReadonlyArray<string>): PageText => ({
  ...writeContent({
    pages: texts.map((text) => ({
      blocks: text === "" ? [] : [{ type: "paragraph", children: [{ type: "text", text }] }],
      links: []
    })),
    isPaged: true
  }),
  links: [],
  confidence: 1,
  wholePage: null,
  pageCount: texts.length,
  scannedPages: []
});

/** Words of pixels that are as large as points, on a line that begins at a place. */
const lineOf = (
  left: number,
  top: number,
  text: string,
  { fall = 0, height = 8 } = {}
): ReadonlyArray<ScannedWord> => {
  let x = left;
  return text.split(" ").map((word) => {
    const width = word.length * 0.7 * height;
    const at = {
      text: word,
      line: `${left} ${top}`,
      left: x,
      top: top + Math.round(fall * (x - left)),
      width
    };
    x += width + 0.5 * height;
    return { ...at, height: /[gpqy,]/u.test(word) ? 1.25 * height : height };
  });
};

const readFrom = (...lines: ReadonlyArray<ReadonlyArray<ScannedWord>>): string =>
  withScannedText(documentOf(""), [{ page: 1, words: lines.flat() }]).markdown.replace(/^.*\n\n/u, "");

describe("words that were read from the pictures of scanned pages", () => {
  it("are the text of their page, between those of the others", () => {
    const { markdown, plain, sections } = withScannedText(documentOf("Typed.", "", "ARC-7", ""), [
      { page: 3, words: lineOf(10, 10, "Stamped") },
      { page: 2, words: [...lineOf(10, 10, "Read from *2*"), ...lineOf(10, 60, "and more")] },
      { page: 4, words: [] }
    ]);
    assert.strictEqual(plain, "Typed.\n\fRead from *2*\nand more\n\fARC-7\nStamped\n\f");
    assert.strictEqual(
      markdown,
      "<!-- page 1 -->\n\nTyped.\n\n<!-- page 2 -->\n\nRead from \\*2\\*\n\nand more\n\n<!-- page 3 -->\n\nARC-7\n\nStamped\n\n<!-- page 4 -->"
    );
    assert.deepStrictEqual(
      sections.map(({ page, readBy, text }) => [page, readBy, text]),
      [
        [1, undefined, "Typed."],
        [2, "ocr", "Read from *2*\nand more"],
        [3, undefined, "ARC-7"],
        [3, "ocr", "Stamped"],
        [4, undefined, ""]
      ]
    );
  });

  it("are paragraphs, in which words are whole where a line divides them", () => {
    const markdown = readFrom(
      lineOf(10, 10, "The lines of a paragraph are joined, for exam-"),
      lineOf(10, 22, "ple here"),
      lineOf(10, 50, "Another one")
    );
    assert.strictEqual(markdown, "The lines of a paragraph are joined, for example here\n\nAnother one");
  });

  it("are in the order of their lines, whichever side of the page is up", () => {
    const lines = [lineOf(10, 10, "Bake the bread for"), lineOf(10, 22, "an hour at least")];
    const inOrder = "Bake the bread for an hour at least";
    const turned = (turn: (word: ScannedWord) => Partial<ScannedWord>): string =>
      readFrom(...lines.map((words) => words.map((word) => ({ ...word, ...turn(word) }))));
    const onSide = ({ height, width }: ScannedWord) => ({ width: height, height: width });
    assert.strictEqual(readFrom(...lines), inOrder);
    assert.strictEqual(
      turned((word) => ({ ...onSide(word), left: 400 - word.top - word.height, top: word.left })),
      inOrder
    );
    assert.strictEqual(
      turned((word) => ({ ...onSide(word), left: word.top, top: 400 - word.left - word.width })),
      inOrder
    );
    assert.strictEqual(
      turned((word) => ({ left: 400 - word.left - word.width, top: 400 - word.top - word.height })),
      inOrder
    );
  });

  it("are rows of a table, though the program that read them saw columns, on a page that is askew", () => {
    const columns = [
      ["Item", "Rye flour", "Sea salt", "Paper, large"],
      ["Price", "1.20", "0.90", "24.50"]
    ];
    const cells = columns.flatMap((column, at) =>
      column.map((text, row) => lineOf(10 + 300 * at, 10 + 14 * row + Math.round(6 * at), text))
    );
    const long = lineOf(10, 100, "All prices of this page are in euros for a unit that is named above", {
      fall: 0.02
    });
    assert.include(
      readFrom(...cells, long),
      "| Item | Price |\n| --- | --- |\n| Rye flour | 1.20 |\n| Sea salt | 0.90 |\n| Paper, large | 24.50 |"
    );
  });

  it("are apart though their boxes touch, but not where a script has no spaces", () => {
    const touching = (...texts: ReadonlyArray<string>): ReadonlyArray<ScannedWord> =>
      texts.map((text, at) => ({ text, line: "1", left: 10 + 20 * at, top: 10, width: 20, height: 8 }));
    assert.strictEqual(readFrom(touching("salt", "and", "rye")), "salt and rye");
    assert.strictEqual(readFrom(touching("世", "界")), "世界");
  });

  it("are columns one after the other", () => {
    const column = (left: number, name: string) =>
      Array.from({ length: 6 }, (_, row) => lineOf(left, 10 + 12 * row, `${name} column has a line ${row}`));
    const markdown = readFrom(
      ...column(10, "Left").flatMap((line, row) => [line, column(300, "Right")[row] ?? line])
    );
    assert.match(markdown, /Left column has a line 5.*Right column has a line 0/su);
  });

  it("lose the numbers at the edges of their pages, in whatever order they were read", () => {
    const scans = [4, 2, 3, 1].map((page) => ({
      page,
      words: [
        ...lineOf(10, 10, `Of ${["", "rye", "salt", "water", "ovens"][page]}`),
        ...lineOf(10, 100, `${page + 6}`)
      ]
    }));
    assert.notMatch(withScannedText(documentOf("", "", "", ""), scans).plain, /^\d+$/mu);
  });

  it("are a heading where a line is much larger than most", () => {
    const title = lineOf(10, 10, "A large title", { height: 16 });
    const lines = [40, 52, 64].map((top) => lineOf(10, top, "The lines of a paragraph are joined, all the"));
    assert.match(readFrom(title, ...lines), /^# A large title\n\nThe lines/u);
  });
});
