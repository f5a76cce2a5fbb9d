/** A replica of Vimeo's API as used by programs: videos by number, and the messages for restricted ones. */
import type { Media } from "./openPlatforms.ts";
import { html, json, type Platform, type Situations, type Told } from "./Replica.ts";

const config = (id: string, more: object = {}) => ({
  video: {
    id: Number(id),
    title: "How sieves are made",
    duration: 10,
    owner: { name: "Ada Fixture", url: "https://vimeo.com/ada" },
    thumbs: { "640": "https://i.vimeocdn.com/video/1_640" },
    ...more
  },
  request: {
    files: {
      progressive: [
        {
          url: `https://vod.vimeocdn.com/${id}.mp4`,
          quality: "180p",
          width: 320,
          height: 180,
          fps: 10,
          bitrate: 400
        }
      ]
    },
    text_tracks: [
      { lang: "en", url: `/texttrack/${id}-en.vtt` },
      { lang: "de", url: `/texttrack/${id}-de.vtt` }
    ]
  },
  embed: {
    chapters: [
      { title: "Mesh", timecode: 4 },
      { title: "Frame", timecode: 0 }
    ]
  }
});

const CONFIGS: Readonly<Record<string, object>> = {
  "1001": config("1001"),
  "1002": config("1002"),
  "1004": {
    ...config("1004", { live_event: { status: "started" } }),
    request: { files: { hls: { cdns: { a: { url: "https://live.vimeocdn.com/1004.m3u8" } } } } }
  },
  "1006": config("1006"),
  "1007": config("1007"),
  // Requires the password.
  "2001": { view: 4 },
  "1005": {
    ...config("1005", {
      live_event: { status: "pending", ingest: { scheduled_start_time: "2030-01-01T10:00:00Z" } }
    }),
    request: { files: {} }
  }
};

const told = (id: string) =>
  json({
    config_url: `https://player.vimeo.com/video/${id}/config`,
    description: "A generated talk.",
    created_time: "2025-03-04T10:00:00+00:00",
    stats: { plays: 99 },
    metadata: { connections: { comments: { total: 2 }, likes: { total: 5 } } }
  });

const PASSWORD = json(
  {
    error: "The password is missing.",
    error_code: 2204,
    invalid_parameters: [{ field: "password", error_code: 2222 }]
  },
  400
);

const EMBED_ONLY = html("Because of its privacy settings, this video cannot be played here.", 403);

const GONE = html("<!doctype html><html><head><title>VimeUhOh</title></head><body>Sorry</body></html>", 404);

/** By `video`, or by `video:hash` for unlisted videos, which require the hash. */
const VIDEOS: Readonly<Record<string, Told>> = {
  "1001": told("1001"),
  "1002:abcdef1234": told("1002"),
  "1004": told("1004"),
  "1005": told("1005"),
  "1006": json({ error: "You must provide a valid authenticated access token.", error_code: 8003 }, 401),
  "2001": PASSWORD,
  "2003": json({ error: "Too many API requests. Wait an hour or so, then try again.", error_code: 9000 }, 429)
};

/** What a page says whose video cannot be shown. */
const failedPage = (title: string): Told =>
  html(
    `<script>vimeo.config = _extend((vimeo.config || {}), ${JSON.stringify({ seed_status: { state: "failed", title } })});</script>`
  );

const counter = (type: string, userInteractionCount: number) => ({
  "@type": "InteractionCounter",
  interactionType: { "@type": `http://schema.org/${type}` },
  userInteractionCount
});

/** Newer extractors read only the player; the page has what it lacks. */
const PAGE = html(
  `<!doctype html><html><head><title>How sieves are made on Vimeo</title><script type="application/ld+json">${JSON.stringify(
    {
      "@context": "https://schema.org",
      "@type": "VideoObject",
      name: "How sieves are made",
      description: "A generated talk.",
      uploadDate: "2025-03-04T05:00:00-05:00",
      interactionStatistic: [
        counter("WatchAction", 99),
        counter("LikeAction", 5),
        counter("CommentAction", 2)
      ]
    }
  )}</script></head><body></body></html>`
);

const OFTEN = html("Too many requests", 429);

/** Pages that refuse before the API is called. */
const PAGES: Readonly<Record<string, Told>> = {
  "1001": PAGE,
  "2006": failedPage("This video is not available in your region"),
  "2007": failedPage("This video is rated mature. Log in to confirm your age"),
  "2004": html("<html><body>Verify to continue</body></html>", 403),
  "2404": GONE
};

const CAPTIONS: Readonly<Record<string, string>> = {
  en: "WEBVTT\n\n00:00:01.000 --> 00:00:04.000\nA sieve keeps what is large.\n",
  de: "WEBVTT\n\n00:00:01.000 --> 00:00:04.000\nEin Sieb behält, was gross ist.\n"
};

const LIVE =
  "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:7\n#EXTINF:4,\nhttps://live.vimeocdn.com/7.ts\n";

export const vimeo =
  (media: Media): Platform =>
  ({ host, url }) => {
    if (host === "i.vimeocdn.com") return { type: "image/jpeg", body: media.picture };
    if (host === "vod.vimeocdn.com") return { type: "video/mp4", body: media.video };
    if (host === "live.vimeocdn.com") return { type: "application/vnd.apple.mpegurl", body: LIVE };
    if (!/(?:^|\.)vimeo\.com$/u.test(host)) return null;
    const id = /(\d{4}(?::\w+)?)/u.exec(url.pathname)?.[1] ?? "";
    if (host === "api.vimeo.com") {
      return url.pathname.startsWith("/oauth/") ? json({ access_token: "a" }) : (VIDEOS[id] ?? GONE);
    }
    const language = /-(\w\w)\.vtt$/u.exec(url.pathname)?.[1];
    if (language !== undefined) return { type: "text/vtt", body: CAPTIONS[language] ?? "" };
    if (host === "player.vimeo.com") {
      const config = CONFIGS[id];
      if (PAGES[id] === GONE) return html("Sorry. This video does not exist.", 404);
      if (id === "2003") return OFTEN;
      if (url.pathname.endsWith("/config")) return json(config);
      return config === undefined
        ? EMBED_ONLY
        : html(`<script>window.playerConfig = ${JSON.stringify(config)}</script>`);
    }
    if (url.pathname.endsWith("/viewer")) return json({ jwt: "j", xsrft: "x", vuid: "v" });
    if (id === "" || url.pathname.startsWith("/_")) return null;
    return PAGES[id] ?? html("<!doctype html><html><head><title>Vimeo</title></head><body></body></html>");
  };

const address = (id: number): string => `https://vimeo.com/${id}`;

export const vimeoSituations: Situations = {
  public: address(1001),
  private: address(2005),
  removed: address(2404),
  login: address(2001),
  "bot check": address(2004),
  "rate limit": address(2003),
  geo: address(2006),
  age: address(2007)
};
