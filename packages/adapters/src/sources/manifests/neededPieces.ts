/** Which pieces of a stream a stretch of it needs, by their lengths. Pure. Tests: stretches.test.ts. */
import type { TimeRange } from "@winnow/core/domain/source/TimeRange";

export interface NeededPieces {
  /** In order; the pieces before the others that they cannot be read without are among them. */
  readonly indexes: ReadonlyArray<number>;
  /** Where the first of them begins in the stream. */
  readonly startSeconds: number;
}

/**
 * `lengths`: in seconds, of all pieces in order; null for one that only prepares those behind it. The last piece is needed
 * in any case, because the sum of rounded lengths may end before the stream does. Null if no piece has a length.
 */
export const neededPieces = (
  lengths: ReadonlyArray<number | null>,
  { startSec, endSec }: TimeRange
): NeededPieces | null => {
  const last = lengths.findLastIndex((seconds) => seconds !== null);
  const indexes: Array<number> = [];
  let startSeconds: number | null = null;
  let preparing: number | null = null;
  let from = 0;
  for (const [index, seconds] of lengths.entries()) {
    if (seconds === null) {
      preparing = index;
      continue;
    }
    const to = from + seconds;
    const isNeeded = from < (endSec ?? Infinity) && to > startSec;
    if (isNeeded || (index === last && startSeconds === null)) {
      startSeconds ??= from;
      indexes.push(...(preparing === null ? [] : [preparing]), index);
      preparing = null;
    }
    from = to;
  }
  return startSeconds === null || from === 0 ? null : { indexes, startSeconds };
};
