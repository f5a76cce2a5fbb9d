/** Plain text of a tree, one block per line: what remains when the markup goes. */
import { BLOCKS, NO_TEXT } from "./NoiseRules.js";
import { tidyLines } from "./PlainText.js";
const CELLS = new Set(["td", "th"]);
export const blockText = (root) => {
    const parts = [];
    const collect = (element) => {
        for (const child of element.children) {
            if (typeof child === "string") {
                parts.push(child);
                continue;
            }
            if (NO_TEXT.has(child.name) || child.hidden)
                continue;
            // Cells of a row stay on its line.
            const mark = CELLS.has(child.name) ? "\t" : BLOCKS.has(child.name) ? "\n" : "";
            parts.push(mark);
            collect(child);
            parts.push(mark);
        }
    };
    collect(root);
    return tidyLines(parts.join(""));
};
