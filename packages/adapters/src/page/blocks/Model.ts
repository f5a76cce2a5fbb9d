/** The trained block model: a forest over the features of a block, the scores of its words among them. */
import type { Words } from "./BlockWords.ts";
import { type Forest, unpackForest } from "./Forest.ts";
import { FOREST, WORDS } from "./generated/BlockForest.ts";
import { unpackWords, wordScore, type WordTable } from "./WordWeights.ts";

export interface BlockModel {
  readonly forest: Forest;
  /** One for each kind of words. */
  readonly words: ReadonlyArray<WordTable>;
}

/** What the forest is shown of a block: its features, then the scores of its words, kind by kind. */
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
