/** Imports between the packages as they are published: what is not for strangers goes by `internal/`. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { EXPORTING, importsOf, INTERNAL, publicEntries } from "../exports.ts";

const PUBLIC = new Set(EXPORTING.flatMap((name) => publicEntries(name).map((entry) => entry.name)));

/** `@winnow/core/engine/Runs` as `@winnow/core/internal/engine/Runs`. */
const internalName = (name: string): string => name.replace(/^(@winnow\/\w+)\//u, `$1/${INTERNAL}/`);

const rewritten = (text: string): string => {
  let result = text;
  for (const name of new Set(importsOf(text))) {
    if (!PUBLIC.has(name)) result = result.replaceAll(`"${name}"`, `"${internalName(name)}"`);
  }
  return result;
};

/** Of the compiled code that lies in `folder`. */
export const writeInternalImports = async (folder: string): Promise<void> => {
  for (const file of await readdir(folder, { recursive: true })) {
    if (!/\.(?:js|d\.ts)$/u.test(file)) continue;
    const place = path.join(folder, file);
    const text = await readFile(place, "utf8");
    const written = rewritten(text);
    if (written !== text) await writeFile(place, written);
  }
};
