import { assert, describe, it } from "@effect/vitest";
import { readBytes } from "../../src/ReadBytes.ts";
import { og, page, PAGE_URL, paragraphs } from "../pages.ts";

const titleOf = async (
  { body = "", head }: { readonly head: string; readonly body?: string },
  url = PAGE_URL
): Promise<string | null> => {
  const html = page({ head, body: body + paragraphs(3) });
  const outcome = await readBytes(new TextEncoder().encode(html), { url, contentType: "text/html" });
  return "reading" in outcome ? outcome.reading.metadata.title : assert.fail();
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

  it("has no kicker that the declared title lacks, in the heading or above it", async () => {
    const headline = "Why bread rises slowly";
    const url = "https://valley-news.test/2025/why-bread-rises-slowly";
    const plain = title(`${headline} | Valley News`).head;
    const labelled = title(`Opinion | ${headline} | Valley News`).head;
    for (const [head, body] of [
      [plain, `<h1><span class="kicker">Opinion</span> ${headline}</h1>`],
      [plain, `<h1><span class="article__eyebrow">Opinion</span>${headline}</h1>`],
      [plain, `<h1><span>Opinion</span> <span>${headline}</span></h1>`],
      [plain, `<h1><div><a href="/opinion">Opinion</a><span>${headline}</span></div></h1>`],
      [plain, `<p class="kicker">Opinion</p><h1>${headline}</h1>`],
      [plain, `<h2 class="eyebrow">Opinion</h2><h1>${headline}</h1>`],
      [plain, `<h1>Opinion</h1><h2>${headline}</h2>`],
      [labelled, `<h2>Opinion</h2><h1>${headline}</h1>`]
    ] as const)
      assert.strictEqual(await titleOf({ head, body }, url), headline, head + body);
    const own = '<h1 class="kicker">Opinion</h1>';
    assert.strictEqual(await titleOf({ head: "", body: own }, url), "Opinion");
  });

  it("is the part of a heading that the page declares", async () => {
    const branded = {
      ...title("The Slow Oven - Mira Tal | Valley"),
      body: "<h1><a>Mira Tal</a> <span>The Slow Oven</span></h1>"
    };
    assert.strictEqual(await titleOf(branded), "The Slow Oven");
  });

  it("loses the site's name before a colon, and nothing else beside it", async () => {
    const url = "https://www.valley-news.test/story/42";
    const headline = "Why bread rises slowly";
    assert.strictEqual(await titleOf(title(`Valley News: ${headline}`), url), headline);
    assert.strictEqual(await titleOf(title(`Baking News: ${headline}`), url), `Baking News: ${headline}`);
    for (const kept of [
      `${headline} - Baking`,
      `${headline} - Part 2`,
      `${headline} - and how to stop it`,
      "Rye - Wheat"
    ])
      assert.strictEqual(await titleOf(title(`${kept} - Valley News`), url), kept);
  });

  it("is the article's, not that of a product, question or list that its data states first", async () => {
    const script = (data: object): string =>
      `<script type="application/ld+json">${JSON.stringify(data)}</script>`;
    const question = { "@type": "Question", name: "Does flour age?" };
    const first = [
      { "@type": "FAQPage", name: "Questions on flour", mainEntity: [question] },
      { "@type": "Product", name: "Flour of the valley" },
      { "@type": "ItemList", name: "Flours" },
      { "@type": "Review", name: "Excellent" }
    ];
    const article = { "@type": "BlogPosting", headline: "How flour ages" };
    assert.strictEqual(await titleOf({ head: script([...first, article]) }), "How flour ages");
    const whole = { "@type": "WebPage", name: "Flour at home" };
    assert.strictEqual(await titleOf({ head: script([first[0] ?? {}, whole]) }), "Flour at home");
  });

  it("keeps the spaces between lines of the heading, and has no buttons or anchors", async () => {
    const { head } = title("How flour ages");
    for (const heading of [
      "<div>How flour</div><div>ages</div>",
      "How flour<br>ages",
      "How flour ages<a class=headerlink href='#x'>¶</a>",
      "How flour ages <button>Copy link</button>",
      "How fl<em>our</em> ages"
    ])
      assert.strictEqual(await titleOf({ head, body: `<h1>${heading}</h1>` }), "How flour ages", heading);
  });

  it("is not only the site's name if the page has another title or heading", async () => {
    const url = "https://www.valley-news.test/posts/42";
    const site = og([["site_name", "Valley News"]]);
    const shared = og([["title", "Valley News"]]);
    const { head } = title("Valley News");
    const heading = "<h1>How flour ages</h1>";
    assert.strictEqual(await titleOf({ head: head + site, body: heading }, url), "How flour ages");
    assert.strictEqual(await titleOf({ head, body: heading }, url), "How flour ages");
    assert.strictEqual(
      await titleOf(
        { head: title("How flour ages").head + site + shared, body: "<h1>Valley News</h1>" },
        url
      ),
      "How flour ages"
    );
    assert.strictEqual(
      await titleOf({ head: title("| Valley News").head + site, body: heading }, url),
      "How flour ages"
    );
    assert.strictEqual(await titleOf({ head, body: "<h1>Valley News</h1>" }, url), "Valley News");
    assert.strictEqual(await titleOf({ head: site, body: "<h1>Valley News</h1>" }, url), "Valley News");
    assert.strictEqual(
      await titleOf({ head, body: heading }, "https://www.valley-news.test/"),
      "Valley News"
    );
  });

  it("loses the site's name in a heading, in JSON-LD, and with more words than the host", async () => {
    const url = "https://forum.miratal.test/t/42";
    const declared = `<script type="application/ld+json">{"@type": "Article", "headline": "How flour ages | Mira Tal"}</script>`;
    assert.strictEqual(await titleOf({ head: declared }, url), "How flour ages");
    assert.strictEqual(await titleOf(title("How flour ages - Miratal Baking Forum"), url), "How flour ages");
    assert.strictEqual(
      await titleOf({ ...title("How flour ages / Mira Tal Forums"), body: "<h1>Mira Tal</h1>" }, url),
      "How flour ages"
    );
    // Words of a sentence, and a host whose label may be any word.
    for (const [text, address] of [
      ["How flour ages - Miratal bakes better bread", url],
      ["How flour ages - Rye bread", "https://rye.test/t/42"]
    ] as const)
      assert.strictEqual(await titleOf(title(text), address), text);
    assert.strictEqual(await titleOf(title("Rye / Wheat / Spelt"), url), "Rye / Wheat / Spelt");
  });

  it("is that of the chapter, not of the book above it", async () => {
    const { head } = title("How flour ages slowly - The Baking Book");
    for (const body of ["<h1>The Baking Book</h1>", "<h1>The Baking Book</h1><h1>How flour ages slowly</h1>"])
      assert.strictEqual(
        await titleOf({ head, body }, "https://site.test/ch10-02.html"),
        "How flour ages slowly"
      );
    assert.strictEqual(
      await titleOf(
        { ...title("Mira's Kitchen | How flour ages slowly"), body: "<h1>How flour ages slowly</h1>" },
        "https://site.test/how-flour-ages-slowly"
      ),
      "How flour ages slowly"
    );
  });

  it("is no section of the page: a question of its list or a numbered heading", async () => {
    const question = { "@type": "Question", name: "How slowly does flour age in ovens?" };
    const list = JSON.stringify({ "@type": "FAQPage", mainEntity: [question, question] });
    const { head } = title("Ovens for flour");
    assert.strictEqual(
      await titleOf({ head: `${head}<script type="application/ld+json">${list}</script>` }),
      "Ovens for flour"
    );
    const asked = `<script type="application/ld+json">${JSON.stringify(question)}</script>`;
    assert.strictEqual(await titleOf({ head: asked }), question.name);
    const body = "<h1>1. Overview</h1><h1>2. Simple Kneading by Hand</h1>";
    assert.strictEqual(await titleOf({ ...title("Kneading"), body }), "Kneading");
  });

  it("is what the page says of itself, not that it is the home of the site", async () => {
    assert.strictEqual(
      await titleOf(title("Home - The Valley News"), "https://site.test/"),
      "The Valley News"
    );
  });
});
