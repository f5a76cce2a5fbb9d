/** URLs of sites for music, mixes and podcasts. */
import { feeds, host, needs, parameter, path, type Platform, profiles } from "./Route.ts";

const TRACK = "https://soundcloud.com/$1/$2[/$3]";

const SOUNDCLOUD_TABS =
  "tracks|popular-tracks|toptracks|albums|sets|reposts|likes|followers|following|comments|spotlight";

const SOUNDCLOUD: ReadonlyArray<Platform> = [
  { host: host("w.soundcloud.com"), routes: [[/^\/player/u, "parameter url"]] },
  {
    host: host("api(?:-v2)?.soundcloud.com"),
    routes: [
      [
        new RegExp(
          `^/tracks/(?:soundcloud(?:%3A|:)tracks(?:%3A|:))?(\\d+)${parameter("secret_token", "s-\\w+")}`,
          "iu"
        ),
        "https://api.soundcloud.com/tracks/$1[?secret_token=$2]"
      ],
      [/^\/playlists\//u, "playlist"],
      [/^\/users\//u, "channel"]
    ]
  },
  {
    host: host("(?:(?:www|m).)?soundcloud.com"),
    routes: [
      feeds("discover|search|charts|stream|feed|you|tags|stations|library"),
      [/^\/[\w-]+\/sets\/./u, "playlist"],
      [/^\/[\w-]+\/[\w-]+\/(?:recommended|albums|sets|likes|reposts|comments)(?:\?|$)/u, "playlist"],
      profiles(
        "pages|terms-of-use|upload|imprint|jobs|pro|mobile|signin|settings|community-guidelines|download",
        SOUNDCLOUD_TABS
      ),
      [new RegExp(`^/([\\w-]+)/([\\w-]+)${needs("secret_token", "s-\\w+")}`, "u"), TRACK],
      [/^\/([\w-]+)\/([\w-]+)(?:\/(s-\w+))?(?:\?|$)/u, TRACK]
    ]
  }
];

const BANDCAMP: ReadonlyArray<Platform> = [
  {
    host: host("(?!daily|blog|get|www)(?<artist>[\\w-]+).bandcamp.com"),
    routes: [
      [/^\/track\/([^/?]+)/u, "https://$<artist>.bandcamp.com/track/$1"],
      [/^\/album\//u, "playlist"],
      [path("/(?:music)?"), "channel"]
    ]
  },
  {
    host: host("(?:www.)?bandcamp.com"),
    routes: [
      [/^\/EmbeddedPlayer\//u, "item"],
      [new RegExp(`^/(?:weekly|radio)?${needs("show", "\\d+")}`, "u"), "https://bandcamp.com/radio?show=$1"],
      feeds("tag|tags|discover|search|feed|radio|recommended"),
      [
        /^\/(?!about|help|terms|privacy|copyright|login|signup|guide|gift|pro|artists|labels|contact|developer)[\w-]+(?:\/(?:wishlist|collection|following|followers)(?:\/\w+)?)?(?:\?|$)/u,
        "channel"
      ]
    ]
  }
];

const MIXCLOUD: ReadonlyArray<Platform> = [
  {
    host: host("(?:www|player-widget).mixcloud.com"),
    routes: [
      [
        /^\/widget\/iframe\/?\?(?:.*&)?feed=(?:https?(?::|%3A)(?:\/|%2F){2}(?:www\.)?mixcloud\.com)?(?:\/|%2F)([^/%&]+)(?:\/|%2F)([^/%&]+)(?:\/|%2F)?(?:&|$)/iu,
        "https://www.mixcloud.com/$1/$2/"
      ],
      [/^\/widget\//u, "item"]
    ]
  },
  {
    host: host("(?:(?:www|beta|m).)?mixcloud.com"),
    routes: [
      [/^\/live\/./u, "live"],
      feeds("discover|genres?|search|categories|tag|trending|dashboard|live|library|groups|festival"),
      [/^\/[^/]+\/playlists\/./u, "playlist"],
      [
        /^\/(?!(?:about|terms|privacy|pro|select|developers|settings|widget|upload|premium)(?:[/?]|$))[^/?]+(?:\/(?:uploads|favorites|listens|followers|following|playlists|posts|stream|hidden|comments|select)(?:\/[^?]*)?)?(?:\?|$)/u,
        "channel"
      ],
      [/^\/([^/?]+)\/([^/?]+)(?:\?|$)/u, "https://www.mixcloud.com/$1/$2/"]
    ]
  }
];

const OTHERS: ReadonlyArray<Platform> = [
  {
    host: host("(?:open|play).spotify.com"),
    routes: [
      [
        /^\/(?:intl-[a-z]+\/)?(?:embed(?:-podcast)?\/)?(episode|track)\/([0-9A-Za-z]{22})/u,
        "https://open.spotify.com/$1/$2"
      ],
      [
        /^\/(?:intl-[a-z]+\/)?(?:embed(?:-podcast)?\/)?(?:album|playlist|show|collection|user\/[^/]+\/playlist)(?:\/|\?|$)/u,
        "playlist"
      ],
      [/^\/(?:intl-[a-z]+\/)?(?:embed\/)?(?:artist|user)\//u, "channel"],
      feeds("search|genre|section|browse|concerts|queue")
    ]
  },
  {
    host: host("(?:(?:embed.)?podcasts|itunes).apple.com"),
    routes: [
      // Each country has its own store, which lacks items of others; the default is the first of these.
      [
        new RegExp(`^/(?:us/)?podcast/(?:[^/?]+/)?(id\\d+)${needs("i", "\\d+")}`, "u"),
        "https://podcasts.apple.com/us/podcast/$1?i=$2"
      ],
      [
        new RegExp(`^/([a-z]{2})/podcast/(?:[^/?]+/)?(id\\d+)${needs("i", "\\d+")}`, "u"),
        "https://podcasts.apple.com/$1/podcast/$2?i=$3"
      ],
      [new RegExp(`^/(?:[a-z]{2}/)?podcast/${needs("i", "\\d+")}`, "u"), "item"],
      [/^\/(?:[a-z]{2}\/)?podcast\/[^?]*\bid\d+(?:\?|$)/u, "playlist"],
      [/^\/(?:[a-z]{2}\/)?channel\//u, "channel"],
      feeds("(?:[a-z]{2}/)?(?:search|browse|charts|genre|room|curator)|[a-z]{2}$")
    ]
  }
];

export const AUDIO: ReadonlyArray<Platform> = [...SOUNDCLOUD, ...BANDCAMP, ...MIXCLOUD, ...OTHERS];
