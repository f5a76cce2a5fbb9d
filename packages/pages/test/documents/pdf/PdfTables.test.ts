import { assert, describe, it } from "@effect/vitest";
import { readBytes } from "../../../src/ReadBytes.ts";
import { PAGE_URL } from "../../pages.ts";
import { pagedPdf } from "../../pdfs.ts";

/** Height on the page, then the text in each of three columns. */
type Line = readonly [y: number, ...cells: ReadonlyArray<string>];

/** The Markdown of a page with these lines. */
const read = async (lines: ReadonlyArray<Line>): Promise<string> => {
  const cells = lines
    .flatMap(([y, ...row]) => row.map((text, column) => ({ text, x: 72 + 140 * column, y })))
    .filter(({ text }) => text !== "");
  const outcome = await readBytes(pagedPdf([cells]), { url: PAGE_URL, contentType: "application/pdf" });
  return "reading" in outcome ? outcome.reading.text.markdown : assert.fail(outcome.refused);
};

describe("a table of a PDF", () => {
  it("includes rows whose cells have several lines, each as one row", async () => {
    const lines: ReadonlyArray<Line> = [
      [600, "Item", "Use", "Price"],
      [570, "Flour", "for the dough,", "1.20"],
      [558, "", "and to dust", ""],
      [528, "Water", "from the", "0.01"],
      [516, "", "tap, cold", "a litre"],
      [486, "Salt", "little", "0.05"]
    ];
    const markdown = await read(lines);
    assert.include(
      markdown,
      "| Item | Use | Price |\n| --- | --- | --- |\n| Flour | for the dough, and to dust | 1.20 |\n| Water | from the tap, cold | 0.01 a litre |\n| Salt | little | 0.05 |"
    );
  });

  it("keeps rows apart that only share their first cell", async () => {
    const lines: ReadonlyArray<Line> = [
      [600, "Year", "Quarter", "Sold"],
      [586, "2024", "first", "1"],
      [572, "", "second", "2"],
      [558, "2025", "first", "3"],
      [544, "", "second", "4"]
    ];
    const markdown = await read(lines);
    assert.include(markdown, "| 2024 | first | 1 |\n|  | second | 2 |\n| 2025 | first | 3 |");
  });
});
