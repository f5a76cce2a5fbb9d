import { assert, describe, it } from "@effect/vitest";
import { scanPage } from "../../../src/parse/PageScan.ts";
import { parsePage } from "../../../src/parse/ParsedPage.ts";
import { cutBlocks } from "../../../src/select/blocks/Blocks.ts";
import { withoutAdditions } from "../../../src/select/blocks/ReaderAdditions.ts";
import { jsonLd, og, page, PAGE_URL, paragraphs } from "../../pages.ts";

const COMMENTS = `<div id="comments"><p>With rye too.</p></div>`;
const REVIEWS = `<section class="product-reviews"><p>Cuts well.</p></section>`;

/** Which of both are left of a page with this head and so many paragraphs of its own. */
const leftOf = (head: string, count = 4, url = PAGE_URL): ReadonlyArray<string> => {
  const { root } = parsePage(page({ head, body: `<main>${paragraphs(count)}</main>${COMMENTS}${REVIEWS}` }));
  return withoutAdditions(cutBlocks(root).blocks, scanPage(root), url)
    .map(({ text }) => text)
    .filter((text) => !text.startsWith("Part"));
};

describe("what readers added", () => {
  it("is comments by name, and reviews of a product", () => {
    assert.deepStrictEqual(leftOf(""), ["Cuts well."]);
    assert.deepStrictEqual(leftOf(og([["type", "product"]])), []);
    assert.deepStrictEqual(leftOf(jsonLd({ "@type": "Product", name: "Knife" })), []);
  });

  it("stays in a discussion, and where the page says little else", () => {
    const whole = ["With rye too.", "Cuts well."];
    assert.deepStrictEqual(leftOf(jsonLd({ "@type": "DiscussionForumPosting", headline: "Rye" })), whole);
    assert.deepStrictEqual(leftOf("", 4, "https://site.test/forum/42"), whole);
    assert.deepStrictEqual(leftOf("", 1), whole);
  });
});
