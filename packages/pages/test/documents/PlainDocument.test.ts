import { assert, describe, it } from "@effect/vitest";
import { readBytes } from "../../src/ReadBytes.ts";
import { PAGE_URL } from "../pages.ts";

const read = async (text: string, contentType: string | null = "text/plain") => {
  const outcome = await readBytes(new TextEncoder().encode(text), { url: PAGE_URL, contentType });
  return "reading" in outcome ? outcome.reading : assert.fail(outcome.refused);
};

const readText = async (...given: Parameters<typeof read>) => (await read(...given)).text;

const BROKEN = [
  "The bakery on the corner of the market opens at six in the morning, six",
  "days a week, and sells what its two ovens can bake until noon. Nothing",
  "is kept for the next day."
];

describe("plain text", () => {
  it("has its paragraphs whole that were broken to fit a width", async () => {
    const { markdown, plain: text } = await readText(
      `${BROKEN.join("\r\n")}\r\n\r\n${BROKEN.join("\r\n")}\r\n`
    );
    const whole = BROKEN.join(" ");
    assert.strictEqual(text, `${whole}\n\n${whole}`);
    assert.strictEqual(markdown, `${whole}\n\n${whole}`);
  });

  it("keeps the lines of verses, lists and columns", async () => {
    const verses = "Bread and butter\nand a cup of tea,\nthat is all that anybody\nneeds, and all I need";
    const list = `- ${BROKEN[0]}\n- ${BROKEN[1]}`;
    const columns = `${"Rye".padEnd(60)}1000 g\n${"Spelt".padEnd(60)}750 g\n${"Roll".padEnd(60)}60 g`;
    for (const lines of [verses, list, columns]) assert.strictEqual((await read(lines)).text.plain, lines);
  });

  it("of any number of lines is read", async () => {
    const lines = Array.from({ length: 300_000 }, () => "sold: one");
    assert.strictEqual((await read(lines.join("\n"))).text.plain, lines.join("\n"));
  });

  it("in RTF is refused, whatever its declared type", async () => {
    const bytes = new TextEncoder().encode("{\\rtf1\\ansi Bread}");
    for (const contentType of ["text/plain", "application/rtf", null])
      assert.deepStrictEqual(await readBytes(bytes, { url: PAGE_URL, contentType }), {
        refused: "unsupported_type"
      });
  });
});
