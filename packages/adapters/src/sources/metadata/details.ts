/** Details for `metadata.json` beyond the facts: from downloaders for platforms, otherwise from the page. Pure. */
import type { SourceFacts } from "@winnow/core/domain/source/SourceFacts";
import type { SourceDetails } from "@winnow/core/domain/source/SourceMetadata";
import type { WrittenDate } from "@winnow/core/domain/source/StructuredData";
import { mapPresent } from "@winnow/core/domain/text/Json";
import { parseLanguageTag } from "@winnow/core/domain/text/LanguageTag";
import { momentOf } from "@winnow/core/domain/text/WrittenDays";
import { countOf } from "@winnow/core/domain/text/WrittenNumbers";
import type { PageMetadata } from "@winnow/pages/facts/PageReading";
import { idOf, type Info, isGeneric, lineOf } from "../yt-dlp/InfoDict.ts";

/** Maximum keywords of a video, and maximum characters of one. */
const TAGS_MAX = 100;
const TAG_CHARS_MAX = 100;

/** Official spellings of platform names; others use the name of the extractor. */
const SITE_NAMES: Readonly<Record<string, string>> = {
  bluesky: "Bluesky",
  dailymotion: "Dailymotion",
  facebook: "Facebook",
  instagram: "Instagram",
  pinterest: "Pinterest",
  reddit: "Reddit",
  soundcloud: "SoundCloud",
  threads: "Threads",
  tiktok: "TikTok",
  tumblr: "Tumblr",
  twitch: "Twitch",
  twitter: "X",
  vimeo: "Vimeo",
  youtube: "YouTube"
};

const tagsOf = (raw: unknown): ReadonlyArray<string> => {
  const tags = (Array.isArray(raw) ? raw : []).flatMap((tag) => lineOf(tag) ?? []);
  return [...new Set(tags.filter((tag) => tag.length <= TAG_CHARS_MAX))].slice(0, TAGS_MAX);
};

const addressOf = (value: unknown): string | null => {
  const url = typeof value === "string" ? URL.parse(value) : null;
  return url !== null && /^https?:$/u.test(url.protocol) ? url.href : null;
};

const DAY_SECONDS = 86_400;

/** In the year 2242: later ones are no Unix seconds, but milliseconds. */
const UNIX_SECONDS_MAX = 2 ** 33;

/** Unix seconds; for a date without a time, extractors return midnight UTC. */
const whenOf = (timestamp: unknown, day: unknown): WrittenDate | null => {
  const seconds =
    typeof timestamp === "number" && Number.isInteger(timestamp) && timestamp > 0 ? timestamp : null;
  if (seconds !== null && seconds % DAY_SECONDS !== 0 && seconds < UNIX_SECONDS_MAX)
    return { value: new Date(seconds * 1_000).toISOString().replace(".000Z", "Z"), precision: "second" };
  const value = typeof day === "string" ? (momentOf(day)?.day ?? null) : null;
  return value === null ? null : { value, precision: "day" };
};

const platformOf = ({ extractor, raw }: Info): string =>
  (lineOf(raw["extractor"]) ?? extractor).split(":", 1)[0]?.toLowerCase() ?? extractor;

/** Details of a work whose extractor knows its platform. */
export const platformDetails = (info: Info): SourceDetails => {
  if (isGeneric(info)) return {};
  const { raw } = info;
  const platform = platformOf(info);
  const url = addressOf(raw["uploader_url"]) ?? addressOf(raw["channel_url"]);
  const authorId = idOf(raw["uploader_id"]) ?? idOf(raw["channel_id"]);
  const isNamed = info.uploader !== null || authorId !== null || url !== null;
  const tags = tagsOf(raw["tags"]);
  const values = {
    id: idOf(raw["id"]),
    siteName: SITE_NAMES[platform] ?? info.extractor,
    author: isNamed ? { name: info.uploader, id: authorId, url } : null,
    shareCount: countOf(raw["repost_count"]),
    language: parseLanguageTag(info.language ?? ""),
    publishedAt: whenOf(raw["timestamp"], info.uploadDate),
    modifiedAt: whenOf(raw["modified_timestamp"], raw["modified_date"])
  };
  const { shareCount, ...named } = values;
  const stats = {
    "stats.views": info.viewCount,
    "stats.likes": info.likeCount,
    "stats.comments": info.commentCount,
    "stats.shares": shareCount
  };
  const { description, title, webpageUrl } = info;
  const fields = { title, description, canonicalUrl: webpageUrl, ...named, ...stats };
  // The first item stands for a list: an empty one has no origin.
  return {
    platform,
    ...values,
    tags,
    origins: mapPresent({ ...fields, tags: tags[0], chapters: info.chapters[0] }, () => "platform" as const)
  };
};

/**
 * Details of a video: from the extractor of its platform, otherwise from its page. A bare media file has none.
 */
export const videoDetails = (info: Info, page: PageMetadata | null, facts: SourceFacts): SourceDetails => {
  if (!isGeneric(info)) return platformDetails(info);
  const { description, title, uploader } = facts;
  const nameOnly = uploader === null ? null : { name: uploader, id: null, url: null };
  if (page === null) {
    return {
      author: nameOnly,
      origins: mapPresent({ title, description, author: nameOnly }, () => "platform" as const)
    };
  }
  const author = page.uploader === uploader ? (page.details.author ?? null) : nameOnly;
  return {
    ...page.details,
    author,
    // The extractor may know a field that our page reader did not read.
    origins: { ...mapPresent({ title, description, author }, () => "page" as const), ...page.details.origins }
  };
};

/** Details of a post that gallery-dl read. */
export const postDetails = (post: {
  readonly platform: string | null;
  readonly id: string | null;
  readonly author: string | null;
  readonly authorId: string | null;
  readonly tags: unknown;
}): SourceDetails => {
  const { author, authorId, id, platform } = post;
  if (platform === null) return {};
  const tags = tagsOf(post.tags);
  const values = {
    id,
    siteName: SITE_NAMES[platform] ?? platform,
    author: author === null ? null : { name: author, id: authorId, url: null }
  };
  return {
    platform,
    ...values,
    tags,
    origins: mapPresent({ ...values, tags: tags[0] }, () => "platform" as const)
  };
};
