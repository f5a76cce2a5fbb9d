/** URLs of image sites and image blogs. */
import { feeds, host, path, type Platform, profiles } from "./Route.ts";

const TUMBLR_POST = "https://$<blog>.tumblr.com/post/$<id>";

const TUMBLR: ReadonlyArray<Platform> = [
  {
    host: host("(?:www.)?tumblr.com"),
    routes: [
      [/^\/(?:blog\/(?:view\/)?)?(?<blog>[\w-]+)\/(?<id>\d{6,})/u, TUMBLR_POST],
      feeds("tagged|search|dashboard|explore|likes|following|inbox"),
      [
        /^\/blog\/(?:view\/)?[\w-]+(?:\/(?:likes|following|archive|tagged\/[^?]*|search\/[^?]*|day\/[^?]*))?(?:\?|$)/u,
        "channel"
      ],
      [
        /^\/(?!(?:about|policy|privacy|login|register|docs|help|jobs|press|settings|new|apps|blog|oembed|download|widgets|share)(?:[/?]|$))[\w-]+(?:\/(?:likes|following|followers|archive|tagged\/[^?]*|search\/[^?]*|day\/[^?]*|community))?(?:\?|$)/u,
        "channel"
      ]
    ]
  },
  // In shared links and in posts.
  {
    host: host("at.tumblr.com"),
    routes: [[/^\/(?<blog>[\w-]+)\/(?<id>\d{6,})/u, TUMBLR_POST]]
  },
  { host: host("t.umblr.com"), routes: [[/^\/redirect\?/u, "parameter z"]] },
  {
    host: host("(?!www|at.|api|assets|embed|media|help|staff|engineering)(?<blog>[\\w-]+).tumblr.com"),
    routes: [
      [/^\/(?:post|image|video|(?:private\/)?[\w-]*?)\/?(?<id>\d{6,})/u, TUMBLR_POST],
      [/^\/(?:archive\/)?tagged\//u, "playlist"],
      [
        /^\/(?:(?:page|day|archive|search|likes|following|followers|chrono|random)(?:[/?]|$)|$|\?)/u,
        "channel"
      ]
    ]
  }
];

const IMGUR_ID = "(?:[^/?]+-)?(\\w{7}|\\w{5})";

const IMGUR: ReadonlyArray<Platform> = [
  {
    host: host("(?:(?:www|m).)?imgur.(?:com|io)"),
    routes: [
      [new RegExp(`^/a/${IMGUR_ID}(?:[/?.]|$)`, "u"), "https://imgur.com/a/$1"],
      [
        new RegExp(`^/(?:gallery|t/\\w+|topic/\\w+)/${IMGUR_ID}(?:[/?]|$)`, "u"),
        "https://imgur.com/gallery/$1"
      ],
      [new RegExp(`^/r/\\w+/${IMGUR_ID}(?:[/?]|$)`, "u"), "https://imgur.com/$1"],
      [/^\/user\//u, "channel"],
      feeds("gallery|r|t|topic|search|top|hot|new|random|memegen|favorites"),
      [
        new RegExp(
          `^/(?!(?:about|login|upload|rules|signin|tos|privacy|emerald|account)$)${IMGUR_ID}(?:\\?|$)`,
          "u"
        ),
        "https://imgur.com/$1"
      ]
    ]
  },
  // A page in spite of its name, which plays the video.
  { host: host("i.imgur.com"), routes: [[/^\/(\w{7}|\w{5})\.gifv(?:\?|$)/u, "https://imgur.com/$1"]] }
];

const FLICKR: ReadonlyArray<Platform> = [
  {
    host: host("(?:(?:www|m|secure|mobile).)?flickr.com"),
    routes: [
      [/^\/photos\/[^/?]+\/(?:albums|sets|galleries|collections)\/\d+/u, "playlist"],
      [/^\/photos\/([^/?]+)\/(\d+)/u, "https://www.flickr.com/photos/$1/$2/"],
      [/^\/photos\/(?:tags|upload)/u, "search"],
      [/^\/(?:photos|people|groups)\/[^/?]+/u, "channel"],
      feeds("search|explore|photos|map|cameras|commons|groups|events|camera")
    ]
  }
];

const PINTEREST: ReadonlyArray<Platform> = [
  {
    host: host("(?:[a-z]{2,3}.)?pinterest.[a-z]{2,3}(?:.[a-z]{2})?"),
    routes: [
      [/^\/(?:amp\/)?pin\/(?:[^/?]*--)?(\d+)/u, "https://www.pinterest.com/pin/$1/"],
      [/^\/pin\//u, "item"],
      feeds("search|ideas|today|explore|categories|topics|homefeed|following|shopping"),
      [
        /^\/(?!(?:about|business|pin|login|help|policy|_|resource|video-pin)(?:[/?]|$))[^/?]+(?:\/(?:_created|_saved|_pins|_tools|pins|boards|videos|followers|following|created|saved))?(?:\?|$)/u,
        "channel"
      ],
      [
        /^\/(?!(?:about|business|pin|login|help|policy|_|resource|video-pin)(?:[/?]|$))[^/?]+\/[^/?]+(?:\/[^/?]+)?(?:\?|$)/u,
        "playlist"
      ]
    ]
  }
];

const DEVIATION = "https://www.deviantart.com/deviation/$1";

const DEVIANTART: ReadonlyArray<Platform> = [
  {
    host: host("(?:(?:www|m).)?(?:(?:fx|fix|fixfx)?deviantart).com"),
    routes: [
      [/^\/(?:deviation|view|[\w-]+\/art|art)\/(?:[^/?]*-)?(\d+)/u, DEVIATION],
      [/^\/view(?:\.php)?\/?\?(?:.*&)?id=(\d+)/u, DEVIATION],
      [
        /^\/(?:stash|[\w-]+\/(?:journal|posts|status-update|status|avatar|banner|background))(?:\/|\?|$)/u,
        "item"
      ],
      [/^\/[\w-]+\/(?:gallery|favourites)\/[^/?]+\/./u, "playlist"],
      feeds(
        "tag|search|watch|topic|popular|newest|daily-deviations|explore|today|browse|whats-hot|undiscovered|notifications|shop|groups"
      ),
      [
        /^\/(?!(?:about|team|core|developers|join|users|settings|checkout|submit|studio|legal)(?:[/?]|$))[\w-]+(?:\/(?:gallery|favourites|scraps|about|shop|prints|watching|watchers|modals|subscriptions|commissions|stats)(?:\/[^?]*)?)?(?:\?|$)/u,
        "channel"
      ]
    ]
  },
  {
    host: host("(?!www|m|about|support|chat|status|backend|sta|blog)[\\w-]+.deviantart.com"),
    routes: [
      [/^\/art\/(?:[^/?]*-)?(\d+)/u, DEVIATION],
      [/^\/(?:gallery|favourites)\/\w+\/./u, "playlist"],
      [/^\/(?:(?:gallery|favourites)(?:[/?]|$)|$|\?)/u, "channel"]
    ]
  }
];

const ARTWORK = "https://www.artstation.com/artwork/$1";

const ARTSTATION: ReadonlyArray<Platform> = [
  {
    host: host("(?:www.)?artstation.com"),
    routes: [
      [/^\/(?:artwork|projects)\/([\w-]+)/u, ARTWORK],
      [/^\/[\w-]+\/(?:albums|collections)\/./u, "playlist"],
      feeds("search|explore|channels|marketplace|prints|studios|schools|community"),
      [path("/(?:artwork|projects)"), "search"],
      [path("/(?:contests/[^/]+/)?challenges/[^/]+(?:/categories/\\d+)?(?:/submissions)?"), "playlist"],
      profiles(
        "about|blogs|jobs|learning|contests|challenges|company|guides|podcast|settings|tos|privacy|artwork|projects",
        "albums(?:/all)?|collections|likes|following|followers|profile|store|resume|prints|blog|artwork"
      )
    ]
  },
  {
    host: host("(?!www|magazine|help|cdn|cdna|cdnb|learning)[\\w-]+.artstation.com"),
    routes: [
      [/^\/projects\/([\w-]+)/u, ARTWORK],
      [/^\/albums\/./u, "playlist"],
      [path("/(?:projects|albums)?"), "channel"]
    ]
  }
];

export const PICTURES: ReadonlyArray<Platform> = [
  ...TUMBLR,
  ...IMGUR,
  ...FLICKR,
  ...PINTEREST,
  ...DEVIANTART,
  ...ARTSTATION,
  {
    host: host("(?:www.)?vsco.co"),
    routes: [
      [/^\/([\w-]+)\/(media|video)\/([\w-]+)/u, "https://vsco.co/$1/$2/$3"],
      [/^\/[\w-]+\/avatar/u, "item"],
      [/^\/(?:[\w-]+\/(?:collection|spaces)|spaces)(?:[/?]|$)/u, "playlist"],
      feeds("search|discover|feed|spaces"),
      profiles(
        "about|subscribe|login|pro|features|stories|vsco-tools",
        "gallery|images/\\d+|images|journal|dscos|info"
      )
    ]
  }
];
