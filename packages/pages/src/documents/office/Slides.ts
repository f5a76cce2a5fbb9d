/** Reads the slides of a presentation (PresentationML, ECMA-376), a page each: title, paragraphs, tables, notes. Measured by bench/documents.ts. */
import { PageElement } from "../../parse/PageTree.ts";
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
import type { PageContent } from "../../write/Content.ts";
import { append, treePage } from "../MarkupPage.ts";
import { addBody, addLine, type Bullet, bulletOf, chosenAlternative, type Links } from "./SlideText.ts";
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

const addShape = (page: PageElement, shape: PageElement, slide: Slide): void => {
  const type = placeholderType(shape);
  if (type !== null && FRAME.test(type)) return;
  const body = childOf(shape, "p:txBody");
  if (type === null || !TITLE.test(type)) return addBody(page, body, slide.links, bulletsOf(shape, type));
  // A title on several lines is one title.
  addLine(append(page, "h2"), body, slide.links);
};

const isMerged = ({ attributes }: PageElement): boolean =>
  [attributes["hMerge"], attributes["vMerge"]].some((merged) => /^(?:1|true)$/.test(merged ?? ""));

const spanOf = (cell: PageElement, name: string): string => cell.attributes[name] ?? "1";

const addTable = (page: PageElement, table: PageElement, slide: Slide): void => {
  const hasHead = /^(?:1|true)$/.test(childOf(table, "a:tblPr")?.attributes["firstRow"] ?? "");
  const grid = append(page, "table");
  for (const [index, row] of elementsOf(table, "a:tr").entries()) {
    const line = append(grid, "tr");
    for (const cell of elementsOf(row, "a:tc").filter((each) => !isMerged(each))) {
      const spans = { colspan: spanOf(cell, "gridSpan"), rowspan: spanOf(cell, "rowSpan") };
      const name = hasHead && index === 0 ? "th" : "td";
      addLine(append(line, name, spans), childOf(cell, "a:txBody"), slide.links);
    }
  }
};

const addPart = (page: PageElement, child: PageElement, slide: Slide, depth: number): void => {
  switch (child.name) {
    case "p:sp":
      return addShape(page, child, slide);
    case "p:grpSp":
      return addShapes(page, childrenOf(child), slide, depth + 1);
    case "mc:AlternateContent":
      return addShapes(page, chosenAlternative(child), slide, depth + 1);
    case "p:graphicFrame":
      for (const table of elementsOf(child, "a:tbl")) addTable(page, table, slide);
  }
};

const addShapes = (
  page: PageElement,
  shapes: ReadonlyArray<PageElement>,
  slide: Slide,
  depth: number
): void => {
  if (depth <= DEPTH_MAX) for (const child of shapes) addPart(page, child, slide, depth);
};

/** The speaker notes, as a quote below the slide. */
const addNotes = (page: PageElement, slide: Slide): void => {
  const name = relatedPart(slide.zip, slide.name, "notesSlide");
  const root = name === null ? null : optionalXml(slide.zip, name);
  if (name === null || root === null) return;
  const links = relationsOf(slide.zip, name);
  const quote = append(page, "blockquote");
  for (const shape of elementsOf(root, "p:sp"))
    if (placeholderType(shape) === "body") addBody(quote, childOf(shape, "p:txBody"), links, () => "none");
};

const slidePage = (slide: Slide): PageContent => {
  const root = optionalXml(slide.zip, slide.name);
  const tree = root === null ? null : childOf(root, "p:sld", "p:cSld", "p:spTree");
  const page = new PageElement("body", null);
  if (tree !== null) {
    addShapes(page, childrenOf(tree), slide, 0);
    addNotes(page, slide);
  }
  return treePage(page);
};

/** A missing slide keeps its number; if all are missing, the file is damaged. */
export const slidePages = (zip: ZipEntries, main: string): ReadonlyArray<PageContent> => {
  const targets = relationsOf(zip, main);
  const names = elementsOf(requiredXml(zip, main), "p:sldId").map(({ attributes }) => {
    const target = targets.get(attributes["r:id"] ?? "");
    return target === undefined ? "" : relativePath(main, target);
  });
  if (names.length > SLIDES_MAX) throw new ZipRefused("too_large");
  if (names.length > 0 && !names.some((name) => zip.names.has(name))) throw new ZipRefused("damaged");
  return names.map((name) => slidePage({ zip, name, links: relationsOf(zip, name) }));
};
