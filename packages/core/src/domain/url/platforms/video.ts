/** URLs of Vimeo, Twitch and Bilibili, in the notation of Route.ts; tested in Platform.test.ts. */
import { feeds, host, needs, parameter, path, type Platform, profiles } from "./Route.ts";

const VIMEO_VIDEO = "https://vimeo.com/$1[/$2]";
const TWITCH_VIDEO = "https://www.twitch.tv/videos/$1";
const TWITCH_CLIP = "https://clips.twitch.tv/$1";
const BILIBILI_VIDEO = "https://www.bilibili.com/video/$1[?p=$2]";
const BILIBILI_OLD_VIDEO = "https://www.bilibili.com/video/av$1[?p=$2]";

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
  }
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

export const VIDEO: ReadonlyArray<Platform> = [...VIMEO, ...TWITCH, ...BILIBILI];
