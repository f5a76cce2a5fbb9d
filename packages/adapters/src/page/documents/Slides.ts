/** Slides of a presentation (PresentationML, ECMA-376) as HTML, one text for each: title, paragraphs, tables. */
import { type PageElement, rawTextOf } from "../PageTree.ts";
import { SLIDES_MAX } from "../PageLimits.ts";
import { childOf, childrenOf, elementsOf, escaped, pathBeside, relationsOf, requiredXml } from "./Markup.ts";
import { type ZipEntries, ZipRefused } from "./ZipEntries.ts";

const MAIN = "ppt/presentation.xml";

const paragraphText = (paragraph: PageElement): string =>
  childrenOf(paragraph)
    .map((child) =>
      child.name === "a:br"
        ? "<br>"
        : elementsOf(child, "a:t")
            .map((text) => escaped(rawTextOf(text)))
            .join("")
    )
    .join("");

interface Paragraph {
  readonly text: string;
  /** Of its list, from 0; null outside of one. Bullets that the template alone gives are not known. */
  readonly level: number | null;
  readonly isCounted: boolean;
}

const LEVEL_MAX = 8;

const paragraphOf = (paragraph: PageElement): Paragraph => {
  const properties = childOf(paragraph, "a:pPr");
  const isCounted = properties !== null && childOf(properties, "a:buAutoNum") !== null;
  const isItem = isCounted || (properties !== null && childOf(properties, "a:buChar") !== null);
  const level = Number(properties?.attributes["lvl"] ?? 0);
  return {
    text: paragraphText(paragraph),
    level: isItem ? (Number.isInteger(level) ? Math.min(Math.max(level, 0), LEVEL_MAX) : 0) : null,
    isCounted
  };
};

const paragraphsOf = (body: PageElement | null): ReadonlyArray<Paragraph> =>
  body === null
    ? []
    : childrenOf(body)
        .filter(({ name }) => name === "a:p")
        .map(paragraphOf)
        .filter(({ text }) => text.trim() !== "");

/** Items one after the other, those of a deeper level inside the item before them. */
const paragraphsHtml = (paragraphs: ReadonlyArray<Paragraph>): string => {
  const open: Array<string> = [];
  const closeTo = (count: number): string =>
    open
      .splice(count)
      .toReversed()
      .map((list) => `</li></${list}>`)
      .join("");
  const parts = paragraphs.map(({ isCounted, level, text }) => {
    if (level === null) return `${closeTo(0)}<p>${text}</p>`;
    // No level is left out: an item that begins deeper is one level deeper than what is open.
    const depth = Math.min(level, open.length);
    const closed = closeTo(depth + 1);
    if (open.length === depth + 1) return `${closed}</li><li>${text}`;
    const list = isCounted ? "ol" : "ul";
    open.push(list);
    return `${closed}<${list}><li>${text}`;
  });
  return parts.join("") + closeTo(0);
};

const isTitle = (shape: PageElement): boolean =>
  elementsOf(shape, "p:ph").some(({ attributes }) => /^(?:ctrT|t)itle$/.test(attributes["type"] ?? ""));

/** Numbers, dates and footers of slides are set by the template. */
const isFrame = (shape: PageElement): boolean =>
  elementsOf(shape, "p:ph").some(({ attributes }) =>
    /^(?:sldNum|dt|ftr|hdr)$/.test(attributes["type"] ?? "")
  );

const shapeHtml = (shape: PageElement): string => {
  if (isFrame(shape)) return "";
  const paragraphs = paragraphsOf(childOf(shape, "p:txBody"));
  return isTitle(shape)
    ? paragraphs.map(({ text }) => `<h2>${text}</h2>`).join("")
    : paragraphsHtml(paragraphs);
};

const tableHtml = (table: PageElement): string => {
  const rows = elementsOf(table, "a:tr").map((row) =>
    elementsOf(row, "a:tc")
      .map(
        (cell) =>
          `<td>${paragraphsOf(childOf(cell, "a:txBody"))
            .map(({ text }) => text)
            .join(" ")}</td>`
      )
      .join("")
  );
  return `<table>${rows.map((row) => `<tr>${row}</tr>`).join("")}</table>`;
};

const shapesHtml = (tree: PageElement): string =>
  childrenOf(tree)
    .map((child) => {
      if (child.name === "p:sp") return shapeHtml(child);
      if (child.name === "p:grpSp") return shapesHtml(child);
      return child.name === "p:graphicFrame" ? elementsOf(child, "a:tbl").map(tableHtml).join("") : "";
    })
    .join("");

export const slidesHtml = (zip: ZipEntries): ReadonlyArray<string> => {
  const targets = relationsOf(zip, MAIN);
  const slides = elementsOf(requiredXml(zip, MAIN), "p:sldId");
  if (slides.length > SLIDES_MAX) throw new ZipRefused("too_large");
  return slides.map(({ attributes }) => {
    const root = requiredXml(zip, pathBeside(MAIN, targets.get(attributes["r:id"] ?? "") ?? ""));
    const tree = childOf(root, "p:sld", "p:cSld", "p:spTree");
    if (tree === null) throw new ZipRefused("damaged");
    return `<body>${shapesHtml(tree)}</body>`;
  });
};
