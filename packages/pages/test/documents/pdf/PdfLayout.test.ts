import { assert, describe, it } from "@effect/vitest";
import { linesOfPage, type PdfPiece } from "../../../src/documents/pdf/PdfLayout.ts";

const HEIGHT = 10;

const piece = (text: string, x: number, y: number, width: number): PdfPiece => ({
  text,
  x,
  y,
  width,
  height: HEIGHT
});

const textOf = (pieces: ReadonlyArray<PdfPiece>): ReadonlyArray<string> =>
  linesOfPage(pieces).map(({ text }) => text);

const column = (name: string, x: number, width: number, lines = 6): ReadonlyArray<PdfPiece> =>
  Array.from({ length: lines }, (_, row) =>
    piece(`${name} column, a line of text, ${row}`, x, 700 - 12 * row, width)
  );

describe("the order of a page", () => {
  it("goes down three columns one after the other", () => {
    const columns = [column("First", 40, 160), column("Second", 220, 160), column("Third", 400, 160)];
    const byRow = columns[0]?.flatMap((_, row) => columns.map((each) => each[row] as PdfPiece)) ?? [];
    assert.deepStrictEqual(
      textOf(byRow),
      columns.flat().map(({ text }) => text)
    );
  });

  it("sees two columns that hardly more than a wide space parts", () => {
    const [left, right] = [column("Left", 40, 250), column("Right", 40 + 250 + HEIGHT, 250)];
    assert.deepStrictEqual(
      textOf(left.flatMap((each, row) => [each, right[row] as PdfPiece])),
      [...left, ...right].map(({ text }) => text)
    );
  });

  it("keeps the lines of a paragraph with wide word spacing together", () => {
    const words = ["nobody", "touches", "the", "oven", "before"];
    const pieces = [0, 1, 2].flatMap((row) =>
      words.map((word, at) => piece(word, 40 + 60 * at, 700 - 12 * row, 51))
    );
    assert.deepStrictEqual(
      textOf(pieces),
      [words, words, words].map((line) => line.join(" "))
    );
  });

  it("has text once that is drawn twice to look bold, but each of two equal letters beside or above each other", () => {
    const words = [piece("Soda", 40, 700, 20), piece("bread", 64, 700, 22)];
    const again = words.map((each) => ({ ...each, x: each.x + 0.4, y: each.y - 0.3 }));
    assert.deepStrictEqual(textOf([...words, ...again]), ["Soda bread"]);
    assert.deepStrictEqual(textOf([piece("i", 40, 700, 2), piece("i", 42, 700, 2)]), ["ii"]);
    assert.deepStrictEqual(textOf([piece("2", 40, 700, 5), piece("2", 40, 696, 5)]), ["22"]);
  });

  it("is right to left in such scripts, and left to right in numbers and names within", () => {
    const line = [
      piece("לחם", 300, 700, 30),
      piece("המאפייה שלנו", 335, 700, 80),
      piece("ב-", 285, 700, 12),
      piece("Winnow", 215, 700, 40),
      piece("Bakery", 260, 700, 24),
      piece("טרי", 180, 700, 30)
    ];
    assert.deepStrictEqual(textOf(line), ["המאפייה שלנו לחם ב-Winnow Bakery טרי"]);
  });
});
