import { assert, describe, it } from "@effect/vitest";
import { readBytes } from "../../../src/ReadBytes.ts";
import { PAGE_URL } from "../../pages.ts";
import { namedMapPdf } from "../../pdfs.ts";

const read = async (lines: Parameters<typeof namedMapPdf>[0]) =>
  readBytes(namedMapPdf(lines), { url: PAGE_URL, contentType: "application/pdf" });

const textOf = async (map: string, collection: string, codes: string): Promise<string> => {
  const outcome = await read([{ map, collection, codes }]);
  return "reading" in outcome ? outcome.reading.text.plain : assert.fail(`${map}: ${outcome.refused}`);
};

describe("fonts that only name their character map", () => {
  it("are read in the encodings from before Unicode", async () => {
    assert.strictEqual(await textOf("GBK-EUC-H", "GB1", "c3e6b0fc20313233"), "面包 123");
    assert.strictEqual(await textOf("ETen-B5-H", "CNS1", "c4d1a55d"), "麵包");
    assert.strictEqual(await textOf("90ms-RKSJ-H", "Japan1", "8370839391e5b6c5"), "パン大ｶﾅ");
    // The last rows of the tables.
    assert.strictEqual(await textOf("90ms-RKSJ-H", "Japan1", "fc4b"), "黑");
    assert.strictEqual(await textOf("EUC-H", "Japan1", "a5d1a5f3"), "パン");
    assert.strictEqual(await textOf("H", "Japan1", "25512573"), "パン");
    assert.strictEqual(await textOf("KSCms-UHC-H", "Korea1", "bba7c1fd"), "빵집");
  });

  it("are read in the forms of Unicode, also vertical ones", async () => {
    assert.strictEqual(await textOf("UniGB-UCS2-H", "GB1", "976253050041"), "面包A");
    assert.strictEqual(await textOf("UniCNS-UTF16-H", "CNS1", "9eb55305"), "麵包");
    assert.strictEqual(await textOf("UniJIS-UTF32-H", "Japan1", "000030d1000030f3"), "パン");
    assert.strictEqual(await textOf("UniKS-UTF8-H", "Korea1", "ebb9b5eca791"), "빵집");
    assert.strictEqual(await textOf("UniJIS-UCS2-V", "Japan1", "30d1"), "パ");
  });

  it("are read column by column from the right in vertical writing, whose signs have another form", async () => {
    const column = (codes: string) => ({ map: "UniJIS-UCS2-V", collection: "Japan1", codes });
    const outcome = await read([
      column("543e8f29306f732b30673042308b3002"),
      column("540d524d306f307e3060712130443002")
    ]);
    assert.nestedPropertyVal(outcome, "reading.text.plain", "吾輩は猫である。名前はまだ無い。");
  });

  it("are read if they use the numbers that Adobe gave the characters", async () => {
    assert.strictEqual(await textOf("Identity-H", "GB1", "0e0f0e10"), "碳探");
    assert.strictEqual(await textOf("Identity-H", "Japan1", "0e0f0e10"), "平弊");
    assert.strictEqual(await textOf("Identity-H", "CNS1", "0e0f0e10"), "愈慎");
    assert.strictEqual(await textOf("Identity-H", "Korea1", "0e0f0e10"), "鉅鋸");
  });
});

describe("fonts that map their codes to no letter", () => {
  const unknown = (codes: string) => ({ map: "Identity-H", collection: "Own", codes, unknown: true });

  it.each(["00010002", "00030003", "00040004"])("show that something is missing", async (codes) => {
    const outcome = await read([
      { map: "UniGB-UCS2-H", collection: "GB1", codes: "9762530597625305" },
      unknown(codes)
    ]);
    assert.nestedPropertyVal(outcome, "reading.text.plain", "面包面包\n\ufffd");
  });

  it("leave no text if their codes are shown as letters, as the control characters between them tell", async () => {
    const codes = [..."The bakery opens at six, and the queue reaches the bridge."]
      .map((letter) => (letter.charCodeAt(0) - 29).toString(16).padStart(4, "0"))
      .join("");
    const outcome = await read([{ map: "Identity-H", collection: "Own", codes }]);
    assert.deepStrictEqual(outcome, { refused: "no_text" });
  });

  it.each(["00010002", "00030003", "00040004"])("leave no text if most of it is theirs", async (codes) => {
    const outcome = await read([{ map: "UniGB-UCS2-H", collection: "GB1", codes: "9762" }, unknown(codes)]);
    assert.deepStrictEqual(outcome, { refused: "no_text" });
  });
});
