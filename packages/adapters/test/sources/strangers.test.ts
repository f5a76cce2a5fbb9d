/** Untrusted text is cleaned in every field of facts, comments, captions and answers. */
import { assert, describe, it } from "@effect/vitest";
import { HOSTILE_TEXT, INVISIBLE_OR_CONTROL } from "@winnow/testing/samples/samples";
import { parseCues } from "@winnow/core/domain/transcript/ParseCues";
import { verdictOf } from "@winnow/core/domain/evidence/Verdict";
import { readComments } from "../../src/sources/fetch/fetchComments.ts";
import { photoFacts, videoFacts, webpageFacts } from "../../src/sources/metadata/facts.ts";
import { readGallery } from "../../src/sources/gallery-dl/GalleryDl.ts";
import { readInfo } from "../../src/sources/yt-dlp/InfoDict.ts";
import { readBytes } from "@winnow/pages/ReadBytes";

const URL_OF_IT = "https://example.org/watch";

/** Line breaks are kept in multi-line fields, and nowhere else. */
const assertClean = (value: unknown): void => {
  for (const text of textsOf(value)) assert.notMatch(text, INVISIBLE_OR_CONTROL, JSON.stringify(text));
};

const textsOf = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
};

/** Every text field that extractors fill. */
const FIELDS =
  "title uploader channel description webpage_url thumbnail upload_date language live_status ext extractor_key";

const RAW = Object.fromEntries(
  FIELDS.split(" ").map((field) => [
    field,
    /url|thumbnail/u.test(field) ? URL_OF_IT + HOSTILE_TEXT : HOSTILE_TEXT
  ])
);

describe("untrusted text", () => {
  it("is cleaned in the facts of a video, with titles and names on one line", () => {
    const info = readInfo({ ...RAW, formats: [{ url: URL_OF_IT }] }) ?? assert.fail("no info");
    const facts = videoFacts(URL_OF_IT, info, null, { durationSeconds: null, hasSubtitles: false });
    assertClean(facts);
    assert.strictEqual(facts.title, "Price free");
    assert.strictEqual(facts.uploader, "Price free");
    assert.strictEqual(facts.description, "Price\n free");
  });

  it("is cleaned in the facts of photos, a playlist and gallery-dl", () => {
    const post = {
      category: "imgur",
      subcategory: "image",
      title: HOSTILE_TEXT,
      description: HOSTILE_TEXT,
      author: { nickname: HOSTILE_TEXT },
      date: HOSTILE_TEXT
    };
    const images = [URL_OF_IT + HOSTILE_TEXT];
    const text = JSON.stringify([
      [2, post],
      [3, images[0], { ...post, extension: "jpg" }]
    ]);
    const answer = readGallery(text);
    const gallery = answer._tag === "Post" ? answer.post : assert.fail(answer._tag);
    assertClean(photoFacts(URL_OF_IT, { ...gallery, hasComments: false, webpageUrl: images[0] ?? null }));
  });

  it("is cleaned everywhere in the text and facts of a page", async () => {
    const entities = [...HOSTILE_TEXT].map((character) => `&#${character.codePointAt(0)};`).join("");
    for (const written of [HOSTILE_TEXT, entities]) {
      const names = ["description", "author", "og:title", "og:site_name", "og:description", "article:author"];
      const metas = names.map((name) => `<meta name="${name}" property="${name}" content="${written}">`);
      const data = JSON.stringify({
        "@type": "Article",
        headline: HOSTILE_TEXT,
        author: { "@type": "Person", name: HOSTILE_TEXT },
        datePublished: HOSTILE_TEXT
      });
      const html = `<!doctype html><html lang="en"><head><title>${written}</title>${metas.join("")}
        <script type="application/ld+json">${data}</script></head>
        <body><article><h1>${written}</h1><p>By ${written}</p><p>${`${written} and more of it. `.repeat(40)}</p></article></body></html>`;
      const outcome = await readBytes(new TextEncoder().encode(html), {
        url: URL_OF_IT,
        contentType: "text/html; charset=utf-8"
      });
      if (!("reading" in outcome)) return assert.fail("the page was not read");
      assert.include(outcome.reading.text.plain, "free and more of it.");
      assertClean(outcome.reading);
      assertClean(webpageFacts(URL_OF_IT, outcome.reading.metadata));
    }
  });

  it("is cleaned in comments", () => {
    const raw = [
      { id: HOSTILE_TEXT, parent: HOSTILE_TEXT, text: HOSTILE_TEXT, author: HOSTILE_TEXT, timestamp: 1 }
    ];
    const comments = readComments(raw, 10);
    assertClean(comments);
    assert.deepInclude(comments[0], { author: "Price free", text: "Price\n free" });
  });

  it("is cleaned in captions", () => {
    const cues = parseCues(
      `WEBVTT\n\n00:01.000 --> 00:02.000\n<v ${HOSTILE_TEXT.replace("\r", "")}>${HOSTILE_TEXT}\n`
    );
    assert.isNotEmpty(cues);
    assertClean(cues);
  });

  it("is cleaned in a model's answer", () => {
    const verdict = verdictOf({ outcome: "uncertain", verdictReason: `${HOSTILE_TEXT}.`, extraction: null });
    assertClean(verdict);
    assert.strictEqual(verdict.verdictReason, "Price free.");
  });
});
