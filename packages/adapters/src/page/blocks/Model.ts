/** The trained block model. */
import { type Forest, unpackForest } from "./Forest.ts";
import { FOREST } from "./generated/BlockForest.ts";

export const BLOCK_MODEL: Forest = unpackForest(FOREST);
