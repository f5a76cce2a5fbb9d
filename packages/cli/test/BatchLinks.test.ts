/** Files of links: what people's editors and spreadsheets write, and what is refused. */
import { assert, describe, it } from "vitest";
import { LINKS_BYTES_MAX, readLinks } from "../src/batch/BatchLinks.ts";

const A = "https://example.com/a";
const B = "https://example.com/b?x=1,2;3";

const utf8 = (text: string): Uint8Array => Buffer.from(text);
const utf16le = (text: string): Uint8Array => Buffer.from(`\ufeff${text}`, "utf16le");
const utf16be = (text: string): Uint8Array => Buffer.from(utf16le(text)).swap16();
const latin1 = (text: string): Uint8Array => Buffer.from(text, "latin1");

describe("the links of a file", () => {
  for (const [what, name, bytes, links] of [
    [
      "a list",
      "l.txt",
      utf8(`${A}\n${B}`),
      [
        [A, 1],
        [B, 2]
      ]
    ],
    [
      "blank lines and comments",
      "l.txt",
      utf8(`# mine\n\n  ${A}  \n#${B}\n\t\n${B}\n`),
      [
        [A, 3],
        [B, 6]
      ]
    ],
    [
      "line ends of Windows and old Macs",
      "l.txt",
      utf8(`${A}\r\n${B}\r${A}`),
      [
        [A, 1],
        [B, 2],
        [A, 3]
      ]
    ],
    ["a byte order mark", "-", utf8(`\ufeff${A}`), [[A, 1]]],
    [
      "UTF-16, little-endian",
      "l.txt",
      utf16le(`${A}\r\n${A}é`),
      [
        [A, 1],
        [`${A}é`, 2]
      ]
    ],
    ["UTF-16, big-endian", "l.txt", utf16be(A), [[A, 1]]],
    [
      "the delimiter that a first line names",
      "l.txt",
      utf8(`"sep=|"\r\nid|url\r\n1|${A}\r\n2|${B}`),
      [
        [A, 3],
        [B, 4]
      ]
    ],
    [
      "what is no link, for the service to report",
      "l.txt",
      utf8(`${A}\nnot a link`),
      [
        [A, 1],
        ["not a link", 2]
      ]
    ],
    [
      "a column url",
      "l.csv",
      utf8(`title,URL\nOne,${A}\nTwo,"${B}"`),
      [
        [A, 2],
        [B, 3]
      ]
    ],
    [
      "semicolons",
      "l.csv",
      utf8(`\ufeffurl;title\n${A};"x;y"\n"${B}";z\n`),
      [
        [A, 2],
        [B, 3]
      ]
    ],
    ["tabs", "l.tsv", utf8(`n\turl\n1\t${A}`), [[A, 2]]],
    [
      "a table by its header, whatever its name",
      "-",
      utf8(`title,url\n"a ""b"",\nc",${A}\n,${A}`),
      [
        [A, 2],
        [A, 4]
      ]
    ],
    ["a single column url in a list", "l.txt", utf8(`url\n${B}`), [[B, 2]]],
    [
      "no column url: the first one of links",
      "l.csv",
      utf8(`1,${A},${B}\n2,${B.slice(0, 25)},x`),
      [
        [A, 1],
        [B.slice(0, 25), 2]
      ]
    ],
    ["another header: the first column of links", "l.csv", utf8(`id,link\n1,${A}`), [[A, 2]]],
    ["empty rows and cells", "l.csv", utf8(`url,t\n,x\n,\n\n${A},`), [[A, 5]]],
    ["Windows-1252 beside the links", "l.csv", latin1(`url;titre\n${A};Été`), [[A, 2]]]
  ] as const) {
    it(`are read from ${what}`, () => {
      const read = readLinks(bytes, name).map(({ url, line }) => [url, line]);
      assert.deepStrictEqual(read, links as unknown as typeof read);
    });
  }

  const many = (count: number): string => Array.from({ length: count }, (_, n) => `${A}${n}`).join("\n");

  it("are at most 1,000", () => {
    assert.lengthOf(readLinks(utf8(many(1_000)), "l.txt"), 1_000);
  });

  for (const [what, name, bytes, words] of [
    ["nothing", "l.txt", utf8(""), "has no links: write one a line."],
    ["only comments", "l.csv", utf8("# one\n\n"), "has no links: write one a line."],
    ["a header alone", "l.csv", utf8("url,title\n"), "has no links: write one a line."],
    ["too many", "l.txt", utf8(many(1_001)), "has 1001 links, and a batch at most 1000: split it."],
    ["too much", "l.txt", new Uint8Array(LINKS_BYTES_MAX + 1), "is larger than 4 MB: split it."],
    ["no column of links", "l.csv", utf8("a,b\n1,2"), "has no column of links: name the column `url`."],
    [
      "an open quote",
      "l.csv",
      utf8(`url\n"${A}\n${A}`),
      "has a quote in line 2 that is not closed: close it."
    ],
    [
      "UTF-16 without a mark",
      "l.txt",
      Buffer.from(A, "utf16le"),
      "UTF-16 without a byte order mark: save it as UTF-8"
    ],
    ["a link in Windows-1252", "l.txt", latin1(`${A}\n${A}/é`), "is not UTF-8, and the link in line 2"],
    ["a program", "l.txt", Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0]), "is not text"]
  ] as const) {
    it(`are refused in one line, with the remedy: ${what}`, () => {
      try {
        readLinks(bytes, name);
      } catch (error) {
        const { message } = error as Error;
        assert.include(message, words);
        assert.notInclude(message, "\n");
        return;
      }
      assert.fail("was read");
    });
  }
});
