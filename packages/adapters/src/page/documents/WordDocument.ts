/** A text document (WordprocessingML, ECMA-376) as HTML: headings, lists, tables, links, emphasis, notes. */
import type { PageElement } from "../PageTree.ts";
import { rawTextOf } from "../PageTree.ts";
import { childOf, childrenOf, elementsOf, escaped, optionalXml, relationsOf, requiredXml } from "./Markup.ts";
import { type ZipEntries, ZipRefused } from "./ZipEntries.ts";

const MAIN = "word/document.xml";
const HEADING_MAX = 6;

interface Words {
  readonly links: ReadonlyMap<string, string>;
  /** Level by id of the style. */
  readonly headings: ReadonlyMap<string, number>;
  /** Ids of numberings, with their level, that count. */
  readonly counted: ReadonlySet<string>;
}

const valueOf = (element: PageElement | null): string | null => element?.attributes["w:val"] ?? null;

const headingsOf = (zip: ZipEntries): Words["headings"] => {
  const styles = optionalXml(zip, "word/styles.xml");
  const levels = (styles === null ? [] : elementsOf(styles, "w:style")).map((style) => {
    const name = (valueOf(childOf(style, "w:name")) ?? "").toLowerCase();
    const outline = valueOf(childOf(style, "w:pPr", "w:outlineLvl"));
    const level =
      name === "title" ? 1 : Number(/^heading (\d)$/.exec(name)?.[1] ?? Number(outline ?? NaN) + 1);
    return [style.attributes["w:styleId"] ?? "", level] as const;
  });
  return new Map(levels.filter(([, level]) => level >= 1 && level <= HEADING_MAX));
};

const countedOf = (zip: ZipEntries): ReadonlySet<string> => {
  const numbering = optionalXml(zip, "word/numbering.xml");
  if (numbering === null) return new Set();
  const formats = new Map(
    elementsOf(numbering, "w:abstractNum").flatMap((abstract) =>
      elementsOf(abstract, "w:lvl").map((level) => [
        `${abstract.attributes["w:abstractNumId"]} ${level.attributes["w:ilvl"]}`,
        valueOf(childOf(level, "w:numFmt"))
      ])
    )
  );
  const counted = elementsOf(numbering, "w:num").flatMap((each) => {
    const abstract = valueOf(childOf(each, "w:abstractNumId"));
    return [...Array(9).keys()]
      .filter((level) => !["bullet", "none", null, undefined].includes(formats.get(`${abstract} ${level}`)))
      .map((level) => `${each.attributes["w:numId"]} ${level}`);
  });
  return new Set(counted);
};

const isOn = (element: PageElement | null): boolean =>
  element !== null && !["0", "false", "off"].includes(valueOf(element) ?? "1");

const runHtml = (run: PageElement): string => {
  const text = childrenOf(run)
    .map((child) => {
      if (child.name === "w:t") return escaped(rawTextOf(child));
      if (child.name === "w:noBreakHyphen") return "-";
      return child.name === "w:br" ? "<br>" : child.name === "w:tab" ? " " : "";
    })
    .join("");
  if (text.trim() === "") return text;
  const properties = childOf(run, "w:rPr");
  const isBold = properties !== null && isOn(childOf(properties, "w:b"));
  const isItalic = properties !== null && isOn(childOf(properties, "w:i"));
  const emphasised = isItalic ? `<em>${text}</em>` : text;
  return isBold ? `<strong>${emphasised}</strong>` : emphasised;
};

/** Deleted words, old versions and fields are not text. */
const LEFT_OUT: ReadonlySet<string> = new Set(["w:del", "w:moveFrom", "mc:Fallback", "w:instrText"]);

const inlineHtml = (element: PageElement, words: Words): string =>
  childrenOf(element)
    .map((child): string => {
      if (LEFT_OUT.has(child.name)) return "";
      if (child.name === "w:r") return runHtml(child);
      const inner = inlineHtml(child, words);
      const target =
        child.name === "w:hyperlink" ? words.links.get(child.attributes["r:id"] ?? "") : undefined;
      return target === undefined ? inner : `<a href="${escaped(target)}">${inner}</a>`;
    })
    .join("");

const paragraphHtml = (paragraph: PageElement, words: Words): string => {
  const inner = inlineHtml(paragraph, words);
  const level = words.headings.get(valueOf(childOf(paragraph, "w:pPr", "w:pStyle")) ?? "");
  return level === undefined ? `<p>${inner}</p>` : `<h${level}>${inner}</h${level}>`;
};

const listOf = (paragraph: PageElement): { readonly id: string; readonly level: number } | null => {
  const properties = childOf(paragraph, "w:pPr", "w:numPr");
  const id = properties === null ? null : valueOf(childOf(properties, "w:numId"));
  if (properties === null || id === null || id === "0") return null;
  const level = Number(valueOf(childOf(properties, "w:ilvl")) ?? 0);
  return { id, level: Number.isInteger(level) ? Math.min(Math.max(level, 0), 8) : 0 };
};

/** One paragraph stays on the line of its row. */
const cellHtml = (cell: PageElement, words: Words, depth: number): string => {
  const [only, another] = childrenOf(cell).filter(({ name }) => name !== "w:tcPr");
  return only?.name === "w:p" && another === undefined
    ? inlineHtml(only, words)
    : blocksHtml(cell, words, depth);
};

const tableHtml = (table: PageElement, words: Words, depth: number): string => {
  const rows = childrenOf(table).filter(({ name }) => name === "w:tr");
  const cells = rows.map((row) => {
    const tag = isOn(childOf(row, "w:trPr", "w:tblHeader")) ? "th" : "td";
    return childrenOf(row)
      .filter(({ name }) => name === "w:tc")
      .map((cell) => {
        const span = Number(valueOf(childOf(cell, "w:tcPr", "w:gridSpan")) ?? 1);
        return `<${tag} colspan="${Number.isInteger(span) ? span : 1}">${cellHtml(cell, words, depth + 1)}</${tag}>`;
      })
      .join("");
  });
  return `<table>${cells.map((row) => `<tr>${row}</tr>`).join("")}</table>`;
};

/** Nested tables and boxes; deeper ones are left out. */
const DEPTH_MAX = 20;

const blocksHtml = (parent: PageElement, words: Words, depth: number): string => {
  if (depth > DEPTH_MAX) return "";
  const open: Array<string> = [];
  const closeTo = (count: number): string =>
    open
      .splice(count)
      .toReversed()
      .map((tag) => `</li></${tag}>`)
      .join("");
  const parts = childrenOf(parent).map((child): string => {
    const list = child.name === "w:p" ? listOf(child) : null;
    if (child.name === "w:p" && list !== null) {
      const tag = words.counted.has(`${list.id} ${list.level}`) ? "ol" : "ul";
      const closed = closeTo(list.level + 1);
      const next = open.length === list.level + 1 ? "</li>" : "";
      const opened: Array<string> = [];
      while (open.length <= list.level) {
        open.push(tag);
        opened.push(`<${tag}>${open.length <= list.level ? "<li>" : ""}`);
      }
      return `${closed}${next}${opened.join("")}<li>${inlineHtml(child, words)}`;
    }
    const ended = closeTo(0);
    if (child.name === "w:p") return ended + paragraphHtml(child, words);
    if (child.name === "w:tbl") return ended + tableHtml(child, words, depth);
    return LEFT_OUT.has(child.name) ? ended : ended + blocksHtml(child, words, depth + 1);
  });
  return parts.join("") + closeTo(0);
};

const NOTES = ["word/footnotes.xml", "word/endnotes.xml"];

/** Notes stand at the end. */
export const wordHtml = (zip: ZipEntries): string => {
  const links = relationsOf(zip, MAIN);
  const words: Words = { links, headings: headingsOf(zip), counted: countedOf(zip) };
  const body = childOf(requiredXml(zip, MAIN), "w:document", "w:body");
  const notes = NOTES.map((name) => optionalXml(zip, name)).filter((root) => root !== null);
  if (body === null) throw new ZipRefused("damaged");
  const parts = [body, ...notes];
  return `<body>${parts.map((root) => blocksHtml(root, words, 0)).join("")}</body>`;
};
