/** The trained block model: forests over the features of a block, including its word scores. */
import type { Words } from "./BlockWords.ts";
import { type Forest, unpackForest } from "./Forest.ts";
import { FOREST, WORDS } from "./generated/BlockForest.ts";
import { unpackWords, wordScore, type WordTable } from "./WordWeights.ts";

export interface BlockModel {
  readonly forest: Forest;
  /** One for each kind of words. */
  readonly words: ReadonlyArray<WordTable>;
}

/** The forest's input for a block: its features, then its word scores by kind. */
export const modelRow = (
  features: Float32Array,
  words: ReadonlyArray<Words>,
  tables: ReadonlyArray<WordTable>
): Float32Array => {
  const row = new Float32Array(features.length + tables.length);
  row.set(features);
  tables.forEach((table, kind) => {
    row[features.length + kind] = wordScore(table, words[kind] ?? new Uint32Array());
  });
  return row;
};

export const BLOCK_MODEL: BlockModel = { forest: unpackForest(FOREST), words: WORDS.map(unpackWords) };
