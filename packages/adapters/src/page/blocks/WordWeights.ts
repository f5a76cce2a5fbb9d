/** The model's word weights, and the total score of a block's words. */
import type { Words } from "./BlockWords.ts";

/** For one kind of words; unknown words do not count. */
export interface WordTable {
  readonly bias: number;
  /** The value of a weight of one. */
  readonly scale: number;
  /** By word, -127 to 127. */
  readonly weights: ReadonlyMap<number, number>;
}

/** Log odds. The more words are known, the less each of them counts. */
export const wordScore = ({ bias, scale, weights }: WordTable, words: Words): number => {
  let known = 0;
  let sum = 0;
  for (const word of words) {
    const weight = weights.get(word);
    if (weight === undefined) continue;
    known += 1;
    sum += weight;
  }
  return bias + (scale * sum) / Math.sqrt(1 + known);
};

/** Bytes of one packed word and of its weight. */
export const WORD_BYTES = 4;
export const WEIGHT_BYTES = 1;

/** Parses the format of the training script: bias and scale, then words and weights in base64. */
export const unpackWords = (packed: string): WordTable => {
  const [numbers = "", base64 = ""] = packed.split(";");
  const [bias = 0, scale = 0] = numbers.split(" ").map(Number);
  const bytes = Buffer.from(base64, "base64");
  const count = bytes.byteLength / (WORD_BYTES + WEIGHT_BYTES);
  const weights = new Map<number, number>();
  for (let at = 0; at < count; at += 1)
    weights.set(bytes.readUInt32LE(at * WORD_BYTES), bytes.readInt8(count * WORD_BYTES + at));
  return { bias, scale, weights };
};
