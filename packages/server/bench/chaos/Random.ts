/** Mulberry32: the same seed, the same chaos, as far as the machine lets it. */
export type Random = () => number;

export const randomOf = (seed: number): Random => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

/** A whole number below `count`. */
export const pick = (random: Random, count: number): number => Math.floor(random() * count);
