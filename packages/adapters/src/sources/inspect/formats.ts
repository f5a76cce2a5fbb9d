/**
 * Chooses the formats to download. Sources with separate streams give two files that are fetched in parallel, muxed
 * sources one. Tests: sources.test.ts.
 */
import type { OutputRecord } from "@winnow/isolation/process/ProgramOutput";
import type { Modality } from "@winnow/core/domain/source/Modality";
import type { Format } from "../yt-dlp/InfoDict.ts";

export interface FormatChoice {
  /** Has the video, and also the audio if `audio` is null. */
  readonly video: Format | null;
  readonly audio: Format | null;
}

const IMAGES: ReadonlySet<string> = new Set(["jpg", "jpeg", "png", "webp", "gif", "avif", "heic", "mhtml"]);

/** Only network URLs: a page with `file:` and the like is an attack. */
export const isFetchable = (format: Format): boolean => /^https?:\/\//iu.test(format.url);

/**
 * Protocols yt-dlp downloads itself; for others it starts a program, or opens connections that bypass the proxy.
 */
const PROTOCOLS = /^(?:|https?|m3u8(?:_native)?|http_dash_segments(?:_generator)?|f4m|ism|bunnycdn)$/u;

/** A single file, of which bytes can be requested. */
export const isFile = ({ protocol, raw }: Format): boolean =>
  /^(?:https?)?$/u.test(protocol) && raw["fragments"] === undefined;

/** A section of a longer video, which yt-dlp would cut with an ffmpeg that downloads it. */
export const isSection = (raw: OutputRecord): boolean =>
  (raw["section_start"] ?? raw["section_end"] ?? null) !== null;

/** Whether it can be downloaded here. */
export const isDownloadable = (format: Format): boolean =>
  isFetchable(format) && PROTOCOLS.test(format.protocol) && !isSection(format.raw);

const hasVideo = (format: Format): boolean => format.videoCodec !== "none";
const hasAudio = (format: Format): boolean => format.audioCodec !== "none";

export const isImage = (format: Pick<Format, "ext" | "videoCodec" | "audioCodec">): boolean =>
  format.ext !== null && IMAGES.has(format.ext) && format.audioCodec !== "aac";

const isMedia = (format: Format): boolean =>
  isDownloadable(format) && !isImage(format) && (hasVideo(format) || hasAudio(format));

/** Formats are worst first, as yt-dlp sorted them by our order. */
export const chooseFormats = (
  formats: ReadonlyArray<Format>,
  wants: ReadonlyArray<Modality>
): FormatChoice => {
  const media = formats.filter(isMedia);
  const silent = media.findLast((format) => hasVideo(format) && !hasAudio(format)) ?? null;
  const sound = media.findLast((format) => hasAudio(format) && !hasVideo(format)) ?? null;
  const muxed = media.filter((format) => hasVideo(format) && hasAudio(format));
  if (wants.includes("video")) {
    if (silent !== null && sound !== null) return { video: silent, audio: sound };
    const best = muxed.at(-1) ?? silent;
    return best === null ? { video: null, audio: sound } : { video: best, audio: null };
  }
  if (!wants.includes("audio")) return { video: null, audio: null };
  // The smallest muxed format with audio avoids downloading most of the video.
  return {
    video: null,
    audio: sound ?? muxed.find((format) => format.audioCodec !== null) ?? muxed.at(-1) ?? null
  };
};

/** Keys that would make yt-dlp inspect again, or do more than download the one format. */
const DROPPED = [
  "formats",
  "requested_formats",
  "requested_downloads",
  "requested_subtitles",
  "subtitles",
  "automatic_captions",
  "thumbnails",
  "thumbnail",
  "chapters",
  "heatmap",
  "comments",
  "description",
  "tags",
  "entries",
  "webpage_url",
  "original_url"
] as const;

/** The info dictionary to download exactly one format. */
export const infoOfFormat = (info: OutputRecord, format: Format): OutputRecord => ({
  ...Object.fromEntries(Object.entries(info).filter(([key]) => !DROPPED.some((dropped) => dropped === key))),
  ...format.raw,
  id: "media",
  title: "media",
  formats: [format.raw]
});
