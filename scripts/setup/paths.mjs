/** Paths of set-up's files. Everything is inside the checkout and ignored by git. */
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const DATA_DIR = path.resolve(ROOT, process.env.WINNOW_DATA_DIR ?? ".winnow");
/** pnpm and the markers of finished steps. */
export const SETUP_DIR = path.join(ROOT, ".tools");
/** Programs downloaded because the machine has none. */
export const PROGRAMS_DIR = path.join(DATA_DIR, "programs");
/** Node 24, from the npm package `node`. */
export const NODE = path.join(ROOT, "node_modules/node/bin/node");

/** First executable with that name on PATH, else null. */
export const onPath = (name) => {
  for (const folder of (process.env.PATH ?? "").split(path.delimiter)) {
    const file = path.join(folder, name);
    if (folder !== "" && existsSync(file)) return file;
  }
  return null;
};
