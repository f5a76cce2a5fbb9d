/** A text as it is drawn, and where a quote is in it. Pure. Tests: markdown.test.ts. */
import { cloneElement, type VNode } from "preact";
import { findQuote, type Range } from "./marks.ts";

/** Elements and the texts in them. */
export type Drawn = string | VNode<{ readonly children?: Drawn }> | ReadonlyArray<Drawn>;

/** Elements in a line of text; others end it, so that words of two blocks or cells are apart. */
const IN_LINE: ReadonlySet<unknown> = new Set(["strong", "em", "del", "a", "code"]);

/**
 * A drawn text with each of its pieces replaced by what `draw` makes of it and of its place in the text. What stays is
 * the same object, which Preact skips: a page may be a table of thousands of rows.
 */
export const redrawn = (drawn: Drawn, draw: (piece: string, from: number) => Drawn): Drawn => {
  let from = 0;
  const walk = (at: Drawn): Drawn => {
    if (typeof at === "string") {
      from += at.length;
      return draw(at, from - at.length);
    }
    if (!("props" in at)) {
      const items = at.map(walk);
      return items.every((item, index) => item === at[index]) ? at : items;
    }
    const { children } = at.props;
    const inner = children === undefined ? children : walk(children);
    if (!IN_LINE.has(at.type)) from += 1;
    return inner === undefined || inner === children ? at : cloneElement(at, {}, inner);
  };
  return walk(drawn);
};

export const rangeOf = (drawn: Drawn, quote: string): Range | null => {
  let text = "";
  redrawn(drawn, (piece, from) => {
    text = text.padEnd(from) + piece;
    return piece;
  });
  return findQuote(text, quote);
};
