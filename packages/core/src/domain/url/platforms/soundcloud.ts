/** URLs of SoundCloud, in the notation of Route.ts; tested in Platform.test.ts. */
import { feeds, host, needs, parameter, type Platform, profiles } from "./Route.ts";

const TRACK = "https://soundcloud.com/$1/$2[/$3]";

const SOUNDCLOUD_TABS =
  "tracks|popular-tracks|toptracks|albums|sets|reposts|likes|followers|following|comments|spotlight";

export const SOUNDCLOUD: ReadonlyArray<Platform> = [
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
