/** Imports between the published packages: non-public modules are imported through `internal/`. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { EXPORTING, importsOf, INTERNAL, publicEntries } from "../exports.ts";

const PUBLIC = new Set(EXPORTING.flatMap((name) => publicEntries(name).map((entry) => entry.name)));

/** Maps `@winnow/core/engine/runs/Runs` to `@winnow/core/internal/engine/runs/Runs`. */
const internalName = (name: string): string => name.replace(/^(@winnow\/\w+)\//u, `$1/${INTERNAL}/`);

const rewritten = (text: string): string => {
  let result = text;
  for (const name of new Set(importsOf(text))) {
    if (!PUBLIC.has(name)) result = result.replaceAll(`"${name}"`, `"${internalName(name)}"`);
  }
  return result;
};

/** In the compiled code in `folder`. */
export const writeInternalImports = async (folder: string): Promise<void> => {
  for (const file of await readdir(folder, { recursive: true })) {
    if (!/\.(?:js|d\.ts)$/u.test(file)) continue;
    const place = path.join(folder, file);
    const text = await readFile(place, "utf8");
    const written = rewritten(text);
    if (written !== text) await writeFile(place, written);
  }
};
