/** What an inspection tells of sources on the replicas: facts, or the reason why there are none. */
import type { FailureReason } from "@winnow/core/domain/source/Failed";
import type { SourceFacts } from "@winnow/core/domain/source/SourceFacts";
import { bilibiliSituations } from "./bilibili.ts";
import { instagramSituations } from "./instagram.ts";
import { redditSituations } from "./reddit.ts";
import type { Situations } from "./Replica.ts";
import { soundcloudSituations } from "./soundcloud.ts";
import { tiktokSituations } from "./tiktok.ts";
import { vimeoSituations } from "./vimeo.ts";
import { xSituations } from "./x.ts";
import { videoId, youtubeSituations } from "./youtube.ts";

/** Eight platforms in eight situations. */
export const SITUATIONS_OF: Readonly<Record<string, Situations>> = {
  YouTube: youtubeSituations,
  TikTok: tiktokSituations,
  Instagram: instagramSituations,
  X: xSituations,
  Reddit: redditSituations,
  Vimeo: vimeoSituations,
  SoundCloud: soundcloudSituations,
  Bilibili: bilibiliSituations
};

type Told = Partial<SourceFacts> | FailureReason;

const by = (origin: "people" | "automatic", ...languages: ReadonlyArray<string>) =>
  languages.map((language) => ({ language, origin }));

export const reddit = (id: string): string => `https://www.reddit.com/r/sieves/comments/${id}/a_sieve/`;
export const vimeo = (path: string): string => `https://${path.includes("/") ? path : `vimeo.com/${path}`}`;
export const youtube = (name: string): string => `https://www.youtube.com/watch?v=${videoId(name)}`;
export const instagram = (name: string): string => `https://www.instagram.com/p/${name}/`;
export const facebook = (id: string): string => `https://www.facebook.com/watch/?v=${id}`;
export const bilibili = (letter: string): string => `https://www.bilibili.com/video/BV1GJ411x7h${letter}`;

const SIEVES = { kind: "video", title: "How sieves are made" } as const;

/** Rows of what it is, its URL, and what is told of it; all facts are in the values, but not all are compared. */
export const PLATFORM_FACTS: Readonly<
  Record<string, ReadonlyArray<readonly [what: string, url: string, told: Told]>>
> = {
  X: [
    [
      "a post of one video is that video",
      "https://x.com/ada/status/100",
      {
        kind: "video",
        title: "Ada Fixture - One video",
        uploader: "Ada Fixture",
        durationSeconds: 10,
        likeCount: 7
      }
    ],
    [
      "a post of two videos has its own URL",
      "https://x.com/ada/status/101",
      { kind: "video", durationSeconds: 10, webpageUrl: "https://x.com/i/status/101" }
    ],
    ["a post of photos is a photo post", "https://x.com/ada/status/102", { kind: "photos", imageCount: 3 }]
  ],
  Bluesky: [
    [
      "a video has its counts",
      "https://bsky.app/profile/ada.bsky.social/post/aaa",
      { kind: "video", uploader: "Ada Fixture", likeCount: 5 }
    ],
    [
      "a photo post has its text",
      "https://bsky.app/profile/ada.bsky.social/post/bbb",
      { kind: "photos", imageCount: 2, description: "Two photos" }
    ],
    // yt-dlp reports only status 400.
    ["a deleted post is not there", "https://bsky.app/profile/ada.bsky.social/post/zzz", "not_extractable"],
    [
      "several posts for gallery-dl are none, although their page could be read as an article",
      "https://bsky.app/profile/ada.bsky.social",
      "not_extractable"
    ],
    [
      "nor is a listing in which gallery-dl finds nothing",
      "https://bsky.app/profile/empty.bsky.social",
      "not_extractable"
    ]
  ],
  Bandcamp: [["several works for yt-dlp are none", "https://sieves.bandcamp.com/music", "not_extractable"]],
  TikTok: [
    [
      "a video has its counts",
      "https://www.tiktok.com/@ada/video/7000000000000000001",
      { kind: "video", durationSeconds: 10, likeCount: 5, viewCount: 99 }
    ]
  ],
  Reddit: [
    [
      "a video has its captions",
      reddit("video"),
      {
        kind: "video",
        title: "One video",
        uploader: "ada",
        durationSeconds: 10,
        likeCount: 5,
        commentCount: 2,
        captionLanguages: by("people", "en")
      }
    ],
    ["a video may be shown by another post", reddit("crosspost"), { kind: "video", durationSeconds: 10 }],
    ["a video may be for adults", reddit("adults"), { kind: "video", durationSeconds: 10 }],
    ["a text with two videos is a video", reddit("videos"), { kind: "video", description: "Twice" }],
    [
      "one picture is a photo post",
      reddit("picture"),
      { kind: "photos", title: "One picture", imageCount: 1, likeCount: 5 }
    ],
    [
      "a gallery begins with the first picture of its author",
      reddit("gallery"),
      {
        kind: "photos",
        imageCount: 2,
        uploader: "ada",
        thumbnailUrl: "https://i.redd.it/p2.jpg"
      }
    ],
    ["a text-only post is read from its page", reddit("words"), { kind: "webpage", title: "Words alone" }],
    [
      "a link to a video elsewhere has the title that it has here",
      reddit("link"),
      { kind: "video", title: "Seen on YouTube", uploader: "ada", viewCount: 99 }
    ],
    ["a post may be gone", reddit("gone"), "removed"],
    ["a video may not be ready", reddit("fresh"), "live"],
    ["the page of a poll shows nothing", reddit("poll"), "not_extractable"]
  ],
  Vimeo: [
    [
      "a video has captions, chapters and the details that its player lacks",
      vimeo("1001"),
      {
        ...SIEVES,
        uploader: "Ada Fixture",
        durationSeconds: 10,
        uploadDate: "20250304",
        viewCount: 99,
        likeCount: 5,
        commentCount: 2,
        captionLanguages: by("people", "en", "de"),
        chapters: [
          { title: "Frame", startSeconds: 0 },
          { title: "Mesh", startSeconds: 4 }
        ]
      }
    ],
    [
      "a page that requires an account has its video in the player, under the page's URL",
      vimeo("1006"),
      { ...SIEVES, webpageUrl: vimeo("1006") }
    ],
    ["a video without a page is in the player", vimeo("1007"), { ...SIEVES, hasSubtitles: true }],
    [
      "the player has the same video",
      vimeo("player.vimeo.com/video/1001"),
      { ...SIEVES, hasSubtitles: true }
    ],
    [
      "an unlisted video is there for those who know its hash",
      vimeo("vimeo.com/1002/abcdef1234"),
      { kind: "video", webpageUrl: vimeo("vimeo.com/1002/abcdef1234") }
    ],
    ["a live stream is not over", vimeo("1004"), "live"],
    ["a broadcast has not begun", vimeo("1005"), "live"],
    ["a player may be for other sites only", vimeo("player.vimeo.com/video/2005"), "private"]
  ],
  YouTube: [
    [
      "a video has captions, chapters and counts",
      youtube("talk"),
      {
        ...SIEVES,
        uploader: "Ada Fixture",
        uploadDate: "20250304",
        durationSeconds: 10,
        viewCount: 99,
        commentCount: 2,
        hasComments: true,
        captionLanguages: [...by("people", "en", "de"), ...by("automatic", "en")],
        chapters: [
          { title: "Frame", startSeconds: 0 },
          { title: "Mesh", startSeconds: 4 },
          { title: "Rim", startSeconds: 8 }
        ]
      }
    ],
    [
      "a short film has the same key as its watch page",
      `https://www.youtube.com/shorts/${videoId("talk")}?feature=share`,
      { kind: "video", webpageUrl: youtube("talk") }
    ],
    [
      "captions that a machine wrote have no translations among them",
      youtube("automatic"),
      { captionLanguages: by("automatic", "en") }
    ],
    ["a video may have no captions", youtube("silent"), { kind: "video", hasSubtitles: false }],
    ["refused captions are not reported as none", youtube("capless"), { kind: "video", hasSubtitles: true }],
    ["an hour is an hour", youtube("long"), { durationSeconds: 3_661 }],
    ["an account may be closed", youtube("closed"), "removed"],
    ["a video may not be there any more", youtube("gone"), "removed"],
    ["a video may have to be bought", youtube("paid"), "login_required"],
    ["a premiere has not begun", youtube("premiere"), "live"],
    ["a broadcast is to come", youtube("upcoming"), "live"],
    ["a broadcast is under way", youtube("live"), "live"]
  ],
  Instagram: [
    [
      "a reel is a video",
      "https://www.instagram.com/reel/reelAAAAAAA/?igsh=x",
      { kind: "video", description: "How sieves are made", durationSeconds: 10, likeCount: 5 }
    ],
    ["a post may have photos only", instagram("photosAAAAA"), { kind: "photos", imageCount: 2 }],
    ["a wall blocks programs", instagram("wallAAAAAAA"), "bot_blocked"]
  ],
  Facebook: [
    [
      "a video has captions",
      "https://m.facebook.com/ada/videos/1001/",
      { ...SIEVES, durationSeconds: 10, hasSubtitles: true }
    ],
    ["a video may be behind its log-in", facebook("2001"), "login_required"],
    ["a video may be removed", facebook("2002"), "removed"],
    ["a video may be for an audience", facebook("2003"), "private"],
    ["a video may not be there", facebook("2004"), "removed"],
    ["a video may be asked for too often", facebook("2005"), "rate_limited"]
  ],
  Bilibili: [
    [
      "a video has its captions",
      bilibili("a"),
      {
        kind: "video",
        uploader: "Ada Fixture",
        durationSeconds: 10,
        captionLanguages: by("people", "en")
      }
    ],
    ["captions refused once are there", bilibili("b"), { kind: "video", hasSubtitles: true }],
    ...["c", "d", "e"].map(
      (letter) =>
        [`a video is there whose captions are refused (${letter})`, bilibili(letter), SIEVES] as const
    ),
    ["captions that are not there are none", bilibili("h"), { kind: "video", hasSubtitles: false }]
  ]
};

/** All of them. */
export const VISITED: ReadonlyArray<string> = [
  ...Object.values(PLATFORM_FACTS).flatMap((rows) => rows.map(([, url]) => url)),
  ...Object.values(SITUATIONS_OF).flatMap((situations) =>
    Object.values(situations).filter((url) => url !== null)
  )
];
