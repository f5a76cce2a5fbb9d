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
    "https://www.bilibili.com/video/BV1aa411b7cd": [
      "https://m.bilibili.com/video/BV1aa411b7cd/?spm_id_from=333",
      "https://b23.tv/BV1aa411b7cd",
      "https://player.bilibili.com/player.html?bvid=BV1aa411b7cd",
      "https://www.bilibili.com/list/123?sid=1&oid=2&bvid=BV1aa411b7cd"
    ],
    "https://www.bilibili.com/video/BV1aa411b7cd?p=2": ["https://b23.tv/BV1aa411b7cd?x=1&p=2"],
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
    "https://www.facebook.com/groups/1/posts/23/": [
      "https://www.facebook.com/groups/1/permalink/23/?mibextid=x",
      "https://m.facebook.com/groups/1/posts/d41d8cd9/23/?app=fbl"
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
    [
      "https://www.facebook.com/groups/1/posts/d41d8cd9/2/",
      "https://www.facebook.com/groups/1/posts/d41d8cd9/3/"
    ],
    ["https://www.palcomp3.com/an-artist/a-song/#clipe", "https://www.palcomp3.com/an-artist/a-song/"],
    ["https://soundcloud.com/a/b?secret_token=s-1", "https://soundcloud.com/a/b"],
    ["https://www.bilibili.com/video/BV1aa411b7cd?p=2", "https://www.bilibili.com/video/BV1aa411b7cd?p=3"],
    [
      "http://www.example.com/embed.html#uuid=84ae5571-ac25-4225-ae0c-ef8d9efb2aed/autoplay=false",
      "http://www.example.com/embed.html#uuid=f536aac0-1dc3-4314-920e-3bd1c5b3811a/autoplay=false"
    ],
    [
      "https://drive.google.com/file/d/0ByeS4oOUV-49Zzh4R1J6R09zazQ/view",
      "https://drive.google.com/file/d/0ByeS4oOUV-49Zzh4R1J6R09zazQ/view?resourcekey=0-abc"
    ],
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

describe("more listings are refused", () => {
  const listings: Readonly<Record<string, ReadonlyArray<string>>> = {
    channel: [
      "https://vimeo.com/some-name",
      "https://vimeo.com/some-name/videos",
      "https://space.bilibili.com/123/video"
    ],
    playlist: ["https://www.bilibili.com/bangumi/play/ss123"]
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
    "https://www.facebook.com/ads/library/?id=123456"
  ];
  for (const url of urls) it(`${url} is accepted`, () => assert.notMatch(outcome(url), /^refused/u));
});
