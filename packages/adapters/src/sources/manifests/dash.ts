/**
/**
 * A minimal parser of DASH manifests (ISO/IEC 23009-1): duration, live streams, and subtitles of signs only. Parses
 * untrusted text on the main thread: in linear time with little work. The segments themselves are as yt-dlp lists them.
 */
import type { TimeRange } from "@winnow/core/domain/source/TimeRange";
import { isJsonObject } from "@winnow/core/domain/text/Json";
import { isForced } from "@winnow/core/domain/text/LanguageTag";
import { isoDurationSeconds } from "@winnow/core/domain/text/WrittenDuration";
import { neededPieces } from "./neededPieces.ts";

/**
 * Of the `fragments` of yt-dlp's format, which have a `duration` unless they initialise the others, those of a stretch.
 * Null if their times are unknown.
 */
export const cutFragments = (
  fragments: unknown,
  range: TimeRange
): { readonly fragments: ReadonlyArray<unknown>; readonly startSeconds: number } | null => {
  if (!Array.isArray(fragments)) return null;
  const lengths = fragments.map((fragment) => {
    const seconds = isJsonObject(fragment) ? fragment["duration"] : null;
    return typeof seconds === "number" && seconds >= 0 ? seconds : null;
  });
  const needed = neededPieces(lengths, range);
  return (
    needed && {
      fragments: needed.indexes.map((index) => fragments[index]),
      startSeconds: needed.startSeconds
    }
  );
};

/** Sum of the periods, if all have a duration (ISO/IEC 23009-1, section 5.3.2). */
const periodsSeconds = (text: string): number | null => {
  const lengths = [...text.matchAll(/<Period\b([^<>]*)>/gu)].map(([, attributes = ""]) => {
    const [, , duration] = /\bduration=(["'])([^"']*)\1/u.exec(attributes) ?? [];
    return duration === undefined ? null : isoDurationSeconds(duration);
  });
  return lengths.length === 0 || lengths.includes(null)
    ? null
    : lengths.reduce<number>((sum, seconds) => sum + (seconds ?? 0), 0);
};

/** Sum of the first segment timeline of a single-period manifest; null if a segment repeats indefinitely. */
const timelineSeconds = (text: string): number | null => {
  const start = text.indexOf("<SegmentTimeline>");
  const end = text.indexOf("</SegmentTimeline>", start);
  if (start < 0 || end < 0 || text.indexOf("<Period") !== text.lastIndexOf("<Period")) return null;
  // Searched from the end, because a regular expression would be tried from many start positions.
  const attributes = text.slice(Math.max(0, text.lastIndexOf("<SegmentTemplate", start)), start);
  const timeline = text.slice(start, end);
  const timescale = Number(/\btimescale="(\d{1,12})"/u.exec(attributes)?.[1] ?? 1);
  let units = 0;
  for (const [, segment = ""] of timeline.matchAll(/<S\b([^<>]*)>/gu)) {
    const duration = /\bd="(\d{1,15})"/u.exec(segment)?.[1];
    const repeats = Number(/\br="(-?\d{1,9})"/u.exec(segment)?.[1] ?? 0);
    if (duration === undefined || repeats < 0) return null;
    units += Number(duration) * (repeats + 1);
  }
  return timescale > 0 && units > 0 ? units / timescale : null;
};

/** Null if the text is not a manifest. */
export const readDash = (
  text: string
): { readonly durationSeconds: number | null; readonly live: boolean } | null => {
  const root = /<MPD\b[^<>]*>/u.exec(text)?.[0];
  if (root === undefined) return null;
  const [, , duration = ""] = /\bmediaPresentationDuration=(["'])([^"']*)\1/u.exec(root) ?? [];
  return {
    durationSeconds: isoDurationSeconds(duration) ?? periodsSeconds(text) ?? timelineSeconds(text),
    live: /\btype=(["'])dynamic\1/u.test(root)
  };
};

/** Maximum addresses that are told of a manifest, as in hls.ts. */
const SUBTITLES_MAX = 200;

/** Elements with an address, and those that say what a set is for. */
const ELEMENTS = /<(\/?)(Period|AdaptationSet|Representation|BaseURL|Role|Label)\b([^<>]*)>([^<]*)/gu;

/**
 * Absolute addresses of subtitle files that translate signs only, and are no transcript: by the role `forced-subtitle`
 * of their set (section 5.8.5.5), or its label. Segments have no address of their own.
 */
export const forcedInDash = (text: string, manifestUrl: string): ReadonlyArray<string> => {
  const manifest = URL.parse(manifestUrl)?.href ?? manifestUrl;
  const found = new Set<string>();
  /** The manifest and the elements that are open in it. */
  const levels = [{ reference: "", isOfSigns: false }];
  for (const [, end, element = "", attributes = "", content = ""] of text.matchAll(ELEMENTS)) {
    const level = levels.at(-1);
    if (level === undefined || found.size === SUBTITLES_MAX) break;
    const isLevel = ["Period", "AdaptationSet", "Representation"].includes(element);
    const isClosed = end === "/" || attributes.endsWith("/");
    if (element === "BaseURL" && end === "") level.reference = content.trim().replaceAll("&amp;", "&");
    else if (end === "" && isLevel) levels.push({ reference: "", isOfSigns: isForced(attributes) });
    else if (end === "") level.isOfSigns ||= isForced(`${attributes} ${element === "Label" ? content : ""}`);
    if (!isLevel || !isClosed) continue;
    if (element === "Representation" && levels.some(({ isOfSigns }) => isOfSigns)) {
      const url = levels.reduce((base, { reference }) => URL.parse(reference, base)?.href ?? base, manifest);
      if (url !== manifest) found.add(url);
    }
    levels.pop();
  }
  return [...found];
};
