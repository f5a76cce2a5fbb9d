import { assert, describe, it } from "@effect/vitest";
import { hasType, nodesOf, parseJsonLd, stringsOf, typesOf } from "../../src/parse/JsonLd.ts";
import { jsonLd, page, read } from "../pages.ts";

const article = { "@type": "Article", headline: "Head", author: { "@type": "Person", name: "Mira Tal" } };
const headlines = (source: string): ReadonlyArray<unknown> =>
  parseJsonLd([source]).entities.map((node) => node["headline"]);

describe("JSON-LD", () => {
  it("is read from a page without other metadata", async () => {
    const reading = await read(
      page({
        head: jsonLd({
          ...article,
          datePublished: "2024-02-29",
          image: ["/a.jpg", "/b.jpg"],
          inLanguage: "de_AT"
        }),
        lang: ""
      })
    );
    assert.deepInclude(reading.metadata, {
      title: "Head",
      uploader: "Mira Tal",
      uploadDate: "20240229",
      thumbnail: "https://site.test/a.jpg",
      language: "de-AT"
    });
  });

  it("follows references through a graph", async () => {
    const graph = {
      "@context": "https://schema.org",
      "@graph": [
        { "@type": ["WebPage", "FAQPage"], "@id": "#page", name: "The page" },
        {
          "@type": "schema:NewsArticle",
          headline: "Head",
          author: [{ "@id": "#mira" }, { "@id": "#nobody" }]
        },
        { "@type": "https://schema.org/Person", "@id": "#mira", name: "Mira Tal" }
      ]
    };
    assert.deepInclude((await read(page({ head: jsonLd(graph) }))).metadata, {
      title: "Head",
      uploader: "Mira Tal"
    });
  });

  it("is read in spite of comments, CDATA, raw control characters and trailing commas", () => {
    const json = JSON.stringify(article);
    for (const dirty of [
      `<!-- ${json} -->`,
      `<!--//--><![CDATA[//><!--\n${json}\n//--><!]]>`
        .replace("<!--//--><![CDATA[//><!--", "//<![CDATA[")
        .replace("//--><!]]>", "//]]>"),
      `/*<![CDATA[*/ ${json} /*]]>*/`,
      `<![CDATA[${json}]]>`,
      `${json};`,
      json.replace("}}", "},}"),
      json.replace("Head", "He\u0001ad").replace("He\u0001ad", "Head\n")
    ]) {
      assert.strictEqual(String(headlines(dirty)[0]).trim(), "Head", dirty);
    }
  });

  it("that is broken does not spoil the other scripts", () => {
    assert.deepStrictEqual(
      parseJsonLd(["{", '[1, null, "x"]', JSON.stringify([article])]).entities.map(typesOf),
      [["Article"]]
    );
  });

  it("is bounded in depth, number and size", () => {
    const deep = `${`{"@type":"A","mainEntity":`.repeat(200)}1${"}".repeat(200)}`;
    assert.isAtMost(parseJsonLd([deep]).entities.length, 50);
    const many = JSON.stringify(Array.from({ length: 20_000 }, () => ({ "@type": "A" })));
    assert.isAtMost(parseJsonLd([many]).entities.length, 5_000);
    assert.strictEqual(parseJsonLd([" ".repeat(3_000_000), JSON.stringify(article)]).entities.length, 0);
  });

  it("ends on graphs that refer to themselves", () => {
    const graph = parseJsonLd([`[{"@id":"#a","@type":"Article","author":{"@id":"#a"},"name":"A"}]`]);
    const [node] = graph.entities;
    assert.isDefined(node);
    assert.deepStrictEqual(nodesOf(graph, node, "author"), [node]);
    assert.deepStrictEqual(stringsOf(graph, node, "author"), ["A"]);
  });

  it("with the names of object properties contains only its own values", () => {
    const graph = parseJsonLd([`{"@type":"constructor","__proto__":{"headline":"x"}}`]);
    const [node] = graph.entities;
    assert.isDefined(node);
    assert.deepStrictEqual(stringsOf(graph, node, "headline"), []);
    assert.deepStrictEqual(stringsOf(graph, node, "toString"), []);
    assert.isTrue(hasType(node, new Set(["constructor"])));
  });
});
