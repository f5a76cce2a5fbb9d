import { assert, describe, it } from "vitest";
import { factsOf, type SourceMetadata } from "../src/screens/run/sourceMetadata.ts";

const METADATA: SourceMetadata = {
  platform: "web",
  canonicalUrl: "https://example.com/talk",
  siteName: "Chaff & Grain",
  title: "A talk",
  author: { name: "Ada Korn", id: null, url: "https://example.com/ada" },
  stats: { views: 4_821, likes: 312, comments: null, shares: null },
  tags: ["sieves", "wind"],
  language: "de",
  publishedAt: { value: "2026-03", precision: "month" },
  modifiedAt: null,
  durationSeconds: 65,
  chapters: [],
  captionLanguages: [{ language: "en", origin: "automatic" }],
  origins: { title: "page", author: "json-ld", "stats.views": "json-ld", "stats.likes": "microdata" }
};

describe("the metadata of a source", () => {
  it("is shown if present, with the places where it was read", () => {
    assert.deepStrictEqual(
      factsOf(METADATA).map(({ name, text, origins }) => [name, text, origins]),
      [
        ["title", "A talk", ["page"]],
        ["author", "Ada Korn", ["json-ld"]],
        ["siteName", "Chaff & Grain", []],
        ["publishedAt", "March 2026", []],
        ["language", "German", []],
        ["duration", "1:05", []],
        ["stats", "4,821 views · 312 likes", ["json-ld", "microdata"]],
        ["tags", "sieves, wind", []],
        ["captions", "English (automatic)", []],
        ["canonicalUrl", "https://example.com/talk", []]
      ]
    );
  });

  it("names a platform once, and people without a name by their id", () => {
    const named = (more: Partial<SourceMetadata>) =>
      factsOf({ ...METADATA, ...more }).map(({ name, text }) => `${name} ${text}`);
    const author = { name: null, id: "@ada", url: null };
    assert.include(named({ platform: "youtube", siteName: "YouTube", author }), "author @ada");
    assert.isFalse(
      named({ platform: "youtube", siteName: "YouTube" }).some((each) => each.startsWith("platform"))
    );
    assert.include(named({ platform: "tiktok", siteName: null }), "platform tiktok");
  });
});
