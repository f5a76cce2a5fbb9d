import { assert, describe, it } from "vitest";
import {
  findAll,
  findQuote,
  lineAt,
  marksOf,
  positionText,
  textOfQuote,
  type Line
} from "../src/screens/run/marks.ts";

const lines: ReadonlyArray<Line> = [
  { startSec: 0, endSec: 5, text: "It was said before: the wind sorts grain" },
  { startSec: 5, endSec: 10, text: "from chaff, and über alles hinaus." },
  { startSec: 10, endSec: 15, text: "The wind sorts grain from chaff." },
  { startSec: 15, endSec: 20, text: "הרוח ממיינת את הגרעינים" }
];

const marked = (quote: string, startSec?: number, endSec?: number): ReadonlyArray<string> =>
  [...marksOf(lines, { quote, startSec, endSec })].map(
    ([index, { start, end }]) => `${index}: ${lines[index]?.text.slice(start, end) ?? ""}`
  );

describe("a quote in a transcript", () => {
  it("is marked in every line it spans, exactly", () => {
    assert.deepStrictEqual(marked("the wind sorts grain\nfrom chaff", 0, 10), [
      "0: the wind sorts grain",
      "1: from chaff"
    ]);
  });

  it("is marked at its time if it occurs twice", () => {
    assert.deepStrictEqual(marked("wind sorts grain", 10, 15), ["2: wind sorts grain"]);
  });

  it("marks the whole lines of its time if the words are not found verbatim", () => {
    assert.deepStrictEqual(marked("words that nobody said", 5, 10), [
      "1: from chaff, and über alles hinaus."
    ]);
  });

  it("marks nothing without a time or its words", () => {
    assert.deepStrictEqual(marked("words that nobody said"), []);
  });

  it("finds umlauts and right-to-left words, and white space of any kind", () => {
    assert.deepStrictEqual(marked("über  alles\u00a0hinaus", 5, 10), ["1: über alles hinaus"]);
    assert.deepStrictEqual(marked("ממיינת את", 15, 20), ["3: ממיינת את"]);
  });
});

describe("a quote in a text", () => {
  it("is found over line breaks, at its place in the original", () => {
    const text = "One.\n\n  Two   and\nthree.";
    const range = findQuote(text, "Two and three");
    assert.strictEqual(text.slice(range?.start, range?.end), "Two   and\nthree");
  });

  it("is found as it is written, with the signs of a pattern", () => {
    const quote = String.raw`a*b^2 (c|d) [e] {f} \g $1.5/kg?`;
    assert.deepStrictEqual(findQuote(`So ${quote}.`, quote), { start: 3, end: 3 + quote.length });
    assert.isNull(findQuote("So aab.", "a.b"));
  });

  it("is not found when it is empty", () => {
    assert.isNull(findQuote("text", "  "));
  });
});

describe("the current line", () => {
  it("is the last one that has started", () => {
    assert.strictEqual(lineAt(lines, -1), -1);
    assert.strictEqual(lineAt(lines, 0), 0);
    assert.strictEqual(lineAt(lines, 9.9), 1);
    assert.strictEqual(lineAt(lines, 1_000), 3);
  });
});

describe("the place of a quote", () => {
  it("is its second, its image, or its page and the heading above it", () => {
    const placeOf = (place: object) => positionText({ source: "page", quote: "salt", ...place });
    assert.strictEqual(placeOf({ source: "transcript", startSec: 65 }), "1:05");
    assert.strictEqual(placeOf({ source: "slides", slide: 3 }), "Image 3");
    assert.strictEqual(placeOf({ page: 2, heading: "Doses" }), "Page 2, under “Doses”");
    assert.strictEqual(placeOf({ heading: "Ingredients" }), "page, under “Ingredients”");
    assert.strictEqual(placeOf({}), "page");
  });

  it("is in the text of the page if it was read from a scan, and else in that of its source", () => {
    assert.strictEqual(textOfQuote({ source: "ocr", quote: "salt", page: 2 }), "page");
    assert.strictEqual(textOfQuote({ source: "transcript", quote: "salt" }), "transcript");
  });
});

describe("a search", () => {
  it("finds every match, ignoring case", () => {
    assert.deepStrictEqual(findAll("Wind, wind, WIND", "wind"), [
      { start: 0, end: 4 },
      { start: 6, end: 10 },
      { start: 12, end: 16 }
    ]);
    assert.deepStrictEqual(findAll("cost $5.00 (5.00)", "$5.00 ("), [{ start: 5, end: 12 }]);
  });
});
