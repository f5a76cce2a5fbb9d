/** Folders of runs in tests. */
import * as Effect from "effect/Effect";
import { makeRunFolder, makeWorkDir } from "../../src/process/RunFolder.ts";

/** A run's folder in a new work folder. */
export const openRunFolder = (parent: string) => Effect.flatMap(makeWorkDir(parent), makeRunFolder);
