/** A law: whatever the markup, each word of the selected blocks is in the text and in the Markdown, once. */
import { assert, describe, it } from "vitest";
import { indexBelow, seededRandom } from "@winnow/testing/samples/samples";
import { bodyOf } from "../../src/parse/PageTree.ts";
import { parsePage } from "../../src/parse/ParsedPage.ts";
import { cutBlocks } from "../../src/select/blocks/Blocks.ts";
import { readContent } from "../../src/write/readContent.ts";
import { writeContent } from "../../src/write/writeContent.ts";

const NAMES = (
  "div p ul ol li dl dt dd table caption thead tbody tr td th h2 h3 blockquote pre code section figure " +
  "figcaption a b span em details summary center menu"
).split(" ");

const PAGES = 400;

const htmlOf = (seed: number): string => {
  const random = seededRandom(seed);
  let word = 0;
  const inside = (depth: number): string => {
    let html = "";
    for (let count = 1 + indexBelow(random, 4); count > 0; count -= 1) {
      const name = NAMES[indexBelow(random, NAMES.length)] ?? "p";
      if (depth === 0 || random() < 0.4) html += ` w${seed}x${(word += 1)} `;
      else html += `<${name}>${inside(depth - 1)}</${name}>`;
    }
    return html;
  };
  return `<!doctype html><body><article>${inside(6)}</article></body>`;
};

const wordsOf = (text: string): ReadonlyArray<string> => (text.match(/w\d+x\d+/gu) ?? []).toSorted();

describe("content", () => {
  it("has each word of the blocks, in the text and in the Markdown", () => {
    for (let seed = 1; seed <= PAGES; seed += 1) {
      const html = htmlOf(seed);
      const { root } = parsePage(html);
      const kept = cutBlocks(bodyOf(root)).blocks;
      const { blocks } = readContent({ body: bodyOf(root), kept, resolve: () => null });
      const content = { isPaged: false, pages: [{ blocks, links: [] }] };
      const words = wordsOf(kept.map(({ text }) => text).join(" "));
      const { markdown, plain } = writeContent(content);
      assert.deepStrictEqual(wordsOf(plain), words, html);
      assert.deepStrictEqual(wordsOf(markdown), words, html);
    }
  });
});
