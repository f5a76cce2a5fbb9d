/** URLs of broadcasters' media libraries and of search engines. */
import { feeds, host, path, type Platform, under } from "./Route.ts";

const BBC: ReadonlyArray<Platform> = [
  {
    host: host("(?:www.)?bbc.(?:co.uk|com)"),
    routes: [
      [/^\/iplayer\/(?:live|(?:tv\/)?playlist)\//u, "item"],
      [/^\/iplayer\/episode\/(\w+)/u, "https://www.bbc.co.uk/iplayer/episode/$1"],
      [
        /^\/programmes\/([bcdfghjklmnp-tv-z0-9]{8,})(?:\/player)?(?:\?|$)/u,
        "https://www.bbc.co.uk/programmes/$1"
      ],
      [/^\/sounds\/play\/(\w+)(?:\?|$)/u, "https://www.bbc.co.uk/sounds/play/$1"],
      [/^\/iplayer\/(?:episodes|group|brand|series)\//u, "playlist"],
      [
        /^\/programmes\/\w+\/(?:episodes|clips|broadcasts|galleries|series|schedules|members|topics)(?:[/?]|$)/u,
        "playlist"
      ],
      [/^\/(?:programmes\/(?:a-z|genres|formats|schedules|topics)|schedules)(?:[/?]|$)/u, "search"],
      [
        /^\/sounds\/(?:brand|series|category|categories|curation|station|podcasts|music|schedules|tags|my|search)(?:[/?]|$)/u,
        "playlist"
      ],
      [
        /^\/(?:iplayer(?:\/(?:categories|channels|a-z|search|most-popular|guide|recommendations|watching|added|features)(?:[/?].*)?)?|sounds|search)(?:\?|$)/u,
        "search"
      ]
    ]
  }
];

const ARD_ID = "([A-Za-z0-9_-]{12,})";

const ARD: ReadonlyArray<Platform> = [
  {
    host: host("(?:(?:www|beta|classic).)?ardmediathek.de"),
    routes: [
      [
        new RegExp(`^/(?:\\w+/)?(?:video|player|embed)/(?:[^?]+/)?${ARD_ID}(?:\\?|$)`, "u"),
        "https://www.ardmediathek.de/video/$1"
      ],
      [under("/(?:\\w+/)?(?:live|tv-programm)"), "item"],
      [
        /^\/(?:[\w-]+\/)?(?:sendung|serie|sammlung|shows?|film-collection|themen|rubrik|kategorie|sendungen)(?:[/?]|$)/u,
        "playlist"
      ],
      feeds("suche|search|entdecken|merkliste|filme|serien|dokus|kinder")
    ]
  },
  {
    host: host("(?:www.)?ard(?:audiothek|sounds).de"),
    routes: [
      [/^\/(?:episode|folge)\/(?:[^?]+\/)?(urn:ard:[\w:]+|\d+)/u, "https://www.ardaudiothek.de/episode/$1/"],
      [/^\/(?:sendung|sammlung|rubrik|thema|feature|programm|kategorie|radio)(?:[/?]|$)/u, "playlist"],
      feeds("suche|entdecken|kategorien|meinesammlung|search")
    ]
  },
  {
    host: host("(?:www.)?zdf.de"),
    routes: [
      [/^\/(?:video|play)\/([\w-]+\/[\w-]+\/[\w-]+)(?:\?|$)/u, "https://www.zdf.de/video/$1"],
      [
        under(
          "/(?:video|play|live-tv|nachrichten|politik|wetter|ratgeber|service|zdfunternehmen|unternehmen|assets)"
        ),
        "item"
      ],
      [/^\/[^?]*\.html(?:\?|$)/u, "item"],
      [/^\/[^?]*-movie-\d+(?:\?|$)/u, "item"],
      feeds("suche|search|sendungen-a-z|kategorien|rubriken|my"),
      [/^\/[a-z-]+\/[\w-]+(?:\?|$)/u, "playlist"]
    ]
  }
];

const ARTE: ReadonlyArray<Platform> = [
  {
    host: host("(?:www.)?arte.tv"),
    routes: [
      [/^\/([a-z]{2})\/videos\/(\d{6}-\d{3}-[AF]|LIVE)/u, "https://www.arte.tv/$1/videos/$2/"],
      [/^\/[a-z]{2}\/(?:videos|p)\/RC-\d+/u, "playlist"],
      [
        /^\/[a-z]{2}\/(?:videos|guide|search|live-shows|arte-concert)(?:\/(?:[a-z-]+\/?)*)?(?:\?|$)/u,
        "search"
      ],
      [path("/[a-z]{2}"), "search"],
      [/^\/embeds\/([a-z]{2})\/(\d{6}-\d{3}-[AF])/u, "https://www.arte.tv/$1/videos/$2/"],
      [
        /^\/player\/[^?]+\?(?:.*&)?json_url=[^&]*config(?:\/|%2F)([a-z]{2})(?:\/|%2F)(\d{6}-\d{3}-[AF])/iu,
        "https://www.arte.tv/$1/videos/$2/"
      ],
      [/^\/player\//u, "item"]
    ]
  }
];

const SEARCH_ENGINES: ReadonlyArray<Platform> = [
  {
    host: /^(?:www\.)?google\.(?:com?\.)?[a-z]{2,3}$/u,
    routes: [
      [/^\/url\?(?:.*&)?url=/u, "parameter url"],
      [/^\/url\?/u, "parameter q"],
      [/^\/amp\/s\/(.+\..+)$/u, "leads to https://$1"],
      [/^\/amp\/((?!s\/).+\..+)$/u, "leads to http://$1"],
      feeds("search|webhp")
    ]
  },
  {
    // Copies of pages at Google.
    host: host("[\\w-]+.cdn.ampproject.org"),
    routes: [
      [/^\/[cv]\/s\/(.+)$/u, "leads to https://$1"],
      [/^\/[cv]\/((?!s\/).+)$/u, "leads to http://$1"]
    ]
  },
  { host: /^(?:(?:www|[a-z]{2})\.)?bing\.com$/u, routes: [feeds("search|[a-z]+/search")] },
  { host: /^(?:(?:www|html|lite)\.)?duckduckgo\.com$/u, routes: [feeds("html|lite")] }
];

export const BROADCASTERS: ReadonlyArray<Platform> = [...BBC, ...ARD, ...ARTE, ...SEARCH_ENGINES];
