/** A replica of X's API for guests: posts by number, and the messages for restricted ones. */
import { html, json, type Platform, type Situations, type Told } from "./Replica.ts";

type Media = Readonly<Record<string, unknown>>;

const photo = (id: string): Media => ({
  type: "photo",
  id_str: id,
  media_url_https: `https://pbs.twimg.com/media/${id}.jpg`,
  url: "https://t.co/x",
  expanded_url: "",
  original_info: { width: 640, height: 360 },
  sizes: {},
  ext_alt_text: null
});

const video = (id: string): Media => ({
  type: "video",
  id_str: id,
  media_key: `7_${id}`,
  media_url_https: `https://pbs.twimg.com/ext_tw_video_thumb/${id}/pu/img/x.jpg`,
  original_info: { width: 320, height: 180 },
  video_info: {
    duration_millis: 10_000,
    variants: [
      {
        bitrate: 832_000,
        content_type: "video/mp4",
        url: `https://video.twimg.com/ext_tw_video/${id}/pu/vid/320x180/${id}.mp4`
      }
    ]
  },
  ext: {}
});

const USER = {
  __typename: "User",
  rest_id: "5",
  core: { name: "Ada Fixture", screen_name: "ada", created_at: "Tue Mar 04 10:00:00 +0000 2025" },
  location: { location: "" },
  verification: { verified: false },
  privacy: { protected: false },
  avatar: { image_url: "" },
  legacy: {
    name: "Ada Fixture",
    screen_name: "ada",
    id_str: "5",
    description: "",
    entities: { description: {} },
    created_at: "Tue Mar 04 10:00:00 +0000 2025"
  }
};

const result = (value: unknown) => ({ data: { tweetResult: { result: value } } });

const post = (id: string, text: string, media: ReadonlyArray<Media>) =>
  result({
    __typename: "Tweet",
    rest_id: id,
    core: { user_results: { result: USER } },
    source: "web",
    views: { count: "1234", state: "Enabled" },
    legacy: {
      id_str: id,
      full_text: text,
      created_at: "Tue Mar 04 10:00:00 +0000 2025",
      favorite_count: 7,
      retweet_count: 1,
      reply_count: 3,
      quote_count: 0,
      bookmark_count: 0,
      possibly_sensitive: false,
      is_quote_status: false,
      user_id_str: "5",
      conversation_id_str: id,
      lang: "en",
      entities: { hashtags: [], urls: [], media },
      extended_entities: { media }
    }
  });

const unavailable = (reason: string) => result({ __typename: "TweetUnavailable", reason });

const tombstone = (text: string) => result({ __typename: "TweetTombstone", tombstone: { text: { text } } });

/** Posts that the API refuses with a status or an error of its own. */
const REFUSALS: Readonly<Record<string, Told>> = {
  "110": json({ errors: [{ code: 239, message: "Bad guest token." }] }, 403)
};

const POSTS: Readonly<Record<string, unknown>> = {
  "100": post("100", "One video", [video("1001")]),
  "101": post("101", "Two videos", [video("1011"), video("1012")]),
  "102": post("102", "Three photos", [photo("P1021"), photo("P1022"), photo("P1023")]),
  "103": post("103", "A photo, a video and a photo", [photo("P1031"), video("1032"), photo("P1033")]),
  "104": unavailable("NsfwLoggedOut"),
  "105": unavailable("Protected"),
  "106": tombstone("This Post is from a suspended account. Learn more"),
  "107": { data: { tweetResult: {} } },
  "109": tombstone("This Post from @ada has been withheld in Germany based on local law(s). Learn more"),
  "111": tombstone("Only subscribers to @ada can view this Post. Learn more")
};

const SHELL =
  '<!doctype html><html><head><title>X</title></head><body><noscript>JavaScript is not available.</noscript><div id="react-root"></div></body></html>';

const RATE_LIMITED = json({ errors: [{ message: "Rate limit exceeded", code: 88 }] }, 429);

export const x =
  ({ video, picture }: { readonly video: Uint8Array; readonly picture: Uint8Array }): Platform =>
  ({ host, url }) => {
    if (host === "video.twimg.com") return { type: "video/mp4", body: video };
    if (host === "cdn.syndication.twimg.com") return RATE_LIMITED;
    if (host === "pbs.twimg.com") return { type: "image/jpeg", body: picture };
    if (!/(?:^|\.)(?:x|twitter)\.com$/u.test(host)) return null;
    if (url.pathname.endsWith("guest/activate.json")) return json({ guest_token: "1" });
    if (/graphql\/.*\/TweetResultByRestId/u.test(url.pathname)) {
      const { tweetId } = JSON.parse(url.searchParams.get("variables") ?? "{}") as { tweetId: string };
      return REFUSALS[tweetId] ?? (POSTS[tweetId] === undefined ? RATE_LIMITED : json(POSTS[tweetId]));
    }
    return /^\/\w+\/status\/\d+/u.test(url.pathname) ? html(SHELL) : null;
  };

const address = (id: number): string => `https://x.com/ada/status/${id}`;

export const xSituations: Situations = {
  public: address(100),
  private: address(105),
  removed: address(106),
  login: address(111),
  "bot check": address(110),
  "rate limit": address(108),
  geo: address(109),
  age: address(104)
};
