/** Times in seconds to the millisecond, as caption files and the API have them. Tests: TimeRange.test.ts, OddCaptions.test.ts. */

const PER_SECOND = 1_000;

/** Whole; NaN and infinities stay. */
export const msOf = (seconds: number): number => Math.round(seconds * PER_SECOND);

/** Without the binary fractions of sums and products. */
export const roundedSeconds = (seconds: number): number => msOf(seconds) / PER_SECOND;
