/** The facts of an inspection: of the extractor, gaps filled from the page. Pure. Tests: outcomes/pages.test.ts, videos.test.ts. */
import type { CaptionLanguage, SourceFacts } from "@winnow/core/domain/source/SourceFacts";
import { momentOf } from "@winnow/core/domain/text/WrittenDays";
import type { PageMetadata } from "@winnow/pages/facts/PageReading";
import { type Info, isGeneric, lineOf, mayHaveComments, textOf } from "../yt-dlp/InfoDict.ts";

/** Maximum length of a title, in characters. */
const TITLE_MAX_CHARS = 1_000;

/** YYYYMMDD; null if the text is no date. */
export const uploadDate = (text: unknown): string | null =>
  typeof text === "string" ? (momentOf(text)?.day?.replaceAll("-", "") ?? null) : null;

const title = (text: string | null): string | null => lineOf(text)?.slice(0, TITLE_MAX_CHARS) ?? null;

/** Serialised as a URL, which encodes all invisible characters; null if it is not one. */
const address = (url: string | null): string | null => (url === null ? null : (URL.parse(url)?.href ?? null));

/** The generic extractor numbers its results: "A talk (1)". */
const unnumbered = (text: string | null): string | null => text?.replace(/ \(1\)$/u, "") ?? null;

/**
 * For a page with a video, the extractor's title comes from the page's data or player, or is the page's own title.
 * Our page reader reads the latter better, because it removes the site's name.
 */
const titleOf = (info: Info, page: PageMetadata | null): string | null => {
  if (!isGeneric(info)) return title(info.title);
  const extracted = title(unnumbered(info.title));
  const read = title(page?.title ?? null);
  return read !== null && (extracted === null || extracted.startsWith(read)) ? read : extracted;
};

/** Without an uploader, the generic extractor uses the host. */
const uploaderOf = (info: Info): string | null => {
  const page = isGeneric(info) && info.webpageUrl !== null ? URL.parse(info.webpageUrl) : null;
  return page !== null && (info.uploader === page.host || info.uploader === page.hostname)
    ? null
    : info.uploader;
};

/** What was measured or read besides the inspection. */
export interface Measured {
  readonly durationSeconds: number | null;
  readonly hasSubtitles: boolean;
  readonly captionLanguages?: ReadonlyArray<CaptionLanguage>;
}

export const videoFacts = (
  url: string,
  info: Info,
  page: PageMetadata | null,
  measured: Measured
): SourceFacts => {
  const generic = isGeneric(info);
  const { captionLanguages = [] } = measured;
  const filler = generic ? page : null;
  return {
    kind: "video",
    webpageUrl: address(info.webpageUrl) ?? filler?.canonicalUrl ?? url,
    title: titleOf(info, filler),
    uploader: uploaderOf(info) ?? lineOf(filler?.uploader),
    description: info.description ?? textOf(filler?.description),
    thumbnailUrl: address(info.thumbnail) ?? filler?.thumbnail ?? null,
    durationSeconds: info.durationSeconds ?? filler?.durationSeconds ?? measured.durationSeconds,
    viewCount: info.viewCount ?? filler?.viewCount ?? null,
    likeCount: info.likeCount ?? filler?.likeCount ?? null,
    commentCount: info.commentCount ?? filler?.commentCount ?? null,
    // Generic extractors convert the page's date to UTC, which may be a different day.
    uploadDate: uploadDate(filler?.uploadDate ?? null) ?? uploadDate(info.uploadDate),
    hasSubtitles: measured.hasSubtitles,
    ...(captionLanguages.length === 0 ? {} : { captionLanguages }),
    ...(info.chapters.length === 0 ? {} : { chapters: info.chapters }),
    // The page's own count is useless: comments can only be read by extractors that know the platform.
    hasComments: mayHaveComments(info),
    imageCount: 0
  };
};

export const photoFacts = (
  url: string,
  post: Pick<SourceFacts, "title" | "uploader" | "description" | "uploadDate" | "likeCount" | "viewCount"> & {
    readonly commentCount: number | null;
    readonly hasComments: boolean;
    readonly images: ReadonlyArray<string>;
    readonly webpageUrl: string | null;
  }
): SourceFacts => ({
  kind: "photos",
  webpageUrl: address(post.webpageUrl) ?? url,
  title: title(post.title),
  uploader: lineOf(post.uploader),
  description: textOf(post.description),
  thumbnailUrl: address(post.images[0] ?? null),
  durationSeconds: null,
  viewCount: post.viewCount,
  likeCount: post.likeCount,
  commentCount: post.commentCount,
  uploadDate: uploadDate(post.uploadDate),
  hasSubtitles: false,
  hasComments: post.hasComments,
  imageCount: post.images.length
});

export const webpageFacts = (url: string, page: PageMetadata): SourceFacts => ({
  kind: "webpage",
  webpageUrl: page.canonicalUrl ?? url,
  title: title(page.title),
  uploader: lineOf(page.uploader),
  description: textOf(page.description),
  thumbnailUrl: page.thumbnail,
  durationSeconds: null,
  viewCount: page.viewCount,
  likeCount: page.likeCount,
  commentCount: page.commentCount,
  uploadDate: uploadDate(page.uploadDate),
  hasSubtitles: false,
  hasComments: false,
  imageCount: 0
});
