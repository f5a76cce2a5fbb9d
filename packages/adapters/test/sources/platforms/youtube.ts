/**
 * A replica of YouTube's watch page and its player, comment and caption endpoints: videos and refusals by name.
 * Formats have plain URLs, except those that its small player script must unscramble; tokens are not imitated.
 */
import type { Media } from "./openPlatforms.ts";
import { html, json, type Platform, type Situations, type Told } from "./Replica.ts";

/** Ids of videos have 11 characters. */
export const videoId = (name: string): string => name.padEnd(11, "_");

const DESCRIPTION = "A generated talk.\n0:00 Frame\n0:04 Mesh\n0:08 Rim";

const address = (id: string, itag: number) =>
  `https://rr1.googlevideo.com/videoplayback?id=${id}&itag=${itag}`;

const format = (id: string, itag: number, mimeType: string, more: object = {}) => ({
  itag,
  url: address(id, itag),
  mimeType,
  bitrate: 64_000,
  quality: "small",
  approxDurationMs: "10000",
  ...more
});

const MP4 = 'video/mp4; codecs="avc1.42C00C, mp4a.40.2"';

const SIZE = { width: 320, height: 180, fps: 10 };

const streams = (id: string) => ({
  formats: [format(id, 18, MP4, SIZE)],
  adaptiveFormats: [
    format(id, 134, 'video/mp4; codecs="avc1.42C00C"', { ...SIZE, bitrate: 800_000 }),
    format(id, 140, 'audio/mp4; codecs="mp4a.40.2"', { audioQuality: "AUDIO_QUALITY_MEDIUM" })
  ]
});

/** What the player script makes of the scrambled parts: it reverses them. */
export const UNSCRAMBLED = { n: "fedcba", sig: "987654" };

const scrambled = ({ url, ...rest }: { readonly url: string }) => ({
  ...rest,
  signatureCipher: new URLSearchParams({ s: "456789", sp: "sig", url: `${url}&n=abcdef` }).toString()
});

const track = (id: string, languageCode: string, kind?: "asr") => ({
  baseUrl: `https://www.youtube.com/api/timedtext?v=${id}&lang=${languageCode}${kind === undefined ? "" : "&kind=asr"}`,
  name: { simpleText: languageCode },
  vssId: `${kind === undefined ? "" : "a"}.${languageCode}`,
  languageCode,
  isTranslatable: true,
  ...(kind === undefined ? {} : { kind })
});

const captions = (...captionTracks: ReadonlyArray<object>) => ({
  playerCaptionsTracklistRenderer: {
    captionTracks,
    translationLanguages: ["en", "de", "fr"].map((languageCode) => ({
      languageCode,
      languageName: { simpleText: languageCode }
    }))
  }
});

const player = (id: string, { details = {}, ...more }: Readonly<Record<string, object>> = {}) => ({
  playabilityStatus: { status: "OK" },
  videoDetails: {
    videoId: id,
    title: "How sieves are made",
    lengthSeconds: "10",
    channelId: "UCfixtureada234567890123",
    author: "Ada Fixture",
    shortDescription: DESCRIPTION,
    viewCount: "99",
    isLiveContent: false,
    thumbnail: {
      thumbnails: [{ url: `https://i.ytimg.com/vi/${id}/hqdefault.jpg`, width: 480, height: 360 }]
    },
    ...details
  },
  microformat: {
    playerMicroformatRenderer: { uploadDate: "2025-03-04", publishDate: "2025-03-04" }
  },
  streamingData: streams(id),
  captions: captions(track(id, "en"), track(id, "de"), track(id, "en", "asr")),
  ...more
});

type Refusal = readonly [status: string, reason: string, subreason?: string];

/** Refusals with YouTube's messages. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  private: ["LOGIN_REQUIRED", "Private video", "Sign in if you've been granted access to this video"],
  removed: ["ERROR", "Video unavailable", "This video has been removed by the uploader"],
  closed: [
    "ERROR",
    "Video unavailable",
    "This video is no longer available because the YouTube account associated with this video has been terminated."
  ],
  age: ["LOGIN_REQUIRED", "Sign in to confirm your age", "This video may be inappropriate for some users."],
  region: [
    "UNPLAYABLE",
    "Video unavailable",
    "The uploader has not made this video available in your country."
  ],
  bot: [
    "LOGIN_REQUIRED",
    "Sign in to confirm you\u2019re not a bot",
    "This helps protect our community. Learn more"
  ],
  members: [
    "UNPLAYABLE",
    "Join this channel to get access to members-only content like this video, and other exclusive perks."
  ],
  often: ["UNPLAYABLE", "Video unavailable", "This content isn\u2019t available, try again later."],
  premiere: ["LIVE_STREAM_OFFLINE", "Premieres in 3 hours"],
  upcoming: ["LIVE_STREAM_OFFLINE", "This live event will begin in 2 days."],
  paid: ["UNPLAYABLE", "This video requires payment to watch."],
  gone: ["ERROR", "This video isn\u2019t available any more"]
};

const refused = (id: string, [status, reason, subreason]: Refusal) => ({
  playabilityStatus: {
    status,
    reason,
    errorScreen: {
      playerErrorMessageRenderer: {
        reason: { simpleText: reason },
        ...(subreason === undefined ? {} : { subreason: { simpleText: subreason } })
      }
    }
  },
  videoDetails: {
    videoId: id,
    title: "How sieves are made",
    author: "Ada Fixture",
    ...(status === "LIVE_STREAM_OFFLINE" ? { isUpcoming: true, isLiveContent: true } : {})
  }
});

const answerOf = (id: string): object => {
  const name = id.replace(/_+$/u, "");
  const refusal = REFUSALS[name];
  if (refusal !== undefined) return refused(id, refusal);
  switch (name) {
    case "automatic":
      return player(id, { captions: captions(track(id, "en", "asr")) });
    case "scrambled":
      return player(id, { streamingData: { formats: [format(id, 18, MP4, SIZE)].map(scrambled) } });
    case "silent":
      return player(id, { captions: {} });
    case "long":
      return player(id, { details: { lengthSeconds: "3661" } });
    case "live":
      return player(id, {
        details: { isLive: true, isLiveContent: true, lengthSeconds: "0" },
        streamingData: { hlsManifestUrl: "https://manifest.googlevideo.com/live.m3u8" }
      });
    default:
      return player(id);
  }
};

const CONTINUATION = (token: string) => ({
  continuationItemRenderer: { continuationEndpoint: { continuationCommand: { token, request: "x" } } }
});

const watchNext = (id: string) => ({
  contents: {
    twoColumnWatchNextResults: {
      results: {
        results: {
          contents: [
            {
              videoSecondaryInfoRenderer: {
                owner: { videoOwnerRenderer: { title: { runs: [{ text: "Ada Fixture" }] } } }
              }
            },
            {
              itemSectionRenderer: {
                contents: [{ commentsEntryPointHeaderRenderer: { commentCount: { simpleText: "2" } } }]
              }
            },
            {
              itemSectionRenderer: { sectionIdentifier: "comment-item-section", contents: [CONTINUATION(id)] }
            }
          ]
        }
      }
    }
  }
});

const comment = (commentId: string, text: string) => ({
  commentThreadRenderer: {
    comment: {
      commentRenderer: {
        commentId,
        contentText: { runs: [{ text }] },
        authorText: { simpleText: "@bob" },
        publishedTimeText: { runs: [{ text: "1 year ago" }] },
        voteCount: { simpleText: "3" }
      }
    }
  }
});

const reload = (continuationItems: ReadonlyArray<object>) => ({
  reloadContinuationItemsCommand: { continuationItems }
});

const sortItem = (token: string) => ({
  title: "Newest first",
  serviceEndpoint: { continuationCommand: { token, request: "x" } }
});

/** The header of the section leads to its comments, newest first. */
const comments = (token: string): Told =>
  token.startsWith("sorted:")
    ? json({
        onResponseReceivedEndpoints: [reload([comment("c1", "Fine mesh."), comment("c2", "Which wire?")])]
      })
    : json({
        onResponseReceivedEndpoints: [
          reload([
            {
              commentsHeaderRenderer: {
                countText: { runs: [{ text: "2" }, { text: " Comments" }] },
                sortMenu: {
                  sortFilterSubMenuRenderer: {
                    subMenuItems: [sortItem(`sorted:${token}`), sortItem(`sorted:${token}`)]
                  }
                }
              }
            }
          ])
        ]
      });

const watchPage = (id: string): Told =>
  html(
    `<!doctype html><html><head><title>YouTube</title></head><body><script>ytcfg.set({"INNERTUBE_API_KEY": "k", "VISITOR_DATA": "dmlzaXRvcg%3D%3D"});</script><script>var ytInitialPlayerResponse = ${JSON.stringify(answerOf(id))};</script><script>var ytInitialData = ${JSON.stringify(watchNext(id))};</script></body></html>`
  );

const WORDS: Readonly<Record<string, string>> = {
  en: "A sieve keeps what is large.",
  de: "Ein Sieb behält, was gross ist."
};

const timedText = (query: URLSearchParams): Told => {
  if (query.get("v") === videoId("capless")) return html("Too many requests", 429);
  const spoken = query.get("kind") === "asr" ? "a sieve keeps what is large" : null;
  const words = spoken ?? WORDS[query.get("lang") ?? ""] ?? "";
  return { type: "text/vtt", body: `WEBVTT\n\n00:00:01.000 --> 00:00:04.000\n${words}\n` };
};

const EMBEDDED = {
  INNERTUBE_API_KEY: "k",
  INNERTUBE_CONTEXT: { client: { clientName: "WEB_EMBEDDED_PLAYER", clientVersion: "1.20250101" } }
};

/** The path of the player script. */
const PLAYER = "/s/player/abcdef12/player_ias.vflset/en_US/base.js";

/** The signature timestamp that clients send, and what unscrambles addresses of media. */
const PLAYER_SCRIPT = `var player = {signatureTimestamp: 20000};
(function(g) {
  var window = this;
  class Address {
    constructor() { this.values = new Map(); }
    set(key, value) { this.values.set(key, value); }
    get(key) { return this.values.get(key); }
    clone() { return this; }
    turn() { for (const [key, value] of this.values) if (value) this.values.set(key, [...value].reverse().join("")); }
  }
  var open = function(url, key, signature) {
    const address = new Address();
    address.set("alr", "yes");
    if (signature) address.set(key, decodeURIComponent(signature));
    return address;
  };
})(player);
`;

const LIVE =
  "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:7\n#EXTINF:4,\nhttps://manifest.googlevideo.com/7.ts\n";

const file = (itag: string | null, media: Media): Told => {
  if (itag === "140") return { type: "audio/mp4", body: media.sound };
  return { type: "video/mp4", body: itag === "134" ? media.silent : media.video };
};

export const youtube =
  (media: Media): Platform =>
  ({ body, host, url }) => {
    if (host === "i.ytimg.com") return { type: "image/jpeg", body: media.picture };
    if (host === "manifest.googlevideo.com") return { type: "application/vnd.apple.mpegurl", body: LIVE };
    if (host.endsWith("googlevideo.com")) return file(url.searchParams.get("itag"), media);
    if (!/(?:^|\.)(?:youtube\.com|youtubei\.googleapis\.com)$/u.test(host)) return null;
    switch (url.pathname) {
      case "/tv":
        // The page of televisions, from which extractors read a client's settings if it has them.
        return html("");
      case "/watch":
        return watchPage(url.searchParams.get("v") ?? "");
      case "/youtubei/v1/player":
        return json(answerOf(String(JSON.parse(body).videoId)));
      case "/youtubei/v1/next": {
        const { continuation, videoId: id } = JSON.parse(body) as Record<string, string | undefined>;
        return continuation === undefined ? json(watchNext(id ?? "")) : comments(continuation);
      }
      case `/embed/${url.pathname.split("/")[2] ?? ""}`:
        return html(`<script>ytcfg.set(${JSON.stringify(EMBEDDED)});</script>`);
      case "/iframe_api":
        return { type: "text/javascript", body: `var scriptUrl = "https://www.youtube.com${PLAYER}";` };
      case PLAYER:
        return { type: "text/javascript", body: PLAYER_SCRIPT };
      case "/api/timedtext":
        return timedText(url.searchParams);
      default:
        return null;
    }
  };

const watch = (name: string): string => `https://www.youtube.com/watch?v=${videoId(name)}`;

export const youtubeSituations: Situations = {
  public: watch("talk"),
  private: watch("private"),
  removed: watch("removed"),
  login: watch("members"),
  "bot check": watch("bot"),
  "rate limit": watch("often"),
  geo: watch("region"),
  age: watch("age")
};
