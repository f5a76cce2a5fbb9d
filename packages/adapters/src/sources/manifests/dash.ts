/**
 * A minimal parser of DASH manifests (ISO/IEC 23009-1): duration and live streams. Parses untrusted text on the main
 * thread: in linear time with little work.
 */
import { isoDurationSeconds } from "@winnow/core/domain/text/WrittenDuration";

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
