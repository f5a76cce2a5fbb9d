/**
 * Captions in the segments of an HLS playlist (RFC 8216, section 3.5): on one time line, and each once, although a
 * segment repeats what is still shown at its beginning.
 */
import { roundedSeconds } from "@winnow/core/domain/text/Milliseconds";
import { captionSeconds } from "@winnow/core/domain/transcript/CaptionTimes";
import type { Cue } from "@winnow/core/domain/transcript/Transcript";
import { wholeCaptions } from "./readCaptions.ts";

/** MPEG-2 clock. */
const TICKS_PER_SECOND = 90_000;
const TICKS_WRAP = 2 ** 33;

/** Which time of a segment is which of the stream. */
interface TimeMap {
  readonly localSeconds: number;
  readonly ticks: number;
}

/** The header of a segment, in characters. */
const HEADER_CHARS_MAX = 2_000;

/** `X-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:00.000`; null if a segment states none. */
const timeMapOf = (text: string): TimeMap | null => {
  const header = text.slice(0, HEADER_CHARS_MAX).split("-->", 1)[0] ?? "";
  const stated = /^\s*X-TIMESTAMP-MAP\s*=(.*)$/imu.exec(header)?.[1] ?? "";
  const ticks = /\bMPEGTS\s*:\s*(\d{1,15})(?!\d)/iu.exec(stated)?.[1];
  const local = captionSeconds(/\bLOCAL\s*:\s*([\d:.]+)/iu.exec(stated)?.[1] ?? "");
  return ticks === undefined || local === null ? null : { localSeconds: local, ticks: Number(ticks) };
};

/** Seconds between two times of the clock, which begins anew every 26 hours. */
const secondsBetween = (from: number, to: number): number => {
  const ticks = (((to - from) % TICKS_WRAP) + TICKS_WRAP) % TICKS_WRAP;
  return (ticks > TICKS_WRAP / 2 ? ticks - TICKS_WRAP : ticks) / TICKS_PER_SECOND;
};

const moved = (seconds: number, by: number): number => Math.max(0, roundedSeconds(seconds + by));

/** Parts of one caption are this close, in seconds: packagers round where they cut. */
const GAP_SECONDS_MAX = 0.05;

const isSameTime = (one: Cue, other: Cue): boolean =>
  one.startSeconds === other.startSeconds && one.endSeconds === other.endSeconds;

const touch = (one: Cue, other: Cue): boolean =>
  other.startSeconds <= one.endSeconds + GAP_SECONDS_MAX &&
  one.startSeconds <= other.endSeconds + GAP_SECONDS_MAX;

/** What two segments show without a pause is one caption; what one shows twice was said twice. */
const joined = (pieces: ReadonlyArray<ReadonlyArray<Cue>>): ReadonlyArray<Cue> => {
  const cues: Array<Cue> = [];
  /** The last caption with a text, and the piece that showed it last. */
  const shown = new Map<string, { readonly index: number; readonly piece: number }>();
  for (const [piece, each] of pieces.entries()) {
    for (const cue of each) {
      const known = shown.get(cue.text);
      const before = known === undefined ? undefined : cues[known.index];
      const isPart =
        before !== undefined && (isSameTime(before, cue) || (known?.piece !== piece && touch(before, cue)));
      const index = isPart ? (known?.index ?? 0) : cues.length;
      cues[index] = isPart
        ? {
            ...cue,
            startSeconds: Math.min(before.startSeconds, cue.startSeconds),
            endSeconds: Math.max(before.endSeconds, cue.endSeconds)
          }
        : cue;
      shown.set(cue.text, { index, piece });
    }
  }
  return cues.toSorted((one, other) => one.startSeconds - other.startSeconds);
};

/**
 * In order of time from the beginning of the stream, which is where the first segment's map points. Null if a segment
 * cannot be read whole.
 */
export const segmentedCaptions = (texts: ReadonlyArray<string>): ReadonlyArray<Cue> | null => {
  const maps = texts.map(timeMapOf);
  const start = maps.find((map) => map !== null)?.ticks ?? 0;
  const pieces = texts.map((text, index) => {
    const { localSeconds, ticks } = maps[index] ?? { localSeconds: 0, ticks: start };
    const by = secondsBetween(start, ticks) - localSeconds;
    return (
      wholeCaptions(text)?.map((cue) => ({
        ...cue,
        startSeconds: moved(cue.startSeconds, by),
        endSeconds: moved(cue.endSeconds, by)
      })) ?? null
    );
  });
  const whole = pieces.filter((cues) => cues !== null);
  return whole.length < pieces.length ? null : joined(whole);
};
