import { assert, describe, it } from "@effect/vitest";
import { isListing, isPost, withCountsOf } from "../../src/sources/inspect/postMedia.ts";
import type { PageMetadata } from "@winnow/pages/facts/PageReading";
import type { Info } from "../../src/sources/yt-dlp/InfoDict.ts";

const by = (extractor: string): Info => ({ extractor }) as Info;

describe("A list returned by an extractor", () => {
  it("consists of separate works if the extractor is for profiles and listings", () => {
    for (const name of [
      "YoutubeTab",
      "TwitchVideos",
      "BilibiliSpaceVideoUser",
      "AudiusProfile",
      "EggsArtist",
      "KuwoSinger",

      "BilibiliFavoritesList",
      "ImdbList",
      "LinkedInLearningCourse",
      "RadioFrancePodcast",
      "NRKTVEpisodes",

      "ThisVidMember",
      "PatreonCampaign",
      "QQMusicToplist",
      "AsobiChannelTagURL",
      "GronkhVods",
      "RutubeTags",

      "YandexMusicArtistTracks",
      "SoundcloudTrackStation",
      "MediasiteCatalog",
      "DropoutSeason",
      "ZingMp3Hub"
    ]) {
      assert.isTrue(isListing(by(name)), name);
    }
  });

  it("may be of one page elsewhere", () => {
    const posts = [
      "Twitter",
      "Instagram",
      "InstagramStory",
      "VKWallPost",
      "Patreon",
      "Reddit",
      "TelegramEmbed"
    ];
    for (const name of [...posts, "BBC", "NFLArticle", "TapTapMoment", "BiliBili", "WashingtonPostArticle"]) {
      assert.isFalse(isListing(by(name)), name);
    }
    for (const name of posts) assert.isTrue(isPost(by(name)), name);
  });
});

it("a player's video has what it tells itself, and the rest from the page of its work", () => {
  const none = { description: null, uploadDate: null, viewCount: null, likeCount: null, commentCount: null };
  const page = {
    description: "Of the page",
    uploadDate: "20260102",
    viewCount: 9,
    likeCount: 8,
    commentCount: 7
  };
  assert.deepInclude(withCountsOf(none as Info, page as PageMetadata), page);
  const own = { description: "Its own", uploadDate: "20250102", viewCount: 0, likeCount: 0, commentCount: 0 };
  assert.deepInclude(withCountsOf(own as Info, page as PageMetadata), own);
});
