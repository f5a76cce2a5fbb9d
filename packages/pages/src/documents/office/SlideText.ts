/** Reads paragraphs of text in drawings (DrawingML, ECMA-376 part 1, 21.1): emphasis, links, lists. Tests: Slides.test.ts. */
import { PageElement, rawTextOf } from "../../parse/PageTree.ts";
import { childOf, childrenOf, elementsOf } from "../Markup.ts";
import { append } from "../MarkupPage.ts";
import { OpenLists } from "./OpenLists.ts";

export type Bullet = "mark" | "number" | "none";

export const bulletOf = (properties: PageElement | null): Bullet | null => {
  if (properties === null) return null;
  if (childOf(properties, "a:buNone") !== null) return "none";
  if (childOf(properties, "a:buAutoNum") !== null) return "number";
  const isMarked = childOf(properties, "a:buChar") !== null || childOf(properties, "a:buBlip") !== null;
  return isMarked ? "mark" : null;
};

/**
 * The alternative a program would show that supports all of them: the first choice with content, otherwise the
 * fallback.
 */
export const chosenAlternative = (alternative: PageElement): ReadonlyArray<PageElement> => {
  const choices = childrenOf(alternative).filter(
    ({ name }) => name === "mc:Choice" || name === "mc:Fallback"
  );
  const choice = choices.find((each) => childrenOf(each).length > 0);
  return choice === undefined ? [] : childrenOf(choice);
};

/** Targets of a slide's links by id. */
export type Links = ReadonlyMap<string, string>;

const LEVEL_MAX = 8;

const isOn = (value: string | undefined): boolean => /^(?:1|true|on)$/.test(value ?? "");

/** Continues a span of this kind, also over the white space after it. */
const span = (parent: PageElement, name: string): PageElement => {
  const { children } = parent;
  const last = children.at(-1);
  const isBlank = typeof last === "string" && last.trim() === "";
  const before = isBlank ? children.at(-2) : last;
  if (typeof before !== "object" || before.name !== name) return append(parent, name);
  if (isBlank) before.children.push(children.pop() ?? "");
  return before;
};

const addRun = (parent: PageElement, run: PageElement, links: Links): void => {
  const text = elementsOf(run, "a:t").map(rawTextOf).join("");
  const properties = childOf(run, "a:rPr");
  let into = parent;
  if (properties !== null && text.trim() !== "") {
    const href = links.get(childOf(properties, "a:hlinkClick")?.attributes["r:id"] ?? "");
    if (href !== undefined) into = append(into, "a", { href });
    if (isOn(properties.attributes["b"])) into = span(into, "strong");
    if (isOn(properties.attributes["i"])) into = span(into, "em");
  }
  into.children.push(text);
};

/** Slide numbers and dates are updated whenever they are displayed. */
const isSetByProgram = (field: PageElement): boolean =>
  /^(?:slidenum|datetime)/.test(field.attributes["type"] ?? "");

const addInline = (parent: PageElement, child: PageElement, links: Links): void => {
  switch (child.name) {
    case "a:br":
      append(parent, "br");
      return;
    case "a:r":
      return addRun(parent, child, links);
    case "a:fld":
      return isSetByProgram(child) ? undefined : addRun(parent, child, links);
    case "mc:AlternateContent":
      for (const each of chosenAlternative(child)) addInline(parent, each, links);
  }
};

const addParagraph = (parent: PageElement, paragraph: PageElement, links: Links): void => {
  for (const child of childrenOf(paragraph)) addInline(parent, child, links);
};

/** Paragraphs with words. */
const paragraphsIn = (body: PageElement | null): ReadonlyArray<PageElement> =>
  (body === null ? [] : childrenOf(body)).filter((child) => {
    if (child.name !== "a:p") return false;
    return elementsOf(child, "a:t").some((text) => rawTextOf(text).trim() !== "");
  });

/** The paragraphs of a cell or title, on one line. */
export const addLine = (parent: PageElement, body: PageElement | null, links: Links): void => {
  for (const [index, paragraph] of paragraphsIn(body).entries()) {
    if (index > 0) parent.children.push(" ");
    addParagraph(parent, paragraph, links);
  }
};

/** The paragraphs of a text box, with bulleted ones as lists. */
export const addBody = (
  parent: PageElement,
  body: PageElement | null,
  links: Links,
  bulletAt: (level: number) => Bullet
): void => {
  const lists = new OpenLists(parent);
  const counts: Array<number> = [];
  for (const paragraph of paragraphsIn(body)) {
    const properties = childOf(paragraph, "a:pPr");
    const written = Number(properties?.attributes["lvl"] ?? 0);
    const level = Number.isInteger(written) ? Math.min(Math.max(written, 0), LEVEL_MAX) : 0;
    const bullet = bulletOf(properties) ?? bulletAt(level);
    counts.length = Math.min(counts.length, level + 1);
    if (bullet !== "number") counts.length = Math.min(counts.length, level);
    if (bullet === "none") {
      lists.end();
      addParagraph(append(parent, "p"), paragraph, links);
      continue;
    }
    const start = Number(
      (properties === null ? null : childOf(properties, "a:buAutoNum"))?.attributes["startAt"] ?? 1
    );
    const number = bullet === "number" ? (counts[level] ?? start - 1) + 1 : null;
    if (number !== null) counts[level] = number;
    addParagraph(lists.item({ level, number }), paragraph, links);
  }
};
