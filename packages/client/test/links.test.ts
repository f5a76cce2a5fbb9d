/** Files of links: what editors and spreadsheets write, in pieces of any size, and what is refused. */
import { assert, describe, it } from "vitest";
import { allLinks, readLinks, UnusableLinks, type LinksSource } from "../src/links.ts";

const A = "https://example.com/a";
const B = "https://example.com/b?x=1,2;3";

const utf8 = (text: string): Uint8Array => Buffer.from(text);
const utf16le = (text: string): Uint8Array => Buffer.from(`\ufeff${text}`, "utf16le");
const utf16be = (text: string): Uint8Array => Buffer.from(utf16le(text)).swap16();
/** As a stream whose chunks end anywhere. */
const inPieces = (bytes: Uint8Array, size: number): ReadableStream<Uint8Array> => {
  let at = 0;
  return new ReadableStream({
    pull: (controller) => {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, at + size));
      at += size;
    }
  });
};
const latin1 = (text: string): Uint8Array => Buffer.from(text, "latin1");

/** Why a batch cannot take the file; empty if it can. */
const reasonOf = async (source: LinksSource, name: string): Promise<string> => {
  try {
    await readLinks(source, { name, maxLinks: 1_000 });
    return "";
  } catch (error) {
    assert.instanceOf(error, UnusableLinks);
    return (error as Error).message;
  }
};

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
      "UTF-16 without a mark",
      "l.txt",
      Buffer.from(`${A}\n${B}`, "utf16le"),
      [
        [A, 1],
        [B, 2]
      ]
    ],
    ["links without a scheme", "l.txt", utf8("example.com/a"), [[A, 1]]],
    ["a delimiter that a line names without quotes", "-", utf8(`sep=|\nid|url\n1|${A}`), [[A, 3]]],
    [
      "quotes that stand for themselves",
      "-",
      utf8(`name,url\n5" disk,${A}\n"6"" disk",${A}\n7" disk,${A}`),
      [
        [A, 2],
        [A, 3],
        [A, 4]
      ]
    ],
    ["nothing", "l.txt", utf8(""), []],
    ["only comments", "l.csv", utf8("# one\n\n"), []],
    ["a header alone", "l.csv", utf8("url,title\n"), []],
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
    it(`are read from ${what}, whole and in pieces`, async () => {
      for (const source of [bytes, inPieces(bytes, 1), inPieces(bytes, 7)]) {
        const { items, refused } = await readLinks(source, { name });
        const read = items.map(({ url, line }) => [url, line]);
        assert.deepStrictEqual(read, links as unknown as typeof read);
        assert.deepStrictEqual(refused, []);
      }
    });
  }

  it("are apart from what is no link, which keeps its place", async () => {
    const links = await readLinks(utf8(`${A}\nnot a link\n${A}\nftp://example.com/a`));
    assert.deepStrictEqual(
      links.refused.map(({ url, line, reason }) => [url, line, reason]),
      [
        ["not a link", 2, "not_a_url"],
        ["ftp://example.com/a", 4, "not_a_url"]
      ]
    );
    assert.deepStrictEqual(
      allLinks(links).map(({ line }) => line),
      [1, 2, 3, 4]
    );
  });

  it("are read from whatever gives its bytes in turn", async () => {
    const turns = async function* () {
      yield utf8("https://exam");
      yield utf8("ple.com/a\r");
      yield utf8(`\n${B}`);
    };
    assert.deepStrictEqual((await readLinks(turns())).items, [
      { url: A, line: 1 },
      { url: B, line: 2 }
    ]);
  });

  const many = (count: number): string => Array.from({ length: count }, (_, n) => `${A}${n}`).join("\n");

  it("are as many as the caller takes", async () => {
    assert.lengthOf((await readLinks(utf8(many(1_000)), { maxLinks: 1_000 })).items, 1_000);
    assert.lengthOf((await readLinks(utf8(many(1_001)))).items, 1_001);
  });

  it("end a source that is too large", async () => {
    let isEnded = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(utf8(`${A}\n`)),
      cancel: () => {
        isEnded = true;
      }
    });
    await readLinks(endless, { maxBytes: 10_000 }).then(
      () => assert.fail("was read"),
      (error) => assert.instanceOf(error, UnusableLinks)
    );
    assert.isTrue(isEnded);
  });

  // Reading in quadratic time would take minutes.
  it("are read in a time that grows as their size does", async () => {
    const sizeBytes = 5_000_000;
    const line = `"a ""b"" c",x"y"z,${A}\n`;
    const table = utf8(`name,what,url\n${line.repeat(Math.floor(sizeBytes / line.length))}`);
    assert.include(await reasonOf(table, "-"), "at most 1,000");
    const quotes = '"'.repeat(sizeBytes);
    assert.strictEqual(await reasonOf(utf8(`a,url\nx${quotes}x`), "-"), "");
    assert.include(await reasonOf(utf8(`a,url\n"${quotes}x`), "-"), "is not closed");
  });

  for (const [what, name, bytes, words] of [
    [
      "too many",
      "l.txt",
      utf8(many(1_001)),
      "There are 1,001 links, and a batch has at most 1,000. Split the file."
    ],
    ["too much", "l.txt", new Uint8Array(52_428_801), "larger than 50 MB. Split it."],
    ["no column of links", "l.csv", utf8("a,b\n1,2"), "There is no column of links. Name the column url."],
    [
      "an open quote",
      "l.csv",
      utf8(`url\n"${A}\n${A}`),
      "The quote that begins in line 2 is not closed. Close it"
    ],
    ["a link in Windows-1252", "l.txt", latin1(`${A}\n${A}/é`), "is not UTF-8, and the link in line 2"],
    [
      "a link in Shift JIS",
      "l.txt",
      Buffer.concat([utf8(`${A}/`), Buffer.from([0x93, 0xfa])]),
      "is not UTF-8"
    ],
    ["a program", "l.txt", Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0]), "is not text"],
    ["a zero far in", "l.txt", utf8(`${`${A}\n`.repeat(300)}\0`), "is not text"]
  ] as const) {
    it(`make the file unusable, with the remedy: ${what}`, async () => {
      const message = await reasonOf(bytes, name);
      assert.include(message, words);
      assert.notInclude(message, "\n");
    });
  }
});
