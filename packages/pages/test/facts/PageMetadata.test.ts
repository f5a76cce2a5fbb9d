import { assert, describe, it } from "@effect/vitest";
import { writtenDate } from "../../src/facts/PageDate.ts";
import { jsonLd, og, page, paragraphs, read, readMetadata } from "../pages.ts";

const meta = (name: string, content: string): string => `<meta name="${name}" content="${content}">`;

const ARTICLE = {
  "@type": "NewsArticle",
  headline: "Bread",
  description: "By machines.",
  author: { "@type": "Person", name: "Mira Tal", url: "/people/mira" },
  datePublished: "2025-03-04T23:30-08:00",
  dateModified: "2025-03-06",
  keywords: "bread, ovens,Bread",
  inLanguage: "en-GB"
};

const SHARED =
  og([
    ["title", "Shared"],
    ["description", "For sharing."],
    ["site_name", "Valley News"],
    ["locale", "en_US"]
  ]) +
  `<meta property="article:published_time" content="2020-01-01"><meta property="article:tag" content="shared">`;

const MICRODATA =
  `<div itemscope itemtype="https://schema.org/BlogPosting"><span itemprop="headline">Marked</span>` +
  `<p itemprop="description">In the margin.</p><span itemprop="author" itemscope itemtype="https://schema.org/Person">` +
  `<a itemprop="url" href="/ida"><b itemprop="name">Ida Marks</b></a></span>` +
  `<time itemprop="datePublished" datetime="2019-05">May</time><meta itemprop="keywords" content="marked">` +
  `<div itemprop="interactionStatistic" itemscope itemtype="https://schema.org/InteractionCounter">` +
  `<meta itemprop="interactionType" content="https://schema.org/LikeAction"><b itemprop="userInteractionCount">7</b></div></div>`;

const WRITTEN =
  meta("description", "In the head.") +
  meta("author", "Otto Head") +
  meta("keywords", "a, b") +
  meta("date", "2018");

const metadataOf = async (head: string, body = paragraphs(3)) => {
  const { description, details, title } = await readMetadata(page({ head, body }));
  return { description, title, ...details };
};

describe("the metadata of a page", () => {
  it("comes first from its JSON-LD", async () => {
    const found = await metadataOf(jsonLd(ARTICLE) + SHARED + WRITTEN, MICRODATA + paragraphs(3));
    assert.deepInclude(found, {
      title: "Bread",
      description: "By machines.",
      siteName: "Valley News",
      author: { name: "Mira Tal", id: null, url: "https://site.test/people/mira" },
      publishedAt: { value: "2025-03-04T23:30-08:00", precision: "minute" },
      modifiedAt: { value: "2025-03-06", precision: "day" },
      tags: ["bread", "ovens"],
      language: "en-GB"
    });
    assert.deepInclude(found.origins, {
      title: "json-ld",
      description: "json-ld",
      siteName: "open-graph",
      author: "json-ld",
      publishedAt: "json-ld",
      tags: "json-ld",
      language: "json-ld",
      "stats.likes": "microdata"
    });
  });

  it("comes from Open Graph next, then from microdata, then from meta elements", async () => {
    const shared = await metadataOf(SHARED + WRITTEN, MICRODATA + paragraphs(3));
    assert.deepInclude(shared, {
      title: "Shared",
      description: "For sharing.",
      tags: ["shared"],
      publishedAt: { value: "2020-01-01", precision: "day" }
    });
    assert.deepInclude(shared.origins, {
      title: "open-graph",
      publishedAt: "open-graph",
      author: "microdata"
    });
    const marked = await metadataOf(WRITTEN, MICRODATA + paragraphs(3));
    assert.deepInclude(marked, {
      title: "Marked",
      description: "In the margin.",
      author: { name: "Ida Marks", id: null, url: "https://site.test/ida" },
      publishedAt: { value: "2019-05", precision: "month" },
      tags: ["marked"]
    });
    const written = await metadataOf(WRITTEN);
    assert.deepInclude(written, {
      description: "In the head.",
      author: { name: "Otto Head", id: null, url: null },
      publishedAt: { value: "2018", precision: "year" },
      tags: ["a", "b"],
      language: "en"
    });
    assert.deepInclude(written.origins, { author: "meta", publishedAt: "meta", language: "page" });
  });

  it("has no author if there is only a site, and the organization if it is declared as the author", async () => {
    const site = og([["site_name", "Valley News"]]);
    assert.isNull((await metadataOf(site)).author);
    const byline = { "@type": "Article", author: { "@type": "Organization", name: "Valley News" } };
    assert.strictEqual((await metadataOf(site + jsonLd(byline))).author?.name, "Valley News");
    const both = { ...byline, author: [byline.author, { "@type": "Person", name: "Mira Tal" }] };
    assert.strictEqual((await metadataOf(site + jsonLd(both))).author?.name, "Mira Tal");
    const band = { "@type": "MusicGroup", name: "The Ovens" };
    const baker = { "@type": ["Person", "Organization"], name: "Mira Tal" };
    const typed = jsonLd({ ...byline, author: [band, baker] });
    assert.strictEqual((await metadataOf(site + typed)).author?.name, "Mira Tal");
  });

  it("uses the heading as the title if it is the same wording, and says so", async () => {
    const found = await metadataOf(
      jsonLd({ ...ARTICLE, headline: "Bread ovens" }),
      "<h1>The best bread ovens</h1>"
    );
    assert.deepStrictEqual([found.title, found.origins?.["title"]], ["The best bread ovens", "page"]);
  });

  it("names author and day as the data states them, whoever and whatever stands next to the heading", async () => {
    const shown = "<h1>Bread</h1><p>By Ida Marks</p><p>August 25, 2013</p>" + paragraphs(3);
    const found = await metadataOf(jsonLd(ARTICLE), shown);
    assert.deepStrictEqual(found.author, {
      name: "Mira Tal",
      id: null,
      url: "https://site.test/people/mira"
    });
    assert.deepStrictEqual(found.publishedAt, (await metadataOf(jsonLd(ARTICLE), paragraphs(3))).publishedAt);
    assert.deepStrictEqual(
      [found.origins?.["author"], found.origins?.["publishedAt"]],
      ["json-ld", "json-ld"]
    );
    const bare = await metadataOf("", shown);
    assert.deepStrictEqual([bare.author?.name, bare.publishedAt?.value], ["Ida Marks", "2013-08-25"]);
  });

  it("has the local day of publication if the URL has the one next to that in UTC", async () => {
    const head = jsonLd({ "@type": "Article", headline: "Bread", datePublished: "2025-12-19T02:41:41Z" });
    const url = "https://site.test/2025/12/18/bread/";
    const reading = await read(page({ head, body: paragraphs(3) }), "text/html", url);
    assert.strictEqual(reading.metadata.uploadDate, "20251218");
    assert.strictEqual(reading.metadata.details.publishedAt?.value, "2025-12-19T02:41:41Z");
  });

  it("prefers the author next to the heading to the login that published the page", async () => {
    const shown = `<h1>Bread</h1><p>Ida Marks</p><p>March 4, 2025</p>${paragraphs(3)}`;
    for (const account of ["mira.tal", "Site Admin"])
      assert.strictEqual(
        (await metadataOf(meta("author", account), shown)).author?.name,
        "Ida Marks",
        account
      );
    assert.strictEqual((await metadataOf(meta("author", "Mira Tal"), shown)).author?.name, "Mira Tal");
    assert.strictEqual(
      (await metadataOf(meta("author", "mira.tal"), paragraphs(3))).author?.name,
      "mira.tal"
    );
  });

  it("prefers a full name marked as the author to other words with that mark", async () => {
    const marked = ["A platform for bakers", "Mira Tal", "Baking"]
      .map((text) => `<div class="post_author-name">${text}</div>`)
      .join("");
    const found = await metadataOf("", `<h1>Bread</h1>${paragraphs(9)}${marked}`);
    assert.strictEqual(found.author?.name, "Mira Tal");
  });

  it("names nobody of the card of another page, beside its only heading, a link", async () => {
    const authorUnder = async (heading: string) =>
      (
        await metadataOf(
          "<title>Bread</title>",
          `${paragraphs(4)}<div><h3>${heading}</h3><b class="author">Otto Card</b></div>`
        )
      ).author?.name;
    assert.isUndefined(await authorUnder('<a href="/rye">Rye in spring</a>'));
    assert.strictEqual(await authorUnder("About the author"), "Otto Card");
    assert.strictEqual(await authorUnder('<a href="/bread">Bread</a>'), "Otto Card");
  });

  it("reads names from elements marked as the author", async () => {
    for (const name of ["the-author", "post_author-name", "article__author__name", "byline-contributor"]) {
      const found = await metadataOf(
        "",
        `<h1>Bread</h1><div class="x ${name}">Mira Tal</div>${paragraphs(3)}`
      );
      assert.strictEqual(found.author?.name, "Mira Tal", name);
    }
  });
});

describe("a written date", () => {
  it("keeps its precision, and nothing is added", () => {
    for (const [written, value, precision] of [
      ["2025-03-04T23:30:05.123-08:00", "2025-03-04T23:30:05-08:00", "second"],
      ["2025-03-04 23:30", "2025-03-04T23:30", "minute"],
      ["20250304T2330Z", "2025-03-04T23:30Z", "minute"],
      ["2025-03-04 23:30:05 +0100", "2025-03-04T23:30:05+01:00", "second"],
      ["2025-03-04T25:00", "2025-03-04", "day"],
      ["March 4, 2025", "2025-03-04", "day"],
      ["2025-03", "2025-03", "month"],
      ["1999", "1999", "year"]
    ] as const) {
      assert.deepStrictEqual(writtenDate(written), { value, precision }, written);
    }
    for (const written of ["", "0", "2025-13", "3/4/2025", "20259999", "soon"]) {
      assert.isNull(writtenDate(written), written);
    }
  });
});
