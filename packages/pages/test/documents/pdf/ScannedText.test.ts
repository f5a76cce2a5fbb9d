import { assert, describe, it } from "@effect/vitest";
import { withScannedText } from "../../../src/documents/pdf/ScannedText.ts";
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

describe("words that were read from the pictures of scanned pages", () => {
  it("are the text of their page, between those of the others", () => {
    const { markdown, plain, sections } = withScannedText(
      documentOf("Typed.", "", "ARC-7", ""),
      new Map([
        [2, "Read\nfrom *2*\n\nand more"],
        [3, "Stamped"],
        [4, ""]
      ])
    );
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

  it("are whole where a line divides them, and have no spaces in Chinese and Japanese", () => {
    const { plain } = withScannedText(
      documentOf(""),
      new Map([[1, "An exam-\nple of words\n\n你 好 世 界\n你 好"]])
    );
    assert.strictEqual(plain, "An example of words\n你好世界你好");
  });
});
