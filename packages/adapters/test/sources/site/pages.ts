/** The pages of the test site: one of each kind that a downloader meets, JSON for the plugin, and hostile pages. */
import { SECONDS } from "./media.ts";

export type Page = (base: string) => string;

const escaped = (text: string): string =>
  text.replace(/[&<>"]/gu, (character) => `&#${character.codePointAt(0)};`);

export const html = (title: string, head: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title>${head}</head><body><h1>${escaped(title)}</h1>${body}</body></html>`;

const og = (entries: Readonly<Record<string, string>>): string =>
  Object.entries(entries)
    .map(([key, value]) => `<meta property="og:${key}" content="${escaped(value)}">`)
    .join("");

const jsonLd = (object: object): string =>
  `<script type="application/ld+json">${JSON.stringify({ "@context": "https://schema.org", ...object })}</script>`;

const counter = (action: string, count: number) => ({
  "@type": "InteractionCounter",
  interactionType: `https://schema.org/${action}`,
  userInteractionCount: count
});

const talk = (base: string, over: object = {}): object => ({
  "@type": "VideoObject",
  name: "The talk",
  description: "A talk about nothing.",
  thumbnailUrl: `${base}/media/thumb.webp`,
  uploadDate: "2025-03-04T23:30:00-05:00",
  duration: `PT${SECONDS}S`,
  contentUrl: `${base}/media/talk.mp4`,
  author: { "@type": "Person", name: "Ada Fixture" },
  interactionStatistic: [
    counter("WatchAction", 12_345),
    counter("LikeAction", 678),
    counter("CommentAction", 9)
  ],
  ...over
});

const TRACKS =
  '<track kind="subtitles" srclang="en" label="English (forced)" src="/media/signs.vtt">' +
  '<track kind="subtitles" srclang="de" src="/media/talk.de.srt"><track kind="subtitles" srclang="en" src="/media/talk.en.vtt">';

const SENTENCE = "Fixtures make a claim that a machine can check, every day, without a word of praise.";

const slides = (base: string): ReadonlyArray<string> =>
  [1, 2, 3, 4].map((number) => `${base}/media/slide${number}.jpg`);

const COMMENTS = Array.from({ length: 30 }, (_, index) => ({
  id: `c${index}`,
  parent: index % 3 === 0 ? "root" : `c${index - (index % 3)}`,
  author: `user${index}`,
  text: index === 4 ? "" : `Comment ${index}`,
  like_count: index,
  timestamp: 1_741_082_400 + index * 60
}));

const fx = (
  base: string,
  info: object,
  comments: ReadonlyArray<object> = [],
  captions: string | null = null
): string =>
  JSON.stringify({
    info: {
      title: "A fixture",
      url: `${base}/media/talk.mp4`,
      duration: SECONDS,
      uploader: "Ada Fixture",
      comment_count: comments.length,
      ...info
    },
    comments,
    captions
  });

const fxError = (kind: string, message?: string): string => JSON.stringify({ error: { kind, message } });

const podcast = (base: string, episodes: number): string =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>Fixture Cast</title>${Array.from(
    { length: episodes },
    (_, index) =>
      `<item><title>Episode ${index + 1}</title><guid>e${index}</guid><pubDate>Tue, 04 Mar 2025 23:30:00 -0500</pubDate><itunes:duration>${SECONDS}</itunes:duration><enclosure url="${base}/media/talk.m4a?n=${index}" type="audio/mp4" length="1"/></item>`
  ).join("")}</channel></rss>`;

export const pictured = (image: string): string =>
  html(
    "A picture",
    og({ type: "article", image }),
    `<article>${`<p>${SENTENCE} ${SENTENCE}</p>`.repeat(8)}</article>`
  );

export const PAGES: Readonly<Record<string, Page>> = {
  "/watch/talk": (base) =>
    html(
      "The talk - Fixture Tube",
      og({ title: "The talk", description: "A talk about nothing.", image: `${base}/media/thumb.webp` }) +
        jsonLd(talk(base)),
      `<video poster="/media/thumb.webp" src="/media/talk.mp4">${TRACKS}</video>`
    ),
  "/watch/jsonld": (base) => html("JSON-LD only", jsonLd(talk(base)), ""),
  /** Pages without ratings that divide by the number of votes write this. */
  "/watch/unrated": (base) =>
    html("Unrated", jsonLd(talk(base, { aggregateRating: { ratingValue: "NaN" } })), ""),
  "/watch/jsonld-hls": (base) =>
    html("Talks", jsonLd(talk(base, { contentUrl: `${base}/media/hls/master.m3u8` })), ""),
  "/watch/og": (base) =>
    html(
      "Open Graph - Fixture Tube",
      og({
        title: "Open Graph only",
        description: "No schema.",
        image: `${base}/media/thumb.webp`,
        video: `${base}/media/talk.mp4`,
        "video:type": "video/mp4"
      }),
      ""
    ),
  "/watch/jwplayer": (base) =>
    html(
      "A page with a player",
      "",
      `<div id="p"></div><script>jwplayer("p").setup(${JSON.stringify({
        title: "JW talk",
        description: "By the player.",
        image: `${base}/media/thumb.webp`,
        sources: [
          { file: `${base}/media/hls/master.m3u8`, type: "hls" },
          { file: `${base}/media/talk.mp4`, label: "180p" }
        ],
        tracks: [{ file: `${base}/media/talk.en.vtt`, kind: "captions", label: "English" }]
      })});</script>`
    ),
  /** The host does not resolve in tests. */
  "/watch/iframe": () =>
    html("An embedded talk", "", '<iframe src="https://www.youtube.com/embed/aaaaaaaaaaa"></iframe>'),
  "/watch/short-claim": (base) => html("Five seconds", jsonLd(talk(base, { duration: "PT5S" })), ""),
  "/watch/vp9": () => html("An open codec", "", '<video src="/media/vp9.webm"></video>'),
  "/watch/gone": () => html("A dead link", "", '<video src="/status/404/talk.mp4"></video>'),
  "/watch/hls": () => html("An HLS talk", "", '<video src="/media/hls/master.m3u8"></video>'),
  "/watch/ranged": () => html("Ranged captions", "", '<video src="/ranged.m3u8"></video>'),
  "/watch/dash": () =>
    html(
      "A DASH talk",
      "",
      '<video><source src="/media/dash/manifest.mpd" type="application/dash+xml"></video>'
    ),
  "/watch/flaky": () => html("Told late", "", '<video src="/flaky.mp4"></video>'),
  "/watch/nodur": () => html("Hidden length", "", '<video src="/media/nodur.webm"></video>'),
  "/watch/long": (base) => html("Two hours", jsonLd(talk(base, { duration: "PT2H" })), ""),
  "/watch/live": () => html("Live now", "", '<video src="/live.m3u8"></video>'),
  "/watch/several": () =>
    html("Several", "", '<video src="/media/talk.mp4"></video><video src="/media/nodur.webm"></video>'),
  /** Its facts have 5 MB. */
  "/watch/verbose": () =>
    html("Verbose", og({ description: "words ".repeat(850_000) }), '<video src="/media/talk.mp4"></video>'),
  "/watch/liar": () => html("No video at all", "", '<video src="/media/not-a-video.mp4"></video>'),
  "/article": (base) =>
    html(
      "Why fixtures matter",
      og({
        title: "Why fixtures matter",
        type: "article",
        image: slides(base)[0] ?? "",
        description: "An essay."
      }),
      `<article>${`<p>${SENTENCE} ${SENTENCE}</p>`.repeat(8)}</article>`
    ),
  "/article/lost-picture": (base) => pictured(`${base}/media/lost.jpg`),
  "/carousel": (base) =>
    html(
      "A photo post",
      og({ title: "A photo post", description: "Four slides." }) +
        jsonLd({ "@type": "ImageGallery", name: "A photo post", image: slides(base) }),
      slides(base)
        .map((url) => `<figure><img src="${url}" width="400" height="300"></figure>`)
        .join("")
    ),
  "/carousel/words": (base) => {
    const urls = ["slide1.jpg", "words.png"].map((name) => `${base}/media/${name}`);
    return html(
      "Soda bread",
      og({ title: "Soda bread" }) + jsonLd({ "@type": "ImageGallery", name: "Soda bread", image: urls }),
      urls.map((url) => `<figure><img src="${url}" width="640" height="400"></figure>`).join("")
    );
  },
  "/carousel/odd": (base) => {
    const urls = [
      "odd1.gif",
      "odd2.webp",
      "odd3.avif",
      "odd4.heic",
      "bomb.png",
      "slide1.jpg",
      "odd5.heic"
    ].map((name) => `${base}/media/${name}`);
    return html(
      "Odd slides",
      og({ title: "Odd slides" }) + jsonLd({ "@type": "ImageGallery", name: "Odd slides", image: urls }),
      urls.map((url) => `<figure><img src="${url}" width="400" height="300"></figure>`).join("")
    );
  },
  "/podcast.xml": (base) => podcast(base, 2),
  "/podcast-one.xml": (base) => podcast(base, 1),
  "/gated": () => html("Log in to continue", "", '<form action="/login"><input type="password"></form>'),
  "/empty": () => "",

  "/fx/video": (base) =>
    fx(
      base,
      {
        description: "As told by the extractor.",
        upload_date: "20250304",
        view_count: 10,
        language: "en",
        subtitles: { de: [{ url: `${base}/media/talk.de.srt`, ext: "srt" }] },
        automatic_captions: { "en-orig": [{ url: `${base}/media/talk.en.vtt`, ext: "vtt" }] }
      },
      COMMENTS
    ),
  // Like most extractors, these do not say how many comments there are.
  "/fx/uncounted": (base) => fx(base, { comment_count: undefined }, COMMENTS),
  "/fx/silent": (base) => fx(base, { comment_count: undefined }),
  "/fx/translated": (base) =>
    fx(base, {
      automatic_captions: {
        fr: [{ url: `${base}/media/talk.de.srt`, ext: "srt" }],
        "en-orig": [{ url: `${base}/media/talk.en.vtt`, ext: "vtt" }]
      }
    }),
  "/fx/photos": (base) =>
    fx(base, {
      _type: "playlist",
      entries: slides(base).map((url, index) => ({
        id: `p${index}`,
        url,
        ext: "jpg",
        vcodec: "none",
        acodec: "none"
      }))
    }),
  "/fx/one": (base) =>
    fx(base, { _type: "playlist", url: undefined, entries: [{ _type: "url", url: `${base}/fx/video` }] }),
  "/fx/channel": (base) =>
    fx(base, {
      _type: "playlist",
      entries: Array.from({ length: 50 }, (_, index) => ({ _type: "url", url: `${base}/fx/video?${index}` }))
    }),
  "/fx/empty-channel": (base) => fx(base, { _type: "playlist", url: undefined, entries: [] }),
  /** As a channel of YouTube: a playlist for each tab. */
  "/fx/tabs": (base) =>
    fx(base, {
      _type: "playlist",
      url: undefined,
      entries: ["videos", "shorts"].map((tab) => ({
        _type: "playlist",
        id: tab,
        extractor: "fixture",
        extractor_key: "WinnowFixture",
        webpage_url: `${base}/fx/${tab}`,
        entries: [0, 1, 2].map((index) => ({ _type: "url", url: `${base}/fx/${tab}-${index}` }))
      }))
    }),
  /** Entries as extractors and attackers write them. */
  "/fx/odd-entries": (base) =>
    fx(base, {
      _type: "playlist",
      url: undefined,
      entries: [
        { _type: "url", url: `${base}/fx/video#__youtubedl_smuggle=%7B%22referer%22%3A+1%7D` },
        { id: "here", title: "Media of the page itself", url: `${base}/media/talk.mp4` },
        { id: "inside", webpage_url: `${base}/watch/talk`, url: `${base}/media/talk.mp4` },
        { _type: "url", url: "file:///etc/passwd" }
      ]
    }),
  "/fx/chapters": (base) =>
    fx(base, {
      chapters: [
        { title: "The beginning", start_time: 0, end_time: 2 },
        { title: " The\nend ", start_time: 2, end_time: 4 }
      ]
    }),
  "/fx/captions-refused": (base) => fx(base, {}, [], `${base}/status/429/captions.vtt`),
  "/fx/gone": (base) => fx(base, { url: `${base}/status/404/x.mp4`, ext: "mp4" }),
  "/fx/private": () =>
    fxError("login", "Private video. Sign in if you have been granted access to this video"),
  "/fx/bot": () => fxError("gone", "Sign in to confirm you're not a bot"),
  "/fx/age-gate": () => fxError("login", "Sign in to confirm your age"),
  "/fx/geo": () => fxError("geo", "The uploader has not made this video available in your country"),
  "/fx/drm": () => fxError("drm"),
  "/fx/upcoming": () => fxError("no_formats", "Premieres in 3 hours"),
  "/fx/broken": () => fxError("bug", "Unable to extract player version")
};

/** Pages that only an attacker would write. */
export const EVIL_PAGES: Readonly<Record<string, Page>> = {
  "/evil/file-source": () => html("file source", "", '<video src="file:///etc/passwd"></video>'),
  "/evil/file-jsonld": () =>
    html(
      "file json-ld",
      jsonLd({
        "@type": "VideoObject",
        name: "x",
        contentUrl: "file:///etc/passwd",
        encodingFormat: "video/mp4"
      }),
      ""
    ),
  "/evil/title": () =>
    html(
      "../../etc/x %(id)s $(touch pwned) `id` \u202e\u0007",
      "",
      `<video src="/media/talk.mp4">${TRACKS}</video>`
    ),
  "/evil/subs": () =>
    html(
      "evil subs",
      "",
      '<video src="/media/talk.mp4"><track kind="subtitles" srclang="../../../tmp/evil" src="/media/talk.en.vtt"></video>'
    ),
  "/evil/flooded": () => html("flood", "", '<video src="/evil/flooded.m3u8"></video>')
};
