/** Circles between folders next to each other: each imports the next, and the last the first. Types count too. Tests: arrows.test.ts. */
import path from "node:path";

const RELATIVE_IMPORT = /(?:from |import\()"(\.[^"]*)"/gu;

/** The folders in which the way to one file leaves the way to the other; null if there is no such pair. */
const parting = (from: string, to: string): readonly [left: string, right: string] | null => {
  const [left, right] = [from.split("/"), to.split("/")];
  const depth = left.findIndex((part, index) => part !== right[index]) + 1;
  if (depth === 0 || depth >= left.length || depth >= right.length) return null;
  return [left.slice(0, depth).join("/"), right.slice(0, depth).join("/")];
};

/** The folders that are in a circle, by the text of each file. All are paths from the root. */
export const foldersInCircles = (sources: ReadonlyMap<string, string>): ReadonlyArray<string> => {
  const imported = new Map<string, Set<string>>();
  for (const [file, text] of sources) {
    for (const [, specifier = ""] of text.matchAll(RELATIVE_IMPORT)) {
      const pair = parting(file, path.posix.join(path.posix.dirname(file), specifier));
      if (pair !== null) imported.set(pair[0], (imported.get(pair[0]) ?? new Set()).add(pair[1]));
    }
  }
  // A folder is reached from itself if it is in a circle.
  const reaches = (start: string): boolean => {
    const found = new Set(imported.get(start));
    for (const folder of found) for (const next of imported.get(folder) ?? []) found.add(next);
    return found.has(start);
  };
  return [...imported.keys()].filter(reaches);
};
