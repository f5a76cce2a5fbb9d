/**
 * Converts paragraphs of text in drawings (DrawingML, ECMA-376 part 1, 21.1) to HTML: emphasis, links, lists.
 */
import { type PageElement, rawTextOf } from "../../parse/PageTree.ts";
import { ListWriter } from "./ListWriter.ts";
import { childOf, childrenOf, elementsOf, escaped } from "../Markup.ts";

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

const runHtml = (run: PageElement, links: Links): string => {
  const html = elementsOf(run, "a:t")
    .map((text) => escaped(rawTextOf(text)))
    .join("");
  const properties = childOf(run, "a:rPr");
  if (properties === null || html.trim() === "") return html;
  const italic = isOn(properties.attributes["i"]) ? `<em>${html}</em>` : html;
  const bold = isOn(properties.attributes["b"]) ? `<strong>${italic}</strong>` : italic;
  const target = links.get(childOf(properties, "a:hlinkClick")?.attributes["r:id"] ?? "");
  return target === undefined ? bold : `<a href="${escaped(target)}">${bold}</a>`;
};

/** Slide numbers and dates are updated whenever they are displayed. */
const isSetByProgram = (field: PageElement): boolean =>
  /^(?:slidenum|datetime)/.test(field.attributes["type"] ?? "");

const inlineHtml = (child: PageElement, links: Links): string => {
  switch (child.name) {
    case "a:br":
      return "<br>";
    case "a:r":
      return runHtml(child, links);
    case "a:fld":
      return isSetByProgram(child) ? "" : runHtml(child, links);
    case "mc:AlternateContent":
      return chosenAlternative(child)
        .map((each) => inlineHtml(each, links))
        .join("");
    default:
      return "";
  }
};

/** Adjacent spans of one kind are merged. */
export const joined = (html: string): string => html.replace(/<\/(strong|em)>(\s*)<\1>/g, "$2");

export const paragraphHtml = (paragraph: PageElement, links: Links): string =>
  joined(
    childrenOf(paragraph)
      .map((child) => inlineHtml(child, links))
      .join("")
  );

const paragraphsIn = (body: PageElement | null): ReadonlyArray<PageElement> =>
  body === null ? [] : childrenOf(body).filter(({ name }) => name === "a:p");

/** The non-empty paragraphs of a cell or title. */
export const linesHtml = (body: PageElement | null, links: Links): ReadonlyArray<string> =>
  paragraphsIn(body)
    .map((paragraph) => paragraphHtml(paragraph, links))
    .filter((html) => html.trim() !== "");

/** The paragraphs of a text box, with bulleted ones as lists. */
export const bodyHtml = (
  body: PageElement | null,
  links: Links,
  bulletAt: (level: number) => Bullet
): string => {
  const lists = new ListWriter();
  const parts: Array<string> = [];
  const counts: Array<number> = [];
  for (const paragraph of paragraphsIn(body)) {
    const html = paragraphHtml(paragraph, links);
    if (html.trim() === "") continue;
    const properties = childOf(paragraph, "a:pPr");
    const written = Number(properties?.attributes["lvl"] ?? 0);
    const level = Number.isInteger(written) ? Math.min(Math.max(written, 0), LEVEL_MAX) : 0;
    const bullet = bulletOf(properties) ?? bulletAt(level);
    counts.length = Math.min(counts.length, level + 1);
    if (bullet !== "number") counts.length = Math.min(counts.length, level);
    if (bullet === "none") {
      parts.push(`${lists.end()}<p>${html}</p>`);
      continue;
    }
    const start = Number(
      (properties === null ? null : childOf(properties, "a:buAutoNum"))?.attributes["startAt"] ?? 1
    );
    const number = bullet === "number" ? (counts[level] ?? start - 1) + 1 : null;
    if (number !== null) counts[level] = number;
    parts.push(lists.item({ level, number }, html));
  }
  return parts.join("") + lists.end();
};
