import { assert, describe, it } from "@effect/vitest";
import * as Result from "effect/Result";
import { parseSourceUrl } from "../../../src/domain/url/SourceUrl.ts";

const outcome = (url: string): string =>
  Result.match(parseSourceUrl(url), {
    onSuccess: ({ normalized }) => normalized,
    onFailure: ({ details }) => `refused: ${String(details["reason"])}`
  });

describe("spellings of one work share a key", () => {
  const works: Readonly<Record<string, ReadonlyArray<string>>> = {
    "https://www.youtube.com/watch?v=dQw4w9WgXcQ": [
      "https://consent.youtube.com/m?continue=https%3A%2F%2Fwww.youtube.com%2Flive%2FdQw4w9WgXcQ%3Fcbrd%3D1&gl=NL",
      "https://www.youtube.com/attribution_link?a=x&u=%2Fwatch%3Fv%3DdQw4w9WgXcQ%26feature%3Dshare",
      "https://www.youtube.com/watch_popup?v=dQw4w9WgXcQ",
      "https://www.youtube.com/?v=dQw4w9WgXcQ"
    ],
    "https://www.youtube.com/watch?v=Yh0AhrY9GjA": ["https://redirect.invidious.io/Yh0AhrY9GjA"],
    "https://www.tiktok.com/@_/video/123": ["https://www.tiktokv.com/share/video/123/"],
    "https://www.facebook.com/ads/library/?id=901230958115569": [
      "https://es-la.facebook.com/ads/library/?id=901230958115569",
      "https://m.facebook.com/ads/library/?active_status=all&id=901230958115569"
    ],
    "https://www.facebook.com/watch/?v=1001": [
      "https://fb.com/watch/?v=1001",
      "https://m.facebook.com/reel/1001"
    ],
    "https://www.twitch.tv/videos/55": [
      "https://player.twitch.tv/?t=5m10s&video=v55",
      "https://www.twitch.tv/some_one/schedule?vodID=55"
    ],
    "https://soundcloud.com/some-one/a-track/s-Ab1": [
      "https://soundcloud.com/some-one/a-track?secret_token=s-Ab1",
      "https://w.soundcloud.com/player/?url=https%3A%2F%2Fsoundcloud.com%2Fsome-one%2Fa-track%2Fs-Ab1"
    ],
    "https://www.dailymotion.com/video/x8abc": [
      "https://geo.dailymotion.com/player/x86gw.html?video=x8abc",
      "https://www.dailymotion.com/de/video/x8abc_a-title?playlist=x5"
    ],
    "https://www.bilibili.com/video/BV1aa411b7cd": [
      "https://m.bilibili.com/video/BV1aa411b7cd/?spm_id_from=333",
      "https://b23.tv/BV1aa411b7cd",
      "https://player.bilibili.com/player.html?bvid=BV1aa411b7cd",
      "https://www.bilibili.com/list/123?sid=1&oid=2&bvid=BV1aa411b7cd"
    ],
    "https://www.bilibili.com/video/BV1aa411b7cd?p=2": ["https://b23.tv/BV1aa411b7cd?x=1&p=2"],
    "https://www.nicovideo.jp/watch/sm123": [
      "https://sp.nicovideo.jp/watch/sm123?ref=x",
      "https://nico.ms/sm123",
      "https://embed.nicovideo.jp/watch/sm123"
    ],
    "https://vk.com/video-1_2": [
      "https://vkvideo.ru/video-1_2",
      "https://vk.com/videos-1?z=video-1_2%2Fabc",
      "https://m.vk.com/clip-1_2"
    ],
    "https://ok.ru/video/123": ["https://m.ok.ru/video/123", "https://ok.ru/videoembed/123"],
    "https://imgur.com/gallery/YcAQlkx": ["https://imgur.com/gallery/a-long-title-YcAQlkx"],
    "https://some-blog.tumblr.com/post/123456789": [
      "https://www.tumblr.com/some-blog/123456789/a-title",
      "https://www.tumblr.com/blog/view/some-blog/123456789",
      "https://at.tumblr.com/some-blog/123456789/n7x7pr7x4w2b",
      "https://t.umblr.com/redirect?z=https%3A%2F%2Fsome-blog.tumblr.com%2Fpost%2F123456789&t=x",
      "https://some-blog.tumblr.com/post/123456789/a-title"
    ],
    "https://www.pinterest.com/pin/123456/": [
      "https://jp.pinterest.com/pin/123456",
      "https://www.pinterest.co.uk/pin/a-title--123456/"
    ],
    "https://bsky.app/profile/some.one/post/3abc": ["https://fxbsky.app/profile/some.one/post/3abc?x=1"],
    "https://rumble.com/vabc1": ["https://www.rumble.com/vabc1-a-title.html?e9s=x"],
    "https://kick.com/some-one/clips/clip_01": ["https://kick.com/some-one?clip=clip_01"],
    "https://www.artstation.com/artwork/AbC": ["https://some-one.artstation.com/projects/AbC"],
    "https://www.deviantart.com/deviation/123": [
      "https://www.deviantart.com/some-one/art/A-title-123",
      "https://some-one.deviantart.com/art/A-title-123"
    ],
    "https://drive.google.com/file/d/0ByeS4oOUV-49Zzh4R1J6R09zazQ/view": [
      "https://drive.google.com/file/d/0ByeS4oOUV-49Zzh4R1J6R09zazQ/edit?pli=1",
      "https://drive.google.com/uc?export=download&id=0ByeS4oOUV-49Zzh4R1J6R09zazQ",
      "https://drive.usercontent.google.com/download?id=0ByeS4oOUV-49Zzh4R1J6R09zazQ"
    ],
    "https://archive.org/details/Cops1922": [
      "https://www.archive.org/embed/Cops1922",
      "http://archive.org/details/Cops1922?start=10"
    ],
    "https://rutube.ru/video/3eac3b4561676c17df9132a9a1e62e3e/": [
      "https://rutube.ru/play/embed/3eac3b4561676c17df9132a9a1e62e3e",
      "http://rutube.ru/video/3eac3b4561676c17df9132a9a1e62e3e/?pl_id=4252"
    ],
    "https://www.bitchute.com/video/UGlrF9o9b-Q/": ["https://old.bitchute.com/embed/UGlrF9o9b-Q"],
    "https://www.imdb.com/video/vi2524815897/": [
      "https://www.imdb.com/video/imdb/vi2524815897",
      "https://m.imdb.com/video/vi2524815897?playlistId=tt1"
    ],
    "https://v.youku.com/v_show/id_XMTc1ODE5Njcy.html": [
      "https://player.youku.com/embed/XMTc1ODE5Njcy",
      "https://v.youku.com/video?spm=a2h&vid=XMTc1ODE5Njcy",
      "http://v.youku.com/v_show/id_XMTc1ODE5Njcy==.html?spm=a2h"
    ],
    "https://podcasts.apple.com/us/podcast/id1135137367?i=1000482637777": [
      "https://podcasts.apple.com/podcast/207-a-title/id1135137367?i=1000482637777",
      "https://embed.podcasts.apple.com/us/podcast/207-a-title/id1135137367?l=en&i=1000482637777"
    ],
    "https://www.mixcloud.com/dholbach/cryptkeeper/": [
      "https://player-widget.mixcloud.com/widget/iframe/?hide_cover=1&feed=%2Fdholbach%2Fcryptkeeper%2F"
    ],
    "https://www.arte.tv/de/videos/100605-013-A/": [
      "https://www.arte.tv/embeds/de/100605-013-A?autoplay=1",
      "https://www.arte.tv/player/v5/index.php?json_url=https%3A%2F%2Fapi.arte.tv%2Fapi%2Fplayer%2Fv2%2Fconfig%2Fde%2F100605-013-A"
    ],
    "https://www.bbc.co.uk/programmes/p028bfkj": ["http://bbc.co.uk/programmes/p028bfkj/player"],
    "https://vimeo.com/123": [
      "https://player.vimeo.com/video/123?autoplay=1&title=0",
      "https://vimeo.com/channels/staffpicks/123"
    ],
    "https://vimeo.com/123/abcdef0123": [
      "https://player.vimeo.com/video/123?badge=0&h=abcdef0123",
      "https://vimeo.com/123?h=abcdef0123",
      "https://vimeo.com/123/abcdef0123?share=copy"
    ],
    "https://vimeo.com/event/123": [
      "https://vimeo.com/event/123/embed?muted=1",
      "https://vimeo.com/event/123/embed/interaction"
    ],
    "https://vimeo.com/event/123/abcdef0123": ["https://vimeo.com/event/123/embed/abcdef0123"],
    "https://odysee.com/@some-one:1/a-title:a": [
      "https://odysee.com/@some-one#1/a-title#a",
      "https://odysee.com/@some-one:1/a-title:a#feed",
      "https://odysee.com/%40some-one:1/a-title:a?src=embed",
      "https://open.lbry.com/@some-one:1/a-title:a"
    ],
    "https://odysee.com/a-title:a1b2": ["https://odysee.com/a-title#a1b2"],
    "https://x.com/i/status/12": [
      "https://twitter.com/i/bookmarks?post_id=12",
      "https://twitter.com/#!/some_one/status/12"
    ],
    "https://www.tiktok.com/@_/video/12": [
      "https://www.tiktok.com/%40some.one/video/12",
      "https://www.tiktok.com/en/@some.one/video/12"
    ],
    "https://www.reddit.com/comments/abc12/": [
      "https://embed.reddit.com/r/sieves/comments/abc12/a_sieve/?embed=true",
      "https://www.reddit.com/r/sieves/duplicates/abc12/a_sieve/",
      "https://www.reddit.com/tb/abc12"
    ],
    "https://vk.com/video-1_2?list=ln-aB3": [
      "https://vkvideo.ru/video-1_2?list=ln-aB3",
      "https://vk.com/feed?z=video-1_2%2Fln-aB3%2Fpl_-1_-2"
    ],
    "https://www.facebook.com/groups/1/posts/23/": [
      "https://www.facebook.com/groups/1/permalink/23/?mibextid=x",
      "https://m.facebook.com/groups/1/posts/d41d8cd9/23/?app=fbl"
    ],
    "https://kick.com/some-one/videos/58bac65b-e641-4476-a7ba-3707a35e60e3": [
      "https://www.kick.com/some-one/videos/58bac65b-e641-4476-a7ba-3707a35e60e3?t=5"
    ],
    "https://bandcamp.com/radio?show=224": [
      "https://bandcamp.com/?show=224",
      "https://bandcamp.com/radio/?from=x&show=224"
    ],
    "https://vk.com/video12_34": ["https://vk.com/video/&z=video12_34%2Fclub5%2Fpl_-5_-2"],
    "https://www.dropbox.com/scl/fi/abc/a.mp4?rlkey=def": [
      "https://www.dropbox.com/scl/fi/abc/a.mp4?dl=0&rlkey=def&st=x",
      "https://www.dropbox.com/e/scl/fi/abc/a.mp4?rlkey=def&e=1&dl=0"
    ],
    "https://www.dailymotion.com/video/x8": ["https://www.dailymotion.com/shorts/x8"],
    "https://www.newgrounds.com/portal/view/12": ["http://newgrounds.com/portal/view/12/format/flash"],
    "https://www.snapchat.com/spotlight/W7_a": ["https://www.snapchat.com/o/W7_a"],
    "https://www.pinterest.com/pin/12/": ["https://pinterest.com/amp/pin/12/"],
    "https://www.linkedin.com/posts/some-one_a-title-activity-7016901149999955968-Ab3d": [
      "https://de.linkedin.com/posts/some-one_a-title-activity-7016901149999955968-Ab3d/?rcm=x"
    ],
    "https://example.com/news/a-story/?page=2": [
      "https://www.google.com/amp/s/example.com/news/a-story/?page=2",
      "https://example-com.cdn.ampproject.org/c/s/example.com/news/a-story/?page=2"
    ],
    "https://www.bilibili.com/video/av170001": [
      "https://b23.tv/AV170001",
      "https://www.bilibili.com/video/AV170001/"
    ]
  };
  for (const [key, spellings] of Object.entries(works)) {
    for (const url of [key, ...spellings]) {
      it(`${url} is ${key}`, () => assert.strictEqual(outcome(url), key));
    }
  }
});

describe("different works keep different keys", () => {
  const pairs: ReadonlyArray<readonly [one: string, other: string]> = [
    ["https://x.com/a/status/12/video/1", "https://x.com/a/status/12/video/2"],
    ["https://www.youtube.com/watch?v=aaaaaaaaaaa&v=bbbbbbbbbbb", "https://youtu.be/bbbbbbbbbbb"],
    ["https://clips.twitch.tv/some_one/SlugOne", "https://clips.twitch.tv/some_one/SlugTwo"],
    ["https://vimeo.com/123?h=abcdef0123", "https://vimeo.com/123"],
    ["https://player.vimeo.com/video/123?h=abcdef0123", "https://player.vimeo.com/video/123"],
    ["https://vimeo.com/event/123/videos/4", "https://vimeo.com/event/123"],
    ["https://vk.com/video-1_2?list=ln-aB3", "https://vk.com/video-1_2"],
    ["https://vk.com/video-1_2?list=cca524a0f0d5557e16", "https://vk.com/video-1_2"],
    ["https://vk.com/video-1_2_abc3def", "https://vk.com/video-1_2"],
    [
      "https://www.facebook.com/groups/1/posts/d41d8cd9/2/",
      "https://www.facebook.com/groups/1/posts/d41d8cd9/3/"
    ],
    ["https://at.tumblr.com/one/123456789/a", "https://at.tumblr.com/other/123456789/a"],
    ["https://www.palcomp3.com/an-artist/a-song/#clipe", "https://www.palcomp3.com/an-artist/a-song/"],
    ["https://odysee.com/a-title#a1", "https://odysee.com/a-title#b2"],
    [
      "https://www.dropbox.com/scl/fi/abc/a.mp4?rlkey=d&dl=0",
      "https://www.dropbox.com/scl/fi/abc/a.mp4?rlkey=d&dl=1"
    ],
    ["https://soundcloud.com/a/b?secret_token=s-1", "https://soundcloud.com/a/b"],
    ["https://www.bilibili.com/video/BV1aa411b7cd?p=2", "https://www.bilibili.com/video/BV1aa411b7cd?p=3"],
    [
      "http://www.example.com/embed.html#uuid=84ae5571-ac25-4225-ae0c-ef8d9efb2aed/autoplay=false",
      "http://www.example.com/embed.html#uuid=f536aac0-1dc3-4314-920e-3bd1c5b3811a/autoplay=false"
    ],
    ["https://podcasts.apple.com/de/podcast/id1?i=2", "https://podcasts.apple.com/us/podcast/id1?i=2"],
    [
      "https://drive.google.com/file/d/0ByeS4oOUV-49Zzh4R1J6R09zazQ/view",
      "https://drive.google.com/file/d/0ByeS4oOUV-49Zzh4R1J6R09zazQ/view?resourcekey=0-abc"
    ],
    ["https://www.dropbox.com/s/abc/a.pdf?dl=0", "https://www.dropbox.com/s/abc/a.pdf?dl=1"],
    ["https://tv.example.com/tv/#first-channel-hd", "https://tv.example.com/tv/#another-channel"],
    ["https://my.example.com/video/top#video=/a/1", "https://my.example.com/video/top#video=/a/2"],
    ["https://example.com/news/top/?id=top1#250576622", "https://example.com/news/top/?id=top1#250576623"],
    ["https://club.example.com/video/#the-first-goal", "https://club.example.com/video/#the-second-goal"]
  ];
  for (const [one, other] of pairs) {
    it(`${one} is not ${other}`, () => assert.notStrictEqual(outcome(one), outcome(other)));
  }

  it("of two parameters with one name, the first counts", () => {
    assert.strictEqual(
      outcome("https://www.youtube.com/watch?v=aaaaaaaaaaa&v=bbbbbbbbbbb"),
      "https://www.youtube.com/watch?v=aaaaaaaaaaa"
    );
  });
});

describe("listings of more platforms are refused", () => {
  const listings: Readonly<Record<string, ReadonlyArray<string>>> = {
    channel: [
      "https://vimeo.com/some-name",
      "https://vimeo.com/some-name/videos",
      "https://space.bilibili.com/123/video",
      "https://ch.nicovideo.jp/some-channel/video",
      "https://vk.com/video/@someone",
      "https://some-artist.bandcamp.com/music",
      "https://www.mixcloud.com/someone/listens/",
      "https://rumble.com/c/someone",
      "https://odysee.com/@someone:1",
      "https://odysee.com/@someone#1",
      "https://dzen.ru/some_one",
      "https://www.patreon.com/m/5932659",
      "https://spankbang.com/ug0k/channel/a-studio/",
      "https://weibo.com/u/123",
      "https://bsky.app/profile/some.one/media",
      "https://some-blog.tumblr.com/archive",
      "https://www.flickr.com/photos/someone/",
      "https://nebula.tv/some-channel",
      "https://likee.video/@someone",
      "https://www.redgifs.com/users/someone"
    ],
    playlist: [
      "https://www.bilibili.com/bangumi/play/ss123",
      "https://www.nicovideo.jp/mylist/123",
      "https://some-artist.bandcamp.com/album/a-record",
      "https://www.bbc.co.uk/iplayer/episodes/b0000001",
      "https://www.ardmediathek.de/sendung/a-series/Y3JpZDovL2Rhc2Vyc3RlLmRl",
      "https://www.zdf.de/magazine/heute-journal-104?staffel=2025",
      "https://www.arte.tv/de/videos/RC-012345/a-series/",
      "https://www.pinterest.com/someone/a-board/",
      "https://www.linkedin.com/learning/programming-foundations-fundamentals",
      "https://drive.google.com/drive/folders/1dQ4sx0-__Nvg65rxTSgQrl7VyW_FZ9QI",
      "https://www.imdb.com/list/ls009921623/",
      "https://list.youku.com/show/id_zc7c670be07ff11e48b3f.html",
      "https://www.newgrounds.com/collection/cats",
      "https://www.artstation.com/contests/beyond-human/challenges/23?sorting=popular",
      "https://spankbang.com/ug0k/playlist/a-list"
    ],
    search: [
      "https://www.artstation.com/artwork?sorting=latest",
      "https://www.nicovideo.jp/tag/music",
      "https://bsky.app/hashtag/nature",
      "https://s.weibo.com/weibo?q=a",
      "https://imgur.com/t/cats"
    ]
  };
  for (const [reason, urls] of Object.entries(listings)) {
    for (const url of urls) {
      it(`${url} is a ${reason}`, () => assert.strictEqual(outcome(url), `refused: ${reason}`));
    }
  }
});

describe("single works are accepted", () => {
  const urls = [
    "https://vimeo.com/user123/review/456/3c257a1b5d",
    "https://vimeo.com/user123/a-named-video",
    "https://vimeo.com/blog",
    "https://www.reddit.com/u/someone/s/AbCdEf1234",
    "https://www.bbc.co.uk/iplayer/playlist/p01dvks4",
    "https://www.facebook.com/ads/library/?id=123456",
    "https://kick.com/someone",
    "https://www.artstation.com/contests/beyond-human/challenges/23/submissions/51",
    "https://dzen.ru/a/ZvP2hN0TQWxLXXcT",
    "https://spankbang.com/2v7ik-7ecbgu/playlist/a-list",
    "https://daily.bandcamp.com/features/a-story",
    "https://www.zdf.de/dokus/a-film-movie-100"
  ];
  for (const url of urls) it(`${url} is accepted`, () => assert.notMatch(outcome(url), /^refused/u));
});
