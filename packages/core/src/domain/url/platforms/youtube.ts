/** URLs of YouTube, its short and embedded forms, and its mirrors, as Route.ts explains; tested in Platform.test.ts. */
import { feeds, host, needs, path, type Platform, profiles, under } from "./Route.ts";

const ID = "([\\w-]{11})";
const VIDEO = "https://www.youtube.com/watch?v=$1";

const OWN =
  "watch|watch_popup|movie|embed|shorts|live|clip|post|source|about|t|ads|jobs|press|creators|kids|premium|intl|yt|howyoutubeworks|trends|oembed|redirect|attribution_link|signin|account|reporthistory|paid_memberships|live_chat|ytscreeningroom|show|v|e|vi|s|oops|error|new|upload|verify|tv|get_video_info|musicpremium|originals|impact|culture|copyright|policies|supported_browsers|handle";

const TABS =
  "featured|home|videos|shorts|streams|playlists|community|posts|channels|about|podcasts|releases|courses|store|membership|search";

export const YOUTUBE: ReadonlyArray<Platform> = [
  { host: host("consent.youtube.com"), routes: [[/^\/(?:m|ml|d)\?/u, "parameter continue"]] },
  { host: host("redirect.invidious.io"), routes: [[path(`/${ID}`), VIDEO]] },
  {
    host: host(
      "(?:(?:www|m|music|gaming).)?youtube(?:-nocookie|kids|education)?.com|(?:www|redirect).invidio(?:us.io|.us)|invidio.us|yewtu.be|piped.(?:video|kavin.rocks)|inv.nadeko.net|invidious.(?:nerdvpn.de|tiekoetter.com|kavin.rocks)|youtube.googleapis.com"
    ),
    routes: [
      [/^\/(?:oembed|attribution_link)\?(?:.*&)?url=/u, "parameter url"],
      [/^\/attribution_link\?/u, "parameter u"],
      [/^\/redirect\?/u, "parameter q"],
      [/^\/embed\/videoseries\b/u, "playlist"],
      [/^\/embed\/live_stream\b/u, "live"],
      [new RegExp(`^/(?:watch|watch_popup|movie|ytscreeningroom)?${needs("v", `${ID}`)}`, "u"), VIDEO],
      [new RegExp(`^/(?:shorts|embed|live|watch|v|vi|e)/${ID}(?![\\w-])`, "u"), VIDEO],
      [/^\/(?:(?:@[^/?]+|(?:channel|c|user)\/[^/?]+|[\w.-]+)\/live)(?:\?|$)/u, "live"],
      [/^\/source\/[\w-]+\/shorts/u, "search"],
      [/^\/(?:@|channel\/|c\/|user\/)./u, "channel"],
      [/^\/(?:playlist\b|browse\/|show\/|(?:watch|embed)\?(?:.*&)?list=)/u, "playlist"],
      feeds("results|search|feed|hashtag|explore|gaming|trending|podcasts"),
      profiles(OWN, TABS)
    ]
  },
  {
    host: host("(?:www.)?youtu.be"),
    routes: [
      [new RegExp(`^/${ID}(?![\\w-])`, "u"), VIDEO],
      [path(""), "search"],
      [under("/watch"), "item"]
    ]
  }
];
