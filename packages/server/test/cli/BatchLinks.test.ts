import { assert, describe, it } from "vitest";
import { readLinks } from "../../src/cli/BatchLinks.ts";

const A = "https://example.com/a";
const B = "https://example.com/b?x=1,2";

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const utf16 = (text: string): Uint8Array => Buffer.from(`\ufeff${text}`, "utf16le");
const windows1252 = (text: string): Uint8Array => Buffer.from(text, "latin1");

const read = (bytes: Uint8Array, name = "links.txt") =>
  readLinks(bytes, name).map(({ url, line }) => `${line} ${url}`);

describe("links of a file", () => {
  it("are one a line, without blank lines and comments, numbered as in the file", () => {
    assert.deepStrictEqual(read(utf8(`# mine\n\n${A}\r\n  ${B}  \n`)), [`3 ${A}`, `4 ${B}`]);
    assert.deepStrictEqual(read(utf8(`\ufeff${A}`)), [`1 ${A}`]);
    assert.deepStrictEqual(read(utf8("not a link")), ["1 not a link"]);
  });

  it("are the column url of a table, or else the first with links", () => {
    assert.deepStrictEqual(read(utf8(`Name;URL\n"Smith; ""J""";${A}\n;\nx;"${B}"\n`), "x.csv"), [
      `2 ${A}`,
      `4 ${B}`
    ]);
    assert.deepStrictEqual(read(utf8(`name,link\nx,${A}\n"y\nz","${B}"\n`), "x.csv"), [`2 ${A}`, `3 ${B}`]);
    assert.deepStrictEqual(read(utf8(`url\ttitle\n${A}\tA\n`)), [`2 ${A}`]);
    assert.deepStrictEqual(read(utf8(`${A},first\n`), "x.csv"), [`1 ${A}`]);
  });

  it("are read in the encodings that spreadsheets write, or refused with the remedy", () => {
    assert.deepStrictEqual(read(utf16(`title\turl\nStraße\t${A}\n`)), [`2 ${A}`]);
    assert.deepStrictEqual(read(windows1252(`title;url\nStra\u00dfe;${A}\n`), "x.csv"), [`2 ${A}`]);
    assert.throws(() => read(windows1252("https://example.com/stra\u00dfe\n")), /not UTF-8.*line 1/u);
    assert.throws(() => read(Buffer.from(A, "utf16le")), /UTF-16 without a byte order mark/u);
  });

  it("are refused in one sentence if there are none, too many, or the table is broken", () => {
    const many = Array.from({ length: 1_001 }, (_, index) => `${A}/${index}`).join("\n");
    for (const [bytes, name, message] of [
      [utf8(""), "x.txt", /^has no links/u],
      [utf8("# only this\n"), "x.txt", /^has no links/u],
      [utf8(many), "x.txt", /^has 1001 links, and a batch at most 1000: split it\.$/u],
      [utf8("a,b\nc,d\n"), "x.csv", /name the column `url`/u],
      [utf8(`url\n"${A}\n`), "x.csv", /quote in line 2 that is not closed/u],
      [new Uint8Array(4_194_305).fill(97), "x.txt", /larger than 4 MB/u]
    ] as const) {
      assert.throws(() => read(bytes, name), message);
    }
  });
});
