/** URLs of file hosts, and of video sites whose works have several URLs each. */
import { feeds, host, needs, parameter, path, type Platform, profiles, under } from "./Route.ts";

const DRIVE_FILE = "https://drive.google.com/file/d/$1/view[?resourcekey=$2]";
const DRIVE_ID = "[\\w-]{19,}";
const DRIVE_KEY = parameter("resourcekey", "[\\w-]+");
const RUTUBE_ID = "([0-9a-f]{32})";
const YOUKU_VIDEO = "https://v.youku.com/v_show/id_$1.html";

const FILES: ReadonlyArray<Platform> = [
  {
    host: host("(?:www.)?dropbox.com"),
    routes: [
      // `dl=1` and `raw=1` lead to the file itself.
      [/^\/(s\/\w+\/[^?]+)(?:\?dl=0)?$/u, "https://www.dropbox.com/$1"],
      [
        new RegExp(
          `^/(?:e/)?(scl/fi/\\w+/[^?]+)(?![^?]*\\?(?:[^&]*&)*(?:dl|raw)=1)${needs("rlkey", "\\w+")}`,
          "u"
        ),
        "https://www.dropbox.com/$1?rlkey=$2"
      ],
      [/^\/(?:s|sh|scl|e)\//u, "item"]
    ]
  },
  {
    host: host("(?:docs|drive|drive.usercontent).google.com"),
    routes: [
      [new RegExp(`^/(?:u/\\d+/)?file/(?:u/\\d+/)?d/(${DRIVE_ID})${DRIVE_KEY}`, "u"), DRIVE_FILE],
      [new RegExp(`^/(?:u/\\d+/)?(?:uc|open|download)${needs("id", DRIVE_ID)}${DRIVE_KEY}`, "u"), DRIVE_FILE],
      [/^\/drive\/(?:u\/\d+\/)?(?:mobile\/)?folders\//u, "playlist"]
    ]
  },
  {
    host: host("(?:www.)?archive.org"),
    routes: [
      [
        /^\/(?:details|embed)\/([^?]+)(?:\?(?:start|end|t|autoplay)=[^&]*)?$/u,
        "https://archive.org/details/$1"
      ],
      [/^\/search(?:\.php)?(?:\?|$)/u, "search"]
    ]
  }
];

const CLIPS: ReadonlyArray<Platform> = [
  {
    host: host("(?:(?:www|v3|m).)?redgifs.com"),
    routes: [
      [/^\/(?:watch|ifr)\/([A-Za-z]+)(?:[/?.-]|$)/u, "https://www.redgifs.com/watch/$1"],
      [/^\/users\/./u, "channel"],
      feeds("browse|search|gifs|niches|explore|explore-gifs")
    ]
  },
  {
    host: host("(?:www.)?coub.com"),
    routes: [
      [/^\/(?:view|embed|coubs)\/([0-9a-z]+)/u, "https://coub.com/view/$1"],
      feeds("tags|community|explore|hot|rising|random|search|feed|best|weekly|bookmarks|likes")
    ]
  },
  {
    host: host("(?:www.)?likee.video"),
    routes: [
      [/^\/(@[^/?]+)\/video\/(\w+)/u, "https://likee.video/$1/video/$2"],
      [/^\/v\/(\w+)/u, "https://likee.video/v/$1"],
      [path("/@[^/]+"), "channel"],
      feeds("trending|search|hashtag|explore")
    ]
  },
  {
    host: host("(?:www.)?xiaohongshu.com"),
    routes: [
      [
        new RegExp(`^/(?:explore|discovery/item)/([0-9a-f]+)${parameter("xsec_token")}`, "u"),
        "https://www.xiaohongshu.com/explore/$1[?xsec_token=$2]"
      ],
      [/^\/user\/profile\/\w+\/([0-9a-f]{24})/u, "item"],
      [/^\/user\/profile\//u, "channel"],
      feeds("explore|search_result|search")
    ]
  }
];

const SITES: ReadonlyArray<Platform> = [
  {
    host: host("(?:(?:www|m).)?rutube.ru"),
    routes: [
      [
        new RegExp(
          `^/(?:live/)?(?:video|shorts|play/embed|embed)/(?:private/)?${RUTUBE_ID}${parameter("p")}`,
          "u"
        ),
        "https://rutube.ru/video/$1/[?p=$2]"
      ],
      [/^\/(?:video|play)\/embed\/\d/u, "item"],
      [/^\/video\/person\/|^\/(?:channel|u)\/./u, "channel"],
      [/^\/(?:plst|metainfo\/tv)\/./u, "playlist"],
      feeds("tags|search|feeds|categories|explore|top|shorts")
    ]
  },
  {
    host: host("(?:(?:www|old|m).)?bitchute.com"),
    routes: [
      [/^\/(?:video|embed|torrent\/[^/?]+)\/([^/?&]+)/u, "https://www.bitchute.com/video/$1/"],
      [/^\/(?:channel|profile)\/./u, "channel"],
      [/^\/playlist\/./u, "playlist"],
      feeds("search|category|hashtag|trending|popular|all|shorts")
    ]
  },
  {
    host: host("(?:(?:www|m).)?imdb.com"),
    routes: [
      [/^\/(?:video|title|list)\/(?:[^?]*[/-])?(vi\d+)/u, "https://www.imdb.com/video/$1/"],
      [/^\/list\/ls\d+(?:[/?]|$)/u, "playlist"],
      [/^\/(?:title|name)\/\w+\/videogallery/u, "playlist"],
      feeds("find|search|chart|trailers|feature")
    ]
  },
  {
    host: host("(?:(?:www|beta).)?(?:watchnebula.com|nebula.(?:app|tv))"),
    routes: [
      [/^\/videos\/([\w-]+)/u, "https://nebula.tv/videos/$1"],
      [/^\/[\w-]+\/season\//u, "playlist"],
      feeds("myshows|library|videos|explore|search|featured|originals|classes"),
      profiles(
        "about|terms|privacy|faq|help|beta|join|signup|login|account|gift|lifetime|jobs|press|settings",
        ""
      )
    ]
  },
  {
    host: host("(?:zen.yandex|dzen).ru"),
    routes: [
      [/^\/video\/watch\/([0-9a-f]{24})/u, "https://dzen.ru/video/watch/$1"],
      [/^\/media\/([^?]+-[0-9a-f]{24})(?:\?|$)/u, "https://dzen.ru/media/$1"],
      [/^\/a\/([\w-]+)/u, "https://dzen.ru/a/$1"],
      [/^\/id\/[0-9a-f]{24}(?:\?|$)/u, "channel"],
      [/^\/suite\/./u, "playlist"],
      feeds("topic|search|articles|video|news|shorts"),
      profiles("about|a|b|t|id|media|profile|settings|legal|help|api|pogoda|portal|embed|lives?|games", "")
    ]
  },
  {
    host: host("(?:v|m|player|list).youku.com"),
    routes: [
      [/^\/(?:v_show|video)\/id_([A-Za-z0-9]+)/u, YOUKU_VIDEO],
      [/^\/embed\/([A-Za-z0-9]+)/u, YOUKU_VIDEO],
      [new RegExp(`^/video${needs("vid", "[A-Za-z0-9]+")}`, "u"), YOUKU_VIDEO],
      [under("/show"), "playlist"]
    ]
  }
];

export const HOSTING: ReadonlyArray<Platform> = [...FILES, ...CLIPS, ...SITES];
