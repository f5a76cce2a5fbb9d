// @module-tag long
import { assert, describe, it } from "@effect/vitest";
import * as fc from "fast-check";
import type { Node } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { parsedMarkdown, textOfNode, visit } from "../../bench/page-text/structure.ts";
import { type Content, type ContentBlock, type Inline, plainText } from "../../src/write/Content.ts";
import { writeContent } from "../../src/write/writeContent.ts";

const contentOf = (blocks: ReadonlyArray<ContentBlock>): Content => ({
  pages: [{ blocks, links: [] }],
  isPaged: false
});

const writeMarkdown = (blocks: ReadonlyArray<ContentBlock>): string =>
  writeContent(contentOf(blocks)).markdown;

/** Text that means something in Markdown or in HTML, and ordinary words. */
const PIECES: ReadonlyArray<string> = [
  ..."*_`~[]()<>#+-=|\\!&;:.$'\"{}^/1aé漢 ",
  ["**", "__", "```", "~~~", "---", "<b>", "</b>", "<!--", "&amp;", "&#42;", "![", "](", "[^1]:", "1. "],
  ["http://a.test/~x_y*", "www.a.test/(b)", "| - |", "a@b.test", "word", "two words", "javascript:"]
].flat();

const text = fc
  .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 12 })
  .map((pieces) => `x${pieces.join("")}`.replace(/\s+/g, " ").trimEnd());

const url = fc.constantFrom(
  "https://a.test/",
  "https://a.test/b_c_(d)?e=*f*&copy;=1|2#g",
  "https://a.test/~x/[y]<z>"
);

const leaf: fc.Arbitrary<Inline> = fc.oneof(
  { weight: 5, arbitrary: text.map((value): Inline => ({ type: "text", text: value })) },
  text.map((value): Inline => ({ type: "code", text: value })),
  fc.constant<Inline>({ type: "text", text: " " })
);

const inlines = (children: fc.Arbitrary<Inline>): fc.Arbitrary<ReadonlyArray<Inline>> =>
  fc.array(children, { minLength: 1, maxLength: 4 });

const spanning: fc.Arbitrary<Inline> = fc.oneof(
  { weight: 3, arbitrary: leaf },
  fc.record({ type: fc.constantFrom("strong" as const, "emphasis" as const), children: inlines(leaf) }),
  fc.record({ type: fc.constant("link" as const), url, children: inlines(leaf) })
);

const running = fc
  .tuple(text, inlines(spanning))
  .map(([first, rest]): ReadonlyArray<Inline> => [{ type: "text", text: first }, ...rest]);

/** Without white space, because two adjacent pieces of code are separated by a space. */
const words = (value: string): string => value.replace(/\s+/g, "");

/** As most renderers read it, with GitHub's extensions, and as CommonMark. */
const readings = (markdown: string) => [parsedMarkdown(markdown), fromMarkdown(markdown)] as const;

const assertNone = (trees: ReadonlyArray<Node>, type: Node["type"], markdown: string): void => {
  const found: Array<Node> = [];
  for (const tree of trees) visit(tree, (node) => void (node.type === type && found.push(node)));
  assert.isEmpty(found, markdown);
};

/** Signs of dollars around what GitHub would read as a formula. */
const FORMULA = /(?<!\\)\$(?=\S)[^$]*[^\s\\$]\$(?!\d)/u;

const paragraph = (children: ReadonlyArray<Inline>): ContentBlock => ({ type: "paragraph", children });

const block: fc.Arbitrary<ContentBlock> = fc.oneof(
  running.map(paragraph),
  fc.record({
    type: fc.constant("heading" as const),
    level: fc.integer({ min: 1, max: 6 }),
    children: running
  }),
  text.map((value): ContentBlock => ({ type: "code", language: "ts", text: value })),
  fc.array(running, { minLength: 1, maxLength: 3 }).map((rows): ContentBlock => ({
    type: "table",
    head: [[{ type: "text", text: "a" }], []],
    rows: rows.map((cell) => [cell.filter(({ type }) => type !== "code"), [{ type: "text", text: "b" }]])
  })),
  running.map((children): ContentBlock => ({
    type: "quote",
    blocks: [paragraph(children), paragraph(children)]
  })),
  fc
    .tuple(fc.constantFrom(null, 0, 1, 7), fc.array(running, { minLength: 1, maxLength: 3 }), fc.boolean())
    .map(([start, items, isNested]): ContentBlock => ({
      type: "list",
      start,
      items: items.map((item) =>
        isNested
          ? [paragraph(item), { type: "list", start, items: [[paragraph(item)], [paragraph(item)]] }]
          : [paragraph(item)]
      )
    }))
);

const TYPES: Readonly<Record<string, string>> = { quote: "blockquote" };

describe("Markdown", () => {
  it("is read back as exactly the same words, whatever markup they look like", () => {
    fc.assert(
      fc.property(running, (children) => {
        const markdown = writeMarkdown([paragraph(children)]);
        const trees = readings(markdown);
        for (const tree of trees)
          assert.strictEqual(words(textOfNode(tree)), words(plainText(children)), markdown);
        assertNone(trees, "html", markdown);
      }),
      { numRuns: 1_000 }
    );
  });

  it("preserves every block next to any other, and never contains raw HTML", () => {
    fc.assert(
      fc.property(fc.array(block, { minLength: 1, maxLength: 4 }), (blocks) => {
        const markdown = writeMarkdown(blocks);
        const trees = readings(markdown);
        const found = trees[0].children.map(({ type }) => type);
        assert.deepStrictEqual(
          found,
          blocks.map(({ type }) => TYPES[type] ?? type) as typeof found,
          markdown
        );
        assertNone(trees, "html", markdown);
      }),
      { numRuns: 500 }
    );
  });

  it("has the words of the text, but for the numbers of items", () => {
    fc.assert(
      fc.property(fc.array(block, { minLength: 1, maxLength: 4 }), (blocks) => {
        // The parser leaves the backslash before a pipe in an address in a cell.
        const isCompared = (each: ContentBlock): boolean =>
          each.type === "list" ? each.start === null : each.type !== "table";
        const content = contentOf(blocks.filter(isCompared));
        const { markdown, plain } = writeContent(content);
        assert.strictEqual(words(textOfNode(parsedMarkdown(markdown))), words(plain), markdown);
      })
    );
  });

  it("has no formula that the page does not have", () => {
    const written = (value: string) => writeMarkdown([paragraph([{ type: "text", text: value }])]);
    assert.strictEqual(written("a variable $x$, and $$y$$"), String.raw`a variable \$x\$, and \$\$y\$\$`);
    const prices = "from $5 to $10, US$5/$6 or $ 7 and 8 $";
    assert.strictEqual(written(prices), prices);
    fc.assert(
      fc.property(fc.array(fc.constantFrom("$", "x", " ", "5", ".", "*"), { maxLength: 20 }), (pieces) =>
        assert.notMatch(written(`x${pieces.join("")}`), FORMULA)
      )
    );
  });

  it("divides the lines of a cell, and no cell has raw HTML of its page", () => {
    const cell: ReadonlyArray<Inline> = [
      { type: "text", text: "ferryman" },
      { type: "break" },
      { type: "text", text: "<br> | engineer" }
    ];
    const head = [cell, [{ type: "text", text: "b" }]] as const;
    const markdown = writeMarkdown([{ type: "table", head, rows: [head] }]);
    assert.strictEqual(markdown.split("\n")[0], String.raw`| ferryman<br>\<br> \| engineer | b |`);
    assert.include(textOfNode(parsedMarkdown(markdown)), "ferryman <br> | engineer");
  });

  it("is a link although its code looks like the end of a definition", () => {
    const code = { type: "code", text: "x]:*" } as const;
    const link = {
      type: "link",
      url: "https://a.test/",
      children: [{ type: "text", text: "x*" }, code]
    } as const;
    const types: Array<string> = [];
    visit(fromMarkdown(writeMarkdown([paragraph([link])])), ({ type }) => types.push(type));
    assert.include(types, "link");
    assert.notInclude(types, "definition");
  });

  it("leads nowhere but to the addresses of its links", () => {
    fc.assert(
      fc.property(running, url, (children, target) => {
        const links: Array<string> = [];
        visit(fromMarkdown(writeMarkdown([paragraph([{ type: "link", url: target, children }])])), (node) => {
          if (node.type === "link") links.push((node as Node & { readonly url: string }).url);
          assert.notStrictEqual(node.type, "definition");
        });
        assert.isTrue(links.every((link) => new URL(link).host === "a.test"));
        assert.isNotEmpty(links);
      })
    );
  });
});
