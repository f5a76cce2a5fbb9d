import { assert, describe, it } from "@effect/vitest";
import { cutBlocks } from "../../../src/select/blocks/Blocks.ts";
import { withFactLists } from "../../../src/select/blocks/FactLists.ts";
import { scanPage } from "../../../src/parse/PageScan.ts";
import { parsePage } from "../../../src/parse/ParsedPage.ts";
import { jsonLd, og, page, paragraphs, read, readText } from "../../pages.ts";

const linesOf = async (html: string): Promise<ReadonlyArray<string>> =>
  (await read(html)).text.plain.split("\n");

const RELATED = `<aside><h3>More recipes</h3><ul><li><a href="/a">Plum cake</a></li><li><a href="/b">Pear tart</a></li></ul></aside>`;

const recipe = (ingredients: string, head = ""): string =>
  page({
    head,
    body: `<nav><a href="/">Home</a></nav><article><h1>Pumpkin pizza</h1>${paragraphs(2)}${ingredients}<h2>Method</h2>${paragraphs(4)}</article>${RELATED}<footer>Copyright</footer>`
  });

const AMOUNTS = [
  ["100 g", "pumpkin"],
  ["120 ml", "lukewarm water"],
  ["17 g", "fresh yeast"],
  ["2", "ripe avocados"],
  ["1", "egg"]
] as const;

describe("the ingredients of a recipe", () => {
  it.each([
    [
      "in elements of their own",
      (amount: string, name: string) => `<li><span>${amount}</span> <span>${name}</span></li>`
    ],
    [
      "as a label with a paragraph",
      (amount: string, name: string) => `<li><label><span>${amount} </span><p>${name}</p></label></li>`
    ],
    ["as two boxes", (amount: string, name: string) => `<li><div>${amount}</div><div>${name}</div></li>`]
  ])("keep their amounts, written %s", async (_, item) => {
    const list = AMOUNTS.map(([amount, name]) => item(amount, name)).join("");
    const lines = await linesOf(recipe(`<h2>Ingredients</h2><ul>${list}</ul>`));
    for (const [amount, name] of AMOUNTS) assert.include(lines, `${amount} ${name}`);
    assert.notInclude(lines, "Plum cake");
  });

  it("are found by a heading in another language, in groups and in tables", async () => {
    const rows = AMOUNTS.map(([amount, name]) => `<tr><td>${amount}</td><td>${name}</td></tr>`).join("");
    const lines = await linesOf(
      recipe(
        `<div class="box"><h3>Zutaten für 4 Personen</h3><div><strong>Für den Teig</strong><table>${rows}</table><strong>Außerdem</strong><ul><li>Salz</li><li>Öl</li></ul></div></div>`
      )
    );
    for (const line of ["100 g pumpkin", "1 egg", "Außerdem", "Salz", "Öl"]) assert.include(lines, line);
  });

  it("are found if the page states them as data", async () => {
    const items = AMOUNTS.map(
      ([amount, name]) =>
        `<div class="x1"><div>${amount}</div><div><a href="/glossary/${name}">${name}</a></div></div>`
    );
    const stated = jsonLd({
      "@type": "Recipe",
      name: "Pumpkin pizza",
      recipeIngredient: AMOUNTS.map(([amount, name]) => `${amount} ${name}`)
    });
    const { plain: text } = await readText(recipe(`<section class="x0">${items.join("")}</section>`, stated));
    const folded = text.replace(/\s+/g, " ");
    for (const [amount, name] of AMOUNTS) assert.include(folded, `${amount} ${name}`);
  });

  it("are added once, however often the page has them", () => {
    const list = `<ul>${AMOUNTS.map(([amount, name]) => `<li>${amount} ${name}</li>`).join("")}</ul>`;
    const html = recipe(`<h2>Ingredients</h2>${list}<div class="print"><h2>Ingredients</h2>${list}</div>`);
    const { root } = parsePage(html);
    const { blocks } = cutBlocks(root);
    const kept = blocks.filter(({ isProse }) => isProse);
    const added = withFactLists(blocks, kept, scanPage(root)).filter((block) => !kept.includes(block));
    assert.deepStrictEqual(
      added.map(({ text }) => text),
      ["Ingredients", ...AMOUNTS.map(([amount, name]) => `${amount} ${name}`)]
    );
  });
});

describe("the specifications of a product", () => {
  const rows = [
    ["Weight", "41 kg"],
    ["Stone", "granite"],
    ["Output", "12 kg an hour"],
    ["Power", "360 W"]
  ] as const;
  const product = (specifications: string): string =>
    page({
      head: og([["type", "product"]]),
      body: `<article><h1>Mill</h1>${paragraphs(3)}${specifications}</article><footer>Copyright</footer>`
    });

  it.each([
    [
      "a table",
      `<table>${rows.map(([name, value]) => `<tr><th>${name}</th><td>${value}</td></tr>`).join("")}</table>`
    ],
    ["pairs", `<dl>${rows.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join("")}</dl>`]
  ])("are whole as %s", async (_, table) => {
    const { plain: text } = await readText(product(`<h2>Technical details</h2>${table}`));
    const folded = text.replace(/\s+/g, " ");
    for (const [name, value] of rows) assert.include(folded, `${name} ${value}`);
  });
});
