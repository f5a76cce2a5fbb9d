/**
 * Elements marked as author of the page, not of a comment, review or other page. Measured by bench/page-bylines.ts.
 * Tests: PageMetadata.test.ts.
 */
import { NAME_CHARS_MAX } from "../PageLimits.ts";
import { isAdded, PAGE_ELEMENTS } from "../parse/AddedContent.ts";
import { headingLevel, type PageElement, textOf } from "../parse/PageTree.ts";
import { folded } from "../parse/PlainText.ts";

/**
 * Class names of author elements: `author`, `post-author-name`, `article__author__name`, `byline-contributor`,
 * ...
 */
const BYLINE_CLASS =
  /(?:^|\s)(?:byline(?:[-_]+\w+)?|(?:[\w-]+[-_])?author(?:[-_]*(?:name|nm|link|title))?|[\w-]*[-_]author[\w-]*[-_]name(?:__link)?)(?:\s|$)/i;
/** The quick test comes first: few classes contain one of the two words. */
const isBylineClass = (names: string): boolean => /byline|author/i.test(names) && BYLINE_CLASS.test(names);

/** Whether an element is marked as the author or as containing the author, apart from microdata. */
export const isMarkedAuthor = (element: PageElement): boolean =>
  element.name !== "meta" &&
  (element.attributes["rel"] === "author" || isBylineClass(element.attributes["class"] ?? "")) &&
  !isAdded(element);

/** How many elements around a name may be the card of another page. */
const CARD_DEPTH_MAX = 8;

/** Elements of a card that are searched for its heading; more are no card. */
const CARD_ELEMENTS_MAX = 100;

const isLink = ({ name }: PageElement): boolean => name === "a";

/** Null for more elements than a card has. */
const headingsIn = (card: PageElement): ReadonlyArray<PageElement> | null => {
  const headings: Array<PageElement> = [];
  let left = CARD_ELEMENTS_MAX;
  const collect = (element: PageElement): void => {
    for (const child of element.children) {
      if (typeof child === "string" || left === 0) continue;
      left -= 1;
      if (headingLevel(child) !== null) headings.push(child);
      collect(child);
    }
  };
  collect(card);
  return left === 0 ? null : headings;
};

const isLinked = (heading: PageElement, card: PageElement): boolean => {
  let around: PageElement | null = heading;
  while (around !== null && around !== card && !isLink(around)) around = around.parent;
  const isWithin = around !== null && isLink(around);
  return isWithin || heading.children.some((child) => typeof child !== "string" && isLink(child));
};

/**
 * Whether an element stands on the card of another page: beside its only heading, a link, which is not in the
 * document's title.
 */
export const isOfAnother = (element: PageElement, title: string | null): boolean => {
  let card: PageElement | null = element;
  for (let depth = 0; depth < CARD_DEPTH_MAX && card !== null; depth += 1, card = card.parent) {
    if (PAGE_ELEMENTS.has(card.name)) return false;
    const headings = headingsIn(card);
    if (headings === null) return false;
    const [heading, another] = headings;
    if (heading === undefined) continue;
    const words = folded(textOf(heading, NAME_CHARS_MAX));
    return (
      another === undefined &&
      heading.name !== "h1" &&
      words !== "" &&
      isLinked(heading, card) &&
      !` ${folded(title ?? "")} `.includes(` ${words} `) &&
      !words.includes(folded(textOf(element, NAME_CHARS_MAX)))
    );
  }
  return false;
};
