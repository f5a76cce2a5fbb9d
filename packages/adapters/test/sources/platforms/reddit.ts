/** A replica of Reddit's pages in JSON and of its API for gallery-dl: posts by name, and refusals. */
import type { Media } from "./openPlatforms.ts";
import { html, json, type Platform, type Situations, type Told } from "./Replica.ts";

const listing = (...children: ReadonlyArray<object>) => ({
  kind: "Listing",
  data: { after: null, children: children.map((data) => ({ kind: "t3", data })) }
});

const post = (id: string, title: string, more: object): Told =>
  json([
    listing({
      id,
      name: `t3_${id}`,
      title,
      author: "ada",
      subreddit: "sieves",
      created_utc: 1_741_082_400,
      ups: 5,
      score: 5,
      downs: 0,
      num_comments: 2,
      over_18: false,
      is_self: false,
      is_video: false,
      selftext: "",
      selftext_html: null,
      permalink: `/r/sieves/comments/${id}/a_sieve/`,
      url: `https://www.reddit.com/r/sieves/comments/${id}/a_sieve/`,
      ...more
    }),
    listing()
  ]);

const hosted = (id: string) => ({
  is_video: true,
  url: `https://v.redd.it/${id}`,
  secure_media: {
    reddit_video: {
      fallback_url: `https://v.redd.it/${id}/DASH_180.mp4?source=fallback`,
      dash_url: `https://v.redd.it/${id}/DASHPlaylist.mpd?a=1`,
      hls_url: `https://v.redd.it/${id}/HLSPlaylist.m3u8?a=1`,
      duration: 10,
      height: 180,
      width: 320,
      bitrate_kbps: 800
    }
  }
});

const embedded = (id: string) => ({
  e: "RedditVideo",
  status: "valid",
  id,
  dashUrl: `https://v.redd.it/link/t/asset/${id}/DASHPlaylist.mpd?a=1`
});

const picture = (id: string) => ({
  e: "Image",
  status: "valid",
  m: "image/jpg",
  id,
  s: { u: `https://preview.redd.it/${id}.jpg?width=640`, x: 640, y: 360 }
});

const byId = (...media: ReadonlyArray<{ readonly id: string }>) => ({
  media_metadata: Object.fromEntries(media.map((each) => [each.id, each]))
});

/** A page with its text: a title, the author's text, and the surrounding elements. */
const WORDS = `<!doctype html><html><head><title>Words alone</title><meta property="og:type" content="article"><meta property="og:title" content="Words alone"></head>
<body><nav><a href="/">Home</a></nav><main><article><h1>Words alone</h1><p>${"What do you sieve, and how fine is the mesh that you take for it? ".repeat(12)}</p></article></main></body></html>`;

const refused = (reason: string) => json({ reason, message: "Forbidden", error: 403 }, 403);

const POSTS: Readonly<Record<string, Told>> = {
  video: post("video", "One video", hosted("v1")),
  videos: post("videos", "Two videos in a text", {
    is_self: true,
    selftext: "Twice",
    ...byId(embedded("e1"), embedded("e2"))
  }),
  crosspost: post("crosspost", "Look here", {
    ...hosted("v1"),
    secure_media: null,
    crosspost_parent_list: [hosted("v1")]
  }),
  picture: post("picture", "One picture", { url: "https://i.redd.it/p1.jpg" }),
  gallery: post("gallery", "A gallery", {
    is_gallery: true,
    url: "https://www.reddit.com/gallery/gallery",
    gallery_data: { items: [{ media_id: "p2" }, { media_id: "p1" }] },
    ...byId(picture("p1"), picture("p2"))
  }),
  adults: post("adults", "For adults", { ...hosted("v1"), over_18: true }),
  link: post("link", "Seen on YouTube", { url: "https://www.youtube.com/watch?v=talk_______" }),
  words: post("words", "Words alone", { is_self: true, selftext: "What do you sieve?" }),
  poll: post("poll", "A poll", { is_self: true, selftext: "" }),
  fresh: post("fresh", "Just sent", { url: "https://v.redd.it/v9", is_video: true, secure_media: null }),
  hidden: refused("private"),
  quarantined: refused("quarantined"),
  banned: refused("banned"),
  often: json({ message: "Too Many Requests", error: 429 }, 429),
  walled: html("<html><body>You've been blocked by network security.</body></html>", 403),
  abroad: json({ message: "Unavailable For Legal Reasons", error: 451 }, 451),
  proof: refused("age_verification_required")
};

const MANIFEST = `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT10S"><Period>
<AdaptationSet contentType="video" mimeType="video/mp4"><Representation id="v" bandwidth="800000" codecs="avc1.42C00C" width="320" height="180"><BaseURL>DASH_180.mp4</BaseURL></Representation></AdaptationSet>
<AdaptationSet contentType="audio" mimeType="audio/mp4"><Representation id="a" bandwidth="64000" codecs="mp4a.40.2"><BaseURL>DASH_AUDIO_64.mp4</BaseURL></Representation></AdaptationSet>
</Period></MPD>`;

const CAPTIONS = "WEBVTT\n\n00:00:01.000 --> 00:00:04.000\nA sieve keeps what is large.\n";

/** Newer extractors get a visitor's cookie before they ask for a post. */
const SESSION = { "set-cookie": "loid=0000000000fixture; Domain=reddit.com; Path=/; Secure" };

const file = (path: string, media: Media): Told => {
  if (path.endsWith(".mpd")) return { type: "application/dash+xml", body: MANIFEST };
  if (path.endsWith(".vtt")) return { type: "text/vtt", body: CAPTIONS };
  if (path.endsWith("/DASH_AUDIO_64.mp4")) return { type: "audio/mp4", body: media.sound };
  return path.endsWith(".mp4") ? { type: "video/mp4", body: media.silent } : html("", 404);
};

export const reddit =
  (media: Media): Platform =>
  ({ host, url }) => {
    if (host === "v.redd.it") return file(url.pathname, media);
    if (host === "i.redd.it" || host === "preview.redd.it")
      return { type: "image/jpeg", body: media.picture };
    if (!/(?:^|\.)reddit\.com$/u.test(host)) return null;
    if (url.pathname === "/api/v1/access_token") return json({ access_token: "a" });
    if (host === "old.reddit.com" && url.pathname === "/") return { ...html(""), headers: SESSION };
    if (!url.pathname.endsWith(".json")) {
      if (!/^\/(?:r|comments)\//u.test(url.pathname)) return null;
      if (url.pathname.includes("/words")) return html(WORDS);
      return html("<!doctype html><html><head><title>Reddit</title></head><body></body></html>");
    }
    const id = /comments\/(\w+)/u.exec(url.pathname)?.[1] ?? "";
    return POSTS[id] ?? json({ message: "Not Found", error: 404 }, 404);
  };

const address = (id: string): string => `https://www.reddit.com/r/sieves/comments/${id}/a_sieve/`;

export const redditSituations: Situations = {
  public: address("video"),
  private: address("hidden"),
  removed: address("banned"),
  login: address("quarantined"),
  "bot check": address("walled"),
  "rate limit": address("often"),
  geo: address("abroad"),
  age: address("proof")
};
