/** Folders of runs in tests. */
import * as Effect from "effect/Effect";
import { makeRunFolder, sweepWorkDir } from "../../src/process/RunFolder.ts";

/** A run's folder in a new work folder. */
export const openRunFolder = (workDir: string) =>
  Effect.andThen(sweepWorkDir(workDir), makeRunFolder(workDir));
