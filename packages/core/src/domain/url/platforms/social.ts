/** URLs of TikTok, Instagram, X, Facebook and Reddit, in the notation of Route.ts; tested in Platform.test.ts. */
import { feeds, host, needs, path, type Platform, profiles, under } from "./Route.ts";

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

export const SOCIAL: ReadonlyArray<Platform> = [...TIKTOK, ...INSTAGRAM, ...X, ...FACEBOOK, ...REDDIT];
