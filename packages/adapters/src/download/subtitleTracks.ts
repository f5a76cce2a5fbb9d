/**
 * Which subtitle files of a video are kept, and which one becomes its transcript: manual before automatic,
 * the original language before translations (contract 6). Pure.
 */
import type { Info, SubtitleSource, SubtitlesByLanguage } from "./InfoDict.ts";

export interface SubtitleTrack {
  /** As the source names it; sanitised only where it becomes a file name. */
  readonly language: string;
  readonly automatic: boolean;
  readonly source: SubtitleSource;
}

/** Tracks that are no subtitles at all: live chat and floating comments. */
const NOT_SUBTITLES: ReadonlySet<string> = new Set(["live_chat", "danmaku", "rechat"]);

/** Formats that are read, best first. */
const FORMATS = ["vtt", "srt"] as const;

/** yt-dlp marks the captions in the spoken language, of which the others are machine translations. */
const ORIGINAL_SUFFIX = "-orig";

const primary = (language: string): string => language.toLowerCase().split(/[-_]/u)[0] ?? "";

const bestSource = (sources: ReadonlyArray<SubtitleSource>): SubtitleSource | null => {
  for (const ext of FORMATS) {
    const found = sources.find((source) => source.ext === ext && (source.url ?? source.data) !== null);
    if (found !== undefined) return found;
  }
  return null;
};

const tracksOf = (byLanguage: SubtitlesByLanguage, automatic: boolean): ReadonlyArray<SubtitleTrack> =>
  [...byLanguage].flatMap(([language, sources]) => {
    const source = NOT_SUBTITLES.has(language) ? null : bestSource(sources);
    return source === null ? [] : [{ language, automatic, source }];
  });

/** Every manual track, the transcript's first; without any, the one automatic track in the spoken language. */
export const chooseTracks = (
  info: Pick<Info, "subtitles" | "automaticCaptions" | "language">,
  tracksMax: number
): ReadonlyArray<SubtitleTrack> => {
  const rank = ({ language }: SubtitleTrack): number => {
    if (language.endsWith(ORIGINAL_SUFFIX)) return 0;
    if (info.language !== null && language === info.language) return 1;
    if (info.language !== null && primary(language) === primary(info.language)) return 2;
    return primary(language) === "en" ? 3 : 4;
  };
  const ranked = (tracks: ReadonlyArray<SubtitleTrack>): ReadonlyArray<SubtitleTrack> =>
    tracks.toSorted((one, other) => rank(one) - rank(other));
  const manual = ranked(tracksOf(info.subtitles, false));
  return manual.length > 0
    ? manual.slice(0, tracksMax)
    : ranked(tracksOf(info.automaticCaptions, true)).slice(0, 1);
};

/** The language for the file: without yt-dlp's mark. */
export const languageOf = (track: SubtitleTrack): string =>
  track.language.endsWith(ORIGINAL_SUFFIX)
    ? track.language.slice(0, -ORIGINAL_SUFFIX.length)
    : track.language;

/** Tracks of the page or the stream that the extractor did not list. */
export const withTracks = (
  byLanguage: SubtitlesByLanguage,
  more: ReadonlyArray<{ readonly language: string; readonly url: string }>
): SubtitlesByLanguage => {
  if (byLanguage.size > 0) return byLanguage;
  const merged = new Map<string, ReadonlyArray<SubtitleSource>>();
  for (const { language, url } of more) {
    const ext = /\.srt(?:$|[?#])/iu.test(url) ? "srt" : "vtt";
    merged.set(language, [...(merged.get(language) ?? []), { ext, url, data: null, protocol: null }]);
  }
  return merged;
};
