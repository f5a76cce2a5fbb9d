import { assert, describe, it } from "@effect/vitest";
import { personLike } from "../../src/facts/PageAuthor.ts";
import { dateIn, dateInPath } from "../../src/facts/PageDate.ts";
import { durationSeconds } from "../../src/facts/PageCounts.ts";
import { languageTag } from "../../src/facts/Language.ts";
import { readBytes } from "../../src/ReadBytes.ts";
import { jsonLd, og, page, paragraphs, read } from "../pages.ts";

describe("a title", () => {
  const titleOf = async (head: string, body = ""): Promise<string | null> =>
    (await read(page({ head, body }))).metadata.title;

  it("is the heading if the title for sharing begins with it", async () => {
    assert.strictEqual(await titleOf(og([["title", "Bread - Valley News"]]), "<h1>Bread</h1>"), "Bread");
  });

  it("loses two or more trailing sections of the site", async () => {
    assert.strictEqual(
      await titleOf(og([["title", "Better bread | Kitchen | Valley News"]])),
      "Better bread"
    );
    const trail = og([
      ["title", "Better bread | Kitchen | Valley News"],
      ["site_name", "Valley News"]
    ]);
    assert.strictEqual(await titleOf(trail), "Better bread");
    const named = og([
      ["title", "Valley News | Kitchen | Better bread"],
      ["site_name", "Valley News"]
    ]);
    assert.strictEqual(await titleOf(named), "Kitchen | Better bread");
  });

  it("is the headline before the share title, and that before the title tag", async () => {
    const head = `${og([["title", "Shared"]])}<title>Tagged</title>`;
    assert.strictEqual(
      await titleOf(head + jsonLd({ "@type": "Article", headline: "Tom &amp; Ada" })),
      "Tom & Ada"
    );
    assert.strictEqual(await titleOf(head), "Shared");
  });

  it("is never the name of a drawing", async () => {
    assert.strictEqual(await titleOf("", "<svg><title>Menu</title></svg><h1>Bread</h1>"), "Bread");
  });

  it("loses only the name of the site", async () => {
    assert.strictEqual(await titleOf("<title>Bread | Valley News</title>", "<h1>Bread</h1>"), "Bread");
    assert.strictEqual(
      await titleOf(`<title>Bread – a history – Valley News</title>${og([["site_name", "Valley News"]])}`),
      "Bread – a history"
    );
    assert.strictEqual(
      await titleOf("<title>Rock-and-roll: a - history</title>"),
      "Rock-and-roll: a - history"
    );
  });

  it("is the heading if that is another wording of the declared title", async () => {
    const heading = "<h1>The seven best ovens for bread in 2025</h1>";
    assert.strictEqual(
      await titleOf("<title>Best bread ovens | Valley News</title>", heading),
      "The seven best ovens for bread in 2025"
    );
    assert.strictEqual(await titleOf(og([["title", "Bread ovens"]]), "<h1>Valley News</h1>"), "Bread ovens");
    assert.strictEqual(
      await titleOf("<title>Bread ovens | Valley News</title>", "<h1>Valley News</h1>"),
      "Bread ovens | Valley News"
    );
  });

  it("is the heading that the URL spells out, not the site's name above it", async () => {
    const shared = og([
      ["title", "Great ovens!"],
      ["site_name", "Valley News"]
    ]);
    const body = "<h1>Valley News</h1><h1>The seven best ovens for bread</h1>";
    const html = page({ head: shared, body: body + paragraphs(3) });
    const titleAt = async (url: string) => {
      const outcome = await readBytes(new TextEncoder().encode(html), { url, contentType: "text/html" });
      return "reading" in outcome ? outcome.reading.metadata.title : null;
    };
    assert.strictEqual(await titleAt("https://site.test/best-bread-ovens"), "The seven best ovens for bread");
    assert.strictEqual(await titleAt("https://site.test/42"), "Great ovens!");
  });

  it("is the heading if there is nothing else", async () => {
    assert.strictEqual(await titleOf("", "<h1>Only <em>this</em></h1>"), "Only this");
  });
});

describe("an uploader", () => {
  it("reads like a person", () => {
    assert.strictEqual(personLike("By  Mira Tal"), "Mira Tal");
    assert.strictEqual(personLike("Written by: Mira O&#39;Tal"), "Mira O'Tal");
    for (const written of [
      "",
      "https://site.test/mira",
      "admin",
      "undefined",
      "mira@site.test",
      "March 4, 2025",
      "12",
      "a b c d e f g h i"
    ]) {
      assert.isNull(personLike(written), written);
    }
  });

  it("is never the text in place of a name: a button, a question, a link to the author", async () => {
    const head = og([
      ["site_name", "Valley News"],
      ["title", "T"]
    ]);
    for (const shown of [
      "Download ZIP",
      "But guess what?",
      "Bluesky",
      "Share",
      "Written By",
      "Name *",
      "Feb"
    ]) {
      const body = `<article><h1>T</h1><a rel="author" href="/x">${shown}</a>${paragraphs(3)}</article>`;
      assert.strictEqual((await read(page({ head, body }))).metadata.uploader, "Valley News", shown);
    }
  });

  it("has the given name first if a catalogue puts the family name there", async () => {
    const named = async (content: string): Promise<string | null> =>
      (await read(page({ head: `<meta name="citation_author" content="${content}">`, body: paragraphs(3) })))
        .metadata.uploader;
    assert.strictEqual(await named("Tal, Mira"), "Mira Tal");
    assert.strictEqual(await named("Mira Tal, PhD"), "Mira Tal, PhD");
  });

  it("is the person rather than the site, and the site if no person is named", async () => {
    const head = og([
      ["site_name", "Valley News"],
      ["title", "T"]
    ]);
    assert.strictEqual(
      (await read(page({ head: `${head}<meta name="author" content="Valley News">` }))).metadata.uploader,
      "Valley News"
    );
    const body = `<article><h1>T</h1><p class="byline">By Mira Tal</p>${paragraphs(3)}</article>`;
    assert.strictEqual((await read(page({ head, body }))).metadata.uploader, "Mira Tal");
  });
});

describe("a date", () => {
  it("is the day as written, never shifted through UTC", () => {
    assert.strictEqual(dateIn("2025-03-04T23:30:00-08:00"), "20250304");
    assert.strictEqual(dateIn("2025-03-04T00:30:00+13:00"), "20250304");
    assert.strictEqual(dateIn("20250304"), "20250304");
    assert.strictEqual(dateIn("Tue, 04 Mar 2025 10:00:00 GMT"), "20250304");
    assert.strictEqual(dateIn("Updated on March 4th, 2025 at noon"), "20250304");
  });

  it("is null if it is not a valid date", () => {
    for (const written of ["2025-02-30", "2025-13-01", "0000-00-00", "yesterday", "1741082400", "", null]) {
      assert.isNull(dateIn(written), String(written));
    }
  });

  it("in the path counts if it is a full date", () => {
    assert.strictEqual(dateInPath("https://site.test/2025/03/04/bread"), "20250304");
    assert.isNull(dateInPath("https://site.test/2025/03/bread"));
  });
});

describe("a date in a script", () => {
  it("counts if there is no other", async () => {
    const script = `<script>window.state = {"publishedAt":"2025-03-04T23:30:00-08:00"}</script>`;
    assert.strictEqual(
      (await read(page({ head: "<title>T</title>", body: script }))).metadata.uploadDate,
      "20250304"
    );
    const head = `<meta property="article:published_time" content="2024-01-02"><title>T</title>`;
    assert.strictEqual((await read(page({ head, body: script }))).metadata.uploadDate, "20240102");
  });
});

describe("a meta element", () => {
  it("has the first of its names that is not empty", async () => {
    const head = `<title>T</title><meta property="" name="description" content="Bread at dawn.">`;
    assert.strictEqual((await read(page({ head, body: "<p>x</p>" }))).metadata.description, "Bread at dawn.");
  });
});

describe("numbers", () => {
  it("for durations are null if they are zero, which players write for unknown", () => {
    for (const written of ["PT0S", "0", "soon", null]) assert.isNull(durationSeconds(written));
    assert.strictEqual(durationSeconds("P0Y0M0DT0H3M30S"), 210);
  });
});

describe("a language", () => {
  it("is a canonical tag or null", () => {
    assert.strictEqual(languageTag("en_us"), "en-US");
    assert.strictEqual(languageTag("de, en"), "de");
    for (const written of ["", "../../etc", "e", "english", "deutsch-DE", null])
      assert.isNull(languageTag(written));
  });
});
