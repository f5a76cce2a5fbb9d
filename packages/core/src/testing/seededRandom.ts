/** Chance that is the same for the same seed: varied input of tests and benches that fails again when it failed. */

/** The next number of 0 to 1, without 1 (mulberry32). */
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

/** A whole number of 0 to `count`, without `count`. */
export const indexBelow = (random: Random, count: number): number => Math.floor(random() * count);
