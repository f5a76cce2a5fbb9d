/**
 * The names of a run's files (specification, "Artifact file names"): fixed by us, never made of a title
 * or anything else that a page can choose.
 */
import { languageTagOf } from "./LanguageTag.ts";

export const VIDEO_FILE = "video.mp4";
export const AUDIO_FILE = "audio.m4a";
/** The spoken words of a video; the text of a webpage. */
export const TRANSCRIPT_FILE = "transcript.txt";
/** The spoken words with their times (domain/Transcript); of videos only. */
export const TRANSCRIPT_SEGMENTS_FILE = "transcript.json";
export const COMMENTS_FILE = "comments.json";
export const THUMBNAIL_FILE = "thumbnail.jpg";
export const DESCRIPTION_FILE = "description.txt";

/** `subtitleFile("pt_br")` is `subtitles.pt-BR.vtt`. Two spellings of one tag are one name. */
export const subtitleFile = (language: string): string => `subtitles.${languageTagOf(language)}.vtt`;

/** `slideFile(1, 4)` is `image.01.jpg`; three digits when `count` is over 99. Numbers start at 1. */
export const slideFile = (number: number, count: number): string =>
  `image.${String(number).padStart(Math.max(2, String(count).length), "0")}.jpg`;

export const isSubtitleFile = (name: string): boolean => /^subtitles\.[0-9A-Za-z-]{1,35}\.vtt$/u.test(name);

export const isSlideFile = (name: string): boolean => /^image\.\d{2,}\.jpg$/u.test(name);

/** Longest name that file systems take, in characters. */
const FILE_NAME_CHARS_MAX = 255;

/** A separator, a parent, a control character, or any of them percent-encoded however often (contract 5). */
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const UNSAFE = /[/\\\u0000-\u001f\u007f]|\.\.|%(?:25)*(?:2f|5c|2e|0[0-9a-f]|1[0-9a-f]|7f)/iu;

/** Whether a name may be looked up at all; false is a 400, a safe name that no run lists is a 404. */
export const isSafeFileName = (name: string): boolean =>
  name !== "" && name !== "." && name.length <= FILE_NAME_CHARS_MAX && !UNSAFE.test(name);

const CONTENT_TYPES: ReadonlyMap<string, string> = new Map([
  ["mp4", "video/mp4"],
  ["m4a", "audio/mp4"],
  ["txt", "text/plain; charset=utf-8"],
  ["json", "application/json"],
  ["jpg", "image/jpeg"],
  ["vtt", "text/vtt; charset=utf-8"]
]);

/** Of a name of this file; `application/octet-stream` for any other. */
export const contentTypeOf = (name: string): string =>
  CONTENT_TYPES.get(/\.(\w+)$/u.exec(name)?.[1] ?? "") ?? "application/octet-stream";
