/** A text as it is drawn, and where a quote is in it. Pure. */
import { cloneElement, type VNode } from "preact";
import { findQuote, type Range } from "./marks.ts";

/** Elements and the texts in them. */
export type Drawn = string | VNode<{ readonly children?: Drawn }> | ReadonlyArray<Drawn>;

/** Elements in a line of text; others end it, so that words of two blocks or cells are apart. */
const IN_LINE: ReadonlySet<unknown> = new Set(["strong", "em", "del", "a", "code"]);

/** A drawn text with each of its pieces replaced by what `draw` makes of it and of its place in the text. */
export const redrawn = (drawn: Drawn, draw: (piece: string, from: number) => Drawn): Drawn => {
  let from = 0;
  const walk = (at: Drawn): Drawn => {
    if (typeof at === "string") {
      from += at.length;
      return draw(at, from - at.length);
    }
    if (!("props" in at)) return at.map(walk);
    const { children } = at.props;
    const copy = children === undefined ? at : cloneElement(at, {}, walk(children));
    if (!IN_LINE.has(at.type)) from += 1;
    return copy;
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
