import { assert, describe, it } from "@effect/vitest";
import type { PageReading } from "../../src/facts/PageReading.ts";
import { readBytes } from "../../src/ReadBytes.ts";
import { PAGE_URL } from "../pages.ts";
import { archive, BOOK_FILES } from "./archives.ts";

const readingOf = async (files: Readonly<Record<string, string | Uint8Array>>): Promise<PageReading> => {
  const outcome = await readBytes(archive({ ...BOOK_FILES, ...files }), { url: PAGE_URL, contentType: null });
  return "reading" in outcome ? outcome.reading : assert.fail(outcome.refused);
};

const readMetadata = async (...given: Parameters<typeof readingOf>) => (await readingOf(...given)).metadata;

const readText = async (...given: Parameters<typeof readingOf>) => (await readingOf(...given)).text;

const bookWith = (metadata: string): Readonly<Record<string, string>> => ({
  "OEBPS/content.opf": `<opf:package xmlns:opf="http://www.idpf.org/2007/opf"><opf:metadata>${metadata}</opf:metadata><opf:manifest><opf:item id="a" href="two.xhtml"/></opf:manifest><opf:spine><opf:itemref idref="a"/></opf:spine></opf:package>`
});

describe("the chapters of a book", () => {
  it("may contain self-closing elements, as in XML", async () => {
    const { plain: text } = await readText({
      "OEBPS/two.xhtml":
        '<html><head><title/><script src="x.js"/></head><body><a id="p1"/><h1>Two</h1><p>Words</p></body></html>'
    });
    assert.include(text, "Two\nWords");
  });

  it("may be in any encoding that they declare", async () => {
    const declared = Buffer.from(
      '<?xml version="1.0" encoding="ISO-8859-1"?><html><body><p>Brötchen</p></body></html>',
      "latin1"
    );
    assert.include((await readingOf({ "OEBPS/two.xhtml": declared })).text.plain, "Brötchen");
    const wide = Buffer.from(
      '\ufeff<?xml version="1.0" encoding="UTF-16"?><html><body><p>Brötchen</p></body></html>',
      "utf16le"
    ).swap16();
    assert.include((await readingOf({ "OEBPS/two.xhtml": wide })).text.plain, "Brötchen");
  });

  it("include their notes, even from a file outside the reading order", async () => {
    const { markdown, plain: text } = await readText({
      "OEBPS/content.opf": String(BOOK_FILES["OEBPS/content.opf"])
        .replace("</manifest>", '<item id="n" href="notes.xhtml"/></manifest>')
        .replace("</spine>", '<itemref idref="n" linear="no"/></spine>'),
      "OEBPS/one .xhtml":
        '<html><body><p id="x">One<a epub:type="noteref" href="notes.xhtml#x">1</a></p></body></html>',
      "OEBPS/two.xhtml": '<html><body><p id="x">Two</p></body></html>',
      "OEBPS/notes.xhtml":
        '<html><body><aside epub:type="footnote" id="x"><p>A note of the first chapter.</p></aside></body></html>'
    });
    assert.strictEqual(text, "One[1]\nTwo\nA note of the first chapter.");
    assert.strictEqual(markdown, "One[^1]\n\nTwo\n\n[^1]: A note of the first chapter.");
  });
});

describe("a book", () => {
  it("may be packed with its folder", async () => {
    const inFolder = Object.fromEntries(
      Object.entries(BOOK_FILES).map(([name, content]) => [`book/${name}`, content])
    );
    const outcome = await readBytes(archive(inFolder), { url: PAGE_URL, contentType: null });
    assert.nestedPropertyVal(outcome, "reading.metadata.title", "Bread");
  });

  it("with more text in all its chapters than a page may have is refused", async () => {
    const chapter = `<html><body><p>${"word ".repeat(420_000)}</p></body></html>`;
    const files = { ...BOOK_FILES, "OEBPS/one .xhtml": chapter, "OEBPS/two.xhtml": chapter };
    const outcome = await readBytes(archive(files), { url: PAGE_URL, contentType: null });
    assert.deepStrictEqual(outcome, { refused: "too_large" });
  });
});

describe("the properties of a book", () => {
  it("include its authors without translators, and its main title, with any prefix", async () => {
    const { title, uploader } = await readMetadata(
      bookWith(
        '<dc:title id="t1">A series</dc:title><dc:title id="t2">Bread</dc:title><meta refines="#t2" property="title-type">main</meta>' +
          '<dc:creator opf:role="trl">Ann Other</dc:creator><dc:creator opf:role="aut">Mira Tal</dc:creator><dc:creator>Jo Rye</dc:creator>'
      )
    );
    assert.deepStrictEqual([title, uploader], ["Bread", "Mira Tal, Jo Rye"]);
  });

  it("tell the day of its publication, or only the year", async () => {
    const dated = await readingOf(
      bookWith(
        '<dc:date opf:event="modification">2024-01-02</dc:date><dc:date opf:event="publication">2021-05-06</dc:date>'
      )
    );
    assert.strictEqual(dated.metadata.uploadDate, "20210506");
    const { details, uploadDate } = await readMetadata(bookWith("<dc:date>2011</dc:date>"));
    assert.isNull(uploadDate);
    assert.deepStrictEqual(details.publishedAt, { value: "2011", precision: "year" });
  });
});
