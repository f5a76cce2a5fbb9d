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

const paragraphsOf = (body: PageElement | null): ReadonlyArray<string> =>
  body === null
    ? []
    : childrenOf(body)
        .filter(({ name }) => name === "a:p")
        .map(paragraphText)
        .filter((text) => text.trim() !== "");

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
  const tag = isTitle(shape) ? "h2" : "p";
  return paragraphs.map((text) => `<${tag}>${text}</${tag}>`).join("");
};

const tableHtml = (table: PageElement): string => {
  const rows = elementsOf(table, "a:tr").map((row) =>
    elementsOf(row, "a:tc")
      .map((cell) => `<td>${paragraphsOf(childOf(cell, "a:txBody")).join(" ")}</td>`)
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
