import { assert, describe, it } from "@effect/vitest";
import { type Block, cutBlocks } from "../../../src/select/blocks/Blocks.ts";
import { completeStructures } from "../../../src/select/blocks/WholeStructure.ts";
import { parsePage } from "../../../src/parse/ParsedPage.ts";

/** The texts kept from a page with blocks in `chosen` selected and those in `unlikely` certainly not text. */
const keptOf = (
  html: string,
  chosen: ReadonlyArray<string>,
  unlikely: ReadonlyArray<string> = []
): ReadonlyArray<string> => {
  const { blocks } = cutBlocks(parsePage(html).root);
  const isChosen = ({ text }: Block): boolean => chosen.includes(text);
  const chances = Float32Array.from(blocks, (block) =>
    isChosen(block) ? 0.9 : unlikely.includes(block.text) ? 0.01 : 0.3
  );
  return completeStructures(blocks, blocks.filter(isChosen), { chances, needed: 0.45 }).map(
    ({ text }) => text
  );
};

const listOf = (items: ReadonlyArray<string>): string =>
  `<ul>${items.map((item) => `<li>${item}</li>`).join("")}</ul>`;

const rowOf = (cells: ReadonlyArray<string>): string =>
  `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;

describe("structures completed after the selection", () => {
  it("include all cells of a data table with enough selected text, however unlikely the rest", () => {
    const table = `<table>${rowOf(["Flour", "Grams"])}${rowOf(["Wheat", "500"])}</table>`;
    const chosen = ["Flour", "Wheat"];
    assert.deepStrictEqual(keptOf(table, chosen, ["500"]), ["Flour", "Grams", "Wheat", "500"]);
    assert.deepStrictEqual(keptOf(table, ["500"]), ["Wheat", "500"]);
  });

  it("include a data table right below selected text of its section, however little of it is selected", () => {
    const table = `<div class="scroll"><table>${rowOf(["Flour", "Grams"])}${rowOf(["Wheat", "500"])}</table></div>`;
    const page = `<section><p>This is what a loaf takes.</p>${table}<p>Salt comes last.</p></section>`;
    const chosen = ["This is what a loaf takes.", "Salt comes last."];
    const whole = ["This is what a loaf takes.", "Flour", "Grams", "Wheat", "500", "Salt comes last."];
    assert.deepStrictEqual(keptOf(page, chosen), whole);
    assert.deepStrictEqual(keptOf(page, chosen, ["Flour", "Grams", "Wheat", "500"]), chosen);
    const related = page.replace("scroll", "related");
    assert.deepStrictEqual(keptOf(related, chosen), chosen);
  });

  it("do not include the rest of a layout table", () => {
    const rows = rowOf(["Bread of the day", "Rolls"]) + rowOf(["Cakes", "<form>Your address</form>"]);
    const chosen = ["Bread of the day", "Cakes"];
    assert.deepStrictEqual(keptOf(`<table>${rows}</table>`, chosen), chosen);
    const marked = `<table role="presentation">${rowOf(["Bread of the day", "Rolls"])}${rowOf(["Cakes", "x"])}</table>`;
    assert.deepStrictEqual(keptOf(marked, chosen), chosen);
  });

  it("include the short items of a list with at least two and half selected, unless clearly not text", () => {
    const list = listOf(["Wheat", "Rye", "Oats", "Share this"]);
    assert.deepStrictEqual(keptOf(list, ["Wheat", "Rye"], ["Share this"]), ["Wheat", "Rye", "Oats"]);
    assert.deepStrictEqual(keptOf(list, ["Wheat"]), ["Wheat"]);
    const long = "A sentence on barley that goes on and on. ".repeat(9).trim();
    assert.deepStrictEqual(keptOf(listOf(["Wheat", "Rye", long]), ["Wheat", "Rye"]), ["Wheat", "Rye"]);
  });

  it("include an unselected list right below selected text of its section, unless clearly not text", () => {
    const flours = listOf(["Wheat", "Rye"]);
    const page = `<section><p>These are our flours.</p>${flours}<p>All are local.</p></section>`;
    const chosen = ["These are our flours.", "All are local."];
    const whole = ["These are our flours.", "Wheat", "Rye", "All are local."];
    assert.deepStrictEqual(keptOf(page, chosen), whole);
    assert.deepStrictEqual(keptOf(page, chosen, ["Wheat", "Rye"]), chosen);
    assert.deepStrictEqual(keptOf(page, ["All are local."]), ["All are local."]);
    const lone = "<section><p>These are our flours.</p><ul><li>#2</li></ul></section>";
    assert.deepStrictEqual(keptOf(lone, chosen), ["These are our flours."]);
    const pages =
      '<section><p>These are our flours.</p><ul class="pagination"><li>1</li><li>2</li></ul></section>';
    assert.deepStrictEqual(keptOf(pages, chosen), ["These are our flours."]);
    const other = `<p>These are our flours.</p>${flours}<p>${"What else there is to say of them. ".repeat(3)}</p>`;
    assert.deepStrictEqual(keptOf(other, chosen), ["These are our flours."]);
  });

  it("do not include a list that is likely on its own, which was left out for a reason", () => {
    const page = `<section><p>These are our flours.</p>${listOf(["Wheat is best, says Ann.", "Rye is, says Bob."])}</section>`;
    const { blocks } = cutBlocks(parsePage(page).root);
    const whole = completeStructures(blocks, blocks.slice(0, 1), {
      chances: new Float32Array(3).fill(0.9),
      needed: 0.45
    });
    assert.deepStrictEqual(whole, blocks.slice(0, 1));
  });

  it("include code between selected blocks, but not around them", () => {
    const page = "<p>Run this:</p><pre>bake --now</pre><p>Then wait.</p><pre>eat</pre>";
    assert.deepStrictEqual(keptOf(page, ["Run this:", "Then wait."], ["bake --now"]), [
      "Run this:",
      "bake --now",
      "Then wait."
    ]);
  });

  it("has the headings right above chosen text, one above the other", () => {
    const page =
      "<h2>Bread</h2><h3>Flour</h3><p>Take wheat.</p><h2>More to read</h2><p>Ten ways to bake.</p>";
    assert.deepStrictEqual(keptOf(page, ["Take wheat."]), ["Bread", "Flour", "Take wheat."]);
    assert.deepStrictEqual(keptOf(page, ["Take wheat."], ["Flour"]), ["Take wheat."]);
  });
});
