/** The trained block model: forests over the features of a block, including its word scores. */
import type { Words } from "./BlockWords.ts";
import { type Forest, type Rows, unpackForest } from "./Forest.ts";
import { FOREST, WORDS } from "./generated/BlockForest.ts";
import { unpackWords, wordScore, type WordTable } from "./WordWeights.ts";

export interface BlockModel {
  readonly forest: Forest;
  /** One for each kind of words. */
  readonly words: ReadonlyArray<WordTable>;
}

/** The forest's input: for each block its features, then its word scores by kind. */
export const modelRows = (
  features: ReadonlyArray<Float32Array>,
  words: ReadonlyArray<ReadonlyArray<Words>>,
  tables: ReadonlyArray<WordTable>
): Rows => {
  const featureCount = features[0]?.length ?? 0;
  const width = featureCount + tables.length;
  const values = new Float32Array(features.length * width);
  features.forEach((row, block) => {
    const start = block * width;
    values.set(row, start);
    tables.forEach((table, kind) => {
      values[start + featureCount + kind] = wordScore(table, words[block]?.[kind] ?? new Uint32Array());
    });
  });
  return { values, width };
};

export const BLOCK_MODEL: BlockModel = { forest: unpackForest(FOREST), words: WORDS.map(unpackWords) };
