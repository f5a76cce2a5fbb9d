/** URLs of social networks. */
import { feeds, host, needs, parameter, path, type Platform, profiles, under } from "./Route.ts";

const INSTAGRAM_POST = "https://www.instagram.com/p/$1/";
const FACEBOOK_VIDEO = "https://www.facebook.com/watch/?v=$1";
const REDDIT_POST = "https://www.reddit.com/comments/$1/";
const TIKTOK_VIDEO = "https://www.tiktok.com/@_/video/$1";
const X_POST = "https://x.com/i/status/$1[/video/$2]";
const DOUYIN_VIDEO = "https://www.douyin.com/video/$1";

const TIKTOK: ReadonlyArray<Platform> = [
  {
    host: host("(?:(?:www|m|us|t).)?(?:tiktokv?|vxtiktok|tnktok|tfxktok).com"),
    routes: [
      [/^\/(?:[a-z]{2}(?:-[A-Z]{2})?\/)?(?:@[\w.-]*|(?:i18n\/)?share)\/video\/(\d+)/u, TIKTOK_VIDEO],
      [
        /^\/(?:[a-z]{2}(?:-[A-Z]{2})?\/)?(?:@[\w.-]*|(?:i18n\/)?share)\/photo\/(\d+)/u,
        "https://www.tiktok.com/@_/photo/$1"
      ],
      [/^\/(?:embed(?:\/v[23])?|player\/v1|v)\/(\d+)/u, TIKTOK_VIDEO],
      [path("/t/([\\w-]+)"), "https://vm.tiktok.com/$1/"],
      [/^\/(?:@[\w.-]+|share)\/live(?:[/?]|$)/u, "live"],
      [/^\/@[\w.-]+\/(?:playlist|collection)\//u, "playlist"],
      [/^\/@[\w.-]+\/avatar(?:[/?]|$)/u, "item"],
      [/^\/@[\w.-]+(?:[/?]|$)/u, "channel"],
      feeds(
        "tag|music|search|discover|explore|foryou|following|friends|live|sticker|effect|channel|topics|question|place"
      )
    ]
  },
  { host: host("(?:vm|vt).tiktok.com"), routes: [[path("/([\\w-]+)"), "https://vm.tiktok.com/$1/"]] },
  {
    host: host("(?:(?:www|m).)?(?:ies)?douyin.com"),
    routes: [
      [/^\/(?:share\/)?video\/(\d+)/u, DOUYIN_VIDEO],
      [new RegExp(`^/${needs("(?:modal_id|vid)", "\\d+")}`, "u"), DOUYIN_VIDEO],
      [/^\/(?:share\/)?note\/(\d+)/u, "https://www.douyin.com/note/$1"],
      [/^\/(?:share\/)?user\//u, "channel"],
      [/^\/(?:collection|mix|music|playlet)\//u, "playlist"],
      feeds("search|discover|hot|hashtag|channel|follow|jingxuan")
    ]
  }
];

const INSTAGRAM: ReadonlyArray<Platform> = [
  { host: host("l.(?:instagram|facebook).com|lm.facebook.com"), routes: [[/^\//u, "parameter u"]] },
  {
    host: host("(?:(?:www|m|dd|g).)?(?:dd|kk|vx|ez|ee)?instagram(?:ez)?.com"),
    routes: [
      [/^\/share\//u, "item"],
      [/^\/(?:[\w.]+\/)?(?:p|tv|reel)\/([\w-]+)/u, INSTAGRAM_POST],
      [/^\/reels\/(?!audio(?:[/?]|$))([\w-]+)/u, INSTAGRAM_POST],
      [path("/stories/(?!highlights/)[\\w.]+/\\d+"), "item"],
      [/^\/(?:stories\/|s\/|id:\d)./u, "channel"],
      feeds("explore|reels|direct"),
      [/^\/[\w.]+\/(?:saved|guides?|highlights|channel|feed)\//u, "playlist"],
      profiles(
        "accounts|about|legal|developer|press|api|p|reel|share|stories|s|tv|web|challenge|qr|oauth|_n|_u|ar",
        "posts|tagged|reels|channel|feed|followers|following|saved|highlights|guides"
      )
    ]
  }
];

const X: ReadonlyArray<Platform> = [
  {
    host: host("platform.(?:x|twitter).com"),
    routes: [[new RegExp(`^/embed/Tweet\\.html${needs("id", "\\d+")}`, "u"), X_POST]]
  },
  {
    host: host(
      "(?:(?:www|m|mobile).)?(?:(?:fx|vx|fixv|fixup|cunny|girlcock)?x|(?:fx|vx)?twitter|fixupx|twittpr|xcancel|nitter).(?:com|net)"
    ),
    fragment: [/^\/#!\/?/u, "/"],
    routes: [
      [new RegExp(`^/i/bookmarks${needs("post_id", "\\d+")}`, "u"), X_POST],
      [/^\/(?:i\/web|[\w:]+|@\w+)\/status(?:es)?\/(\d+)\/(?:quotes|retweets|likes)(?:[/?]|$)/u, "search"],
      [/^\/(?:(?:i\/web|[\w:]+|@\w+)\/)?status(?:es)?\/(\d+)(?:\/video\/(\d+))?/u, X_POST],
      [/^\/i\/(?:videos\/(?:tweet\/)?|cards\/tfw\/v1\/)(\d+)/u, X_POST],
      [under("/i/(?:broadcasts|spaces|events|cards|articles)"), "item"],
      [
        /^\/(?:i\/(?:lists|bookmarks|communities|topics|moments)|[\w:]+\/(?:lists|moments|communities))(?:[/?]|$)/u,
        "playlist"
      ],
      [/^\/(?:i\/user\/\d|intent\/user\?)/u, "channel"],
      feeds(
        "search|hashtag|explore|home|notifications|messages|bookmarks|i/(?:trending|timeline|topics_picker|flow)"
      ),
      [
        /^\/(?!(?:i|tos|privacy|about|login|signup|logout|intent|share|jobs|settings|account|download|compose|web)(?:[/?]|$))@?[\w:]+(?:\/(?:timeline|tweets|posts|with_replies|media|photos|likes|favorites|highlights|articles|superfollows|affiliates|(?:verified_)?followers|followers_you_follow|following|subscriptions))?(?:\?|$)/u,
        "channel"
      ]
    ]
  }
];

const FACEBOOK_HOST = host(
  "(?:(?:www|m|mbasic|web|touch|mobile|business|[a-z]{2}-[a-z]{2}).)?(?:fb|facebook)(?:wkhpilnemxj7asaniu7vnjjbiltxjqhye3mhbshg7kx5tfyd)?.(?:com|onion)"
);

const FACEBOOK: ReadonlyArray<Platform> = [
  {
    host: FACEBOOK_HOST,
    routes: [
      [/^\/(?:l|flx\/warn)(?:\.php)?\?(?:.*&)?u=/u, "parameter u"],
      [/^\/plugins\/(?:video|post)\.php\?/u, "parameter href"],
      [
        new RegExp(`^/(?:watch(?:/live)?|video\\.php|video/video\\.php)${needs("v", "\\d+")}`, "u"),
        FACEBOOK_VIDEO
      ],
      [new RegExp(`^/video/embed${needs("video_id", "\\d+")}`, "u"), FACEBOOK_VIDEO],
      [/^\/(?!groups\/)[^/?]+\/videos?\/(?:[^/?]+\/)*(\d+)(?:[/?]|$)/u, FACEBOOK_VIDEO],
      [/^\/reel\/(\d+)/u, FACEBOOK_VIDEO],
      [
        /^\/(?:[^/?]+\/(?:posts|photos)\/.|photo|share\/|story\.php|permalink\.php|watchparty\/.|events\/\d)/u,
        "item"
      ],
      // Words of the post may precede the number; other posts may have the same words.
      [
        /^\/groups\/([^/?]+)\/(?:permalink|posts)\/(?:[^/?]+\/)?(\d+|pfbid\w+)(?:[/?]|$)/u,
        "https://www.facebook.com/groups/$1/posts/$2/"
      ],
      [
        new RegExp(`^/ads/library/?${needs("id", "\\d+")}`, "u"),
        "https://www.facebook.com/ads/library/?id=$1"
      ],
      feeds(
        "watch|search|hashtag|gaming|marketplace|reels?|ads/library|saved|memories|live|stories|events|discover"
      ),
      [/^\/(?:profile\.php|people\/|pages\/|pg\/)/u, "channel"],
      [/^\/media\/set/u, "playlist"],
      [/^\/groups\/[^/?]+(?:\/(?:about|media|members|photos|videos))?(?:\?|$)/u, "channel"],
      profiles(
        "[^/?]+\\.php|reel|share|photo|events|groups|login|help|privacy|policies|policy|terms|business|legal|notes|careers|ads|plugins|dialog|sharer|settings|r",
        "videos|photos|reels|about|followers|mentions|posts|live|live_videos|friends|likes|community|photos_by|photos_albums"
      )
    ]
  },
  { host: host("(?:www.)?fb.watch"), routes: [[path("/([\\w-]+)"), "https://fb.watch/$1/"]] }
];

const REDDIT: ReadonlyArray<Platform> = [
  { host: host("out.reddit.com"), routes: [[/^\//u, "parameter url"]] },
  {
    host: host(
      "(?:www.)?(?:(?:old|new|np|m|sh|i|amp|embed|nm|ssl|[a-z]{2}).)?(?:reddit(?:media)?|rxddit|vxreddit|redditez).com"
    ),
    routes: [
      [/^\/media\?/u, "parameter url"],
      [/^\/(?:(?:r|user|u)\/[\w-]+\/)?(?:comments|gallery|tb|duplicates)\/(\w+)/u, REDDIT_POST],
      [/^\/(?:r|u|user)\/[\w-]+\/s\/\w/u, "item"],
      [/^\/(?:u|user)\/[\w-]+\/m\//u, "playlist"],
      [/^\/(?:u|user)\/[\w-]+/u, "channel"],
      feeds("search|r/[\\w+-]+/search|t|topics|domain/[^/?]+|explore|subreddits|me"),
      [
        /^\/(?:r\/[\w+-]+\/?)?(?:hot|new|top|rising|controversial|best|gilded|comments|popular)?(?:\?|$)/u,
        "channel"
      ]
    ]
  },
  { host: host("(?:www.)?redd.it"), routes: [[path("/(?:(?:r|comments)/)?(\\w+)"), REDDIT_POST]] }
];

const BLUESKY: ReadonlyArray<Platform> = [
  {
    host: host("(?:www.)?(?:bsky.app|main.bsky.dev|(?:fx|vx|x)?bsky.app|bskx.app|bskyx.app)"),
    routes: [
      [/^\/profile\/([^/?]+)\/post\/(\w+)(?:\/(?:liked-by|reposted-by|quotes))(?:[/?]|$)/u, "search"],
      [/^\/profile\/([^/?]+)\/post\/(\w+)/u, "https://bsky.app/profile/$1/post/$2"],
      [/^\/profile\/[^/?]+\/(?:avatar|banner|background|info)(?:[/?]|$)/u, "item"],
      [/^\/profile\/[^/?]+\/(?:lists|feed)\/./u, "playlist"],
      [/^\/starter-pack/u, "playlist"],
      [/^\/profile\/[^/?]/u, "channel"],
      feeds("search|hashtag|saved|feeds|lists|notifications|topic")
    ]
  },
  {
    host: host("embed.bsky.app"),
    routes: [[/^\/embed\/([^/?]+)\/app\.bsky\.feed\.post\/(\w+)/u, "https://bsky.app/profile/$1/post/$2"]]
  }
];

const WEIBO: ReadonlyArray<Platform> = [
  {
    host: host("(?:(?:www|e).)?weibo.com"),
    routes: [
      [new RegExp(`^/${needs("layerid", "\\d+")}`, "u"), "item"],
      [/^\/(?:ttarticle|tv\/show|l\/wblive)\//u, "item"],
      [/^\/detail\/(\w+)/u, "https://weibo.com/detail/$1"],
      [/^\/(\d+)\/(\w{5,})/u, "https://weibo.com/$1/$2"],
      [/^\/(?:u|p|n)\/./u, "channel"],
      feeds("hot|newlogin|mygroups|tv|search|at|fav|like"),
      profiles("login|signup|help|about|settings", "home|profile|photos|album|follow|fans")
    ]
  },
  {
    host: host("m.weibo.(?:cn|com)"),
    routes: [
      [/^\/(?:status|detail|\d+)\/(\w+)/u, "https://m.weibo.cn/status/$1"],
      [/^\/(?:u|profile|n)\/./u, "channel"],
      [/^\/p\//u, "search"]
    ]
  },
  { host: host("[sd].weibo.com"), routes: [feeds("weibo|top|user|article|video|pic|topic|\\d+\\w*")] }
];

const VK_ID = "-?\\d+_\\d+";
/** Key that opens an unlisted video. */
const VK_LINK = "ln-[0-9A-Za-z]+";

const VK: ReadonlyArray<Platform> = [
  {
    host: host("(?:(?:www|m|new|old).)?vk.(?:com|ru)|(?:(?:www|m|vksport).)?vkvideo.ru"),
    routes: [
      [/^\/away\.php\?/u, "parameter to"],
      [
        new RegExp(
          `^/${needs("z", `(?:video|clip)(${VK_ID}(?:_[0-9a-z]+)?)(?:%2F(${VK_LINK}))?[^&]*`)}`,
          "u"
        ),
        "https://vk.com/video$2[?list=$3]"
      ],
      // Old links of the platform: query parameters without the question mark.
      [new RegExp(`^/\\w+/&z=video(${VK_ID})`, "u"), "https://vk.com/video$1"],
      [new RegExp(`^/${needs("w", `wall${VK_ID}[^&]*`)}`, "u"), "https://vk.com/$1"],
      [
        new RegExp(
          `^/(?:video|clip)(${VK_ID}(?:_[0-9a-z]+)?)${parameter("list", `${VK_LINK}|[0-9a-f]{8,}`)}`,
          "u"
        ),
        "https://vk.com/video$1[?list=$2]"
      ],
      [
        new RegExp(
          `^/video_ext\\.php${needs("oid", "-?\\d+")}${needs("id", "\\d+")}${needs("hash", "\\w+")}`,
          "u"
        ),
        "https://vk.com/video_ext.php?oid=$1&id=$2&hash=$3"
      ],
      [
        new RegExp(`^/video_ext\\.php${needs("oid", "-?\\d+")}${needs("id", "\\d+")}`, "u"),
        "https://vk.com/video$1_$2"
      ],
      [new RegExp(`^/(wall${VK_ID})`, "u"), "https://vk.com/$1"],
      [
        /^\/(?:(?:videos?|video)\/?(?:@[^/?]+\/)?playlist\/|playlist\/|album-?\d|albums-?\d|tag\d)/u,
        "playlist"
      ],
      [/^\/(?:video\/)?@[^/?]+(?:\/\w*)?(?:\?|$)/u, "channel"],
      [/^\/(?:videos|clips|wall|id|club|public|event)-?\d+(?:\?|$)/u, "channel"],
      [/^\/clips\/./u, "channel"],
      feeds("video|videos|clips|feed|search|discover|trends|for_you|top|lives?|tv|shows|movies|sport|kids"),
      [
        /^\/(?!(?:[a-z]+-?\d|(?:login|join|about|terms|privacy|blog|dev|apps|app|support|restore|settings|im|market|podcast|audio|audios|docs|page|topic|poll|share)\b))\w[\w.]{2,}(?:\?|$)/u,
        "channel"
      ]
    ]
  }
];

const OTHERS: ReadonlyArray<Platform> = [
  {
    host: host("(?:www.)?threads.(?:net|com)"),
    routes: [
      [/^\/(?:@[\w.]+\/post|t)\/([\w-]+)/u, "https://www.threads.com/t/$1"],
      [/^\/@[\w.]+/u, "channel"],
      feeds("search|for_you|following|saved|liked")
    ]
  },
  {
    host: host("(?:www.)?(?:t|telegram).me"),
    routes: [
      [
        /^\/(?:s\/)?(?!c\/|joinchat|addstickers|share|proxy)(\w{4,})\/(\d+)\?(?:.*&)?single\b/u,
        "https://t.me/$1/$2?single"
      ],
      [/^\/(?:s\/)?(?!c\/|joinchat|addstickers|share|proxy)(\w{4,})\/(\d+)/u, "https://t.me/$1/$2"],
      [/^\/s\/\w+(?:\?|$)/u, "channel"],
      [/^\/(?!joinchat|addstickers|share|proxy|login|setlanguage)\w{5,}(?:\?|$)/u, "channel"]
    ]
  },
  {
    host: host("(?:www.)?snapchat.com"),
    routes: [
      [/^\/(?:(?:@[\w.-]+\/)?spotlight|o)\/([\w-]+)/u, "https://www.snapchat.com/spotlight/$1"],
      [/^\/(?:add\/[\w.-]+|@[\w.-]+|t\/.+)(?:\?|$)/u, "channel"],
      feeds("spotlight|discover|explore|lens|search")
    ]
  },
  {
    host: host("(?:(?:www|[a-z]{2}).)?linkedin.com"),
    routes: [
      [/^\/posts\/([^/?]+-\d{9,}-[\w-]+)(?:\?|$)/u, "https://www.linkedin.com/posts/$1"],
      [
        /^\/(?:embed\/)?feed\/update\/(urn:li:\w+:\d+)(?:[/?]|$)/u,
        "https://www.linkedin.com/feed/update/$1/"
      ],
      [/^\/feed\/update\//u, "item"],
      [/^\/(?:company|school|showcase|in)\/[^/?]+\/(?:posts|videos|recent-activity|detail)/u, "channel"],
      [
        /^\/learning\/(?!(?:search|topics|browse|paths|instructors|subscription|me)(?:[/?]|$))[\w-]+(?:\?|$)/u,
        "playlist"
      ],
      feeds("feed|search")
    ]
  },
  {
    host: host("(?:www.)?patreon.com"),
    routes: [
      [/^\/(?:posts\/(?:[^/?]*-)?|creation\?(?:[^#]*&)?hid=)(\d+)/u, "https://www.patreon.com/posts/$1"],
      [/^\/collection\//u, "playlist"],
      feeds("home|search|explore"),
      [/^\/(?:(?:cw?|user)\/.|m\/\d+(?:\?|$)|api\/campaigns\/)/u, "channel"],
      [
        /^\/(?:user\?|profile\/creators\?|id:\d|(?:m\/)?[\w-]+\/(?:posts|collections|about|membership|shop|home)(?:\?|$))/u,
        "channel"
      ],
      profiles(
        "posts|login|signup|create|messages|settings|policy|about|press|careers|pricing|apps|product|help|library|notifications|checkout|portal|api|file|campaigns|legal|community|creators|features|profile",
        "posts"
      )
    ]
  },
  {
    host: host("(?:(?:www|m).)?9gag.com"),
    routes: [
      [/^\/(?:gag|tv\/p)\/([\w-]+)/u, "https://9gag.com/gag/$1"],
      [/^\/u\//u, "channel"],
      feeds("trending|fresh|hot|top|home|interest|tag|search|shuffle|vote")
    ]
  }
];

export const SOCIAL: ReadonlyArray<Platform> = [
  ...TIKTOK,
  ...INSTAGRAM,
  ...X,
  ...FACEBOOK,
  ...REDDIT,
  ...BLUESKY,
  ...WEIBO,
  ...VK,
  ...OTHERS
];
