import { assert, describe, it } from "@effect/vitest";
import { platformDetails, postDetails, videoDetails } from "../../src/sources/metadata/details.ts";
import { videoFacts } from "../../src/sources/metadata/facts.ts";
import { type Info, readInfo } from "../../src/sources/yt-dlp/InfoDict.ts";
import { read, page, jsonLd, paragraphs } from "@winnow/pages/test/pages";

const infoOf = (raw: object): Info => readInfo(raw) ?? assert.fail("no info");

const TALK = {
  extractor: "youtube",
  extractor_key: "Youtube",
  id: "aaaaaaaaaaa",
  title: "A talk",
  uploader: "Ada",
  uploader_id: "@ada",
  uploader_url: "https://www.youtube.com/@ada",
  tags: ["a", "b", "a", 7],
  language: "en",
  timestamp: 1_741_149_000,
  upload_date: "20250305",
  view_count: 5
};

describe("the details of a video", () => {
  it("of a platform are what its extractor returns", () => {
    const { origins, ...details } = platformDetails(infoOf(TALK));
    assert.deepStrictEqual(details, {
      platform: "youtube",
      id: "aaaaaaaaaaa",
      siteName: "YouTube",
      author: { name: "Ada", id: "@ada", url: "https://www.youtube.com/@ada" },
      shareCount: null,
      language: "en",
      publishedAt: { value: "2025-03-05T04:30:00Z", precision: "second" },
      modifiedAt: null,
      tags: ["a", "b"]
    });
    assert.deepInclude(origins, { title: "platform", "stats.views": "platform", id: "platform" });
    assert.notProperty(origins, "stats.likes");
  });

  it("have only a date if the extractor reports midnight", () => {
    const day = { value: "2025-03-05", precision: "day" };
    for (const timestamp of [1_741_132_800, undefined, "soon"]) {
      assert.deepStrictEqual(platformDetails(infoOf({ ...TALK, timestamp })).publishedAt, day);
    }
    assert.isNull(platformDetails(infoOf({ ...TALK, timestamp: null, upload_date: "soon" })).publishedAt);
  });

  it("contain no invalid URL", () => {
    const uploader_url = "javascript:alert(1)";
    assert.isNull(platformDetails(infoOf({ ...TALK, uploader_url })).author?.url);
  });

  it("of a page with a video come from the page", async () => {
    const head = jsonLd({
      "@type": "VideoObject",
      name: "The talk",
      author: { "@type": "Person", name: "Ada" },
      uploadDate: "2025-03-04T23:30:00-05:00"
    });
    const { metadata } = await read(page({ head, body: `<video src="/talk.mp4"></video>${paragraphs(1)}` }));
    const info = infoOf({
      extractor_key: "Generic",
      id: "talk",
      title: "The talk",
      uploader: "site.test",
      webpage_url: "https://site.test/talk"
    });
    const facts = videoFacts("https://site.test/", info, metadata, {
      durationSeconds: 1,
      hasSubtitles: false
    });
    const details = videoDetails(info, metadata, facts);
    assert.deepInclude(details, {
      author: { name: "Ada", id: null, url: null },
      publishedAt: { value: "2025-03-04T23:30:00-05:00", precision: "second" }
    });
    assert.notProperty(details, "platform");
    assert.deepInclude(details.origins, { title: "json-ld", author: "json-ld" });
  });
});

describe("the details of a photo post", () => {
  it("name the platform, the post and who posted it", () => {
    const post = { platform: "instagram", id: "Cx1", author: "Ada", authorId: "ada", tags: ["#sea"] };
    const { origins, ...details } = postDetails(post);
    assert.deepStrictEqual(details, {
      platform: "instagram",
      id: "Cx1",
      siteName: "Instagram",
      author: { name: "Ada", id: "ada", url: null },
      tags: ["#sea"]
    });
    assert.strictEqual(origins?.["author"], "platform");
  });
});
