/**
 * Trains the weights of words around, in and before a block: one logistic regression for each kind of words,
 * with AdaGrad. The same blocks and seed give the same tables.
 */
import { seededRandom } from "@winnow/testing/samples/samples";
import { type Words, wordScore, type WordTable } from "../src/select/blocks/BlockWords.ts";

/** Words that occur on fewer sites than this are typical of the site, not of the content. */
const SITES_MIN = 10;
const EPOCHS = 3;
const STEP = 0.1;
const BIAS_STEP = 0.05;
const SHRINKING = 0.001;
/** The weights of a page's blocks add up to about one; this factor makes the first steps large enough. */
const WEIGHT_SCALE = 100;
const SEED = 1;
const WEIGHT_MAX = 127;

/** The blocks of a page, with their words of one kind. */
export interface WordPage {
  readonly site: string;
  readonly words: ReadonlyArray<Words>;
  readonly labels: Float32Array;
  readonly weights: Float32Array;
}

/** A page as indexes into the vocabulary: the words of all blocks one after another, and where each block starts. */
interface Indexed {
  readonly page: WordPage;
  readonly places: Int32Array;
  readonly starts: Int32Array;
}

/** The words that occur on enough sites, in order of first appearance. */
const vocabularyOf = (pages: ReadonlyArray<WordPage>): ReadonlyArray<number> => {
  const sites = new Map<number, Set<string>>();
  for (const { site, words } of pages)
    for (const ofBlock of words)
      for (const word of ofBlock) {
        const known = sites.get(word);
        if (known === undefined) sites.set(word, new Set([site]));
        else if (known.size < SITES_MIN) known.add(site);
      }
  return [...sites].filter(([, { size }]) => size >= SITES_MIN).map(([word]) => word);
};

const indexedOf = (page: WordPage, places: ReadonlyMap<number, number>): Indexed => {
  const starts = [0];
  const found: Array<number> = [];
  for (const words of page.words) {
    for (const word of words) {
      const place = places.get(word);
      if (place !== undefined) found.push(place);
    }
    starts.push(found.length);
  }
  return { page, places: Int32Array.from(found), starts: Int32Array.from(starts) };
};

class Regression {
  bias = -1;
  readonly weights: Float64Array;
  private readonly slopes: Float64Array;
  private biasSlopes = 1e-3;

  constructor(size: number) {
    this.weights = new Float64Array(size);
    this.slopes = new Float64Array(size).fill(1e-3);
  }

  learn({ page, places, starts }: Indexed): void {
    const { slopes, weights } = this;
    for (let block = 0; block < page.labels.length; block += 1) {
      const own = places.subarray(starts[block], starts[block + 1]);
      const share = 1 / Math.sqrt(1 + own.length);
      const given = (page.weights[block] as number) * WEIGHT_SCALE;
      let score = this.bias;
      for (const place of own) score += (weights[place] as number) * share;
      const slope = (1 / (1 + Math.exp(-score)) - (page.labels[block] as number)) * given;
      this.biasSlopes += slope * slope;
      this.bias -= (BIAS_STEP * slope) / Math.sqrt(this.biasSlopes);
      for (const place of own) {
        const step = (slope + SHRINKING * (weights[place] as number) * given) * share;
        slopes[place] = (slopes[place] as number) + step * step;
        weights[place] = (weights[place] as number) - (STEP * step) / Math.sqrt(slopes[place] as number);
      }
    }
  }
}

/** The learned table, with its weights for packing. */
export interface LearnedWords extends WordTable {
  readonly weights: ReadonlyMap<number, number>;
}

/** Prepares training on words of one kind. The result trains on the pages for which `isSeen` is true. */
export const wordTrainer = (
  all: ReadonlyArray<WordPage>
): ((isSeen: (page: number) => boolean) => LearnedWords) => {
  const vocabulary = vocabularyOf(all);
  const places = new Map(vocabulary.map((word, place) => [word, place]));
  const indexed = all.map((page) => indexedOf(page, places));
  return (isSeen) => {
    const random = seededRandom(SEED);
    const seen = indexed.filter((_, page) => isSeen(page));
    const regression = new Regression(vocabulary.length);
    for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
      const order = seen.map((page) => ({ page, key: random() })).toSorted((a, b) => a.key - b.key);
      for (const { page } of order) regression.learn(page);
    }
    const scale = Math.fround(
      regression.weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 1e-9) / WEIGHT_MAX
    );
    const weights = new Map(
      vocabulary.map((word, place) => [word, Math.round((regression.weights[place] as number) / scale)])
    );
    return { bias: Math.fround(regression.bias), scale, weights };
  };
};

/** One score for each block. */
export const wordScores = ({ words }: WordPage, table: WordTable): Float32Array =>
  Float32Array.from(words, (ofBlock) => wordScore(table, ofBlock));
