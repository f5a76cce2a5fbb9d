import { assert, describe, it } from "@effect/vitest";
import { jsonLd, og, page, paragraphs, read } from "../pages.ts";

const TALK = {
  "@type": "VideoObject",
  name: "The talk",
  description: "About nothing.",
  thumbnailUrl: "/thumb.webp",
  uploadDate: "2025-03-04T10:00:00Z",
  duration: "PT12S",
  contentUrl: "/talk.mp4",
  author: { "@type": "Person", name: "Ada Fixture" },
  interactionStatistic: [
    {
      "@type": "InteractionCounter",
      interactionType: "https://schema.org/WatchAction",
      userInteractionCount: 12_345
    },
    {
      "@type": "InteractionCounter",
      interactionType: { "@type": "LikeAction" },
      userInteractionCount: "678"
    },
    { "@type": "InteractionCounter", interactionType: "CommentAction", userInteractionCount: 9 }
  ]
};

const stated = async (html: string) => {
  const { kind, media, metadata } = await read(html);
  return { kind, ...metadata, ...media };
};

describe("a video page", () => {
  it("is read from JSON-LD alone", async () => {
    assert.deepInclude(
      await stated(page({ head: `<title>x</title>${jsonLd(TALK)}`, body: "<div id=player></div>" })),
      {
        kind: "video",
        title: "The talk",
        uploader: "Ada Fixture",
        uploadDate: "20250304",
        description: "About nothing.",
        thumbnail: "https://site.test/thumb.webp",
        durationSeconds: 12,
        viewCount: 12_345,
        likeCount: 678,
        commentCount: 9,
        videoUrls: ["https://site.test/talk.mp4"]
      }
    );
  });

  it("is read from Open Graph alone", async () => {
    const head = og([
      ["title", "Clip"],
      ["video", "https://cdn.test/clip.mp4"],
      ["video:type", "video/mp4"],
      ["image", "/t.jpg"]
    ]);
    assert.deepInclude(await stated(page({ head })), {
      kind: "video",
      title: "Clip",
      videoUrls: ["https://cdn.test/clip.mp4"]
    });
  });

  it("does not offer a player page as a file", async () => {
    const head = og([
      ["video", "https://cdn.test/player/1"],
      ["video:type", "text/html"],
      ["title", "Clip"]
    ]);
    assert.deepInclude(await stated(page({ head })), { kind: "video", videoUrls: [] });
  });

  it("has the sources and subtitles of its video element, resolved against the base", async () => {
    const video =
      `<video poster="/p.jpg"><source src="a.m3u8"><source src="b.mp4"><track kind="subtitles" srclang="en" src="en.vtt">` +
      `<track srclang="../../../tmp/evil" src="x.vtt"><track kind="chapters" src="ch.vtt"><track kind=captions srclang=de_at src="file:///etc/passwd"></video>`;
    const reading = await read(page({ head: `<base href="https://cdn.test/media/">`, body: video }));
    assert.deepStrictEqual(reading.media.videoUrls, [
      "https://cdn.test/media/a.m3u8",
      "https://cdn.test/media/b.mp4"
    ]);
    assert.deepStrictEqual(reading.media.subtitles, [
      { language: "en", url: "https://cdn.test/media/en.vtt" },
      { language: "und", url: "https://cdn.test/media/x.vtt" }
    ]);
    assert.strictEqual(reading.metadata.thumbnail, "https://cdn.test/p.jpg");
  });

  it("has subtitles of signs only apart from the others", async () => {
    const video =
      `<video src="a.mp4"><track srclang="en" label="English (forced)" src="/signs.vtt">` +
      `<track srclang="en" label="English" src="/en.vtt"></video>`;
    const { media } = await read(page({ body: video }));
    assert.deepStrictEqual(media.subtitleLabels, [
      { url: "https://site.test/signs.vtt", label: "en English (forced)" },
      { url: "https://site.test/en.vtt", label: "en English" }
    ]);
    assert.deepStrictEqual(media.subtitles, [{ language: "en", url: "https://site.test/en.vtt" }]);
  });

  it("has the files of a JW player", async () => {
    const script = `<script>jwplayer("p").setup({"sources":[{"file":"https:\\/\\/cdn.test\\/master.m3u8"},{file: '/low.mp4'}],"tracks":[{"file":"/en.vtt"}]});</script>`;
    const reading = await read(page({ head: "<title>JW</title>", body: `<div id=p></div>${script}` }));
    assert.strictEqual(reading.kind, "video");
    assert.deepStrictEqual(reading.media.videoUrls, [
      "https://cdn.test/master.m3u8",
      "https://site.test/low.mp4"
    ]);
  });

  it("offers only http and https URLs", async () => {
    for (const address of [
      "file:///etc/passwd",
      "javascript:alert(1)",
      "data:video/mp4;base64,AA",
      "blob:https://site.test/1",
      "ftp://x.test/a.mp4",
      "http://u:p@x.test/a.mp4"
    ]) {
      const reading = await stated(
        page({
          head: `<title>t</title>${jsonLd({ ...TALK, contentUrl: address })}`,
          body: `<video src="${address}"></video>`
        })
      );
      assert.deepInclude(reading, { kind: "video", videoUrls: [] }, address);
    }
  });

  it("is not recognized by a decorative loop", async () => {
    const loop = `<video autoplay muted loop><source src="/sky.mp4"></video>`;
    const reading = await read(
      page({ head: "<title>t</title>", body: `<main>${paragraphs(8)}</main>${loop}` })
    );
    assert.strictEqual(reading.kind, "webpage");
  });
});

describe("a photo post", () => {
  const slides = [1, 2, 3, 4].map((number) => `https://site.test/slide${number}.jpg`);

  it("has the slides of its gallery in order", async () => {
    const head =
      og([
        ["title", "Four"],
        ["type", "article"],
        ["image", slides[0] ?? ""]
      ]) + jsonLd({ "@type": "ImageGallery", name: "Four", image: slides });
    assert.deepInclude(
      await stated(page({ head, body: slides.map((url) => `<figure><img src="${url}"></figure>`).join("") })),
      {
        kind: "photos",
        title: "Four",
        images: slides
      }
    );
  });

  it("of image objects has their content URLs", async () => {
    const associatedMedia = slides.map((contentUrl) => ({ "@type": "ImageObject", contentUrl }));
    const reading = await read(page({ head: jsonLd({ "@type": "ImageGallery", associatedMedia }) }));
    assert.deepStrictEqual([reading.kind, reading.media.images], ["photos", slides]);
  });

  it("is known by repeated share images", async () => {
    const head = og([
      ["title", "Four"],
      ...slides.map((url) => ["image", url] as const),
      ["image", slides[0] ?? ""]
    ]);
    assert.deepInclude(await stated(page({ head })), { kind: "photos", images: slides });
  });

  it("is not an article with crops and no goods for sale", async () => {
    const images = slides.map((url) => ["image", url] as const);
    assert.strictEqual(
      (await read(page({ head: og(images), body: `<article>${paragraphs(8)}</article>` }))).kind,
      "webpage"
    );
    assert.strictEqual(
      (await read(page({ head: og([["type", "product"], ["title", "Jar"], ...images]) }))).kind,
      "webpage"
    );
  });
});
