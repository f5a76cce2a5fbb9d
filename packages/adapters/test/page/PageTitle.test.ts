import { assert, describe, it } from "@effect/vitest";
import { readBytes } from "../../src/page/ReadBytes.ts";
import { og, page, PAGE_URL, paragraphs } from "./pages.ts";

const titleOf = async (
  { body = "", head }: { readonly head: string; readonly body?: string },
  url = PAGE_URL
): Promise<string | null> => {
  const html = page({ head, body: body + paragraphs(3) });
  const outcome = await readBytes(new TextEncoder().encode(html), { url, contentType: "text/html" });
  return "reading" in outcome ? outcome.reading.title : assert.fail();
};

const title = (text: string): { readonly head: string } => ({ head: `<title>${text}</title>` });

describe("the title of a page", () => {
  it("loses the site's name, by host, URL or JSON-LD", async () => {
    const url = "https://www.valley-news.co.uk/posts/42";
    for (const name of ["Valley News", "valley-news.co.uk", "www.valley-news.co.uk"])
      assert.strictEqual(await titleOf(title(`Better bread | ${name}`), url), "Better bread", name);
    assert.strictEqual(await titleOf(title("Better bread | News"), url), "Better bread | News");
    const site = `<script type="application/ld+json">{"@type": "WebSite", "name": "The Valley"}</script>`;
    assert.strictEqual(
      await titleOf({ head: `<title>Better bread - The Valley</title>${site}` }),
      "Better bread"
    );
  });

  it("loses the site's name at its beginning, except on the front page", async () => {
    const { head } = title("Valley News | Better bread");
    const named = { head: head + og([["site_name", "Valley News"]]) };
    assert.strictEqual(await titleOf(named), "Better bread");
    assert.strictEqual(await titleOf(named, "https://site.test/"), "Valley News | Better bread");
  });

  it("loses the site's host name even without a separator", async () => {
    const url = "https://blog.miratal.test/bread.html";
    const body = "<h1>miratal.test</h1>";
    assert.strictEqual(await titleOf({ ...title("miratal.test Better Bread"), body }, url), "Better Bread");
    assert.strictEqual(await titleOf({ ...title("Better Bread miratal.test"), body }, url), "Better Bread");
    assert.strictEqual(await titleOf(title("What is example.com for"), url), "What is example.com for");
  });

  it("is the heading without the date in it", async () => {
    const { head } = title("Preparing dough");
    for (const day of ["Dec 18 2025", "18 December 2025", "2025-12-18"])
      assert.strictEqual(
        await titleOf({ head, body: `<h1><time>${day}</time> Preparing dough</h1>` }),
        "Preparing dough",
        day
      );
    const body = "<h1>April 2025 Preparing dough</h1>";
    assert.strictEqual(await titleOf({ head, body }), "April 2025 Preparing dough");
  });

  it("is the heading contained in the document's title, not the site's name above it", async () => {
    const body = "<h1>Mira Tal's Baking and Unbaking</h1><h1>The Rise and Fall Problem</h1>";
    assert.strictEqual(
      await titleOf({ ...title("The Rise and Fall Problem (Mira Tal)"), body }),
      "The Rise and Fall Problem"
    );
  });

  it("is the declared title if the URL spells it out and the heading differs", async () => {
    const declared = title("Flour Quality: Choosing A Mill For Your Bakery");
    const url = "https://site.test/flour-quality-choosing-a-mill-for-your-bakery";
    assert.strictEqual(
      await titleOf({ ...declared, body: "<h1>Supporting flour quality</h1>" }, url),
      "Flour Quality: Choosing A Mill For Your Bakery"
    );
    const longer = "Flour quality: choosing a mill for your bakery, and how to keep it";
    assert.strictEqual(await titleOf({ ...declared, body: `<h1>${longer}</h1>` }, url), longer);
    const elsewhere = "https://site.test/flour-quality-advice";
    assert.strictEqual(
      await titleOf({ ...declared, body: "<h1>Supporting flour quality</h1>" }, elsewhere),
      "Supporting flour quality"
    );
  });

  it("is the only heading if any of the titles is a wording of it", async () => {
    const shared = og([["title", "Easier mornings: five machines that bakers recommend"]]);
    const head = `<title>The 5 best bread machines, tested by bakers</title>${shared}`;
    const heading = "After testing forty bread machines, these are the best";
    assert.strictEqual(await titleOf({ head, body: `<h1>${heading}</h1>` }), heading);
    assert.strictEqual(
      await titleOf({ head, body: `<h1>${heading}</h1><h1>Related pages of ours</h1>` }),
      "Easier mornings: five machines that bakers recommend"
    );
  });
});
