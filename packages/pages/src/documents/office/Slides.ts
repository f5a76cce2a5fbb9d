/**
 * Converts slides of a presentation (PresentationML, ECMA-376) to HTML, one text per slide: title, paragraphs,
 * tables, notes.
 */
import type { PageElement } from "../../parse/PageTree.ts";
import { SLIDES_MAX } from "../../PageLimits.ts";
import {
  childOf,
  childrenOf,
  elementsOf,
  optionalXml,
  relativePath,
  relatedPart,
  relationsOf,
  requiredXml
} from "../Markup.ts";
import {
  bodyHtml,
  type Bullet,
  bulletOf,
  chosenAlternative,
  joined,
  type Links,
  linesHtml
} from "./SlideText.ts";
import { type ZipEntries, ZipRefused } from "../ZipEntries.ts";

/** Maximum nesting of groups; deeper ones are left out. */
const DEPTH_MAX = 40;

interface Slide {
  readonly zip: ZipEntries;
  readonly name: string;
  readonly links: Links;
}

const placeholderType = (shape: PageElement): string | null => {
  const [placeholder] = elementsOf(childOf(shape, "p:nvSpPr") ?? shape, "p:ph");
  return placeholder === undefined ? null : (placeholder.attributes["type"] ?? "obj");
};

const TITLE = /^(?:ctrT|t)itle$/;
/** Numbers, dates and footers of slides are set by the template. */
const FRAME = /^(?:sldNum|dt|ftr|hdr|sldImg)$/;

/** Paragraphs of text placeholders are list items unless they say otherwise: nearly all templates define them so. */
const LISTED = /^(?:body|obj)$/;

const bulletsOf = (shape: PageElement, type: string | null): ((level: number) => Bullet) => {
  const style = childOf(shape, "p:txBody", "a:lstStyle");
  const usual = type !== null && LISTED.test(type) ? "mark" : "none";
  return (level) => bulletOf(style === null ? null : childOf(style, `a:lvl${level + 1}pPr`)) ?? usual;
};

const shapeHtml = (shape: PageElement, slide: Slide): string => {
  const type = placeholderType(shape);
  if (type !== null && FRAME.test(type)) return "";
  const body = childOf(shape, "p:txBody");
  if (type === null || !TITLE.test(type)) return bodyHtml(body, slide.links, bulletsOf(shape, type));
  // A title on several lines is one title.
  const title = joined(linesHtml(body, slide.links).join(" ").replaceAll("<br>", " "));
  return title === "" ? "" : `<h2>${title}</h2>`;
};

const isMerged = ({ attributes }: PageElement): boolean =>
  [attributes["hMerge"], attributes["vMerge"]].some((merged) => /^(?:1|true)$/.test(merged ?? ""));

const spanOf = (cell: PageElement, name: string): number =>
  Math.max(1, Number.parseInt(cell.attributes[name] ?? "1", 10) || 1);

const tableHtml = (table: PageElement, slide: Slide): string => {
  const hasHead = /^(?:1|true)$/.test(childOf(table, "a:tblPr")?.attributes["firstRow"] ?? "");
  const rows = elementsOf(table, "a:tr").map((row, index, all) => {
    const tag = hasHead && index === 0 && all.length > 1 ? "th" : "td";
    return elementsOf(row, "a:tc")
      .filter((cell) => !isMerged(cell))
      .map((cell) => {
        const spans = `colspan="${spanOf(cell, "gridSpan")}" rowspan="${spanOf(cell, "rowSpan")}"`;
        return `<${tag} ${spans}>${linesHtml(childOf(cell, "a:txBody"), slide.links).join(" ")}</${tag}>`;
      })
      .join("");
  });
  return `<table>${rows.map((row) => `<tr>${row}</tr>`).join("")}</table>`;
};

const partHtml = (child: PageElement, slide: Slide, depth: number): string => {
  switch (child.name) {
    case "p:sp":
      return shapeHtml(child, slide);
    case "p:grpSp":
      return shapesHtml(childrenOf(child), slide, depth + 1);
    case "mc:AlternateContent":
      return shapesHtml(chosenAlternative(child), slide, depth + 1);
    case "p:graphicFrame":
      return elementsOf(child, "a:tbl")
        .map((table) => tableHtml(table, slide))
        .join("");
    default:
      return "";
  }
};

const shapesHtml = (shapes: ReadonlyArray<PageElement>, slide: Slide, depth: number): string =>
  depth > DEPTH_MAX ? "" : shapes.map((child) => partHtml(child, slide, depth)).join("");

/** The speaker notes, as a quote below the slide. */
const notesHtml = (slide: Slide): string => {
  const name = relatedPart(slide.zip, slide.name, "notesSlide");
  const root = name === null ? null : optionalXml(slide.zip, name);
  if (name === null || root === null) return "";
  const links = relationsOf(slide.zip, name);
  const html = elementsOf(root, "p:sp")
    .filter((shape) => placeholderType(shape) === "body")
    .map((shape) => bodyHtml(childOf(shape, "p:txBody"), links, () => "none"))
    .join("");
  return html === "" ? "" : `<blockquote>${html}</blockquote>`;
};

const slideHtml = (slide: Slide): string => {
  const root = optionalXml(slide.zip, slide.name);
  const tree = root === null ? null : childOf(root, "p:sld", "p:cSld", "p:spTree");
  return tree === null ? "" : shapesHtml(childrenOf(tree), slide, 0) + notesHtml(slide);
};

/** A missing slide keeps its number; if all are missing, the file is damaged. */
export const slidesHtml = (zip: ZipEntries, main: string): ReadonlyArray<string> => {
  const targets = relationsOf(zip, main);
  const names = elementsOf(requiredXml(zip, main), "p:sldId").map(({ attributes }) => {
    const target = targets.get(attributes["r:id"] ?? "");
    return target === undefined ? "" : relativePath(main, target);
  });
  if (names.length > SLIDES_MAX) throw new ZipRefused("too_large");
  if (names.length > 0 && !names.some((name) => zip.names.has(name))) throw new ZipRefused("damaged");
  return names.map((name) => {
    const slide: Slide = { zip, name, links: relationsOf(zip, name) };
    return `<body>${slideHtml(slide)}</body>`;
  });
};
