import { assert, describe, it } from "@effect/vitest";
import * as Arbitrary from "effect/Arbitrary";
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import { parseSourceUrl } from "../../../src/domain/url/SourceUrl.ts";
import { URL_CHARS_MAX } from "../../../src/domain/url/UrlLength.ts";
import { oneOf } from "../Arbitraries.ts";

const ID = "dQw4w9WgXcQ";
const VIDEO = `https://www.youtube.com/watch?v=${ID}`;
const REDDIT = "https://www.reddit.com/comments/1abc2d/";

const normalized = (url: string): string => Result.getOrThrow(parseSourceUrl(url)).normalized;

const refusal = (url: string): readonly [tag: string, reason: unknown] => {
  const parsed = parseSourceUrl(url);
  if (Result.isSuccess(parsed)) return ["accepted", parsed.success.normalized];
  assert.strictEqual(parsed.failure.details["param"], "url");
  assert.include(parsed.failure.message, "`url`");
  return [parsed.failure._tag, parsed.failure.details["reason"]];
};

describe("any URL", () => {
  const cases: ReadonlyArray<readonly [written: string, normalized: string]> = [
    ["https://EXAMPLE.com", "https://example.com/"],
    ["  https://example.com/a ", "https://example.com/a"],
    ["https://example.com.:443/a", "https://example.com/a"],
    ["http://example.com:80/a/../b", "http://example.com/b"],
    ["https://example.com:8443/a", "https://example.com:8443/a"],
    ["https://bücher.example/ä", "https://xn--bcher-kva.example/%C3%A4"],
    ["https://example.com/a#section-2", "https://example.com/a"],
    ["https://example.com/#!/talk/1", "https://example.com/#!/talk/1"],
    ["https://example.com/app#/talk/1", "https://example.com/app#/talk/1"],
    ["https://x.com//example.com/a#!/b", "https://x.com//example.com/a#!/b"],
    ["https://x.com/?utm_source=x#!/i/status/12", "https://x.com/i/status/12"],
    ["https://example.com/a?b=2&utm_source=x&a=1&UTM_Medium=y", "https://example.com/a?b=2&a=1"],
    ["https://example.com/a?fbclid=1&gclid=2&igshid=3", "https://example.com/a"],
    ["https://example.com/a?mtm_campaign=1&at_medium=RSS&gad_source=2&srsltid=3", "https://example.com/a"],
    ["https://example.com/a?xtor=RSS-1&wt_mc=rss.a&guccounter=1&spm=a.1&mibextid=x", "https://example.com/a"],
    // On other hosts these parameters identify the content.
    ["https://example.com/a?smid=1&icid=2&ncid=3", "https://example.com/a?smid=1&icid=2&ncid=3"],
    ["https://example.com/a?q=a%20b+c&&x=%c3%a4", "https://example.com/a?q=a%20b+c&x=%c3%a4"],
    ["https://example.com/a?utm=1&si=2&gclids=3", "https://example.com/a?utm=1&si=2&gclids=3"],
    ["https://open.spotify.com/episode/1?si=2&x=3", "https://open.spotify.com/episode/1?x=3"],
    ["http://[2001:DB8::1]/a", "http://[2001:db8::1]/a"],
    ["https://example.com/a#comment-12345", "https://example.com/a"],
    ["https://example.com/a#t=12", "https://example.com/a"]
  ];
  for (const [written, expected] of cases) {
    it(`${written} is ${expected}`, () => {
      assert.deepStrictEqual(
        parseSourceUrl(written),
        Result.succeed({ submitted: written, normalized: expected })
      );
    });
  }
});

describe("a work on a known platform has one form", () => {
  const cases: Readonly<Record<string, ReadonlyArray<string>>> = {
    [VIDEO]: [
      `http://youtu.be/${ID}?si=abc&t=42`,
      `https://youtube.com/shorts/${ID}?feature=share`,
      `https://www.youtube-nocookie.com/embed/${ID}?start=3`,
      `https://m.youtube.com/watch?v=${ID}`,
      `https://music.youtube.com/watch?v=${ID}&list=RDAMVM`,
      `https://www.youtube.com/watch?list=PLabc&index=2&v=${ID}&t=10s#t=4`,
      `https://www.youtube.com/live/${ID}/`,
      `https://www.youtube.com//v/${ID}`
    ],
    "https://www.tiktok.com/@_/video/7123": [
      "https://m.tiktok.com/@some.one/video/7123?_r=1&_t=8",
      "https://www.tiktok.com/@/video/7123",
      "https://m.tiktok.com/v/7123.html",
      "https://www.tiktok.com/embed/v2/7123"
    ],
    "https://www.tiktok.com/@_/photo/7123": ["https://tiktok.com/@some.one/photo/7123/"],
    "https://vm.tiktok.com/ZM123/": ["https://vt.tiktok.com/ZM123", "https://www.tiktok.com/t/ZM123/"],
    "https://www.instagram.com/p/Cab_-1/": [
      "https://instagram.com/reel/Cab_-1/?igsh=x",
      "https://www.instagram.com/some.one/p/Cab_-1/?img_index=2",
      "https://www.instagram.com/reels/Cab_-1"
    ],
    "https://soundcloud.com/some-one/a-track": ["https://m.soundcloud.com/some-one/a-track?in=x/sets/y&si=1"],
    "https://soundcloud.com/some-one/a-track/s-Ab1": ["https://soundcloud.com/some-one/a-track/s-Ab1?si=1"],
    "https://vimeo.com/76979871": [
      "https://www.vimeo.com/76979871?share=copy",
      "https://vimeo.com/channels/staffpicks/76979871",
      "https://vimeo.com/groups/name/videos/76979871",
      "https://vimeo.com/showcase/123/video/76979871"
    ],
    "https://vimeo.com/76979871/abcdef0123": [
      "https://vimeo.com/76979871/abcdef0123?share=copy",
      "https://vimeo.com/76979871?h=abcdef0123"
    ],
    "https://x.com/i/status/1234": [
      "https://twitter.com/some_one/status/1234?s=20",
      "https://mobile.twitter.com/some_one/status/1234/photo/1",
      "https://x.com/i/web/status/1234",
      "https://fxtwitter.com/some_one/status/1234"
    ],
    "https://x.com/i/status/1234/video/2": ["https://twitter.com/some_one/status/1234/video/2?s=20"],
    [REDDIT]: [
      "https://old.reddit.com/r/videos/comments/1abc2d/a_title/",
      "https://www.reddit.com/r/videos/comments/1abc2d/a_title/k1/?context=3",
      "https://reddit.com/u/some-one/comments/1abc2d",
      "https://www.reddit.com/gallery/1abc2d",
      "https://redd.it/1abc2d"
    ],
    "https://www.facebook.com/watch/?v=99": [
      "https://m.facebook.com/watch?v=99&ref=sharing",
      "https://www.facebook.com/some.page/videos/a-title/99/",
      "https://de-de.facebook.com/video.php?v=99",
      "https://web.facebook.com/reel/99/?s=single"
    ],
    "https://www.twitch.tv/videos/55": [
      "https://m.twitch.tv/videos/55?t=1h",
      "https://twitch.tv/some_one/v/55"
    ],
    "https://clips.twitch.tv/Slug-abc": [
      "https://www.twitch.tv/some_one/clip/Slug-abc?filter=clips",
      "https://clips.twitch.tv/Slug-abc?tt=1",
      "https://clips.twitch.tv/some_one/Slug-abc",
      "https://clips.twitch.tv/embed?clip=Slug-abc&parent=example.com"
    ]
  };
  for (const [expected, spellings] of Object.entries(cases)) {
    for (const written of [expected, ...spellings]) {
      it(`${written} is ${expected}`, () => assert.strictEqual(normalized(written), expected));
    }
  }
});

describe("a listing is rejected by its URL alone", () => {
  const cases: Readonly<Record<string, ReadonlyArray<string>>> = {
    channel: [
      "https://www.youtube.com/@someone",
      "https://www.youtube.com/@someone/videos?view=0",
      "https://m.youtube.com/channel/UCabc",
      "https://youtube.com/c/Someone",
      "https://youtube.com/user/someone/about",
      "https://www.tiktok.com/@some.one?lang=en",
      "https://www.instagram.com/some.one/",
      "https://www.instagram.com/some.one/reels/",
      "https://soundcloud.com/some-one",
      "https://soundcloud.com/some-one/likes",
      "https://vimeo.com/channels/staffpicks",
      "https://vimeo.com/user1234",
      "https://x.com/some_one",
      "https://twitter.com/some_one/media",
      "https://www.reddit.com/r/videos/",
      "https://old.reddit.com/r/videos/top/?t=all",
      "https://www.reddit.com/user/some-one/submitted",
      "https://www.facebook.com/some.page",
      "https://www.facebook.com/some.page/videos/",
      "https://www.facebook.com/profile.php?id=1",
      "https://www.facebook.com/groups/123",
      "https://www.twitch.tv/some_one/clips?range=7d"
    ],
    live: [
      "https://www.youtube.com/embed/live_stream?channel=UCabc",
      "https://www.youtube.com/@someone/live",
      "https://www.youtube.com/channel/UCabc/live",
      "https://www.tiktok.com/@some.one/live",
      "https://www.twitch.tv/some_one",
      "https://player.twitch.tv/?channel=some_one"
    ],
    playlist: [
      "https://www.youtube.com/playlist?list=PLabc",
      "https://www.youtube.com/embed/videoseries?list=PLabc",
      "https://music.youtube.com/browse/MPREb_1",
      "https://www.youtube.com/watch?list=PLabc",
      "https://www.tiktok.com/@some.one/playlist/name-7123",
      "https://soundcloud.com/some-one/sets/an-album",
      "https://vimeo.com/showcase/1234",
      "https://vimeo.com/album/1234?page=2",
      "https://x.com/i/lists/1",
      "https://www.twitch.tv/collections/abc"
    ],
    search: [
      "https://www.youtube.com/",
      "https://www.youtube.com/results?search_query=a",
      "https://www.youtube.com/feed/trending",
      "https://www.youtube.com/hashtag/a",
      "https://www.tiktok.com/tag/a",
      "https://www.instagram.com/explore/tags/a/",
      "https://www.instagram.com/reels/",
      "https://soundcloud.com/discover/sets/charts-top:all",
      "https://vimeo.com/search?q=a",
      "https://x.com/search?q=a",
      "https://x.com/hashtag/a",
      "https://www.reddit.com/r/videos/search/?q=a",
      "https://www.facebook.com/watch/",
      "https://www.twitch.tv/directory/all",
      "https://www.google.com/search?q=a",
      "https://www.google.co.uk/search?q=a",
      "https://www.bing.com/videos/search?q=a",
      "https://duckduckgo.com/?q=a",
      "https://html.duckduckgo.com/html/?q=a"
    ]
  };
  for (const [reason, urls] of Object.entries(cases)) {
    for (const url of urls) {
      it(`${url} is a ${reason}`, () => assert.deepStrictEqual(refusal(url), ["UnsupportedUrl", reason]));
    }
  }
});

describe("what the URL does not reveal is left to the downloader", () => {
  const urls = [
    "https://www.youtube.com/post/Ugkx",
    "https://www.youtube.com/watch?v=tooshort",
    "https://vm.tiktok.com/ZM123/",
    "https://help.instagram.com/155833707900388",
    "https://help.x.com/en/rules",
    "https://blog.twitch.tv/en/",
    "https://www.reddit.com/r/videos/wiki/index",
    "https://www.reddit.com/u/some-one/s/AbCdEf1234",
    "https://www.reddit.com/r/videos/s/AbCdEf1234",
    "https://www.facebook.com/groups/1/posts/2/",
    "https://news.google.com/articles/abc",
    "https://youtube.com.example.org/@someone",
    "https://example.com/@someone"
  ];
  for (const url of urls) it(`${url} is accepted`, () => assert.strictEqual(normalized(url), url));
});

describe("URLs of anything but a page are rejected with a reason", () => {
  const cases: ReadonlyArray<readonly [url: string, reason: string]> = [
    ["", "not_absolute"],
    ["example.com/a", "not_absolute"],
    ["example.com:8080/a", "not_absolute"],
    ["localhost:3000", "not_absolute"],
    ["ftp://", "not_absolute"],
    ["java\nscript:alert(1)", "control_character"],
    ["//example.com/a", "not_absolute"],
    ["/a", "not_absolute"],
    ["https:example.com", "not_absolute"],
    ["https:///example.com", "not_absolute"],
    ["--exec=touch x", "not_absolute"],
    ["https://example.com/a\nb", "control_character"],
    ["https://example.com/\u0000", "control_character"],
    ["https://exa\tmple.com/", "control_character"],
    ["https://example.com\\@other.example/", "backslash"],
    ["https://", "not_absolute"],
    ["https://exa mple.com/", "unparseable"],
    ["https://example.com:99999/", "unparseable"],
    ["https://./", "unparseable"],
    ["https://a..b/", "unparseable"],
    ["https://[::1/", "unparseable"],
    [`https://example.com/${"a".repeat(URL_CHARS_MAX)}`, "too_long"],
    [`https://example.com/${"ä".repeat(URL_CHARS_MAX / 2)}`, "too_long"]
  ];
  for (const [url, reason] of cases) {
    it(`${JSON.stringify(url.slice(0, 60))}: ${reason}`, () => {
      assert.deepStrictEqual(refusal(url), ["InvalidUrl", reason]);
    });
  }

  const unfetched: ReadonlyArray<readonly [url: string, reason: string]> = [
    ["ytsearch1:x", "scheme"],
    ["file:///etc/passwd", "scheme"],
    ["ftp://example.com/", "scheme"],
    ["ftp://user:secret@example.com/", "scheme"],
    ["mailto:somebody@example.com", "scheme"],
    ["tel:+4930123456", "scheme"],
    ["tel:4930123456", "scheme"],
    ["data:text/html,x", "scheme"],
    ["javascript:alert(1)", "scheme"],
    ["https://user:secret@example.com/", "credentials"],
    ["https://user@example.com/", "credentials"],
    ["https://@example.com/", "credentials"]
  ];
  for (const [url, reason] of unfetched) {
    it(`${url} is a URL that is not fetched: ${reason}`, () => {
      assert.deepStrictEqual(refusal(url), ["UnsupportedUrl", reason]);
    });
  }

  it("a URL of the maximum length passes", () => {
    const longest = `https://example.com/${"a".repeat(URL_CHARS_MAX - 20)}`;
    assert.strictEqual(normalized(longest), longest);
  });

  it("an error does not repeat the rejected password", () => {
    const parsed = parseSourceUrl("https://user:hunter2@example.com/");
    assert.isTrue(Result.isFailure(parsed));
    assert.notInclude(JSON.stringify(parsed), "hunter2");
  });
});

/** URLs composed of the parts that the rules use, so that all combinations occur. */
const Piece = oneOf(
  [
    "watch shorts embed @one channel sets status comments r p reel videos video photo i clip".split(" "),
    [ID, "123", "a", "videoseries", "..", ".", "", "%2e", "%2F", "ä", "a b"]
  ].flat()
);
const Query = oneOf("v=dQw4w9WgXcQ v=1 list=PL1 utm_source=x si=1 fbclid=2 t=3 q='\"<> a = % &".split(" "));
const Host = oneOf(
  [
    "www.youtube.com youtu.be M.YouTube.com. www.tiktok.com instagram.com x.com vimeo.com soundcloud.com",
    "old.reddit.com facebook.com twitch.tv clips.twitch.tv www.google.de",
    "example.com EXAMPLE.com. example.com:80 1.2.3.4 [::1] bücher.example"
  ].flatMap((hosts) => hosts.split(" "))
);
const Address = Arbitrary.map(
  Arbitrary.all({
    scheme: oneOf(["https://", "http://", "HTTPS://"]),
    host: Host,
    path: Arbitrary.array(Piece, { maxLength: 5 }),
    query: Arbitrary.array(Query, { maxLength: 4 }),
    fragment: oneOf(["", "#", "#top", "#!/a", "#/b?c"])
  }),
  ({ scheme, host, path, query, fragment }) =>
    `${scheme}${host}/${path.join("/")}${query.length > 0 ? "?" : ""}${query.join("&")}${fragment}`
);

describe("laws", () => {
  it.prop(
    "normalising is idempotent",
    { url: Address },
    ({ url }) => {
      const once = parseSourceUrl(url);
      if (Result.isFailure(once)) return;
      assert.strictEqual(normalized(once.success.normalized), once.success.normalized);
      assert.strictEqual(once.success.submitted, url);
    },
    { arbitrary: { runs: 3_000 } }
  );

  it.prop("any text is handled, and an accepted one is an http URL", { text: Schema.String }, ({ text }) => {
    for (const input of [text, `https://example.com/${text}`, `https://${text}/`]) {
      const parsed = parseSourceUrl(input);
      if (Result.isFailure(parsed)) continue;
      assert.match(parsed.success.normalized, /^https?:\/\/[^/?#@\\]+\//u);
      assert.isAtMost(parsed.success.normalized.length, URL_CHARS_MAX);
      assert.strictEqual(normalized(parsed.success.normalized), parsed.success.normalized);
    }
  });

  it.prop("tracking parameters and a fragment never change the cache key", { url: Address }, ({ url }) => {
    const plain = parseSourceUrl(url.replace(/#.*$/u, ""));
    if (Result.isFailure(plain)) return;
    const { normalized: place } = plain.success;
    const mark = place.includes("?") ? "&" : "?";
    assert.strictEqual(normalized(`${place}${mark}utm_campaign=a&fbclid=b#c`), place);
  });
});
