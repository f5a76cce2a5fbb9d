/** Files of links, as editors and spreadsheets write them, without the screen that takes them. */
import { assert, describe, it } from "vitest";
import { FILE_BYTES_MAX, readLinks } from "../src/screens/batches/BatchLinks.ts";

const utf16 = (text: string): Blob => new Blob([new Uint8Array([0xff, 0xfe]), Buffer.from(text, "utf16le")]);

const reasonOf = async (file: Blob): Promise<string> => {
  try {
    await readLinks(file);
    return "";
  } catch (error) {
    return String(error);
  }
};

describe("the links of a file", () => {
  it("are lines, or the column `url` of a table, in any encoding", async () => {
    const links = ["https://example.com/a", "https://example.com/b"];
    const table = `name;URL\r\n"x; ""y""\nz";"${links[0]}"\r\nw;${links[1]}\r\n`;
    assert.deepStrictEqual(await readLinks(new Blob([`# mine\n${links.join("\r\n\r\n")}\n`])), links);
    assert.deepStrictEqual(await readLinks(new Blob([table])), links);
    assert.deepStrictEqual(await readLinks(utf16(table)), links);
    assert.deepStrictEqual(await readLinks(utf16(table).slice(2)), links);
    const windows = new Blob([Buffer.from(`name,url\ncaf\u00E9,${links[0]}`, "latin1")]);
    assert.deepStrictEqual(await readLinks(windows), links.slice(0, 1));
    assert.deepStrictEqual(await readLinks(new Blob([`sep=|\nid|url\n1|${links.join("\n2|")}`])), links);
    assert.deepStrictEqual(
      await readLinks(new Blob([`"na\nme",url\nx,${links[0]}`]), "l.csv"),
      links.slice(0, 1)
    );
  });

  it("are whole where quotes and delimiters stand in cells and links", async () => {
    const links = ["https://example.com/a,b;c", 'https://example.com/?q="x"'];
    assert.deepStrictEqual(await readLinks(new Blob([`url\n${links.join("\n")}`]), "l.csv"), links);
    const disks = `name,url\n5" disk,https://example.com/1\n"6"" disk",https://example.com/2\n7" disk,https://example.com/3`;
    assert.deepStrictEqual(
      await readLinks(new Blob([disks])),
      [1, 2, 3].map((at) => `https://example.com/${at}`)
    );
  });

  it("of an unknown encoding, or of no text, are not guessed", async () => {
    const latin = Buffer.from("https://example.com/caf\u00E9", "latin1");
    const japanese = Buffer.concat([
      Buffer.from("https://example.com/"),
      Buffer.from([0x93, 0xfa, 0x96, 0x7b])
    ]);
    for (const bytes of [latin, japanese]) assert.include(await reasonOf(new Blob([bytes])), "not UTF-8");
    for (const text of ["https://example.com/a\0", "https://example.com/a\n".repeat(300) + "\0"])
      assert.include(await reasonOf(new Blob([text])), "not text");
  });

  // Reading in quadratic time would take minutes.
  it("are read in a time that grows as their size does", async () => {
    const line = `"a ""b"" c",x"y"z,https://example.com/a\n`;
    const many = Math.floor(FILE_BYTES_MAX / 10 / line.length);
    assert.include(await reasonOf(new Blob([`name,what,url\n`, line.repeat(many)])), "at most 1,000");
    const quotes = '"'.repeat(FILE_BYTES_MAX / 10);
    assert.strictEqual(await reasonOf(new Blob(["a,url\nx", quotes, "x"])), "");
    assert.include(await reasonOf(new Blob(['a,url\n"', quotes, "x"])), "A quote is not closed.");
  });

  it("are in a file of at most 50 MB", async () => {
    assert.include(await reasonOf(new Blob([new Uint8Array(FILE_BYTES_MAX + 1)])), "larger than 50 MB");
  });

  it("are counted to the end where they are too many", async () => {
    const many = "https://example.com/a\r\n".repeat(100_001);
    assert.include(
      await reasonOf(new Blob([many])),
      "There are 100,001 links, and a batch has at most 1,000."
    );
    assert.include(await reasonOf(new Blob(['name,url\n"a,b'])), "A quote is not closed.");
  });
});
