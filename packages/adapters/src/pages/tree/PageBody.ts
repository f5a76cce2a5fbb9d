/** Where the text of a page is. */
import { type PageElement, walk } from "./PageTree.ts";

/** The root if there is no body, as in fragments, or several, as in pages kept within others. */
export const bodyOf = (root: PageElement): PageElement => {
  let body: PageElement | null = null;
  let count = 0;
  walk(root, (element) => {
    if (element.name !== "body") return count < 2;
    body ??= element;
    count += 1;
    return false;
  });
  return count === 1 ? (body ?? root) : root;
};
