/** The text of a first-level heading: without buttons and links to itself. Measured by bench/page-bylines.ts. Tests: PageTitle.test.ts. */
import { NAME_CHARS_MAX } from "../PageLimits.ts";
import { type PageElement, type PageNode, textOf } from "../parse/PageTree.ts";

export interface Heading {
  readonly text: string;
  /** Of its elements and the text between them, in order. */
  readonly parts: ReadonlyArray<string>;
}

/** Elements that a heading has its parts in. */
const PARTS: ReadonlySet<string> = new Set("div p h2 h3 h4 h5 h6 section small li".split(" "));
const NO_TEXT: ReadonlySet<string> = new Set(["button", "script", "style", "template", "svg"]);
/** A link to the heading itself. */
const ANCHOR = /^\s*(?:#|¶|§|🔗)?\s*$/u;

const isOmitted = (element: PageElement): boolean =>
  element.hidden ||
  NO_TEXT.has(element.name) ||
  (element.name === "a" && ANCHOR.test(textOf(element, NAME_CHARS_MAX)));

const tidy = (text: string): string => text.replace(/\s+/g, " ").trim();

const textOfNode = (node: PageNode): string => {
  if (typeof node === "string") return node;
  if (isOmitted(node)) return " ";
  if (node.name === "br") return " ";
  const text = node.children.map(textOfNode).join("");
  return PARTS.has(node.name) ? ` ${text} ` : text;
};

/** How many elements may be wrapped around all parts of a heading. */
const WRAPPERS_MAX = 4;

const partsOf = (element: PageElement, wrappersLeft = WRAPPERS_MAX): ReadonlyArray<string> => {
  const nodes = element.children.filter((node) => tidy(textOfNode(node)) !== "");
  const [only] = nodes;
  return nodes.length === 1 && typeof only === "object" && wrappersLeft > 0
    ? partsOf(only, wrappersLeft - 1)
    : nodes.map((node) => tidy(textOfNode(node)));
};

/** A longer one is no title, so that its parts do not matter. */
const HEADING_CHARS_MAX = 4 * NAME_CHARS_MAX;

/** Null without text. A heading that only consists of what is left out elsewhere keeps it. */
export const headingOf = (element: PageElement): Heading | null => {
  const whole = element.hidden ? "" : tidy(textOf(element, HEADING_CHARS_MAX));
  if (whole === "") return null;
  const text = whole.length > HEADING_CHARS_MAX ? "" : tidy(element.children.map(textOfNode).join(""));
  return text === "" ? { text: whole, parts: [] } : { text, parts: partsOf(element) };
};
