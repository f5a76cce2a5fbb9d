/** URLs of sites for videos, live streams and their recordings. */
import { feeds, host, needs, parameter, path, type Platform, profiles, under } from "./Route.ts";

const VIMEO_VIDEO = "https://vimeo.com/$1[/$2]";
const TWITCH_VIDEO = "https://www.twitch.tv/videos/$1";
const TWITCH_CLIP = "https://clips.twitch.tv/$1";
const DAILYMOTION_VIDEO = "https://www.dailymotion.com/video/$1";
const BILIBILI_VIDEO = "https://www.bilibili.com/video/$1[?p=$2]";
const BILIBILI_OLD_VIDEO = "https://www.bilibili.com/video/av$1[?p=$2]";
const NICONICO_VIDEO = "https://www.nicovideo.jp/watch/$1";
const OK_VIDEO = "https://ok.ru/video/$1";

const VIMEO: ReadonlyArray<Platform> = [
  {
    host: host("(?:www.)?vimeo.com"),
    routes: [
      [new RegExp(`^/(\\d+)${needs("h", "[0-9a-f]+")}`, "u"), VIMEO_VIDEO],
      [/^\/(\d+)(?:\/([0-9a-f]{8,}))?(?:\?|$)/u, VIMEO_VIDEO],
      [
        /^\/(?:channels\/[^/]+|groups\/[^/]+\/videos|m|video|(?:album|showcase)\/\d+\/video)\/(\d+)/u,
        VIMEO_VIDEO
      ],
      [new RegExp(`^/moogaloop\\.swf${needs("clip_id", "\\d+")}`, "u"), VIMEO_VIDEO],
      [/^\/([^/]+)\/review\/(\d+)\/([0-9a-f]+)/u, "https://vimeo.com/$1/review/$2/$3"],
      [/^\/(?:showcase|album)\/./u, "playlist"],
      [/^\/event\/(\d+)\/(?:embed\/)?([0-9a-f]{10})(?:[/?]|$)/u, "https://vimeo.com/event/$1/$2"],
      [/^\/event\/(\d+)(?:\/embed(?:\/interaction)?)?(?:\?|$)/u, "https://vimeo.com/event/$1"],
      [/^\/(?:event|ondemand|manage|webinars)\//u, "item"],
      [
        /^\/(?:channels|groups)(?:\/[^/]+)?(?:\/(?:videos|about|members))?(?:\/(?:page|sort)[:/].*)?(?:\?|$)/u,
        "channel"
      ],
      [
        path("/user\\d+(?:/(?:videos|likes|about|collections|albums|channels|groups|following|followers))?"),
        "channel"
      ],
      [
        /^\/[^/?]+\/(?:videos|likes|collections|albums|channels|groups|following|followers)(?:[/?]|$)/u,
        "channel"
      ],
      feeds("search|watch|categories|explore|watchlater|home|likes"),
      profiles(
        "\\d+|about|blog|features|solutions|enterprise|business|pricing|upgrade|join|log_in|login|stock|create|ott|jobs|help|terms|privacy|legal|cookie_policy|upload|settings|api|integrations|industries|customers|teams|contact|press|guidelines|site_map|for-hire|live-streaming|video-player|marketplace|roku|everywhere|professionals|moogaloop\\.swf",
        "videos"
      )
    ]
  },
  {
    host: host("player.vimeo.com"),
    routes: [[new RegExp(`^/video/(\\d+)${parameter("h", "[0-9a-f]+")}`, "u"), VIMEO_VIDEO]]
  }
];

const TWITCH: ReadonlyArray<Platform> = [
  {
    host: host("player.twitch.tv"),
    routes: [
      [new RegExp(`^/${needs("video", "v?(\\d+)")}`, "u"), "https://www.twitch.tv/videos/$2"],
      [new RegExp(`^/${needs("collection")}`, "u"), "playlist"],
      [new RegExp(`^/${needs("channel")}`, "u"), "live"]
    ]
  },
  {
    host: host("(?:(?:www|m|go|secure).)?twitch.tv"),
    routes: [
      [/^\/(?:videos|\w+\/(?:videos?|v|b|c))\/v?(\d+)/u, TWITCH_VIDEO],
      [new RegExp(`^/\\w+/schedule${needs("vodID", "\\d+")}`, "u"), TWITCH_VIDEO],
      [/^\/(?:\w+\/)?clip\/([\w-]+)/u, TWITCH_CLIP],
      [/^\/collections\//u, "playlist"],
      feeds("directory|search|following|videos"),
      [/^\/\w+\/(?:videos|clips|about|schedule|home|collections|profile|followers)(?:[/?]|$)/u, "channel"],
      [
        /^\/(?!(?:p|jobs|downloads|turbo|store|settings|user|prime|bits|drops|subscriptions|wallet|inventory|popout|embed|team)(?:[/?]|$))\w+(?:\?|$)/u,
        "live"
      ]
    ]
  },
  {
    host: host("clips.twitch.tv"),
    routes: [
      [new RegExp(`^/embed${needs("clip", "[\\w-]+")}`, "u"), TWITCH_CLIP],
      [/^\/(?!embed(?:[/?]|$))(?:[\w]+\/)?([\w-]+)(?:\?|$)/u, TWITCH_CLIP]
    ]
  },
  {
    host: host("(?:www.)?kick.com"),
    routes: [
      [new RegExp(`^/([\\w-]+)(?:/clips)?${needs("clip", "\\w+")}`, "u"), "https://kick.com/$1/clips/$2"],
      [/^\/([\w-]+)\/clips\/(clip_\w+)/u, "https://kick.com/$1/clips/$2"],
      [/^\/([\w-]+)\/videos\/([0-9a-f-]{36})/u, "https://kick.com/$1/videos/$2"],
      [/^\/[\w-]+\/(?:videos|clips|about|followers)(?:\?|$)/u, "channel"],
      feeds("browse|categories|category|search|following|clips")
    ]
  }
];

const DAILYMOTION: ReadonlyArray<Platform> = [
  {
    host: host("geo.dailymotion.com"),
    routes: [
      [new RegExp(`^/player${needs("video", "[0-9A-Za-z]+")}`, "u"), DAILYMOTION_VIDEO],
      [new RegExp(`^/player${needs("playlist")}`, "u"), "playlist"]
    ]
  },
  {
    host: host("(?:(?:www|touch|m|[a-z]{2}).)?dailymotion.[a-z]{2,3}"),
    routes: [
      [/^\/(?:[a-z]{2}\/)?(?:embed\/|crawler\/|swf\/)?(?:video|shorts)\/([0-9A-Za-z]+)/u, DAILYMOTION_VIDEO],
      [/^\/swf\/([0-9A-Za-z]+)/u, DAILYMOTION_VIDEO],
      [new RegExp(`^/player${needs("video", "[0-9A-Za-z]+")}`, "u"), DAILYMOTION_VIDEO],
      [/^\/(?:embed\/)?playlist\//u, "playlist"],
      [/^\/(?:(?:old\/)?user|channel)\//u, "channel"],
      feeds("search|explore|topic|trending|library|feed|browse|videos"),
      [path("/[a-z]{2}"), "search"],
      profiles(
        "embed|video|about|legal|help|partner|upload|signin|settings|player|crawler|swf",
        "videos|playlists|\\d+"
      )
    ]
  },
  { host: host("dai.ly"), routes: [[/^\/([0-9A-Za-z]+)/u, DAILYMOTION_VIDEO]] }
];

const BILIBILI_PART = parameter("p", "[1-9]\\d*");

const BILIBILI: ReadonlyArray<Platform> = [
  {
    host: host("(?:(?:www|m).)?bilibili.com"),
    routes: [
      [new RegExp(`^/(?:(?:s/)?video/)?[aA][vV](\\d+)${BILIBILI_PART}`, "u"), BILIBILI_OLD_VIDEO],
      [new RegExp(`^/(?:(?:s/)?video/)?([bB][vV][0-9A-Za-z]+)${BILIBILI_PART}`, "u"), BILIBILI_VIDEO],
      [
        new RegExp(
          `^/(?:festival|list|medialist|blackboard)/${needs("bvid", "BV[0-9A-Za-z]+")}${BILIBILI_PART}`,
          "u"
        ),
        BILIBILI_VIDEO
      ],
      [/^\/(bangumi|cheese)\/play\/(ep\d+)/u, "https://www.bilibili.com/$1/play/$2"],
      [/^\/audio\/(au\d+)/u, "https://www.bilibili.com/audio/$1"],
      [
        /^\/(?:(?:bangumi|cheese)\/play\/ss|bangumi\/media\/|audio\/am|medialist\/|list\/|watchlater)/u,
        "playlist"
      ],
      feeds("v|ranking|anime|guochuang|movie|tv|documentary|variety|search|index\\.html|c"),
      [/^\/space\/\d+/u, "channel"]
    ]
  },
  {
    host: host("player.bilibili.com"),
    routes: [
      [
        new RegExp(`^/${needs("bvid", "BV[0-9A-Za-z]+")}${parameter("(?:p|page)", "[1-9]\\d*")}`, "u"),
        BILIBILI_VIDEO
      ],
      [
        new RegExp(`^/${needs("aid", "\\d+")}${parameter("(?:p|page)", "[1-9]\\d*")}`, "u"),
        BILIBILI_OLD_VIDEO
      ]
    ]
  },
  {
    host: host("b23.tv"),
    routes: [
      [new RegExp(`^/[aA][vV](\\d+)${BILIBILI_PART}`, "u"), BILIBILI_OLD_VIDEO],
      [new RegExp(`^/(BV[0-9A-Za-z]+)${BILIBILI_PART}`, "u"), BILIBILI_VIDEO]
    ]
  },
  {
    host: host("(?:space|search|m.space).bilibili.com"),
    routes: [
      [/^\/\d+\/(?:lists\/|channel\/|favlist|upload\/audio)/u, "playlist"],
      [/^\/\d+/u, "channel"],
      feeds("all|video|bangumi|upuser|article|live")
    ]
  },
  {
    host: host("(?:www.)?bili(?:bili.tv|intl.com)"),
    routes: [
      [/^\/(?:[a-zA-Z]{2}\/)?video\/(\d+)/u, "https://www.bilibili.tv/en/video/$1"],
      [/^\/(?:[a-zA-Z]{2}\/)?play\/(\d+)\/(\d+)/u, "https://www.bilibili.tv/en/play/$1/$2"],
      [/^\/(?:[a-zA-Z]{2}\/)?(?:play|media)\/\d+/u, "playlist"],
      [/^\/(?:[a-zA-Z]{2}\/)?space\/\d+/u, "channel"],
      feeds("(?:[a-zA-Z]{2}/)?(?:trending|anime|popular|search-result|index|category|timeline)|[a-zA-Z]{2}$")
    ]
  }
];

const NICONICO: ReadonlyArray<Platform> = [
  {
    host: host("(?:(?:www|sp|embed).)?nicovideo.jp|nico.ms"),
    routes: [
      [/^\/(?:watch\/)?((?:sm|so|nm|ca|fx|yo|za|zb|zc|zd|ze|nl|cw)\d+)/u, NICONICO_VIDEO],
      [/^\/watch\/(\d+)/u, NICONICO_VIDEO],
      [/^\/shorts\/(\w+\d)/u, "https://www.nicovideo.jp/shorts/$1"],
      [/^\/(?:user\/\d+\/)?(?:my\/)?(?:mylist|series|playlist)(?:\/|$|\?)/u, "playlist"],
      [/^\/(?:user|my)(?:\/|$|\?)/u, "channel"],
      feeds("search|tag|ranking|video_top|genre|mylist_search|series_search|user_search")
    ]
  },
  {
    host: host("(?:www.)?ch.nicovideo.jp"),
    routes: [
      [/^\/(?:search|portal|ranking)(?:\/|\?|$)/u, "search"],
      [/^\/[\w-]+(?:\/(?:video|live|join))?(?:\/(?:continuation|member|pay))?(?:\?|$)/u, "channel"]
    ]
  }
];

const OK: ReadonlyArray<Platform> = [
  {
    host: host("(?:(?:www|m|mobile).)?(?:ok|odnoklassniki).ru"),
    routes: [
      [/^\/(?:video(?:embed)?|live|web-api\/video\/moviePlayer)\/(\d+(?:-\d+)?)/u, OK_VIDEO],
      [new RegExp(`^/${needs("st\\.(?:mvId|discId)", "\\d+(?:-\\d+)?")}`, "u"), OK_VIDEO],
      [/^\/video\/c\d+/u, "channel"],
      [
        /^\/(?:profile|group)\/\d+(?:\/(?:video|photos|statuses|topics|members|friends)(?:\/[a-z]\w*)?)?(?:\?|$)/u,
        "channel"
      ],
      feeds("video|search|online|music|feed"),
      [/^\/(?!live|dk|app|help|game)[\w.]+\/video(?:\?|$)/u, "channel"]
    ]
  }
];

const OTHERS: ReadonlyArray<Platform> = [
  {
    host: host("(?:(?:www|m).)?rumble.com"),
    routes: [
      [/^\/embed\/(?:[0-9a-z]+\.)?(v[0-9a-z]+)/u, "https://rumble.com/embed/$1/"],
      [/^\/shorts\/(v\w+)/u, "https://rumble.com/shorts/$1"],
      [/^\/(?:c|user)\/./u, "channel"],
      [/^\/(?:playlists?)\/./u, "playlist"],
      feeds(
        "videos|search|browse|category|categories|editor-picks|shorts|live|account|our-apps|subscriptions|battle-leaderboard"
      ),
      [/^\/(v[0-9a-z]+)(?:-[^/?]*)?(?:\?|$)/iu, "https://rumble.com/$1"]
    ]
  },
  {
    host: host("(?:www.)?odysee.com|(?:www|open).lbry.tv|lbry.tv|open.lbry.com"),
    fragment: [/(?<=\/[^/:#]+)#(?=[0-9a-f]{1,40}(?:[/#?]|$))/gu, ":"],
    routes: [
      [/^\/\$\/(?:embed|download)\/(@[^/?]+\/[^/?]+)(?:\?|$)/u, "https://odysee.com/$1"],
      [/^\/\$\/(?:embed|download)\/([^/?@:]+)\/([0-9a-f]+)(?:\?|$)/u, "https://odysee.com/$1:$2"],
      [/^\/\$\/(?:embed|download)\/([^/?]+)(?:\?|$)/u, "https://odysee.com/$1"],
      [/^\/\$\/playlist\//u, "playlist"],
      [path("/@[^/]+"), "channel"],
      [/^\/(@[^/?]+\/[^/?]+)(?:\?|$)/u, "https://odysee.com/$1"],
      feeds("\\$"),
      [/^\/([^/?@$]+:[0-9a-f]+)(?:\?|$)/u, "https://odysee.com/$1"]
    ]
  },
  {
    host: host("(?:www.)?loom.com"),
    routes: [
      [/^\/share\/folder\//u, "playlist"],
      [/^\/(?:share|embed|v)\/(?:[^/?]*-)?([0-9a-f]{32})/u, "https://www.loom.com/share/$1"],
      feeds("looms|spaces|library|search")
    ]
  },
  {
    host: host("(?:(?:www|embed|embed-ssl).)?ted.com"),
    routes: [
      [/^\/talks\/lang\/([\w-]+)\/([^/?]+)/u, "item"],
      [/^\/talks\/([^/?]+?)(?:\.html)?(?:\/transcript)?(?:\?|$)/u, "https://www.ted.com/talks/$1"],
      [/^\/(?:playlists|series)(?:\/|\?|$)/u, "playlist"],
      [/^\/(?:speakers|people)(?:\/|\?|$)/u, "channel"],
      feeds("talks|topics|search|recommends|newest")
    ]
  },
  {
    host: host("[\\w-]+.wistia.(?:net|com)"),
    routes: [
      [
        new RegExp(`^/embed/channel/${needs("wmediaid", "\\w{10}")}`, "u"),
        "https://fast.wistia.net/embed/iframe/$1"
      ],
      [/^\/(?:embed\/)?(?:iframe|medias)\/(\w{10})/u, "https://fast.wistia.net/embed/iframe/$1"],
      [/^\/embed\/(?:channel|playlists)\//u, "playlist"]
    ]
  },
  {
    host: host("(?:www.)?streamable.com"),
    routes: [[/^\/(?:[eos]\/)?([0-9a-z]{4,6})(?:[/?]|$)/u, "https://streamable.com/$1"]]
  },
  {
    host: host("(?:m.)?tv(?:cast)?.naver.com"),
    routes: [
      [/^\/(?:v|embed)\/(\d+)/u, "https://tv.naver.com/v/$1"],
      [/^\/(?:l|h|i|clip)\/\d+/u, "item"],
      feeds("search|r|t|c|ranking"),
      profiles("v|l|h|i|embed|clip|help", "home|clips|playlists|lives|talk|about|introduction|\\w+/playlists")
    ]
  },
  {
    host: host("(?:m.)?chzzk.naver.com"),
    routes: [
      [/^\/(?:embed\/)?(video|clip)s?\/([\w-]+)/u, "https://chzzk.naver.com/$1/$2"],
      [/^\/live\//u, "item"],
      [/^\/[0-9a-f]{32}/u, "channel"],
      feeds("lives|category|search|clips|videos|following")
    ]
  },
  {
    host: host("(?:www.)?newgrounds.com"),
    routes: [
      [/^\/(portal\/view|audio\/listen)\/(\d+)/u, "https://www.newgrounds.com/$1/$2"],
      [/^\/collection\/./u, "playlist"],
      [/^\/[a-z]+\/(?:search|browse)(?:[/?]|$)/u, "search"]
    ]
  },
  {
    host: host("(?:(?:www|[a-z]{2}).)?spankbang.com"),
    routes: [
      // A video opened from a list.
      [/^\/[0-9a-z]+-[0-9a-z]+\/playlist\/./u, "item"],
      [/^\/[0-9a-z]+\/playlist\/./u, "playlist"],
      [/^\/(?:profile|[0-9a-z]+\/(?:channel|pornstar))\/./u, "channel"],
      [/^\/s\/./u, "search"]
    ]
  },
  { host: host("(?:www.)?vimeopro.com"), routes: [[under("/[^/]+/[^/]+"), "item"]] }
];

export const VIDEO: ReadonlyArray<Platform> = [
  ...VIMEO,
  ...TWITCH,
  ...DAILYMOTION,
  ...BILIBILI,
  ...NICONICO,
  ...OK,
  ...OTHERS
];
