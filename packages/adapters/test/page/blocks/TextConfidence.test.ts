import { assert, describe, it } from "@effect/vitest";
import * as fc from "fast-check";
import { textConfidence } from "../../../src/page/blocks/TextConfidence.ts";
import { page, paragraphs, read } from "../pages.ts";

describe("the confidence in a text", () => {
  it("lies between 0 and 1 and rises with what the model expects", () => {
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
    assert.isAbove(high.textConfidence, 0.85);
    assert.isBelow(low.textConfidence, high.textConfidence);
  });

  it("is whole for plain text", async () => {
    assert.strictEqual((await read(new TextEncoder().encode("words"), "text/plain")).textConfidence, 1);
  });
});
