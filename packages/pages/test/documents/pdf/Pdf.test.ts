import { assert, describe, it } from "@effect/vitest";
import { readBytes, type ReadOutcome } from "../../../src/ReadBytes.ts";
import { PAGE_URL } from "../../pages.ts";
import type { PageReading } from "../../../src/facts/PageReading.ts";
import { pagedPdf, pdf, type PlacedText } from "../../pdfs.ts";

const read = (bytes: Uint8Array, contentType: string | null = "application/pdf"): Promise<ReadOutcome> =>
  readBytes(bytes, { url: PAGE_URL, contentType });

const LINES = ["The bakery on the corner opens at six.", "Its owner learnt the trade from an aunt."];

const column = (x: number, name: string): ReadonlyArray<PlacedText> =>
  Array.from({ length: 6 }, (_, row) => ({
    text: `${name} column, a line of text, number ${row}`,
    x,
    y: 700 - 12 * row
  }));

const readingOf = async (bytes: Uint8Array): Promise<PageReading> => {
  const outcome = await read(bytes);
  return "reading" in outcome ? outcome.reading : assert.fail(outcome.refused);
};

const readText = async (...given: Parameters<typeof readingOf>) => (await readingOf(...given)).text;

describe("the pages of a PDF", () => {
  it("end with a form feed in the text and begin with their number in Markdown", async () => {
    const {
      markdown,
      pageCount,
      plain: text
    } = await readText(pagedPdf([[{ text: "One", x: 72, y: 700 }], [], [{ text: "Three", x: 72, y: 700 }]]));
    assert.strictEqual(pageCount, 3);
    assert.strictEqual(text, "One\n\f\n\fThree");
    assert.strictEqual(markdown, "<!-- page 1 -->\n\nOne\n\n<!-- page 2 -->\n\n<!-- page 3 -->\n\nThree");
  });

  it("are read column by column, with spanning elements in place, in any drawing order", async () => {
    const title = {
      text: "A long title that goes across both of the columns of this page, to the right edge",
      x: 72,
      y: 740
    };
    const [left, right] = [column(72, "Left"), column(330, "Right")];
    const rowByRow = left.flatMap((line, row) => [line, right[row] ?? line]);
    const { plain: text } = await readText(pagedPdf([[...rowByRow, title]]));
    const inOrder = [title, ...left, ...right].map((each) => each.text).join(" ");
    assert.strictEqual(text.replaceAll("\n", " "), inOrder);
    assert.strictEqual(text.split("\n")[0], title.text);
  });

  it("keep the rows of a table together", async () => {
    const cells = Array.from({ length: 6 }, (_, row) => [
      { text: `Item ${row}`, x: 72, y: 700 - 12 * row },
      { text: `${row}.00`, x: 330, y: 700 - 12 * row }
    ]);
    const { plain: text } = await readText(pagedPdf([cells.flat()]));
    assert.strictEqual(text.split("\n")[2], "Item 2 2.00");
  });

  it("lose the titles and numbers that they repeat at their edges, and no other line", async () => {
    const pages = [1, 2, 3, 4].map((number) => [
      { text: "Annual Report 2025", x: 72, y: 770 },
      { text: `Words of page ${["zero", "one", "two", "three", "four"][number]}`, x: 72, y: 700 },
      { text: "The same words stand here too", x: 72, y: 650 },
      { text: "and so do these, in the middle", x: 72, y: 640 },
      { text: "in which nothing runs", x: 72, y: 630 },
      { text: `last ${"x".repeat(number)}`, x: 72, y: 620 },
      { text: `Page ${number} of 4`, x: 300, y: 30 }
    ]);
    const { plain: text } = await readText(pagedPdf(pages));
    assert.notInclude(text, "Annual Report");
    assert.notInclude(text, "of 4");
    assert.include(text, "Words of page three\nThe same words stand here too");
  });

  it("lose changing chapter titles at the top, recognized by increasing page numbers", async () => {
    const names = ["Flour", "Salt", "Water", "Ovens"];
    const pages = names.map((name, index) => [
      {
        text: index % 2 === 0 ? `${index + 11} ${name.toUpperCase()}` : `${name.toUpperCase()} ${index + 11}`,
        x: 72,
        y: 770
      },
      { text: `${name} has its own page`, x: 72, y: 700 },
      { text: ["Milled twice", "From the sea", "From the well", "Of stone"][index] ?? "", x: 72, y: 670 }
    ]);
    const { plain: text } = await readText(pagedPdf(pages));
    assert.strictEqual(text.split("\f")[1], "Salt has its own page\nFrom the sea\n");
    assert.notMatch(text, /FLOUR|SALT|WATER|OVENS/);
  });

  it("keep a word divided between them on the first, and keep hyphens that belong to the word", async () => {
    const { plain: text } = await readText(
      pagedPdf([
        [
          { text: "This well-known baker is", x: 72, y: 700 },
          { text: "well-", x: 72, y: 688 },
          { text: "known for a long divi-", x: 72, y: 676 }
        ],
        [{ text: "ded word and more", x: 72, y: 700 }]
      ])
    );
    assert.strictEqual(text, "This well-known baker is well-known for a long divided\n\fword and more");
  });
});

/** Lines of some 60 characters, 12 points apart, from height `y` downwards. */
const paragraph = (name: string, y: number, { lines = 4, x = 72, indent = 0 } = {}) =>
  Array.from({ length: lines }, (_, row): PlacedText => ({
    text:
      row === lines - 1
        ? `${name} ends here.`
        : `${name} has a line ${row} that runs on to the very edge of it`,
    x: row === 0 ? x + indent : x,
    y: y - 12 * row
  }));

const textOf = (lines: ReadonlyArray<PlacedText>): string => lines.map(({ text }) => text).join(" ");

describe("the blocks of a PDF", () => {
  it("are its paragraphs, parted by space, by an indent, and by a line that ends early", async () => {
    const one = paragraph("One", 700);
    const two = paragraph("Two", 640);
    const three = paragraph("Three", 640 - 48);
    const four = paragraph("Four", 640 - 96, { indent: 12 });
    const { markdown, plain: text } = await readText(pagedPdf([[...one, ...two, ...three, ...four]]));
    const blocks = [one, two, three, four].map(textOf);
    assert.deepStrictEqual(text.split("\n"), blocks);
    assert.strictEqual(markdown, `<!-- page 1 -->\n\n${blocks.join("\n\n")}`);
  });

  it("are its headings by the size of their letters, the largest first", async () => {
    const { markdown } = await readText(
      pagedPdf([
        [
          { text: "Bread in the", x: 72, y: 740, points: 24 },
          { text: "valley", x: 72, y: 712, points: 24 },
          ...paragraph("One", 680),
          { text: "Flour", x: 72, y: 610, points: 14 },
          ...paragraph("Two", 590)
        ],
        [{ text: "Ovens", x: 72, y: 740, points: 14 }, ...paragraph("Three", 720)]
      ])
    );
    assert.deepStrictEqual(
      markdown.split("\n").filter((line) => line.startsWith("#")),
      ["# Bread in the valley", "## Flour", "## Ovens"]
    );
  });

  it("include lists, whose items may have several lines", async () => {
    const { markdown } = await readText(
      pagedPdf([
        [
          ...paragraph("One", 700),
          { text: "1. Weigh the flour and the salt on a scale that is true to", x: 72, y: 640 },
          { text: "a gram", x: 84, y: 628 },
          { text: "2. Knead", x: 72, y: 616 }
        ]
      ])
    );
    assert.include(markdown, "1. Weigh the flour and the salt on a scale that is true to a gram\n2. Knead");
  });

  it("include tables with aligned cells, some of them empty", async () => {
    const rows = [
      ["Item", "Weight", "Price"],
      ["Flour", "500 g", "1.20"],
      ["Water", "", "0.01"],
      ["Salt", "10 g", "0.05"]
    ];
    const cells = rows.flatMap((row, index) =>
      row.map((text, column) => ({ text, x: 72 + 140 * column, y: 600 - 14 * index }))
    );
    const { markdown, plain: text } = await readText(
      pagedPdf([
        [...paragraph("One", 700), ...cells.filter((cell) => cell.text !== ""), ...paragraph("Two", 500)]
      ])
    );
    assert.include(
      markdown,
      "| Item | Weight | Price |\n| --- | --- | --- |\n| Flour | 500 g | 1.20 |\n| Water |  | 0.01 |\n| Salt | 10 g | 0.05 |"
    );
    assert.include(text, "Item Weight Price\nFlour 500 g 1.20\nWater 0.01\nSalt 10 g 0.05\n");
  });

  it("continue in the next column, including divided words", async () => {
    const left = column(72, "Left").map((line, row) =>
      row === 5 ? { ...line, text: "Left column, the last of its lines is di-" } : line
    );
    const right = column(330, "Right").map((line, row) =>
      row === 0 ? { ...line, text: "vided, and the right column goes on here" } : line
    );
    const { markdown, plain: text } = await readText(pagedPdf([[...left, ...right]]));
    assert.include(text, "of its lines is divided, and the right column");
    assert.notInclude(markdown.replace("<!-- page 1 -->\n\n", ""), "\n");
  });
});

const linkTo = (url: string, [left, bottom, right, top]: ReadonlyArray<number>): string =>
  `<< /Type /Annot /Subtype /Link /Rect [${left} ${bottom} ${right} ${top}] /A << /S /URI /URI (${url}) >> >>`;

describe("lines of a PDF", () => {
  it("on a rotated page are read as if upright, in any drawing order", async () => {
    const up = paragraph("One", 0).map((line, row) => ({
      ...line,
      x: 100 + 12 * row,
      y: 72,
      direction: [0, 1] as const
    }));
    const down = paragraph("One", 0).map((line, row) => ({
      ...line,
      x: 500 - 12 * row,
      y: 700,
      direction: [0, -1] as const
    }));
    const { plain: text } = await readText(pagedPdf([up.toReversed(), down.toReversed()]));
    assert.strictEqual(text, `${textOf(up)}\n\f${textOf(down)}`);
  });

  it("next to the text follow it, and stamps across it are left out", async () => {
    const { plain: text } = await readText(
      pagedPdf([
        [
          { text: "arXiv 2501", x: 20, y: 300, direction: [0, 1] },
          { text: "DRAFT", x: 200, y: 300, points: 60, direction: [0.7, 0.7] },
          ...paragraph("One", 700)
        ]
      ])
    );
    assert.strictEqual(text, `${textOf(paragraph("One", 700))}\narXiv 2501`);
  });

  it("in a table of contents are separate paragraphs", async () => {
    const lines = [
      "4.1 Weighing the flour . . . . . . . . . . . . . . . 5",
      "4.2 Kneading the dough . . . . . . . . . . . . . . . 7"
    ];
    const { plain: text } = await readText(
      pagedPdf([lines.map((line, row) => ({ text: line, x: 72, y: 700 - 12 * row }))])
    );
    assert.deepStrictEqual(text.split("\n"), lines);
  });
});

describe("the title of a PDF", () => {
  it("is the largest heading of the first page if the properties have none, and nothing smaller", async () => {
    const page = (points: number) => [
      { text: "Bread in the valley", x: 72, y: 740, points },
      ...paragraph("One", 700)
    ];
    assert.strictEqual(
      (await readingOf(pagedPdf([page(24), page(16)]))).metadata.title,
      "Bread in the valley"
    );
    const later = { text: "Ovens of the town", x: 72, y: 740, points: 24 };
    assert.isNull((await readingOf(pagedPdf([page(14), [later, ...paragraph("Two", 700)]]))).metadata.title);
  });
});

describe("the annotations of a page", () => {
  it("include links, attached to the words they cover, and listed", async () => {
    const line = { text: "Flour from the old mill and salt", x: 72, y: 700 };
    // Helvetica at 10 points: "the old mill" spans 119 to 166.
    const file = pagedPdf(
      [[line]],
      [
        linkTo("https://mill.test/flour?utm_source=pdf", [118, 697, 167, 710]),
        linkTo("javascript:alert(1)", [72, 697, 90, 710])
      ]
    );
    const { links, markdown, plain: text } = await readText(file);
    assert.deepStrictEqual(links, [{ url: "https://mill.test/flour", text: "the old mill" }]);
    assert.include(markdown, "Flour from [the old mill](https://mill.test/flour) and salt");
    assert.strictEqual(text, line.text);
  });

  it("include values of form fields in place, but no passwords", async () => {
    const field = (value: string, y: number, more = ""): string =>
      `<< /Type /Annot /Subtype /Widget /FT /Tx /T (f${y}) /V (${value}) /DA (/Helv 10 Tf) /Rect [120 ${y - 4} 300 ${y + 12}] ${more} >>`;
    const file = pagedPdf(
      [
        [
          { text: "Name:", x: 72, y: 700 },
          { text: "Town:", x: 72, y: 660 },
          { text: "Loaf:", x: 72, y: 540 }
        ]
      ],
      [
        field("Valley", 660),
        field("Mira Tal", 700),
        field("secret", 620, "/Ff 8192"),
        field("hidden", 580, "/F 2"),
        "<< /Type /Annot /Subtype /Widget /FT /Ch /T (loaf) /Opt [(Rye) (Spelt)] /V (Rye) /Rect [120 536 300 552] >>"
      ]
    );
    assert.deepStrictEqual((await readingOf(file)).text.plain.split("\n"), [
      "Name: Mira Tal",
      "Town: Valley",
      "Loaf: Rye"
    ]);
  });
});

describe("a PDF", () => {
  it("is a webpage with its text, one paragraph a line", async () => {
    const outcome = await read(pdf(LINES));
    assert.nestedPropertyVal(outcome, "reading.kind", "webpage");
    assert.nestedPropertyVal(outcome, "reading.text.plain", LINES.join(" "));
  });

  it("has the title, author and day of its properties", async () => {
    const info = "/Title (Bread in the valley) /Author (Mira Tal) /CreationDate (D:20250304233000-08'00')";
    const outcome = await read(pdf(LINES, { info }));
    assert.nestedPropertyVal(outcome, "reading.metadata.title", "Bread in the valley");
    assert.nestedPropertyVal(outcome, "reading.metadata.uploader", "Mira Tal");
    assert.nestedPropertyVal(outcome, "reading.metadata.uploadDate", "20250304");
  });

  it("has no title if a program filled in the file name", async () => {
    const outcome = await read(pdf(LINES, { info: "/Title (Microsoft Word - bread.docx)" }));
    assert.nestedPropertyVal(outcome, "reading.metadata.title", null);
  });

  it("has the letters of glyphs that are only named, by the rules of those names", async () => {
    const differences =
      "1 /t_t 2 /c_t 3 /s_t.alt 4 /f_f_i 5 /uni0077_h 6 /adieresis_a 166 /T_e 8 /.notdef 14 /no_such";
    const { plain: text } = await readText(
      pdf(
        [
          "The se\\001ing of a\\002s, la\\003 year.",
          "The o\\004ce, wi\\005, where\\006, \\246n \\344 in all."
        ],
        {
          differences
        }
      )
    );
    assert.strictEqual(
      text.replaceAll("\n", " "),
      "The setting of acts, last year. The office, wiwh, whereäa, Ten ä in all."
    );
  });

  it("joins words divided at the end of a line", async () => {
    assert.nestedPropertyVal(
      await read(pdf(["A long divi-", "ded word"])),
      "reading.text.plain",
      "A long divided word"
    );
  });

  it("is recognized by its bytes if the server's type is useless", async () => {
    for (const contentType of [
      null,
      "application/octet-stream",
      "application/force-download",
      "text/plain",
      "text/plain; charset=utf-8",
      "text/html; charset=utf-8"
    ]) {
      assert.nestedPropertyVal(await read(pdf(LINES), contentType), "reading.text.pageCount", 1);
      const late = Buffer.concat([Buffer.from("\r\n\n"), pdf(LINES)]);
      assert.nestedPropertyVal(await read(late, contentType), "reading.text.pageCount", 1);
    }
  });

  it("is not seen in a text that mentions one", async () => {
    const text = new TextEncoder().encode("A PDF begins with %PDF-1.4.");
    assert.nestedPropertyVal(
      await read(text, "text/plain"),
      "reading.text.plain",
      "A PDF begins with %PDF-1.4."
    );
  });
});
