/** The model's word weights, and the total score of a block's words. */
import type { Words } from "./BlockWords.ts";

/** The weights of one kind of words; unknown words do not count. */
export interface WordTable {
  readonly bias: number;
  /** The score of a weight of one. */
  readonly scale: number;
  /** Weights by word, -127 to 127. */
  readonly weights: { readonly get: (word: number) => number | undefined };
}

/** The total score of the words, in log odds. The more words are known, the less each of them counts. */
export const wordScore = ({ bias, scale, weights }: WordTable, words: Words): number => {
  let known = 0;
  let sum = 0;
  for (let at = 0; at < words.length; at += 1) {
    const weight = weights.get(words[at] as number);
    if (weight === undefined) continue;
    known += 1;
    sum += weight;
  }
  return bias + (scale * sum) / Math.sqrt(1 + known);
};

/** Marks an empty slot. */
const UNKNOWN = -128;

/** Fibonacci hashing: the high bits of the product are spread evenly. */
const SPREADING = 0x9e3779b1;

/**
 * A hash table with open addressing. A page needs tens of thousands of look-ups, and in a `Map` every number above 31
 * bits is an object.
 */
class PackedWeights {
  private readonly words: Uint32Array;
  private readonly weights: Int8Array;
  private readonly shift: number;

  constructor(count: number) {
    // At most half full.
    const bits = Math.ceil(Math.log2(2 * count + 2));
    this.shift = 32 - bits;
    this.words = new Uint32Array(2 ** bits);
    this.weights = new Int8Array(2 ** bits).fill(UNKNOWN);
  }

  set(word: number, weight: number): void {
    const place = this.slotOf(word);
    this.words[place] = word;
    this.weights[place] = weight;
  }

  get(word: number): number | undefined {
    const weight = this.weights[this.slotOf(word)] as number;
    return weight === UNKNOWN ? undefined : weight;
  }

  /** The slot of a word, or the empty one where it belongs. */
  private slotOf(word: number): number {
    const { weights, words } = this;
    let place = Math.imul(word, SPREADING) >>> this.shift;
    while (words[place] !== word && weights[place] !== UNKNOWN) place = (place + 1) & (words.length - 1);
    return place;
  }
}

/** Bytes of one packed word and of its weight. */
export const WORD_BYTES = 4;
export const WEIGHT_BYTES = 1;

/** Parses the format of the training script: bias and scale, then words and weights in base64. */
export const unpackWords = (packed: string): WordTable => {
  const [numbers = "", base64 = ""] = packed.split(";");
  const [bias = 0, scale = 0] = numbers.split(" ").map(Number);
  const bytes = Buffer.from(base64, "base64");
  const count = bytes.byteLength / (WORD_BYTES + WEIGHT_BYTES);
  const weights = new PackedWeights(count);
  for (let at = 0; at < count; at += 1)
    weights.set(bytes.readUInt32LE(at * WORD_BYTES), bytes.readInt8(count * WORD_BYTES + at));
  return { bias, scale, weights };
};
