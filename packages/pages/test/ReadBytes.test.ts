import { deflateSync } from "node:zlib";
import { assert, describe, it } from "@effect/vitest";
import * as Arbitrary from "effect/Arbitrary";
import * as Schema from "effect/Schema";
import { parseTree, textOf } from "../src/parse/PageTree.ts";
import { readBytes } from "../src/ReadBytes.ts";
import { jsonLd, og, page, PAGE_URL, paragraphs, read, readMetadata, readText } from "./pages.ts";

const ARTICLE = page({
  head:
    "<title>The bakery at the bridge | Valley News</title>" +
    og([
      ["title", "The bakery at the bridge"],
      ["type", "article"],
      ["image", "/images/bakery.jpg"],
      ["site_name", "Valley News"]
    ]) +
    `<meta name="author" content="By Mira Tal"><meta property="article:published_time" content="2025-03-04T23:30:00-08:00">` +
    `<link rel="canonical" href="/posts/42?ref=canonical">`,
  body:
    `<nav><a href="/">Home</a> <a href="/sport">Sport</a></nav><main><article><h1>The bakery at the bridge</h1>` +
    `${paragraphs(6)}<div class="share-buttons">Share this on every network</div></article></main>` +
    `<footer>Imprint and cookies</footer>`
});

describe("an article", () => {
  it("is read without navigation, share buttons and footer", async () => {
    const {
      text: { plain: text },
      kind
    } = await read(ARTICLE);
    assert.strictEqual(kind, "webpage");
    assert.include(text, "Part 1. The bakery on the corner");
    assert.include(text, "Part 6.");
    assert.notMatch(text, /Sport|Share this|Imprint/u);
  });

  it("has one block per line", async () => {
    const { plain: text } = await readText(ARTICLE);
    assert.isAtLeast(text.split("\n").filter((line) => line.startsWith("Part ")).length, 6);
    assert.notMatch(text, /\n\n| \n|\n |<p>/u);
  });

  it("has the metadata of its head, with absolute URLs", async () => {
    const reading = await read(ARTICLE);
    assert.deepInclude(reading.metadata, {
      title: "The bakery at the bridge",
      uploader: "Mira Tal",
      uploadDate: "20250304",
      thumbnail: "https://site.test/images/bakery.jpg",
      canonicalUrl: "https://site.test/posts/42?ref=canonical",
      language: "en",
      durationSeconds: null
    });
    assert.isFalse(reading.loginWall);
    assert.deepStrictEqual(reading.media.images, ["https://site.test/images/bakery.jpg"]);
  });

  it("stays a webpage when it embeds a video or frames a player", async () => {
    const video = await read(
      page({ body: `<article>${paragraphs(8)}<video src="/clip.mp4"></video></article>` })
    );
    assert.strictEqual(video.kind, "webpage");
    assert.deepStrictEqual(video.media.videoUrls, ["https://site.test/clip.mp4"]);
    const frame = `<iframe src="https://www.youtube.com/embed/aaaaaaaaaaa"></iframe>`;
    assert.strictEqual(
      (await read(page({ body: `<article>${paragraphs(8)}${frame}</article>` }))).kind,
      "webpage"
    );
    assert.strictEqual((await read(page({ body: `<h1>My clip</h1>${frame}` }))).kind, "video");
  });

  it("is found if scripts are to show it, and in a noscript element", async () => {
    for (const wrapper of [`<div style="display:none">`, `<noscript>`]) {
      const close = wrapper.startsWith("<div") ? "</div>" : "</noscript>";
      const { plain: text } = await readText(
        page({ body: `<h1>Title</h1>${wrapper}${paragraphs(6)}${close}` })
      );
      assert.include(text, "Part 6.");
    }
  });

  it("continues after what looks like CDATA, which HTML does not have", async () => {
    const {
      text: { plain: text },
      metadata: { title }
    } = await read(page({ head: "<title>Bread</title>", body: `<![CDATA[ <main>${paragraphs(6)}</main>` }));
    assert.strictEqual(title, "Bread");
    assert.include(text, "Part 6.");
    assert.strictEqual(
      textOf(parseTree("<p>Salt</p><![CDATA[ <br> and <b>flour</b>").root),
      "Salt and flour"
    );
  });
});

describe("a page of XHTML", () => {
  const XHTML =
    `<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml" lang="en"><head>` +
    `<script src="a.js"/><title>Bread</title><style/><script>//<![CDATA[\nif (1 < 2) { "</p>"; }\n//]]></script></head>` +
    `<body><textarea/><iframe src="b"/><div/><article><h1>Bread<a id="top"/></h1>${paragraphs(4)}` +
    `<p><![CDATA[Salt & water < flour.]]>&nbsp;&mdash; all of it.</p></article></body></html>`;

  it.each(["application/xhtml+xml", "application/xhtml+xml; charset=utf-8", "application/xml", "text/xml"])(
    "may close elements at once, by its media type %s",
    async (contentType) => {
      const {
        text: { plain: text },
        metadata: { title }
      } = await read(XHTML, contentType);
      assert.strictEqual(title, "Bread");
      assert.include(text, "Part 4.");
      assert.include(text, "Salt & water < flour. — all of it.");
    }
  );

  it.each(["application/xhtml+xml", "text/xml"])(
    "may name its elements with a prefix, as %s",
    async (type) => {
      const {
        text: { markdown },
        metadata: { title }
      } = await read(XHTML.replaceAll(/<(\/?)(?=[a-z]|style)/g, "<$1h:").replace("xmlns=", "xmlns:h="), type);
      assert.strictEqual(title, "Bread");
      assert.match(markdown, /^Part 1\.[^]*Part 4\./u);
    }
  );

  it("that is no XML is read as HTML", async () => {
    const {
      text: { plain: text },
      metadata: { title }
    } = await read(
      XHTML.replace("</h1>", "<br></h1>").replace("<article>", "<article><p>Open & unclosed"),
      "application/xhtml+xml"
    );
    assert.strictEqual(title, "Bread");
    assert.match(text, /Open & unclosed[^]*Part 4\./u);
  });

  it("is read by the rules of HTML if its media type says so", async () => {
    const { plain: text } = await readText(page({ body: `<div class="intro"/>${paragraphs(4)}` }));
    assert.include(text, "Part 4.");
  });

  it("is not any other XML", async () => {
    const feed = `<?xml version="1.0"?><rss><channel><title>Bread</title></channel></rss>`;
    const source = { url: PAGE_URL, contentType: "text/xml" };
    assert.deepStrictEqual(await readBytes(new TextEncoder().encode(feed), source), {
      refused: "unsupported_type"
    });
  });
});

describe("a document", () => {
  it("of plain text passes through", async () => {
    const {
      text: { plain: text },
      metadata: { title },
      kind
    } = await read("First line\r\n\r\n  indented\u0000\n", "text/plain; charset=utf-8");
    assert.deepStrictEqual([kind, title, text], ["webpage", null, "First line\n\n  indented"]);
  });

  it("of another type is refused", async () => {
    for (const contentType of ["application/pdf", "image/png", "application/rss+xml", "text/csv"]) {
      const outcome = await readBytes(new TextEncoder().encode(ARTICLE), { url: PAGE_URL, contentType });
      assert.deepStrictEqual(outcome, { refused: "unsupported_type" });
    }
  });

  it("for programs is refused, whatever text it is said to be, but not a text in two bytes a letter", async () => {
    const packed = deflateSync(paragraphs(40));
    for (const contentType of [
      "text/html",
      "text/html; charset=utf-8",
      "text/plain",
      "application/xhtml+xml"
    ])
      assert.deepStrictEqual(await readBytes(packed, { url: PAGE_URL, contentType }), {
        refused: "unsupported_type"
      });
    const wide = Buffer.from("First line of a text", "utf16le");
    const source = { url: PAGE_URL, contentType: "text/plain; charset=utf-16le" };
    assert.nestedPropertyVal(await readBytes(wide, source), "reading.text.plain", "First line of a text");
  });

  it("without a declared type is detected by its bytes", async () => {
    const typeless = (text: string | Uint8Array) =>
      readBytes(typeof text === "string" ? new TextEncoder().encode(text) : text, {
        url: PAGE_URL,
        contentType: null
      });
    assert.nestedPropertyVal(
      await typeless("\n<!-- x --><!DOCTYPE html><title>T</title>"),
      "reading.metadata.title",
      "T"
    );
    assert.nestedPropertyVal(await typeless("just words"), "reading.text.plain", "just words");
    assert.deepStrictEqual(await typeless(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13)), {
      refused: "unsupported_type"
    });
  });

  it("with no text, title and media is refused as empty", async () => {
    for (const html of ["", page({}), page({ body: "<div></div>" })]) {
      const outcome = await readBytes(new TextEncoder().encode(html), {
        url: PAGE_URL,
        contentType: "text/html"
      });
      assert.deepStrictEqual(outcome, { refused: "empty" });
    }
  });

  it("with more text than the limit is refused, not cut", async () => {
    const html = page({ body: `<p>${"many words ".repeat(400_000)}</p>` });
    const outcome = await readBytes(new TextEncoder().encode(html), {
      url: PAGE_URL,
      contentType: "text/html"
    });
    assert.deepStrictEqual(outcome, { refused: "too_large" });
  });
});

describe("a login wall", () => {
  it("is a password field and almost nothing else", async () => {
    const form = `<form action="/login"><input name="user"><input type="password"></form>`;
    const wall = await read(page({ head: "<title>Log in to continue</title>", body: form }));
    assert.isTrue(wall.loginWall);
    assert.strictEqual(wall.metadata.title, "Log in to continue");
    assert.isFalse((await read(page({ body: `<article>${paragraphs(6)}</article>${form}` }))).loginWall);
    assert.isFalse((await read(page({ body: `<video src="/a.mp4"></video>${form}` }))).loginWall);
  });
});

describe("evil titles", () => {
  it("lose controls, bidirectional marks and NUL, and stay one line", async () => {
    const { title } = await readMetadata(
      page({ head: "<title>../../etc/x\n$(id)\u0007 \u202e\u0000moc\u2066 &#8238;end\ud800</title>" })
    );
    assert.strictEqual(title, "../../etc/x $(id) moc end\ufffd");
  });

  it("are cut at the limit", async () => {
    const { title } = await readMetadata(page({ head: `<title>${"long ".repeat(1_000)}</title>` }));
    assert.isAtMost(title?.length ?? 0, 500);
  });
});

const Bytes = Arbitrary.map(
  Arbitrary.array(Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))), {
    maxLength: 300
  }),
  (bytes) => Uint8Array.from(bytes)
);
const PIECES = [
  "<p>",
  "</p>",
  "<div class=comment>",
  "</div>",
  "<article>",
  "<h1>",
  "words and more words, ",
  "<!--",
  "-->",
  "<script>",
  "</script>",
  `<script type="application/ld+json">`,
  `{"@type":"Article","author":`,
  `{"@id":"#a"}`,
  "]",
  "}",
  "<video src=",
  "'//x.test/v.mp4'>",
  "<base href='%%'>",
  "<table><tr><td>",
  "<svg><title>",
  "<noscript>",
  "<a href='javascript:1'>",
  "&#0;",
  "<meta property=og:image content='http://[::1'>",
  "<input type=password>",
  "<iframe src=x>",
  "<template>",
  "<form>",
  "\u0000"
];
const Soup = Arbitrary.map(
  Arbitrary.array(Arbitrary.schema(Schema.Literals(PIECES)), { maxLength: 60 }),
  (pieces) => new TextEncoder().encode(pieces.join(""))
);

/** The same samples every time, so that a property only fails because of a change. */
const SEEDED = { arbitrary: { seed: 1 } } as const;

describe("arbitrary bytes", () => {
  for (const contentType of ["text/html", "text/html; charset=utf-16", "text/plain", "nonsense", null]) {
    it.prop(
      `as ${contentType} have a result`,
      { bytes: Bytes },
      async ({ bytes }) => {
        const outcome = await readBytes(bytes, { url: PAGE_URL, contentType });
        assert.isTrue("reading" in outcome || "refused" in outcome);
      },
      SEEDED
    );
  }

  it.prop(
    "as tag soup have a result without unsafe URLs",
    { bytes: Soup },
    async ({ bytes }) => {
      const outcome = await readBytes(bytes, { url: PAGE_URL, contentType: "text/html" });
      if ("refused" in outcome) return;
      const {
        metadata: { canonicalUrl, thumbnail },
        media: { images, videoUrls }
      } = outcome.reading;
      for (const url of [canonicalUrl, thumbnail, ...images, ...videoUrls]) {
        if (url !== null) assert.match(url, /^https?:\/\//u);
      }
    },
    SEEDED
  );

  it("as an address of the page itself do not throw either", async () => {
    const html = page({ head: og([["image", "/a.jpg"]]) + jsonLd({ "@type": "Article", headline: "H" }) });
    const outcome = await readBytes(new TextEncoder().encode(html), {
      url: "not a url",
      contentType: "text/html"
    });
    assert.nestedPropertyVal(outcome, "reading.metadata.thumbnail", null);
  });
});
