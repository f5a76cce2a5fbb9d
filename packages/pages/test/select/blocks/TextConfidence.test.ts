import { assert, describe, it } from "@effect/vitest";
import * as fc from "fast-check";
import { textConfidence } from "../../../src/select/blocks/MainText.ts";
import { page, paragraphs, read } from "../../pages.ts";

describe("the confidence in a text", () => {
  it("is between 0 and 1 and rises with the model's expectation", () => {
    const expected = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(expected, expected, (one, other) => {
        const [low, high] = [textConfidence(Math.min(one, other)), textConfidence(Math.max(one, other))];
        assert.isAtLeast(low, 0);
        assert.isAtMost(high, 1);
        assert.isAtMost(low, high);
      })
    );
  });

  it("is higher for an article than for a page of links", async () => {
    const article = page({ body: `<main><article><h1>Bread</h1>${paragraphs(8)}</article></main>` });
    const links = Array.from(
      { length: 80 },
      (_, index) => `<a href="/${index}">Offer ${index}</a> <b>${index} €</b>`
    );
    const list = page({
      body: `<div>${links.map((link) => `<div class="row">${link}</div>`).join("")}</div>`
    });
    const [high, low] = [await read(article), await read(list)];
    assert.isAbove(high.text.confidence, 0.85);
    assert.isBelow(low.text.confidence, high.text.confidence);
  });

  it("is low for a fragmented page, whose complete text and Markdown are included", async () => {
    const menu = `<nav><ul><li><a href="/terms">Terms of use</a></li></ul></nav>`;
    const offers = Array.from(
      { length: 40 },
      (_, index) => `<div class="offer"><a href="/${index}">Offer ${index}</a> <b>${index} €</b></div>`
    );
    const fragments = await read(page({ body: `${menu}<div>${offers.join("")}</div>` }));
    const article = await read(page({ body: `${menu}<article><h1>Bread</h1>${paragraphs(8)}</article>` }));
    assert.isBelow(fragments.text.confidence, 0.65);
    assert.include(fragments.text.wholePage?.text, "Terms of use");
    assert.include(fragments.text.wholePage?.text, "Offer 39");
    assert.include(fragments.text.wholePage?.markdown, "[Terms of use](https://");
    assert.isNull(article.text.wholePage);
  });

  it("is whole for plain text", async () => {
    assert.strictEqual((await read(new TextEncoder().encode("words"), "text/plain")).text.confidence, 1);
  });
});
