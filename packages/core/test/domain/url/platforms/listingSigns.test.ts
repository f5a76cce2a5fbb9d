import { assert, describe, it } from "@effect/vitest";
import { readSourceUrl } from "../../../../src/domain/url/ReadSourceUrl.ts";

const said = (url: string): string => {
  const reading = readSourceUrl(url);
  return reading.ok ? "taken" : reading.reason;
};

describe("A site without a table", () => {
  for (const [url, kind] of [
    ["https://clips.example/playlist/8bLk", "playlist"],
    ["https://example.org/playlists/a-name?page=2&sort=new", "playlist"],
    ["https://example.org/en/channel/some-name/videos", "channel"],
    ["https://tube.example.org/u/some-name/videos/page/3", "channel"],
    ["https://radio.example/artist/617526/tracks", "channel"],
    ["https://music.example/album/96/a-title", "playlist"],
    ["https://tv.example/series/2311/a-title/season-1", "playlist"],
    ["https://tv.example/series/a-title/season/2", "playlist"],
    ["https://video.example/tags/cats", "search"],
    ["https://video.example/search?q=cats&page=2", "search"],
    ["https://example.org/@some-name/videos/#top", "channel"]
  ] as const) {
    it(`says ${kind} at ${new URL(url).pathname}`, () => assert.strictEqual(said(url), kind));
  }

  it("is inspected if its URL may name one work", () => {
    for (const url of [
      "https://tv.example/episode/4192c0e6/playlist/PL551127435",
      "https://tv.example/channel/some-name?b=ssihlw5gvfij2by8",
      "https://tv.example/series/a-title/episodes/1",
      "https://tv.example/series/a-title/an-episode",
      "https://tv.example/series/a-title#video-3688",
      "https://tv.example/channel/231638/live",
      "https://video.example/user/name/videos/123",
      "https://video.example/watch/playlist/12",
      "https://video.example/playlist/film.mp4",
      "https://video.example/shows/2049165",
      "https://pictures.example.tube/albums/40771/a-title/",
      "https://example.org/@some-name/109501927319",
      "https://example.org/playlist",
      "https://example.org/channel/"
    ]) {
      assert.strictEqual(said(url), "taken", url);
    }
  });

  it("that is a shop, a forum, a manual or a magazine is not a listing", () => {
    for (const url of [
      "https://shop.example/collections/mens-socks",
      "https://forum.example/topic/188682-a-new-case",
      "https://docs.example/en/latest/user/advanced/",
      "https://example.edu/programs/data-science",
      "https://example.com/people/jane-doe",
      "https://example.com/@jane-doe",
      "https://example.com/tag/economy",
      "https://example.com/series/an-investigation",
      "https://example.com/category/science",
      "https://example.com/search?q=cats"
    ]) {
      assert.strictEqual(said(url), "taken", url);
    }
  });
});
