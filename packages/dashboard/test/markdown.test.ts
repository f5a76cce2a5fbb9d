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

describe("the Markdown of a page", () => {
  it("becomes headings, paragraphs, lists, tables, quotes and code", () => {
    const page =
      "# Title\n\nA *first* paragraph\nin two lines.\n\n- one\n- two\n  more\n\n1. first\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> said\n\n```\ncode # here\n```\n\n---";
    const types = readMarkdown(page).map(({ type }) => type);
    assert.deepStrictEqual(types, ["heading", "paragraph", "list", "list", "table", "quote", "code", "rule"]);
  });

  it("has its headings and items also where a line holds a line separator", () => {
    const types = readMarkdown("# One\u2028two\n\n- one\u2028two").map(({ type }) => type);
    assert.deepStrictEqual(types, ["heading", "list"]);
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

  it("has the lines of a cell, but no other markup", () => {
    const block = first("| a | b |\n|---|---|\n| one<br>two | \\<br><b>three |");
    assert.strictEqual(block.type, "table");
    const texts = block.type === "table" ? block.rows.at(-1)?.map(textOf) : [];
    assert.deepStrictEqual(texts, ["one\ntwo", "<br><b>three"]);
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
  });

  it("terminates for any input", () => {
    for (const odd of [
      "> ".repeat(500),
      "- ".repeat(500),
      "[".repeat(2_000),
      "*".repeat(2_000),
      "|\n|-\n|",
      "```"
    ]) {
      assert.isArray(readMarkdown(odd));
    }
  });
});
