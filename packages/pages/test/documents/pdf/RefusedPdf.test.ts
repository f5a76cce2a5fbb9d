import { deflateSync } from "node:zlib";
import { assert, describe, it } from "@effect/vitest";
import { readBytes, type ReadOutcome } from "../../../src/ReadBytes.ts";
import { PAGE_URL } from "../../pages.ts";
import { pdf } from "../../pdfs.ts";

const read = (bytes: Uint8Array): Promise<ReadOutcome> =>
  readBytes(bytes, { url: PAGE_URL, contentType: "application/pdf" });

const LINES = ["The bakery on the corner opens at six.", "Its owner learnt the trade from an aunt."];

describe("a PDF", () => {
  it("that is damaged, encrypted or not a PDF is refused", async () => {
    const encrypted = pdf(LINES, {
      trailer:
        "/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O (12345678901234567890123456789012) /U (12345678901234567890123456789012) >> /ID [(0123456789abcdef) (0123456789abcdef)]"
    });
    assert.deepStrictEqual(await read(encrypted), { refused: "encrypted" });
    assert.deepStrictEqual(await read(pdf(LINES).subarray(0, 40)), { refused: "damaged" });
    const other = new TextEncoder().encode("<p>no PDF");
    assert.deepStrictEqual(await read(other), { refused: "unsupported_type" });
  });

  it("with a cyclic page tree ends", async () => {
    assert.property(await read(pdf(LINES, { kid: "2 0 R" })), "refused");
  });

  it("that decompresses to far more than its size is refused beforehand", async () => {
    const blanks = deflateSync(Buffer.alloc(100_000_000, " "));
    const twice = deflateSync(blanks);
    for (const stream of [blanks, twice]) {
      const file = Buffer.concat([
        Buffer.from("%PDF-1.4\n4 0 obj\n<< >>\nstream\n"),
        stream,
        Buffer.from(pdf(LINES))
      ]);
      assert.deepStrictEqual(await read(new Uint8Array(file)), { refused: "too_large" });
    }
  });

  it("whose only page stands for attached files or a form of Adobe's is refused, but not any other form", async () => {
    for (const catalog of ["/Collection << /View /D >>", "/AcroForm << /Fields [] /XFA [(template) (x)] >>"])
      assert.deepStrictEqual(await read(pdf(LINES, { catalog })), { refused: "no_text" });
    const filled = "/AcroForm << /Fields [<< /T (name) /FT /Tx >>] /XFA [(template) (x)] >>";
    assert.nestedPropertyVal(await read(pdf(LINES, { catalog: filled })), "reading.text.pageCount", 1);
  });

  it("without text is refused, also with a title", async () => {
    assert.deepStrictEqual(await read(pdf([])), { refused: "no_text" });
    assert.deepStrictEqual(await read(pdf([], { info: "/Title (Bread in the valley)" })), {
      refused: "no_text"
    });
  });
});
