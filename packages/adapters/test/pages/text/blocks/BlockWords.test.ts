import { assert, describe, it } from "@effect/vitest";
import { blockWords, WORD_KINDS, type Words } from "../../../../src/pages/text/blocks/BlockWords.ts";
import { cutBlocks } from "../../../../src/pages/text/blocks/Blocks.ts";
import { parsePage } from "../../../../src/pages/text/ParsedPage.ts";
import { PAGE_URL } from "../../pages.ts";

const wordsOf = (html: string, url: string = PAGE_URL): ReadonlyArray<ReadonlyArray<Words>> =>
  blockWords(cutBlocks(parsePage(html).root), url);

const shared = (a: Words | undefined, b: Words | undefined): number =>
  [...(a ?? [])].filter((word) => b?.includes(word)).length;

describe("the words of a block", () => {
  it("are grouped by kind, without duplicates", () => {
    const [block = []] = wordsOf(
      '<div class="card card"><p class="card">again and again and again</p></div>'
    );
    assert.strictEqual(block.length, WORD_KINDS);
    for (const words of block) assert.strictEqual(new Set(words).size, words.length);
  });

  it("count the names of the elements around it, the near ones as near", () => {
    const around = (html: string): ReadonlyArray<number> => [...(wordsOf(html)[0]?.[0] ?? [])];
    const named = (html: string): ReadonlyArray<number> => {
      const nameless = around(html.replace(' class="price"', ""));
      return around(html).filter((word) => !nameless.includes(word));
    };
    const near = named('<p class="price">One</p>');
    const far = named('<div class="price"><div><div><p>One</p></div></div></div>');
    assert.lengthOf(near, 2);
    assert.lengthOf(far, 2);
    assert.lengthOf(
      near.filter((word) => far.includes(word)),
      1
    );
  });

  it("are the same in capitals, with other numbers and other marks", () => {
    const [a = [], b = []] = wordsOf("<p>ADD 3 items!</p><p>Add 12 items</p>");
    assert.deepStrictEqual(a[1], b[1]);
  });

  it("distinguish a label from the same words in a sentence", () => {
    const [label = [], sentence = []] = wordsOf(
      "<p>Add to cart</p><p>Whatever you add to cart today will be sent on the next day</p>"
    );
    const three = 3 + 2;
    assert.strictEqual(shared(label[1], sentence[1]), three, "three words and two pairs");
    assert.isAbove(label[1]?.length ?? 0, three);
  });

  it("include the heading above and the link URL", () => {
    const [, below = [], link = []] = wordsOf(
      '<h2>You may also like</h2><p>Soap</p><p><a href="/products/soap">Soap</a></p>'
    );
    const [, elsewhere = []] = wordsOf("<h2>Description</h2><p>Soap</p>");
    assert.isAbove(shared(below[2], link[2]), 0);
    assert.isBelow(shared(below[2], elsewhere[2]), below[2]?.length ?? 0);
    assert.isAbove(link[2]?.length ?? 0, below[2]?.length ?? 0);
  });

  it("distinguish a link within the site from an external one", () => {
    const leading = (href: string) => wordsOf(`<p><a href="${href}">Soap</a></p>`)[0]?.[2];
    const address = new URL(PAGE_URL);
    assert.deepStrictEqual(leading("/soap"), leading(`${address.origin}/soap`));
    assert.notDeepEqual(leading("/soap"), leading("https://other.test/soap"));
  });
});
