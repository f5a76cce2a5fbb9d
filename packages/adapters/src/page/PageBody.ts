/** Where the text of a page is. */
import { type PageElement, walk } from "./PageTree.ts";

/** The root if there is no body, as in fragments. */
export const bodyOf = (root: PageElement): PageElement => {
  let body: PageElement | null = null;
  walk(root, (element) => {
    if (element.name === "body") body ??= element;
    return body === null;
  });
  return body ?? root;
};
