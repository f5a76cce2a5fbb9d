/** The trained block model. */
import { unpackForest } from "./Forest.ts";
import { ALONE, BESIDE } from "./generated/BlockForests.ts";
import type { BlockModel } from "./MainText.ts";

export const BLOCK_MODEL: BlockModel = { alone: unpackForest(ALONE), beside: unpackForest(BESIDE) };
