/** The stretch of a video that a run fetches, reads and is charged for. Times are seconds of the whole video. */
import * as Schema from "effect/Schema";
import { present } from "../text/Json.ts";
import { msOf, roundedSeconds } from "../text/Milliseconds.ts";

/** Later than the end of any video that a plan allows. */
const RANGE_SECONDS_MAX = 1_000_000;

/** Described before it is checked: the document of the API has no place for what is said of the last check. */
const seconds = (description: string) =>
  Schema.Finite.annotate({ description }).check(
    Schema.isBetween({ minimum: 0, maximum: RANGE_SECONDS_MAX }),
    Schema.makeFilter((value: number) =>
      roundedSeconds(value) === value ? undefined : "must have at most three decimals"
    )
  );

/** On the wire: at least one of both, and both in an answer, unless it goes on to the end. */
export const WireRange = Schema.Struct({
  startSec: Schema.optionalKey(seconds("Where it begins; by default at the beginning.")),
  endSec: Schema.optionalKey(seconds("Where it ends, after `startSec`; by default where the video does."))
}).annotate({
  identifier: "TimeRange",
  description: "A stretch of a video, in its seconds, with at most three decimals; at least one of both."
});
export type WireRange = typeof WireRange.Type;

export const TimeRange = Schema.Struct({
  startSec: Schema.Finite,
  /** Null: where the video ends. */
  endSec: Schema.NullOr(Schema.Finite)
});
export type TimeRange = typeof TimeRange.Type;

/** For what only the run could see. */
export const RANGE_HINT = "Submit it again without `range`, or with one within the video.";

export const wireRange = (range: TimeRange | null): WireRange | null => range && present(range);

export const startMsOf = (range: TimeRange | null): number => msOf(range?.startSec ?? 0);

/** Length of the stretch in whole milliseconds, 0 beyond the end; of a video of unknown length at most `unknownMs`. */
export const stretchMs = (
  range: TimeRange | null,
  durationMs: number | null,
  unknownMs = Infinity
): number => {
  const startMs = startMsOf(range);
  const endMs = Math.min(msOf(range?.endSec ?? Infinity), durationMs ?? startMs + unknownMs);
  return Math.max(0, endMs - startMs);
};

/** Length of the stretch, 0 beyond the end; null if neither the range nor the source says where it ends. */
export const stretchSeconds = (range: TimeRange | null, durationSeconds: number | null): number | null => {
  if (range === null) return durationSeconds;
  const endSec = Math.min(range.endSec ?? Infinity, durationSeconds ?? Infinity);
  return endSec === Infinity ? null : Math.max(0, roundedSeconds(endSec - range.startSec));
};
