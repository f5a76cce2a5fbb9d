/**
 * Finds what a reader does not see: text hidden by its own markup, and `noscript` where scripts run. Hidden
 * text is where pages put what is meant for machines, instructions to a model among it.
 */
import type { PageElement } from "./PageTree.ts";
import { charsOf } from "./PlainText.ts";

/** Not `opacity: 0`: that is how pages announce what their scripts fade in. */
const HIDING_STYLE = /display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])/i;

/** Out of every window; less than this is how pages shift things a little. */
const OUTSIDE_STYLE = /(?:left|top|text-indent)\s*:\s*-(?:999|\d{5})/i;

/** Hidden elements with more than this share of all text are the page itself, to be shown by a script. */
const REVEALED_SHARE = 0.5;

const NOT_TEXT: ReadonlySet<string> = new Set(["script", "style", "template"]);

/** React streams parts of a page like this and moves them into their place by script. */
const STREAMED_ID = /^S:[\da-f]+$/;

const isHiding = ({ attributes, name }: PageElement): boolean => {
  const { hidden, id, style } = attributes;
  if (name === "html" || name === "body" || (id !== undefined && STREAMED_ID.test(id))) return false;
  if (name === "noscript" || (hidden !== undefined && hidden.toLowerCase() !== "until-found")) return true;
  return style !== undefined && (HIDING_STYLE.test(style) || OUTSIDE_STYLE.test(style));
};

/** Sets `hidden` on the outermost hidden elements. */
export const markHidden = (root: PageElement): void => {
  const lengths = new Map<PageElement, number>();
  const mark = (element: PageElement): number => {
    element.hidden = isHiding(element);
    let length = 0;
    for (const child of element.children) {
      if (typeof child === "string") length += charsOf(child);
      else if (!NOT_TEXT.has(child.name)) length += mark(child);
    }
    if (element.hidden) lengths.set(element, length);
    return length;
  };
  const total = mark(root);
  for (const [element, length] of lengths) {
    if (length > REVEALED_SHARE * total) element.hidden = false;
  }
};
