/** The plain text of a tree, one block per line. */
import { BLOCKS, NO_TEXT } from "../tree/NoiseRules.ts";
import type { PageElement } from "../tree/PageTree.ts";
import { tidyLines } from "../tree/PlainText.ts";

const CELLS: ReadonlySet<string> = new Set(["td", "th"]);

export const blockText = (root: PageElement): string => {
  const parts: Array<string> = [];
  const collect = (element: PageElement): void => {
    for (const child of element.children) {
      if (typeof child === "string") {
        parts.push(child);
        continue;
      }
      if (NO_TEXT.has(child.name) || child.hidden || child.isStruck) continue;
      // Cells of a row stay on one line.
      const mark = CELLS.has(child.name) ? "\t" : BLOCKS.has(child.name) ? "\n" : "";
      parts.push(mark);
      collect(child);
      parts.push(mark);
    }
  };
  collect(root);
  return tidyLines(parts.join(""));
};
