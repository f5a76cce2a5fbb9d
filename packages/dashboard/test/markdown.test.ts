import { assert, describe, it } from "vitest";
import { inlines, readMarkdown, type Block, type Inline } from "../src/screens/run/markdown.ts";

const textOf = (nodes: ReadonlyArray<Inline>): string =>
  nodes.map((node) => ("text" in node ? node.text : textOf(node.children))).join("");

const linksOf = (nodes: ReadonlyArray<Inline>): ReadonlyArray<string> =>
  nodes.flatMap((node) =>
    node.type === "link"
      ? [node.url, ...linksOf(node.children)]
      : "children" in node
        ? linksOf(node.children)
        : []
  );

const first = (markdown: string): Block => {
  const [block] = readMarkdown(markdown);
  assert.isDefined(block);
  return block;
};

type Outline = ReadonlyArray<string | Outline>;

/** The texts of its blocks; a list is an array. */
const outlineOf = (blocks: ReadonlyArray<Block>): Outline =>
  blocks.flatMap((block): Outline => {
    if (block.type === "list") return [block.items.flatMap(outlineOf)];
    return "children" in block ? [textOf(block.children)] : [];
  });

/** Of a list. */
const outline = (markdown: string): string | Outline | undefined => outlineOf(readMarkdown(markdown))[0];

describe("the Markdown of a page", () => {
  it("becomes headings, paragraphs, lists, tables, quotes and code", () => {
    const page =
      "# Title\n\nA *first* paragraph\nin two lines.\n\n- one\n- two\n  more\n\n1. first\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> said\n\n```\ncode # here\n```";
    const types = readMarkdown(page).map(({ type }) => type);
    assert.deepStrictEqual(types, ["heading", "paragraph", "list", "list", "table", "quote", "code"]);
  });

  it("keeps lists in lists, at every depth and beside paragraphs and code", () => {
    assert.deepStrictEqual(outline("- a\n  - b\n    - c\n  - d\n- e"), ["a", ["b", ["c"], "d"], "e"]);
    assert.deepStrictEqual(outline("9. a\n\n10. b\n\n    - c\n\n    ```\n    x\n      y\n    ```"), [
      "a",
      "b",
      ["c"],
      "x\n  y"
    ]);
  });

  it("counts a list from its first number, and separates lists of different markers", () => {
    const starts = readMarkdown("3. c\n4. d\n\n1) a\n\n- b\n\n* c").map((block) =>
      block.type === "list" ? [block.start, block.items.length] : block.type
    );
    assert.deepStrictEqual(starts, [
      [3, 2],
      [1, 1],
      [null, 1],
      [null, 1]
    ]);
  });

  it("has its headings and items also where a line holds a line separator", () => {
    const types = readMarkdown("# One\u2028two\n\n- one\u2028two").map(({ type }) => type);
    assert.deepStrictEqual(types, ["heading", "list"]);
  });

  it("has the pages of a document, which are no text", () => {
    assert.deepStrictEqual(readMarkdown("<!-- page 2 -->\n\nText"), [
      { type: "page", page: 2 },
      { type: "paragraph", children: [{ type: "text", text: "Text" }] }
    ]);
  });

  it("keeps untrusted markup as text", () => {
    const block = first('<img src=x onerror="alert(1)"> and <script>alert(1)</script>');
    assert.strictEqual(block.type, "paragraph");
    assert.strictEqual(
      block.type === "paragraph" ? textOf(block.children) : "",
      '<img src=x onerror="alert(1)"> and <script>alert(1)</script>'
    );
  });

  it("links only to web URLs", () => {
    const found = linksOf(
      inlines(
        "[a](https://a.example/x) [b](javascript:alert(1)) [c](data:text/html,x) [d](/here) [e](HTTP://b.example)"
      )
    );
    assert.deepStrictEqual(found, ["https://a.example/x", "HTTP://b.example"]);
  });

  it("links to the URL whose characters were escaped", () => {
    assert.deepStrictEqual(linksOf(inlines("[a\\]b](https://a.example/x\\_y?b=\\~1\\&lt;)")), [
      "https://a.example/x_y?b=~1&lt;"
    ]);
  });

  it("has the lines of a paragraph, without their backslash", () => {
    assert.deepStrictEqual(inlines("one\\\ntwo"), [{ type: "text", text: "one\ntwo" }]);
  });

  it("ends neither links nor emphasis within code", () => {
    const page = "[`a[0]`](https://a.example/) *`2 * 3`*";
    assert.strictEqual(textOf(inlines(page)), "a[0] 2 * 3");
    assert.deepStrictEqual(linksOf(inlines(page)), ["https://a.example/"]);
  });

  it("keeps formulas as they are written, and prices are none", () => {
    const page = "$\\{x*y*z\\}$ and $$a[i]$$ cost $5 or *$6*, \\$7\\$";
    assert.strictEqual(textOf(inlines(page)), "$\\{x*y*z\\}$ and $$a[i]$$ cost $5 or $6, $7$");
  });

  it("has emphasis around escapes, and what is struck", () => {
    assert.deepStrictEqual(inlines("*a \\*b* ~~old~~"), [
      { type: "em", children: [{ type: "text", text: "a *b" }] },
      { type: "text", text: " " },
      { type: "del", children: [{ type: "text", text: "old" }] }
    ]);
  });

  it("has the lines of a cell, but no other markup", () => {
    const block = first("| a | b |\n|---|---|\n| one<br>two | \\<br><b>three `<br>` |");
    assert.strictEqual(block.type, "table");
    const texts = block.type === "table" ? block.rows.at(-1)?.map(textOf) : [];
    assert.deepStrictEqual(texts, ["one\ntwo", "<br><b>three <br>"]);
  });

  it("shows an image as its alternative text", () => {
    assert.strictEqual(
      textOf(inlines("before ![a sieve](https://a.example/x.jpg) after")),
      "before a sieve after"
    );
  });

  it("handles escapes and code", () => {
    assert.deepStrictEqual(inlines("\\*not bold\\* `a * b`"), [
      { type: "text", text: "*not bold* " },
      { type: "code", text: "a * b" }
    ]);
    assert.deepStrictEqual(inlines("`` a`b ``"), [{ type: "code", text: "a`b" }]);
  });

  it("terminates for any input", () => {
    for (const odd of [
      "> ".repeat(500),
      "- ".repeat(500),
      "[".repeat(2_000),
      "*".repeat(2_000),
      "|\n|-\n|",
      "```",
      "$[$ ".repeat(20_000),
      `*${"`a` ".repeat(2_000)}`,
      `[${"``".repeat(2_000)}`
    ]) {
      assert.isArray(readMarkdown(odd));
    }
  });
});
