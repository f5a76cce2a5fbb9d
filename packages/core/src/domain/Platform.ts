/**
 * What the paths of well-known platforms mean, told from the URL alone: a table, no network.
 *
 * Only addresses that cannot be one work are refused here; what is not in the table is left to the
 * downloader, which has to look.
 */

/** Pages that list works where one is asked for. `channel` is anybody's page, `search` any feed or topic. */
export type ListingKind = "channel" | "playlist" | "search";

/**
 * First match wins. The pattern sees path and query, the path without its last slash. The result is a
 * {@link ListingKind}, or the one URL of the work, in which `$1` is the first group.
 */
type Route = readonly [pattern: RegExp, result: ListingKind | `https://${string}`];

interface Platform {
  /** Exact hosts: `help.instagram.com` has articles, not people. */
  readonly host: RegExp;
  readonly routes: ReadonlyArray<Route>;
}

/** The start page and these first words of a path are feeds. `words` are parted by "|". */
const feeds = (words: string): Route => [new RegExp(`^/(?:$|\\?|(?:${words})(?:[/?]|$))`, "u"), "search"];

/** `/name` and `/name/tab` are somebody's page, except where `name` is one of the platform's `own` words. */
const profiles = (own: string, tabs: string): Route => [
  new RegExp(`^/(?!(?:${own})(?:[/?]|$))[\\w.-]+(?:/(?:${tabs}))?(?:\\?|$)`, "u"),
  "channel"
];

const YOUTUBE_VIDEO = "https://www.youtube.com/watch?v=$1";
const INSTAGRAM_POST = "https://www.instagram.com/p/$1/";
const VIMEO_VIDEO = "https://vimeo.com/$1$2";
const FACEBOOK_VIDEO = "https://www.facebook.com/watch/?v=$1";
const TWITCH_VIDEO = "https://www.twitch.tv/videos/$1";
const TWITCH_CLIP = "https://clips.twitch.tv/$1";
const DAILYMOTION_VIDEO = "https://www.dailymotion.com/video/$1";

const PLATFORMS: ReadonlyArray<Platform> = [
  {
    host: /^(?:(?:www|m|music)\.)?youtube(?:-nocookie)?\.com$/u,
    routes: [
      [/^\/embed\/videoseries\b/u, "playlist"],
      [/^\/embed\/live_stream\b/u, "channel"],
      [/^\/watch\?(?:.*&)?v=([\w-]{11})(?![\w-])/u, YOUTUBE_VIDEO],
      [/^\/(?:shorts|embed|live|v|e)\/([\w-]{11})(?![\w-])/u, YOUTUBE_VIDEO],
      [/^\/(?:@|channel\/|c\/|user\/)./u, "channel"],
      [/^\/(?:playlist\b|browse\/|(?:watch|embed)\?(?:.*&)?list=)/u, "playlist"],
      feeds("results|search|feed|hashtag|explore")
    ]
  },
  { host: /^(?:www\.)?youtu\.be$/u, routes: [[/^\/([\w-]{11})(?![\w-])/u, YOUTUBE_VIDEO]] },
  {
    host: /^(?:(?:www|m)\.)?tiktok\.com$/u,
    routes: [
      [/^\/@([\w.-]*)\/(video|photo)\/(\d+)/u, "https://www.tiktok.com/@$1/$2/$3"],
      [/^\/@[\w.-]+\/playlist\//u, "playlist"],
      [/^\/@[\w.-]+(?:[/?]|$)/u, "channel"],
      feeds("tag|music|search|discover|explore|foryou|following|live")
    ]
  },
  {
    host: /^(?:(?:www|m)\.)?instagram\.com$/u,
    routes: [
      [/^\/(?:[\w.]+\/)?(?:p|tv|reel)\/([\w-]+)/u, INSTAGRAM_POST],
      [/^\/reels\/(?!audio(?:[/?]|$))([\w-]+)/u, INSTAGRAM_POST],
      feeds("explore|reels"),
      profiles(
        "accounts|about|legal|developer|direct|p|reel|share|stories|tv|web",
        "tagged|reels|channel|followers|following|saved"
      )
    ]
  },
  {
    host: /^(?:(?:www|m)\.)?soundcloud\.com$/u,
    routes: [
      feeds("discover|search|charts|stream|feed|you|tags"),
      [/^\/[\w-]+\/sets\/./u, "playlist"],
      profiles(
        "pages|terms-of-use|upload|imprint|jobs|pro|mobile|signin|settings",
        "tracks|popular-tracks|albums|sets|reposts|likes|followers|following|comments|spotlight"
      ),
      [/^\/([\w-]+)\/([\w-]+)(\/s-\w+)?(?:\?|$)/u, "https://soundcloud.com/$1/$2$3"]
    ]
  },
  {
    host: /^(?:www\.)?vimeo\.com$/u,
    routes: [
      [/^\/(\d+)(\/[0-9a-f]{8,})?(?:\?|$)/u, VIMEO_VIDEO],
      [/^\/(?:channels\/[^/]+|groups\/[^/]+\/videos)\/(\d+)/u, VIMEO_VIDEO],
      [/^\/(?:showcase|album)\/\d+(?!\d|\/video\/)/u, "playlist"],
      [/^\/(?:channels|groups)(?:\/[^/]+)?(?:\/videos)?(?:\?|$)/u, "channel"],
      [/^\/user(?:\d+|\/)/u, "channel"],
      feeds("search|watch|categories|explore")
    ]
  },
  {
    host: /^(?:(?:www|m|mobile)\.)?(?:x|twitter)\.com$/u,
    routes: [
      [/^\/(?:i\/web|\w+)\/status(?:es)?\/(\d+)/u, "https://x.com/i/status/$1"],
      [/^\/(?:i\/(?:lists|bookmarks|communities)|\w+\/lists)(?:[/?]|$)/u, "playlist"],
      feeds("search|hashtag|explore|home|notifications|i/trending"),
      profiles(
        "i|tos|privacy|about|login|intent|share|jobs|settings",
        "with_replies|media|likes|highlights|articles|followers|following"
      )
    ]
  },
  {
    host: /^(?:(?:www|old|new|np|m|sh)\.)?reddit\.com$/u,
    routes: [
      [/^\/(r|user)\/([\w-]+)\/comments\/(\w+)/u, "https://www.reddit.com/$1/$2/comments/$3/"],
      [/^\/u\/([\w-]+)\/comments\/(\w+)/u, "https://www.reddit.com/user/$1/comments/$2/"],
      [/^\/(comments|gallery)\/(\w+)/u, "https://www.reddit.com/$1/$2/"],
      [/^\/(?:u|user)\/[\w-]+\/m\//u, "playlist"],
      [/^\/(?:u|user)\/[\w-]+/u, "channel"],
      feeds("search|r/[\\w+-]+/search"),
      [/^\/(?:r\/[\w+-]+\/?)?(?:hot|new|top|rising|controversial|best)?(?:\?|$)/u, "channel"]
    ]
  },
  {
    host: /^(?:(?:www|m|mbasic|web|touch|[a-z]{2}-[a-z]{2})\.)?facebook\.com$/u,
    routes: [
      [/^\/(?:watch(?:\/live)?|video\.php)\?(?:.*&)?v=(\d+)/u, FACEBOOK_VIDEO],
      [/^\/[^/?]+\/videos\/(?:[^/?]+\/)?(\d+)/u, FACEBOOK_VIDEO],
      [/^\/reel\/(\d+)/u, "https://www.facebook.com/reel/$1"],
      feeds("watch|search|hashtag|gaming|marketplace|reels"),
      [/^\/(?:profile\.php|people\/|pages\/|pg\/)/u, "channel"],
      [/^\/groups\/[^/?]+(?:\/(?:about|media|members))?(?:\?|$)/u, "channel"],
      profiles(
        "[^/?]+\\.php|reel|share|photo|events|groups|login|help|privacy|policies|policy|terms|business",
        "videos|photos|reels|about|followers|mentions"
      )
    ]
  },
  {
    host: /^(?:(?:www|m|go)\.)?twitch\.tv$/u,
    routes: [
      [/^\/(?:videos|\w+\/(?:video|v))\/(\d+)/u, TWITCH_VIDEO],
      [/^\/(?:\w+\/)?clip\/([\w-]+)/u, TWITCH_CLIP],
      [/^\/collections\//u, "playlist"],
      feeds("directory|search|following"),
      profiles("p|jobs|downloads|turbo|store|settings|videos", "videos|clips|about|schedule|home")
    ]
  },
  { host: /^clips\.twitch\.tv$/u, routes: [[/^\/(?!embed(?:[/?]|$))([\w-]+)/u, TWITCH_CLIP]] },
  {
    host: /^(?:(?:www|touch)\.)?dailymotion\.com$/u,
    routes: [
      [/^\/(?:embed\/)?video\/([0-9A-Za-z]+)/u, DAILYMOTION_VIDEO],
      [/^\/(?:embed\/)?playlist\//u, "playlist"],
      [/^\/(?:user|channel)\//u, "channel"],
      feeds("search|explore|topic|trending")
    ]
  },
  { host: /^dai\.ly$/u, routes: [[/^\/([0-9A-Za-z]+)/u, DAILYMOTION_VIDEO]] },
  { host: /^(?:www\.)?google\.(?:com?\.)?[a-z]{2,3}$/u, routes: [feeds("search|webhp")] },
  { host: /^(?:(?:www|[a-z]{2})\.)?bing\.com$/u, routes: [feeds("search|[a-z]+/search")] },
  { host: /^(?:(?:www|html|lite)\.)?duckduckgo\.com$/u, routes: [feeds("html|lite")] }
];

/** What the table says of a URL; `unknown` is most of the web. */
export type Place =
  | { readonly _tag: "work"; readonly url: string }
  | { readonly _tag: "listing"; readonly kind: ListingKind }
  | { readonly _tag: "unknown" };

const UNKNOWN: Place = { _tag: "unknown" };

const isListing = (result: Route[1]): result is ListingKind => !result.startsWith("https://");

/** `url` is parsed http or https; its fragment is not looked at. */
export const placeOf = (url: URL): Place => {
  const platform = PLATFORMS.find(({ host }) => host.test(url.hostname));
  const path = `/${url.pathname.split("/").filter(Boolean).join("/")}`;
  const seen = path + url.search;
  for (const [pattern, result] of platform?.routes ?? []) {
    const match = pattern.exec(seen);
    if (match === null) continue;
    return isListing(result)
      ? { _tag: "listing", kind: result }
      : { _tag: "work", url: result.replace(/\$(\d)/gu, (_, group: string) => match[Number(group)] ?? "") };
  }
  return UNKNOWN;
};
