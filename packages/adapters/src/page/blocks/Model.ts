/** The trained block model. */
import { unpackForest } from "./Forest.ts";
import { FIRST_PASS, CONTEXT_PASS } from "./generated/BlockForests.ts";
import type { BlockModel } from "./MainText.ts";

export const BLOCK_MODEL: BlockModel = {
  firstPass: unpackForest(FIRST_PASS),
  contextPass: unpackForest(CONTEXT_PASS)
};
