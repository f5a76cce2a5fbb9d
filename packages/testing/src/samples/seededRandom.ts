/** Seeded random numbers: varied input for tests and benches that can be reproduced. */

/** The next number from 0 to 1, excluding 1 (mulberry32). */
export type Random = () => number;

export const seededRandom = (seed: number): Random => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** A whole number from 0 to `count`, excluding `count`. */
export const indexBelow = (random: Random, count: number): number => Math.floor(random() * count);
