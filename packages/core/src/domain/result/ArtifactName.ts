/**
 * The files of a run as one table: name, content type, when each exists, and its place in the summary and the
 * artifacts of a result. A new artifact is a new row. Names are fixed here
 * and never derived from a title or other content of a page.
 */
import { languageTagOf } from "../text/LanguageTag.ts";
import type { Modality } from "../source/Modality.ts";
import type { SourceKind } from "../source/SourceFacts.ts";

const TEXT = "text/plain; charset=utf-8";

/** What is written of a webpage. */
export interface PageTexts {
  readonly text: string;
  /** Empty if only the text is known. */
  readonly markdown: string;
}

export interface ArtifactRow {
  /** A file name. `<language>` and `<number>` are placeholders in names of which a run can have several. */
  readonly name: string;
  readonly contentType: string;
  /** The modality it is fetched with; null if every run fetches it. */
  readonly modality: Modality | null;
  /** The kinds of source that can have this file. */
  readonly kinds: ReadonlyArray<SourceKind>;
  /** When it exists, for the docs: completes "there ...". */
  readonly when: string;
  /** What it contains, for the docs. */
  readonly holds: string;
  /** The text of a webpage that it is; absent for what is not made of a page that was read. */
  readonly ofPage?: keyof PageTexts;
  /** How the AI pass reads it; absent if it does not. */
  readonly readAs?: "text" | "media";
  /** Its field of the summary: a name or null, or a list for a kind with several files. */
  readonly summaryField?: string;
  /** Its key of `artifacts`: a URL, or a list for a kind with several files. */
  readonly urlKey?: string;
}

/** In the order in which a result lists its files. */
export const ARTIFACTS = {
  video: {
    name: "video.mp4",
    contentType: "video/mp4",
    modality: "video",
    kinds: ["video"],
    when: "when the video can be downloaded",
    holds: "The video with its audio.",
    readAs: "media",
    summaryField: "videoFile",
    urlKey: "video"
  },
  /** Number 1 is `video.mp4`. */
  furtherVideos: {
    name: "video.<number>.mp4",
    contentType: "video/mp4",
    modality: "video",
    kinds: ["video"],
    when: "for each further video of a post with several, numbered from 02",
    holds: "A further video with its audio.",
    readAs: "media"
  },
  audio: {
    name: "audio.m4a",
    contentType: "audio/mp4",
    modality: "audio",
    kinds: ["video"],
    when: "when the video has audio",
    holds: "The audio track.",
    readAs: "media",
    summaryField: "audioFile",
    urlKey: "audio"
  },
  transcript: {
    name: "transcript.txt",
    contentType: TEXT,
    modality: "transcript",
    kinds: ["video", "webpage"],
    when: "when a video has captions or its speech was transcribed; always for a webpage",
    holds:
      "The words spoken in a video; the text of a webpage. A form feed ends each page of a PDF or presentation.",
    ofPage: "text",
    readAs: "text",
    summaryField: "transcriptFile",
    urlKey: "transcript"
  },
  pageMarkdown: {
    name: "page.md",
    contentType: "text/markdown; charset=utf-8",
    modality: "transcript",
    kinds: ["webpage"],
    when: "when the webpage has text",
    holds: "The same text as Markdown; `<!-- page N -->` before each page of a PDF or presentation.",
    ofPage: "markdown",
    readAs: "text"
  },
  /** domain/transcript/Transcript */
  transcriptSegments: {
    name: "transcript.json",
    contentType: "application/json",
    modality: "transcript",
    kinds: ["video"],
    when: "when the video has captions or its speech was transcribed",
    holds: "The transcript with timestamps.",
    readAs: "text"
  },
  subtitles: {
    name: "subtitles.<language>.vtt",
    contentType: "text/vtt; charset=utf-8",
    modality: "transcript",
    kinds: ["video"],
    when: "when the video has captions, one for each language, or its speech was transcribed",
    holds: "The captions as WebVTT.",
    summaryField: "subtitleFiles"
  },
  subtitlesSrt: {
    name: "subtitles.<language>.srt",
    contentType: "application/x-subrip; charset=utf-8",
    modality: "transcript",
    kinds: ["video"],
    when: "for each WebVTT file",
    holds: "The same captions as SubRip."
  },
  comments: {
    name: "comments.json",
    contentType: "application/json",
    modality: "comments",
    kinds: ["video", "photos"],
    when: "when the source has comments",
    holds: "The newest comments, with authors and timestamps.",
    readAs: "text",
    summaryField: "commentsFile",
    urlKey: "comments"
  },
  thumbnail: {
    name: "thumbnail.jpg",
    contentType: "image/jpeg",
    modality: null,
    kinds: ["video", "photos", "webpage"],
    when: "when the source has a preview image",
    holds: "The preview image.",
    readAs: "media",
    summaryField: "thumbnailFile",
    urlKey: "thumbnail"
  },
  description: {
    name: "description.txt",
    contentType: TEXT,
    modality: null,
    kinds: ["video", "photos", "webpage"],
    when: "when the publisher wrote one",
    holds: "The publisher's description.",
    readAs: "text",
    summaryField: "descriptionFile",
    urlKey: "description"
  },
  slides: {
    name: "image.<number>.jpg",
    contentType: "image/jpeg",
    modality: null,
    kinds: ["photos", "video"],
    when: "for each of them, numbered from 01",
    holds: "The slides of a photo post, or the photos of a post with videos.",
    readAs: "media",
    urlKey: "images"
  },
  slidesText: {
    name: "slides.txt",
    contentType: TEXT,
    modality: null,
    kinds: ["photos"],
    when: "when tesseract, if the server has it, is sure of words on a photo post",
    holds: "The words on the slides: a block for each, beginning with its number, such as `[2] `.",
    readAs: "text"
  },
  /** domain/source/SourceMetadata */
  metadata: {
    name: "metadata.json",
    contentType: "application/json",
    modality: null,
    kinds: ["video", "photos", "webpage"],
    when: "always",
    holds: "The source's metadata, [in one shape](#metadatajson)."
  }
} as const satisfies Readonly<Record<string, ArtifactRow>>;

export const VIDEO_FILE = ARTIFACTS.video.name;
export const AUDIO_FILE = ARTIFACTS.audio.name;
export const TRANSCRIPT_FILE = ARTIFACTS.transcript.name;
export const PAGE_MARKDOWN_FILE = ARTIFACTS.pageMarkdown.name;
export const TRANSCRIPT_SEGMENTS_FILE = ARTIFACTS.transcriptSegments.name;
export const COMMENTS_FILE = ARTIFACTS.comments.name;
export const THUMBNAIL_FILE = ARTIFACTS.thumbnail.name;
export const DESCRIPTION_FILE = ARTIFACTS.description.name;
export const SLIDES_TEXT_FILE = ARTIFACTS.slidesText.name;
export const METADATA_FILE = ARTIFACTS.metadata.name;

/** Stored beside the artifacts of a run, and none itself: the sections of its texts (domain/text/InputText), as JSON. */
export const SECTIONS_FILE = "sections.json";

/** The file without which a source does not have the modality. */
const MAIN_FILES: Readonly<Record<Modality, string>> = {
  transcript: TRANSCRIPT_FILE,
  comments: COMMENTS_FILE,
  audio: AUDIO_FILE,
  video: VIDEO_FILE
};

export const hasModality = (files: ReadonlyArray<{ readonly name: string }>, modality: Modality): boolean =>
  files.some(({ name }) => name === MAIN_FILES[modality]);

/** `subtitleFile("pt_br")` is `subtitles.pt-BR.vtt`. Different spellings of one tag have the same name. */
export const subtitleFile = (language: string): string =>
  ARTIFACTS.subtitles.name.replace("<language>", languageTagOf(language));

/** The language in the name of a WebVTT file; null for other files. */
export const subtitleLanguage = (name: string): string | null =>
  artifactOf(name) === ARTIFACTS.subtitles ? (name.split(".")[1] ?? null) : null;

/** The same subtitles as SubRip: `subtitleSrtFile("pt_br")` is `subtitles.pt-BR.srt`. */
export const subtitleSrtFile = (language: string): string =>
  ARTIFACTS.subtitlesSrt.name.replace("<language>", languageTagOf(language));

/** `slideFile(1, 4)` is `image.01.jpg`; three digits when `count` is over 99. Numbers start at 1. */
export const slideFile = (number: number, count: number): string =>
  ARTIFACTS.slides.name.replace("<number>", String(number).padStart(Math.max(2, String(count).length), "0"));

/** The number in the name of a slide. */
export const slideNumber = (name: string): number => Number(/\d+/u.exec(name)?.[0]);

/** `furtherVideoFile(2)` is `video.02.mp4`: the second of a post. */
export const furtherVideoFile = (number: number): string =>
  ARTIFACTS.furtherVideos.name.replace("<number>", String(number).padStart(2, "0"));

const patternOf = (name: string): RegExp =>
  new RegExp(
    `^${name.replaceAll(".", "\\.").replace("<language>", "[0-9A-Za-z-]{1,35}").replace("<number>", "\\d{2,}")}$`,
    "u"
  );

/** In the order of the table. */
export const ARTIFACT_ROWS: ReadonlyArray<ArtifactRow> = Object.values(ARTIFACTS);

/** The files of a webpage that was read. */
export const pageFiles = (page: PageTexts): ReadonlyArray<readonly [name: string, text: string]> =>
  ARTIFACT_ROWS.flatMap(({ name, ofPage }) => (ofPage === undefined ? [] : [[name, page[ofPage]] as const]));

const PATTERNS = ARTIFACT_ROWS.map((row) => ({ row, pattern: patternOf(row.name) }));

/** The row of a file; null for a name that is not in the table. */
export const artifactOf = (name: string): ArtifactRow | null =>
  PATTERNS.find(({ pattern }) => pattern.test(name))?.row ?? null;

export const isFurtherVideoFile = (name: string): boolean => artifactOf(name) === ARTIFACTS.furtherVideos;

export const isSlideFile = (name: string): boolean => artifactOf(name) === ARTIFACTS.slides;

/** `application/octet-stream` for a name that is not in the table. */
export const contentTypeOf = (name: string): string =>
  artifactOf(name)?.contentType ?? "application/octet-stream";

/** Longest name that file systems take, in characters. */
const FILE_NAME_CHARS_MAX = 255;

/** Separators, parent folders and control characters, also percent-encoded any number of times: `%252f`. */
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const UNSAFE = /[/\\\u0000-\u001f\u007f]|\.\.|%(?:25)*(?:2f|5c|2e|0[0-9a-f]|1[0-9a-f]|7f)/iu;

/** Whether a name may be looked up. False becomes a 400; a valid name that no run lists becomes a 404. */
export const isSafeFileName = (name: string): boolean =>
  name !== "" && name !== "." && name.length <= FILE_NAME_CHARS_MAX && !UNSAFE.test(name);
