import { assert, describe, it } from "@effect/vitest";
import { cutBlocks } from "../../src/select/blocks/Blocks.ts";
import type { PageContent } from "../../src/write/Content.ts";
import { readContent } from "../../src/write/readContent.ts";
import { writeContent } from "../../src/write/writeContent.ts";
import { parsePage } from "../../src/parse/ParsedPage.ts";

const contentOf = (html: string): PageContent => {
  const { blocks, body } = cutBlocks(parsePage(html).root);
  return readContent({ body: body.element, kept: blocks, resolve: (reference) => reference ?? null });
};

const textOf = (html: string): string => writeContent({ pages: [contentOf(html)], isPaged: false }).plain;

describe("the text of a page", () => {
  it.each([
    ["the rows of a table", "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b\nc"],
    ["the lines of code", "<pre>let rye = 1;\nlet spelt = 2;</pre>", "let rye = 1;\nlet spelt = 2;"],
    ["the lines of a verse in a link", '<p>so<br><a href="/x">it<br>is</a></p>', "so\nit\nis"],
    ["terms and meanings", "<dl><dt>Weight</dt><dd>41 kg</dd></dl>", "Weight\n41 kg"],
    ["items and what is in them", '<ol type="i"><li>Rye<ul><li>dark</li></ul></li></ol>', "i. Rye\ndark"],
    [
      "items of letters and Roman numerals",
      '<ol type="A" start="26"><li>Rye</li><li>Spelt</li></ol><ol type="i" start="1944"><li>Oats</li></ol>',
      "Z. Rye\nAA. Spelt\nmcmxliv. Oats"
    ],
    [
      "the numbers of items in a cell",
      "<table><tr><th>Step</th><th>Work</th></tr><tr><td>A</td><td><ol start=3><li>Mix</li><li></li><li><b>Rest</b></li><li>6. Bake</li></ol></td></tr></table>",
      "Step Work\nA 3. Mix 5. Rest 6. Bake"
    ],
    ["items with their own numbers", "<ul><li>1.Rye</li><li>2.Spelt</li></ul>", "1. Rye\n2. Spelt"],
    ["links in a row, apart", '<div><a href="/a">Rye</a><a href="/b">Spelt</a></div>', "Rye Spelt"]
  ])("has %s on their lines", (_, html, text) => assert.strictEqual(textOf(html), text));

  it("has the mark of a note where the page shows one", () => {
    assert.strictEqual(
      textOf('<p>Rye<sup><a href="#n">1</a></sup>.</p><p id="n">[1] Grown in the north.</p>'),
      "Rye[1].\n[1] Grown in the north."
    );
  });
});

describe("a declared mark of a note", () => {
  it.each(['role="doc-noteref"', 'epub:type="noteref"'])(
    "is apart from the year before it, without <sup>: %s",
    (kind) => {
      const text = textOf(`<p>In 1789<a ${kind} href="#n">1</a>.</p><p id="n">1. The year it began.</p>`);
      assert.strictEqual(text, "In 1789[1].\n1. The year it began.");
      assert.strictEqual(textOf(`<p>In 1789<a ${kind} href="notes.html#n">1</a>.</p>`), "In 1789[1].");
    }
  );
});
