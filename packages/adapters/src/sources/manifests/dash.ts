/**
 * A minimal parser of DASH manifests (ISO/IEC 23009-1): duration, live streams, and what files are for. Parses
 * untrusted text on the main thread: in linear time with little work. The segments themselves are as yt-dlp lists them.
 * Tests: manifests.test.ts.
 */
import type { TimeRange } from "@winnow/core/domain/source/TimeRange";
import { isJsonObject } from "@winnow/core/domain/text/Json";
import type { SubtitleLabel } from "@winnow/pages/facts/PageReading";
import { isoDurationSeconds } from "@winnow/core/domain/text/WrittenDuration";
import { URL_CHARS_MAX } from "@winnow/core/domain/url/UrlLength";
import { neededPieces } from "./neededPieces.ts";

/**
 * Of the `fragments` of yt-dlp's format, which have a `duration` unless they initialise the others, those of a stretch.
 * The first of them begins up to `errorSeconds` earlier or later, as its own clock says: a manifest may state one
 * duration for all (section 5.3.9.2). Null if their times are unknown.
 */
export const cutFragments = (
  fragments: unknown,
  range: TimeRange
): {
  readonly fragments: ReadonlyArray<unknown>;
  readonly startSeconds: number;
  readonly errorSeconds: number;
} | null => {
  if (!Array.isArray(fragments)) return null;
  const lengths = fragments.map((fragment) => {
    const seconds = isJsonObject(fragment) ? fragment["duration"] : null;
    return typeof seconds === "number" && seconds >= 0 ? seconds : null;
  });
  const needed = neededPieces(lengths, range);
  return (
    needed && {
      fragments: needed.indexes.map((index) => fragments[index]),
      startSeconds: needed.startSeconds,
      errorSeconds: Math.max(...needed.indexes.map((index) => lengths[index] ?? 0)) / 2
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

/** Elements with an address, and those that say what a set is for. */
const ELEMENTS = /<(\/?)(Period|AdaptationSet|Representation|BaseURL|Role|Label)\b([^<>]*)>([^<]*)/gu;

const LEVELS: ReadonlySet<string> = new Set(["Period", "AdaptationSet", "Representation"]);

/** Maximum representations that are looked at; a film in 50 languages has 100. */
const REPRESENTATIONS_MAX = 1_000;

/** Maximum characters that are kept of what is said of a set. */
const LABEL_CHARS_MAX = 1_000;

/**
 * What it says of its files: the roles (section 5.8.5.5, such as `forced-subtitle`) and labels of their set. Segments
 * have no address of their own, and are left out.
 */
export const labelsInDash = (text: string, manifestUrl: string): ReadonlyArray<SubtitleLabel> => {
  const manifest = URL.parse(manifestUrl)?.href ?? manifestUrl;
  const found: Array<SubtitleLabel> = [];
  /** The manifest and the elements that are open in it. */
  const levels = [{ reference: "", label: "" }];
  let count = 0;
  for (const [, end, element = "", attributes = "", content = ""] of text.matchAll(ELEMENTS)) {
    const level = levels.at(-1);
    if (level === undefined || levels.length > LEVELS.size + 1 || count === REPRESENTATIONS_MAX) break;
    const said = `${level.label} ${attributes} ${element === "Label" ? content : ""}`.slice(
      0,
      LABEL_CHARS_MAX
    );
    const reference = content.length > URL_CHARS_MAX ? "" : content.trim().replaceAll("&amp;", "&");
    if (element === "BaseURL" && end === "") level.reference = reference;
    else if (end === "" && LEVELS.has(element)) levels.push({ reference: "", label: said });
    else if (end === "") level.label = said;
    if (!LEVELS.has(element) || (end === "" && !attributes.endsWith("/"))) continue;
    const closed = levels.pop();
    if (element !== "Representation" || closed === undefined) continue;
    count += 1;
    const references = [...levels, closed].map((each) => each.reference);
    const url = references.reduce((base, each) => URL.parse(each, base)?.href ?? base, manifest);
    if (url !== manifest) found.push({ url, label: closed.label.trim() });
  }
  return found;
};
