import { assert, describe, it } from "@effect/vitest";
import { BLOCKS_MAX, cutBlocks } from "../../../src/select/blocks/Blocks.ts";
import { parsePage } from "../../../src/parse/ParsedPage.ts";

const textsOf = (html: string): ReadonlyArray<string> =>
  cutBlocks(parsePage(html).root).blocks.map(({ text }) => text);

describe("a page cut into blocks", () => {
  it("is split where the layout separates text, and never within a line", () => {
    assert.deepStrictEqual(
      textsOf("<div>one <b>bold</b> word<p>two</p>three</div><ul><li>a</li><li>b</li></ul>"),
      ["one bold word", "two", "three", "a", "b"]
    );
  });

  it("separates adjacent elements without text between them", () => {
    assert.deepStrictEqual(textsOf("<div><span>Bread</span><span>$5</span></div>"), ["Bread", "$5"]);
    assert.deepStrictEqual(textsOf("<p>Mind <b>the</b> <i>gap</i></p>"), ["Mind the gap"]);
  });

  it("keeps the parts of a price together", () => {
    const rows = [
      ["<span>$</span><span>18.66</span> <span>USD</span>", ["$18.66 USD"]],
      ["<span>18</span><span>,66</span> <span>€</span>", ["18,66 €"]],
      ["<b>kr</b> <b>249,-</b><b>Buy</b>", ["kr 249,-", "Buy"]],
      ["<i>$</i><i>18</i><i>.</i><i>66</i>", ["$18.66"]],
      ["<i>$</i><span>19<i>.</i></span><i>99</i>", ["$19.99"]],
      ["<span>12</span><span>34</span>", ["12", "34"]],
      ["<div>€</div><div>5</div>", ["€", "5"]]
    ] as const;
    for (const [html, texts] of rows) assert.deepStrictEqual(textsOf(`<div>${html}</div>`), texts);
  });

  it("keeps letters that stand on their own for their looks in their word", () => {
    assert.deepStrictEqual(textsOf("<p><b>T</b><span>h</span><span>e shed</span></p>"), ["The shed"]);
    assert.deepStrictEqual(textsOf("<p><b>A</b> <span>shed</span></p>"), ["A", "shed"]);
    assert.deepStrictEqual(textsOf("<p><a>A</a><a>b</a></p>"), ["A", "b"]);
  });

  it("keeps the parts of a word with its reading together", () => {
    const spans = `<span><span aria-hidden="true">鐘</span><span class="sr-only">かね</span></span>`;
    assert.deepStrictEqual(textsOf(`<p>毎朝${spans}を鳴らした。</p>`), ["毎朝鐘を鳴らした。"]);
    assert.deepStrictEqual(textsOf("<p>川に<ruby><rb>船頭</rb><rt>せんどう</rt></ruby>が。</p>"), [
      "川に船頭が。"
    ]);
  });

  it("keeps line breaks inside a block", () => {
    assert.deepStrictEqual(textsOf("<p>one<br>two</p>"), ["one\ntwo"]);
  });

  it("leaves out hidden text, and keeps labels of buttons", () => {
    const html = `<p hidden>a</p><script>b</script><select><option>c</select><p style="display:none">d</p><button>e</button><p>f</p>`;
    assert.deepStrictEqual(textsOf(html), ["e", "f"]);
  });

  it("stops at the limit", () => {
    assert.isAtMost(textsOf("<p>x".repeat(BLOCKS_MAX + 100)).length, BLOCKS_MAX + 1);
  });
});
