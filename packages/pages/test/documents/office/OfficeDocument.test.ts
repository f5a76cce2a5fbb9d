// @module-tag long
import { gunzipSync, gzipSync } from "node:zlib";
import { assert, describe, it } from "@effect/vitest";
import type { PageReading } from "../../../src/facts/PageReading.ts";
import { readBytes, type ReadOutcome } from "../../../src/ReadBytes.ts";
import { PAGE_URL } from "../../pages.ts";
import { archive, BOOK_FILES, SLIDE_FILES, WORD_FILES } from "../archives.ts";

const WORD_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

const read = (bytes: Uint8Array, contentType: string | null = null): Promise<ReadOutcome> =>
  readBytes(bytes, { url: PAGE_URL, contentType });

const readingOf = async (bytes: Uint8Array, contentType: string | null = null): Promise<PageReading> => {
  const outcome = await read(bytes, contentType);
  return "reading" in outcome ? outcome.reading : assert.fail(outcome.refused);
};

const readText = async (...given: Parameters<typeof readingOf>) => (await readingOf(...given)).text;

describe("a text document", () => {
  it("is recognized by its bytes if the server calls it text", async () => {
    for (const contentType of ["text/plain", "application/octet-stream", null])
      assert.strictEqual((await readingOf(archive(WORD_FILES), contentType)).metadata.title, "Bread & ovens");
    const other = archive({ "notes.txt": "Bread" });
    assert.deepStrictEqual(await read(other, "text/plain"), { refused: "unsupported_type" });
  });

  it("is a webpage with its headings, lists, tables, links and notes", async () => {
    const found = await readingOf(archive(WORD_FILES), WORD_TYPE);
    assert.deepInclude(found.metadata, {
      title: "Bread & ovens",
      uploader: "Mira Tal",
      uploadDate: "20250304",
      language: "en-GB"
    });
    assert.strictEqual(found.kind, "webpage");
    assert.deepInclude(found.text, {
      pageCount: null,
      links: [{ url: "https://mill.test/flour", text: "the mill" }]
    });
    assert.strictEqual(
      found.text.plain,
      [
        "Bread",
        "Flour from the mill.[1]",
        "1. Knead",
        "long",
        "2. Bake",
        "Flour 500 g",
        "Salt 10 g",
        "1. A note."
      ].join("\n")
    );
    assert.include(found.text.markdown, "# Bread\n\nFlour from [**the mill**](https://mill.test/flour).");
    assert.match(found.text.markdown, /1\. Knead\n\s+[-*] long\n\s*2\. Bake/);
    assert.match(found.text.markdown, /\| *Salt *\| *10 g *\|/);
    assert.strictEqual(found.metadata.details.origins?.["title"], "document");
  });
});

describe("a table of a text document", () => {
  it("has the head that the document repeats on each page", async () => {
    const path = "word/document.xml";
    const marked = String(WORD_FILES[path]).replace("<w:tr>", "<w:tr><w:trPr><w:tblHeader/></w:trPr>");
    const { markdown } = await readText(archive({ ...WORD_FILES, [path]: marked }), WORD_TYPE);
    assert.include(markdown, "| Flour | 500 g |\n| --- | --- |\n| Salt | 10 g |");
  });
});

describe("a presentation", () => {
  it("has its slides as pages, in display order, without slide numbers", async () => {
    const { markdown, pageCount, plain: text } = await readText(archive(SLIDE_FILES));
    assert.strictEqual(text, "The first slide\nFive loaves\n\fThe second slide\nIts words");
    assert.strictEqual(pageCount, 2);
    assert.strictEqual(
      markdown,
      "<!-- page 1 -->\n\n## The first slide\n\nFive loaves\n\n<!-- page 2 -->\n\n## The second slide\n\nIts words"
    );
  });
});

describe("a book", () => {
  it("has its chapters in the order of reading, and no links within itself", async () => {
    const found = await readingOf(archive(BOOK_FILES), "application/epub+zip");
    assert.strictEqual(found.text.plain, "One\nThe first chapter, see the next.\nTwo\nThe second chapter.");
    assert.deepInclude(found.metadata, {
      title: "Bread",
      uploader: "Mira Tal",
      uploadDate: "20250304",
      language: "en"
    });
    assert.deepStrictEqual(found.text.links, []);
    assert.include(found.text.markdown, "# Two\n\nThe second *chapter*.");
  });

  it("with encrypted chapters is refused, one with encrypted fonts is read", async () => {
    const encryption = (path: string): string =>
      `<encryption><enc:EncryptedData><enc:CipherData><enc:CipherReference URI="${path}"/></enc:CipherData></enc:EncryptedData></encryption>`;
    const file = (path: string) => archive({ ...BOOK_FILES, "META-INF/encryption.xml": encryption(path) });
    assert.deepStrictEqual(await read(file("OEBPS/two.xhtml")), { refused: "encrypted" });
    assert.include((await readingOf(file("OEBPS/font.otf"))).text.plain, "The second chapter");
  });
});

describe("an archive", () => {
  it("of another kind is refused with its kind", async () => {
    assert.deepStrictEqual(await read(archive({ "a.txt": "Words." }), "application/zip"), {
      refused: "unsupported_type"
    });
  });

  it("with a password is refused with that reason", async () => {
    assert.deepStrictEqual(await read(archive(WORD_FILES, { flags: 1 })), { refused: "encrypted" });
    const compound = Buffer.concat([
      Buffer.from("d0cf11e0a1b11ae1", "hex"),
      Buffer.alloc(512),
      Buffer.from("EncryptedPackage", "utf16le")
    ]);
    assert.deepStrictEqual(await read(new Uint8Array(compound), WORD_TYPE), { refused: "encrypted" });
  });

  it("that is broken anywhere is refused as damaged, or read", async () => {
    const whole = archive(WORD_FILES);
    assert.deepStrictEqual(await read(whole.subarray(0, whole.length - 30), WORD_TYPE), {
      refused: "damaged"
    });
    assert.deepStrictEqual(await read(archive({ ...WORD_FILES, "word/document.xml": "" }), WORD_TYPE), {
      refused: "damaged"
    });
    const missing = { ...SLIDE_FILES, "ppt/_rels/presentation.xml.rels": "<Relationships/>" };
    assert.deepStrictEqual(await read(archive(missing)), { refused: "damaged" });
    for (let at = 4; at < whole.length; at += 7) {
      const broken = new Uint8Array(whole);
      broken[at] = (broken[at] ?? 0) ^ 0xff;
      const outcome = await read(broken, WORD_TYPE);
      if ("refused" in outcome) assert.notInclude(["timeout", "crashed"], outcome.refused);
    }
  });

  it("that decompresses to far more than its size is refused beforehand", async () => {
    const bomb = { ...WORD_FILES, "word/document.xml": Buffer.alloc(80_000_000, " ") };
    const bytes = archive(bomb);
    assert.isBelow(bytes.length, 1_000_000);
    assert.deepStrictEqual(await read(bytes, WORD_TYPE), { refused: "too_large" });
  });

  it("that decompresses to far more by many files, nested archives or gzip is refused too", async () => {
    // Each file is within the limit of a single file, but all of them together exceed the limit.
    const chapter = Buffer.concat([
      Buffer.from('<html xmlns="http://www.w3.org/1999/xhtml"><body><p>'),
      Buffer.alloc(10_000_000, "a "),
      Buffer.from("</p></body></html>")
    ]);
    const names = Array.from({ length: 8 }, (_, index) => `c${index}.xhtml`);
    const book = {
      mimetype: "application/epub+zip",
      "META-INF/container.xml":
        '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="b.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
      "b.opf": `<package xmlns="http://www.idpf.org/2007/opf"><metadata/><manifest>${names
        .map((name) => `<item id="${name}" href="${name}" media-type="application/xhtml+xml"/>`)
        .join(
          ""
        )}</manifest><spine>${names.map((name) => `<itemref idref="${name}"/>`).join("")}</spine></package>`,
      ...Object.fromEntries(names.map((name) => [name, chapter]))
    };
    const bytes = archive(book);
    assert.isBelow(bytes.length, 2_000_000);
    assert.deepStrictEqual(await read(bytes, "application/epub+zip"), { refused: "too_large" });

    // Files in an archive are not unpacked recursively: a nested archive is not text of the document.
    const nested = archive({ ...WORD_FILES, "word/media/inner.docx": Buffer.from(bytes) });
    assert.notProperty(await read(nested, WORD_TYPE), "refused");
    const inner = archive({ "word/document.xml": Buffer.alloc(5_000_000, " ") });
    const posing = await read(archive({ ...WORD_FILES, "word/document.xml": Buffer.from(inner) }), WORD_TYPE);
    assert.deepStrictEqual(posing, { refused: "damaged" });

    // As sent with `content-encoding: gzip`: the guard removes this compression, and no other.
    const sent = gunzipSync(
      gzipSync(archive({ ...WORD_FILES, "word/document.xml": Buffer.alloc(40_000_000, " ") }))
    );
    assert.deepStrictEqual(await read(sent, WORD_TYPE), { refused: "too_large" });
    const still = gzipSync(archive(WORD_FILES));
    assert.property(await read(new Uint8Array(still), WORD_TYPE), "refused");
  });

  it("whose XML defines entities, which would multiply or come from elsewhere, is refused", async () => {
    const path = "word/document.xml";
    const laughs = Array.from("bcdefghij", (name, index) => {
      const last = "abcdefghi"[index] ?? "";
      return `<!ENTITY ${name} "${`&${last};`.repeat(10)}">`;
    });
    for (const entities of [
      `<!ENTITY a "words">${laughs.join("")}`,
      '<!ENTITY j SYSTEM "file:///etc/hostname">'
    ]) {
      const xml = String(WORD_FILES[path])
        .replace("<w:document", `<!DOCTYPE w:document [${entities}]><w:document`)
        .replace("Bread", "&j;");
      assert.deepStrictEqual(await read(archive({ ...WORD_FILES, [path]: xml }), WORD_TYPE), {
        refused: "damaged"
      });
    }
  });
});
