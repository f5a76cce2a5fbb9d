import { assert, describe, it } from "@effect/vitest";
import type { InputText } from "../../../src/domain/text/InputText.ts";
import { groundingOf, findQuotes } from "@winnow/testing/samples/evidence";

const page = (isMarkdown: boolean, blocks: ReadonlyArray<string>): InputText => ({
  source: "page",
  segments: blocks.map((text) => ({ text, startSeconds: null, endSeconds: null, author: null })),
  isMarkdown
});

const TEXT = page(false, [
  "Bread & ovens",
  "Wash your hands",
  "Weigh the flour",
  "What How much",
  "Flour 500 g",
  "Water 350 ml",
  "Bake at 250 °C (see the table of ovens), never at 200 * 2.",
  "Crumb The inside of a loaf.",
  "Set oven_max_heat to high",
  "Ann Good bread takes time.",
  "Oven baker and miller"
]);

const MARKDOWN = page(true, [
  "# Bread & ovens",
  "1. Wash your hands\n2. Weigh the **flour**",
  "| What | How much |\n| --- | --- |\n| Flour | 500 g |\n| [Water](https://shop.test/water_soft) | 350 ml |",
  "Bake at **250 °C** (see the [table of ovens](https://shop.test/ovens?a=1)[^1]), *never* at 200 * 2.",
  "- **Crumb**: The inside of a loaf.",
  "Set `oven_max_heat` to high",
  "> Ann\n>\n> Good bread takes time.",
  "| Oven | baker<br>and miller |"
]);

const find = (quote: string, texts: ReadonlyArray<InputText> = [TEXT, MARKDOWN]) =>
  findQuotes(texts, [quote])[0]?.quote ?? null;

describe("a quote of Markdown", () => {
  const cases: ReadonlyArray<readonly [string, string, string]> = [
    ["of a heading", "# Bread & ovens", "Bread & ovens"],
    ["of the lines of a cell", "| Oven | baker<br>and miller |", "Oven baker and miller"],
    ["over cells", "| Flour | 500 g |", "Flour 500 g"],
    ["over a part of a row", "Flour | 500 g", "Flour 500 g"],
    [
      "over rows and the rule under the head",
      "| What | How much |\n| --- | --- |\n| Flour | 500 g |",
      "What How much\nFlour 500 g"
    ],
    ["over a cell with a link", "| [Water](https://shop.test/water_soft) | 350 ml |", "Water 350 ml"],
    ["over marks of emphasis", "Bake at **250 °C**", "Bake at 250 °C"],
    [
      "over a link and the mark of a note",
      "see the [table of ovens](https://shop.test/ovens?a=1)[^1]), *never*",
      "see the table of ovens), never"
    ],
    ["that ends within an address", "see the [table of ovens](https://shop.te", "see the table of ovens"],
    ["that begins within a mark", "*250 °C** (see", "250 °C (see"],
    ["without the marks", "Bake at 250 °C (see the table", "Bake at 250 °C (see the table"],
    [
      "of items with their numbers",
      "1. Wash your hands\n2. Weigh the **flour**",
      "Wash your hands\nWeigh the flour"
    ],
    ["of a definition", "- **Crumb**: The inside", "Crumb The inside"],
    ["of code", "Set `oven_max_heat` to", "Set oven_max_heat to"],
    ["of words with escaped marks", "Set oven\\_max\\_heat to", "Set oven_max_heat to"],
    ["of a quote", "> Ann\n>\n> Good bread", "Ann Good bread"],
    ["with a sign of multiplication", "*never* at 200 * 2", "never at 200 * 2"]
  ];
  for (const [name, quote, expected] of cases)
    it(`${name} is found in the text and returned as it is there`, () => {
      assert.strictEqual(find(quote), expected);
    });

  it("is not found if the words differ", () => {
    for (const quote of ["| Flour | 501 g |", "**Salt**", "| | |", "***", "[^1]", "# Wash your flour"])
      assert.isNull(find(quote), quote);
  });

  it("is not found in a text that was not read as Markdown", () => {
    assert.isNull(find("| Flour | 500 g |", [TEXT]));
  });

  it("that is a URL is found in the Markdown", () => {
    assert.strictEqual(find("https://shop.test/water_soft"), "https://shop.test/water_soft");
  });
});

describe("a value of a page that was read as Markdown", () => {
  const evidenceOf = (value: string) => groundingOf({ value }, [], [TEXT, MARKDOWN])["/value"];

  it("is proven by the whole URL of a link", () => {
    assert.deepStrictEqual(evidenceOf("https://shop.test/water_soft"), [
      { source: "page", quote: "https://shop.test/water_soft" }
    ]);
    assert.deepStrictEqual(evidenceOf("https://shop.test/wat"), []);
    assert.deepStrictEqual(evidenceOf("https://shop.test/ovens"), []);
  });

  it("is not proven by a word in a URL", () => {
    assert.deepStrictEqual(evidenceOf("shop"), []);
  });
});
