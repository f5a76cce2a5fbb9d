/** The block model that this package ships: a data file that train/train-page-text.ts writes. Tests: golden.test.ts, MainText.test.ts. */
import { readFileSync } from "node:fs";
import { unpackWords } from "./BlockWords.ts";
import { type BlockModel, unpackForest } from "./Model.ts";

export const MODEL_FILE = new URL("./generated/block-model.json", import.meta.url);

export interface ModelFile {
  /** What the file is. */
  readonly about: string;
  /** The files it was trained on: their pages together, and the SHA-256 of each. */
  readonly trainingData: { readonly pages: number; readonly sha256: ReadonlyArray<string> };
  /** Of the features it was trained with; see test/select/blocks/goldenPages.ts. */
  readonly featuresDigest: string;
  /** As `unpackForest` reads it. */
  readonly forest: string;
  /** As `unpackWords` reads it: weights of the words around a block, in it, and before it. */
  readonly words: ReadonlyArray<string>;
}

export const readModelFile = (): ModelFile => JSON.parse(readFileSync(MODEL_FILE, "utf8")) as ModelFile;

let shipped: BlockModel | null = null;

/** Read when it is first needed: many documents do without. */
export const shippedModel = (): BlockModel => {
  if (shipped === null) {
    const { forest, words } = readModelFile();
    shipped = { forest: unpackForest(forest), words: words.map(unpackWords) };
  }
  return shipped;
};
