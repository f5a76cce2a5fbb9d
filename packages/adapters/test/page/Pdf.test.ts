import { deflateSync } from "node:zlib";
import { assert, describe, it } from "@effect/vitest";
import { readBytes, type ReadOutcome } from "../../src/page/ReadBytes.ts";
import { PAGE_URL } from "./pages.ts";
import { pdf } from "./pdfs.ts";

const read = (bytes: Uint8Array, contentType: string | null = "application/pdf"): Promise<ReadOutcome> =>
  readBytes(bytes, { url: PAGE_URL, contentType });

const LINES = ["The bakery on the corner opens at six.", "Its owner learnt the trade from an aunt."];

describe("a PDF", () => {
  it("is a webpage with its text, one line of it a line", async () => {
    const outcome = await read(pdf(LINES));
    assert.nestedPropertyVal(outcome, "reading.kind", "webpage");
    assert.nestedPropertyVal(outcome, "reading.text", LINES.join("\n"));
  });

  it("has the title, author and day of its properties", async () => {
    const info = "/Title (Bread in the valley) /Author (Mira Tal) /CreationDate (D:20250304233000-08'00')";
    const outcome = await read(pdf(LINES, { info }));
    assert.nestedPropertyVal(outcome, "reading.title", "Bread in the valley");
    assert.nestedPropertyVal(outcome, "reading.uploader", "Mira Tal");
    assert.nestedPropertyVal(outcome, "reading.uploadDate", "20250304");
  });

  it("has no title where its program wrote the name of a file", async () => {
    const outcome = await read(pdf(LINES, { info: "/Title (Microsoft Word - bread.docx)" }));
    assert.nestedPropertyVal(outcome, "reading.title", null);
  });

  it("joins words that were divided at the end of a line", async () => {
    assert.nestedPropertyVal(
      await read(pdf(["A long divi-", "ded word"])),
      "reading.text",
      "A long divided word"
    );
  });

  it("is known by its bytes where the server says nothing of use", async () => {
    for (const contentType of [null, "application/octet-stream"])
      assert.nestedPropertyVal(await read(pdf(LINES), contentType), "reading.kind", "webpage");
  });

  it("that is damaged, encrypted or something else is refused", async () => {
    const encrypted = pdf(LINES, {
      trailer:
        "/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O (12345678901234567890123456789012) /U (12345678901234567890123456789012) >> /ID [(0123456789abcdef) (0123456789abcdef)]"
    });
    for (const bytes of [encrypted, pdf(LINES).subarray(0, 40), new TextEncoder().encode("<p>no PDF")])
      assert.deepStrictEqual(await read(bytes), { refused: "unsupported_type" });
  });

  it("whose tree of pages bites its own tail comes to an end", async () => {
    assert.property(await read(pdf(LINES, { kid: "2 0 R" })), "refused");
  });

  it("that unpacks to far more than it weighs is refused before it does", async () => {
    const blanks = deflateSync(Buffer.alloc(100_000_000, " "));
    const twice = deflateSync(deflateSync(Buffer.alloc(100_000_000, " ")));
    for (const stream of [blanks, twice]) {
      const file = Buffer.concat([
        Buffer.from("%PDF-1.4\n4 0 obj\n<< >>\nstream\n"),
        stream,
        Buffer.from(pdf(LINES))
      ]);
      assert.deepStrictEqual(await read(new Uint8Array(file)), { refused: "too_large" });
    }
  });

  it("without text or title is empty", async () => {
    assert.deepStrictEqual(await read(pdf([])), { refused: "empty" });
  });
});
