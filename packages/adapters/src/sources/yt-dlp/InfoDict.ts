/**
 * Parses yt-dlp's info dictionary leniently: there are many extractors, and a field of the wrong type is treated as
 * missing. The raw object is kept for the download. Tests: sources.test.ts, strangers.test.ts, outcomes/videos.test.ts.
 */
import type { Chapter } from "@winnow/core/domain/source/SourceFacts";
import { isJsonObject } from "@winnow/core/domain/text/Json";
import type { OutputRecord } from "@winnow/isolation/process/ProgramOutput";
import { cleanLine, cleanText } from "@winnow/core/domain/text/CleanText";

/** By name; values have one line each. */
export type FormatHeaders = Readonly<Record<string, string>>;

export interface Format {
  readonly url: string;
  /** What servers of the source expect with a request. */
  readonly headers: FormatHeaders;
  /** `http`, `https`, `m3u8_native`, `http_dash_segments`, ... */
  readonly protocol: string;
  readonly ext: string | null;
  /** `none`: no such track; null: unknown. */
  readonly videoCodec: string | null;
  readonly audioCodec: string | null;
  readonly height: number | null;
  readonly sizeBytes: number | null;
  readonly manifestUrl: string | null;
  readonly raw: OutputRecord;
}

/** One file of a subtitle language; `data` if the text was included. */
export interface SubtitleSource {
  readonly ext: string | null;
  readonly url: string | null;
  readonly data: string | null;
  /** Listed by the manifest of a stream. */
  readonly isOfStream: boolean;
  /** As the source labels it. */
  readonly name: string | null;
}

export type SubtitlesByLanguage = ReadonlyMap<string, ReadonlyArray<SubtitleSource>>;

export interface Info {
  /** `video`, `playlist`, `multi_video`, `url` or `url_transparent`. */
  readonly type: string;
  readonly extractor: string;
  readonly url: string | null;
  readonly webpageUrl: string | null;
  readonly title: string | null;
  readonly uploader: string | null;
  readonly description: string | null;
  readonly thumbnail: string | null;
  readonly durationSeconds: number | null;
  readonly viewCount: number | null;
  readonly likeCount: number | null;
  readonly commentCount: number | null;
  /** Whether the extractor can read comments; true if unknown (the command). */
  readonly readsComments: boolean;
  readonly uploadDate: string | null;
  readonly liveStatus: string | null;
  readonly language: string | null;
  /** The URL is the media itself, not a page about it. */
  readonly direct: boolean;
  readonly ext: string | null;
  /** Worst first, in the requested order; the dictionary itself if that is its only format. */
  readonly formats: ReadonlyArray<Format>;
  readonly subtitles: SubtitlesByLanguage;
  readonly automaticCaptions: SubtitlesByLanguage;
  readonly chapters: ReadonlyArray<Chapter>;
  readonly entries: ReadonlyArray<Info>;
  readonly raw: OutputRecord;
}

/** Maximum characters kept of a text field; descriptions of 5,000 are common, of 100,000 unheard of. */
const TEXT_MAX_CHARS = 100_000;

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : []);

/** Cleaned; null if it is not text or nothing is left. */
export const textOf = (value: unknown): string | null => {
  if (typeof value !== "string") return null;
  const text = cleanText(value.slice(0, TEXT_MAX_CHARS)).trim();
  return text === "" ? null : text;
};

/** The same on one line: a title with line breaks could imitate other fields. */
export const lineOf = (value: unknown): string | null =>
  typeof value === "string" ? cleanLine(value.slice(0, TEXT_MAX_CHARS)) : null;

const amount = (value: unknown): number | null =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : null;

/** A number or text; null without one. */
export const idOf = (value: unknown): string | null =>
  typeof value === "string" || typeof value === "number" ? lineOf(String(value)) : null;

const count = (value: unknown): number | null => {
  const found = amount(value);
  return found === null || !Number.isSafeInteger(Math.round(found)) ? null : Math.round(found);
};

const name = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/u;
const HEADER_VALUE = /^[\t\x20-\x7e]*$/u;

const readHeaders = (raw: unknown): FormatHeaders =>
  Object.fromEntries(
    Object.entries(isJsonObject(raw) ? raw : {}).flatMap(([header, value]) =>
      typeof value === "string" && HEADER_NAME.test(header) && HEADER_VALUE.test(value)
        ? [[header, value] as const]
        : []
    )
  );

const readFormat = (raw: unknown): ReadonlyArray<Format> => {
  if (!isJsonObject(raw)) return [];
  const url = name(raw["url"]);
  if (url === null) return [];
  return [
    {
      url,
      headers: readHeaders(raw["http_headers"]),
      protocol: name(raw["protocol"]) ?? "",
      ext: name(raw["ext"]),
      videoCodec: name(raw["vcodec"]),
      audioCodec: name(raw["acodec"]),
      height: amount(raw["height"]),
      sizeBytes: amount(raw["filesize"]),
      manifestUrl: name(raw["manifest_url"]),
      raw
    }
  ];
};

const readSubtitles = (raw: unknown): SubtitlesByLanguage =>
  new Map(
    Object.entries(isJsonObject(raw) ? raw : {}).map(([language, sources]) => [
      language,
      listOf(sources)
        .filter(isJsonObject)
        .map((source) => ({
          ext: name(source["ext"]),
          url: name(source["url"]),
          data: name(source["data"]),
          isOfStream: (name(source["protocol"]) ?? name(source["manifest_url"])) !== null,
          name: name(source["name"])
        }))
    ])
  );

/** Maximum chapters of a video; audiobooks have some hundred. */
const CHAPTERS_MAX = 1_000;

/** Maximum characters of a chapter's title. */
const CHAPTER_TITLE_CHARS_MAX = 300;

const readChapter = (raw: unknown): ReadonlyArray<Chapter> => {
  if (!isJsonObject(raw)) return [];
  const title = lineOf(raw["title"])?.slice(0, CHAPTER_TITLE_CHARS_MAX).toWellFormed() ?? null;
  const startSeconds = amount(raw["start_time"]);
  return title === null || startSeconds === null ? [] : [{ title, startSeconds }];
};

/** Null if it is not a dictionary. */
export const readInfo = (raw: unknown): Info | null => {
  if (!isJsonObject(raw)) return null;
  const formats = listOf(raw["formats"]);
  return {
    type: name(raw["_type"]) ?? "video",
    extractor: name(raw["extractor_key"]) ?? name(raw["ie_key"]) ?? "Generic",
    url: name(raw["url"]),
    webpageUrl: name(raw["webpage_url"]),
    title: lineOf(raw["title"]),
    uploader: lineOf(raw["uploader"]) ?? lineOf(raw["channel"]),
    description: textOf(raw["description"]),
    thumbnail: name(raw["thumbnail"]),
    durationSeconds: amount(raw["duration"]),
    viewCount: count(raw["view_count"]),
    likeCount: count(raw["like_count"]),
    commentCount: count(raw["comment_count"]),
    readsComments: raw["_reads_comments"] !== false,
    uploadDate: name(raw["upload_date"]),
    liveStatus: name(raw["live_status"]),
    language: name(raw["language"]),
    direct: raw["direct"] === true,
    ext: name(raw["ext"]),
    formats: (formats.length > 0 ? formats : [raw]).flatMap(readFormat),
    subtitles: readSubtitles(raw["subtitles"]),
    automaticCaptions: readSubtitles(raw["automatic_captions"]),
    chapters: listOf(raw["chapters"]).slice(0, CHAPTERS_MAX).flatMap(readChapter),
    entries: listOf(raw["entries"]).flatMap((entry) => readInfo(entry) ?? []),
    raw
  };
};

/** Extractors that only read the page's own metadata: gaps in their answers are filled from the page. */
export const isGeneric = (info: Info): boolean =>
  info.extractor === "Generic" || info.extractor === "HTML5MediaEmbed";

/**
 * Whether to ask for comments: unless the source counts none. A number that is not reported says nothing. Generic
 * extractors read none.
 */
export const mayHaveComments = (info: Info): boolean =>
  !isGeneric(info) && (info.commentCount === null ? info.readsComments : info.commentCount > 0);

/** A feed describes an episode better than its file, which only has a name. */
export const withDetailsOf = (entry: Info, found: Info): Info =>
  found.direct
    ? {
        ...found,
        title: entry.title ?? found.title,
        uploader: found.uploader ?? entry.uploader,
        description: found.description ?? entry.description,
        durationSeconds: found.durationSeconds ?? entry.durationSeconds
      }
    : found;
