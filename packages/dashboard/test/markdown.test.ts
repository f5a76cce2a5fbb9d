import { assert, describe, it } from "vitest";
import { rangeOf, redrawn, type Drawn } from "../src/screens/run/drawn.ts";
import { inlines, readMarkdown } from "../src/screens/run/markdown.tsx";

const SHOWN = new Set(["href", "start", "page"]);

/** As markup, with the attributes that depend on the page. */
const html = (drawn: Drawn): string => {
  if (typeof drawn === "string") return drawn.replaceAll("<", "&lt;");
  if (!("props" in drawn)) return drawn.map(html).join("");
  const name = typeof drawn.type === "string" ? drawn.type : "page";
  const attributes = Object.entries(drawn.props)
    .filter(([attribute]) => SHOWN.has(attribute))
    .map(([attribute, value]) => ` ${attribute}="${String(value)}"`);
  return `<${name}${attributes.join("")}>${html(drawn.props.children ?? "")}</${name}>`;
};

const page = (markdown: string): string => html(readMarkdown(markdown));
const line = (markdown: string): string => html(inlines(markdown));

describe("the Markdown of a page", () => {
  it("becomes headings, paragraphs, lists, tables, quotes and code", () => {
    const markdown =
      "# Title\n\nA *first* paragraph\nin two lines.\n\n- one\n- two\n  more\n\n1. first\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> said\n\n```\ncode # here\n```";
    assert.deepStrictEqual(
      page(markdown),
      "<h3>Title</h3><p>A <em>first</em> paragraph\nin two lines.</p>" +
        "<ul><li><p>one</p></li><li><p>two\nmore</p></li></ul>" +
        '<ol start="1"><li><p>first</p></li></ol>' +
        "<div><table><thead><tr><th>a</th><th>b</th></tr></thead>" +
        "<tbody><tr><td>1</td><td>2</td></tr></tbody></table></div>" +
        "<blockquote><p>said</p></blockquote><pre><code>code # here</code></pre>"
    );
    assert.strictEqual(page("## Two\n\n###### Six"), "<h4>Two</h4><h5>Six</h5>");
  });

  it("keeps lists in lists, at every depth and beside paragraphs and code", () => {
    assert.strictEqual(
      page("- a\n  - b\n    - c\n  - d\n- e"),
      "<ul><li><p>a</p><ul><li><p>b</p><ul><li><p>c</p></li></ul></li><li><p>d</p></li></ul></li><li><p>e</p></li></ul>"
    );
    assert.strictEqual(
      page("9. a\n\n10. b\n\n    - c\n\n    ```\n    x\n      y\n    ```"),
      '<ol start="9"><li><p>a</p></li><li><p>b</p><ul><li><p>c</p></li></ul><pre><code>x\n  y</code></pre></li></ol>'
    );
  });

  it("counts a list from its first number, and separates lists of different markers", () => {
    assert.strictEqual(
      page("3. c\n4. d\n\n1) a\n\n- b\n\n* c").replaceAll(/<.?p>/gu, ""),
      '<ol start="3"><li>c</li><li>d</li></ol><ol start="1"><li>a</li></ol><ul><li>b</li></ul><ul><li>c</li></ul>'
    );
  });

  it("has its headings and items also where a line holds a line separator", () => {
    assert.strictEqual(
      page("# One\u2028two\n\n- one\u2028two"),
      "<h3>One\u2028two</h3><ul><li><p>one\u2028two</p></li></ul>"
    );
  });

  it("has the pages of a document, which are no text", () => {
    const markdown = "one\n\n<!-- page 2 -->\n\nText";
    assert.strictEqual(page(markdown), '<p>one</p><page page="2"></page><p>Text</p>');
    assert.isNotNull(rangeOf(readMarkdown(markdown), "one Text"));
  });

  it("keeps untrusted markup as text", () => {
    const untrusted = '<img src=x onerror="alert(1)"> and <script>alert(1)</script>';
    assert.strictEqual(page(untrusted), `<p>${untrusted.replaceAll("<", "&lt;")}</p>`);
  });

  it("links only to web URLs", () => {
    assert.strictEqual(
      line(
        "[a](https://a.example/x) [b](javascript:alert(1)) [c](data:text/html,x) [d](/here) [e](HTTP://b.example)"
      ),
      '<a href="https://a.example/x">a</a> b) c d <a href="HTTP://b.example">e</a>'
    );
  });

  it("links to the URL whose characters were escaped", () => {
    assert.strictEqual(
      line("[a\\]b](https://a.example/x\\_y?b=\\~1\\&lt;)"),
      '<a href="https://a.example/x_y?b=~1&lt;">a]b</a>'
    );
  });

  it("has the lines of a paragraph, without their backslash", () => {
    assert.deepStrictEqual(inlines("one\\\ntwo"), ["one\ntwo"]);
  });

  it("ends neither links nor emphasis within code", () => {
    assert.strictEqual(
      line("[`a[0]`](https://a.example/) *`2 * 3`*"),
      '<a href="https://a.example/"><code>a[0]</code></a> <em><code>2 * 3</code></em>'
    );
  });

  it("keeps formulas as they are written, and prices are none", () => {
    assert.strictEqual(
      line("$\\{x*y*z\\}$ and $$a[i]$$ cost $5 or *$6*, \\$7\\$"),
      "$\\{x*y*z\\}$ and $$a[i]$$ cost $5 or <em>$6</em>, $7$"
    );
  });

  it("has emphasis around escapes, and what is struck", () => {
    assert.strictEqual(line("*a \\*b* ~~old~~"), "<em>a *b</em> <del>old</del>");
  });

  it("has the lines of a cell, but no other markup", () => {
    assert.include(
      page("| a | b |\n|---|---|\n| one<br>two | \\<br><b>three `<br>` |"),
      "<td>one\ntwo</td><td>&lt;br>&lt;b>three <code>&lt;br></code></td>"
    );
  });

  it("shows an image as its alternative text", () => {
    assert.include(line("before ![a sieve](https://a.example/x.jpg) after"), ">a sieve</a> after");
  });

  it("handles escapes and code", () => {
    assert.strictEqual(line("\\*not bold\\* `a * b`"), "*not bold* <code>a * b</code>");
    assert.strictEqual(line("`` a`b ``"), "<code>a`b</code>");
  });

  it("has the words of a quote over elements, blocks and cells, at their place in its text", () => {
    const drawn = readMarkdown("A **bold** word\n\n- and *an* item\n\n| a | b |\n|---|---|\n| 1 | 2 |");
    assert.deepStrictEqual(rangeOf(drawn, "bold word and an item"), { start: 2, end: 23 });
    assert.isNotNull(rangeOf(drawn, "a b 1 2"));
    assert.isNull(rangeOf(drawn, "wordand"));
    // Preact draws again only what is another object.
    assert.strictEqual(
      redrawn(drawn, (piece) => piece),
      drawn
    );
    const marked = redrawn(drawn, (piece, from) => (from === 0 ? "An " : piece)) as ReadonlyArray<Drawn>;
    assert.deepStrictEqual(
      marked.map((block, index) => block === drawn[index]),
      [false, true, true]
    );
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
      assert.isString(html(readMarkdown(odd)));
    }
  });
});
