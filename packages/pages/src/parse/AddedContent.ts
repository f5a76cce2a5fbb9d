/**
 * What others added to a page: comments, reviews, replies; and what it quotes. Retrain: train/train-page-text.ts.
 * Tests: PageByline.test.ts.
 */
import type { PageElement } from "./PageTree.ts";

/** Comments, reviews and quotations have authors of their own: "comment-list", "pullquote". */
const ADDED_NAMES =
  /(?:^|[\s_-])(?:comment(?:s|list|er|or)?|disqus|(?:block|pull)?quotes?|repl(?:y|ies)|respond|reviews?)(?:[\s_-]|$)|testimonial/i;
const ADDED_DEPTH_MAX = 12;
/** What holds the page's own content. */
export const PAGE_ELEMENTS: ReadonlySet<string> = new Set(["html", "body", "main"]);

/** Whether an element belongs to a comment, a review or a quotation. */
export const isAdded = (element: PageElement): boolean => {
  let around: PageElement | null = element;
  for (let depth = 0; depth < ADDED_DEPTH_MAX && around !== null; depth += 1, around = around.parent) {
    if (PAGE_ELEMENTS.has(around.name)) return false;
    if (around.name === "blockquote") return true;
    if (ADDED_NAMES.test(`${around.attributes["class"] ?? ""} ${around.attributes["id"] ?? ""}`)) return true;
  }
  return false;
};
