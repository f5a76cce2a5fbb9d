import { assert, describe, it } from "vitest";
import { factsOf, type SourceMetadata } from "../src/screens/run/sourceMetadata.ts";
import { writtenDate } from "../src/words/format.ts";

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

describe("a date with its precision", () => {
  it.each([
    ["2026", "year", "2026"],
    ["2026-03", "month", "March 2026"],
    ["2026-03-14", "day", "Mar 14, 2026"],
    ["2026-03-14T21:30", "minute", "Mar 14, 2026, 9:30 PM"],
    ["2026-03-14T21:30:05", "second", "Mar 14, 2026, 9:30:05 PM"],
    ["the day before", "day", "the day before"]
  ])("%s by the %s is %s", (value, precision, text) => {
    // A narrow no-break space precedes AM and PM.
    assert.strictEqual(writtenDate({ value, precision }).replaceAll("\u202F", " "), text);
  });

  it("is in the reader's time zone if it has one", () => {
    const value = "2026-03-14T21:30:00+05:00";
    const here = new Date(value).toLocaleString("en", { dateStyle: "medium", timeStyle: "medium" });
    assert.strictEqual(writtenDate({ value, precision: "second" }), here);
  });
});
