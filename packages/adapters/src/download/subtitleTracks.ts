/**
 * Which subtitle files of a video are kept, and which one becomes its transcript: the language asked for,
 * else the original one; manual before automatic; never a machine translation (contract 6). Pure.
 */
import {
  LANGUAGE_UNKNOWN,
  languageDistance,
  languageTagOf,
  primaryOf
} from "@winnow/core/domain/LanguageTag";
import type { CaptionLanguage } from "@winnow/core/domain/SourceFacts";
import type { Info, SubtitleSource, SubtitlesByLanguage } from "./yt-dlp/InfoDict.ts";

export interface SubtitleTrack {
  /** BCP 47; `und` where the source does not tell it. */
  readonly language: string;
  /** Written down by a machine from what is said. */
  readonly automatic: boolean;
  readonly source: SubtitleSource;
}

/** All tracks of a look that may be fetched, the original language's first. */
export interface SubtitleTracks {
  readonly manual: ReadonlyArray<SubtitleTrack>;
  /** In the language that is spoken; translations are not among them. */
  readonly automatic: ReadonlyArray<SubtitleTrack>;
}

/** Tracks that are not subtitles at all: live chat and floating comments. */
const NOT_SUBTITLES: ReadonlySet<string> = new Set(["live_chat", "danmaku", "rechat"]);

/** Languages told of one video; platforms offer about 100. */
const CAPTION_LANGUAGES_MAX = 300;

/** Formats that are read, best first. */
const FORMATS = ["vtt", "srt"] as const;

/** yt-dlp marks the captions in the spoken language, of which the others are machine translations. */
const ORIGINAL_SUFFIX = "-orig";

/** The parameter of YouTube's caption addresses that asks its machine for a translation. */
const isTranslated = ({ url }: SubtitleSource): boolean =>
  url !== null && (URL.parse(url)?.searchParams.has("tlang") ?? false);

const bestSource = (sources: ReadonlyArray<SubtitleSource>): SubtitleSource | null => {
  for (const ext of FORMATS) {
    const found = sources.find(
      (source) => source.ext === ext && (source.url ?? source.data) !== null && !isTranslated(source)
    );
    if (found !== undefined) return found;
  }
  return null;
};

interface Labelled {
  readonly label: string;
  readonly track: SubtitleTrack;
}

const labelled = (byLanguage: SubtitlesByLanguage, automatic: boolean): ReadonlyArray<Labelled> =>
  [...byLanguage].flatMap(([label, sources]) => {
    const source = NOT_SUBTITLES.has(label) ? null : bestSource(sources);
    if (source === null) return [];
    const unmarked = label.endsWith(ORIGINAL_SUFFIX) ? label.slice(0, -ORIGINAL_SUFFIX.length) : label;
    return [{ label, track: { language: languageTagOf(unmarked), automatic, source } }];
  });

/** Of automatic tracks, those in the spoken language; none where nothing tells which they are. */
const spoken = (tracks: ReadonlyArray<Labelled>, language: string | null): ReadonlyArray<Labelled> => {
  const marked = tracks.filter(({ label }) => label.endsWith(ORIGINAL_SUFFIX));
  if (marked.length > 0) return marked;
  if (new Set(tracks.map(({ track }) => primaryOf(track.language))).size <= 1) return tracks;
  return tracks.filter(({ track }) => language !== null && primaryOf(track.language) === primaryOf(language));
};

/** Everything that a look found and a fetch may choose from. */
export const readTracks = (
  info: Pick<Info, "subtitles" | "automaticCaptions" | "language">
): SubtitleTracks => {
  const captions = labelled(info.automaticCaptions, true);
  const marked = captions.find(({ label }) => label.endsWith(ORIGINAL_SUFFIX))?.track.language ?? null;
  const language = info.language === null ? marked : languageTagOf(info.language);
  const rank = ({ language: tag }: SubtitleTrack): number => {
    if (tag === language) return 0;
    if (language !== null && primaryOf(tag) === primaryOf(language)) return 1;
    return primaryOf(tag) === "en" ? 2 : 3;
  };
  const ranked = (tracks: ReadonlyArray<Labelled>): ReadonlyArray<SubtitleTrack> =>
    tracks.map(({ track }) => track).toSorted((one, other) => rank(one) - rank(other));
  return {
    manual: ranked(labelled(info.subtitles, false)),
    automatic: ranked(spoken(captions, language))
  };
};

export const hasTracks = ({ manual, automatic }: SubtitleTracks): boolean =>
  manual.length + automatic.length > 0;

/** Each once, in the order of the tracks. */
export const captionLanguagesOf = ({ manual, automatic }: SubtitleTracks): ReadonlyArray<CaptionLanguage> => {
  const once = (tracks: ReadonlyArray<SubtitleTrack>, origin: CaptionLanguage["origin"]) =>
    [...new Set(tracks.map(({ language }) => language))].map((language) => ({ language, origin }));
  return [...once(manual, "people"), ...once(automatic, "automatic")].slice(0, CAPTION_LANGUAGES_MAX);
};

const nearest = (tracks: ReadonlyArray<SubtitleTrack>, wanted: string): SubtitleTrack | null => {
  const fitting = tracks.flatMap((track) => {
    const distance = languageDistance(track.language, wanted);
    return distance === null ? [] : [{ track, distance }];
  });
  return fitting.toSorted((one, other) => one.distance - other.distance)[0]?.track ?? null;
};

/**
 * The transcript's first: that of the wanted language where there is one. Then every manual track; without
 * any, the first automatic one.
 */
export const chooseTracks = (
  { manual, automatic }: SubtitleTracks,
  wanted: string | null,
  tracksMax: number
): ReadonlyArray<SubtitleTrack> => {
  const found = wanted === null ? null : (nearest(manual, wanted) ?? nearest(automatic, wanted));
  const plain = manual.length > 0 ? manual : automatic.slice(0, 1);
  const tracks = found === null ? plain : [found, ...plain.filter((track) => track !== found)];
  return tracks.slice(0, tracksMax);
};

/** For `transcript.json`. */
export const knownLanguage = ({ language }: SubtitleTrack): string | null =>
  language === LANGUAGE_UNKNOWN ? null : language;

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
