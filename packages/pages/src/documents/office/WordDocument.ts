/**
 * A text document (WordprocessingML, ECMA-376) as HTML, by mammoth: headings, lists, tables, links, emphasis, notes.
 * The library sees nothing but the parts that it needs, decompressed before within the limits of archives.
 * Measured by bench/documents.ts.
 */
import { NESTING_MAX, XML_ELEMENTS_MAX } from "../../PageLimits.ts";
import type { PageElement } from "../../parse/PageTree.ts";
import { childOf, elementsOf, optionalXml, relatedPart, relativePath } from "../Markup.ts";
import { type ZipEntries, ZipRefused } from "../ZipEntries.ts";

/** Most of such a file, and never needed, `<w:sz w:val="24"/>`: as nodes of the library, three times the memory and time. */
const FORMATTING =
  /<w:(?:rFonts|sz|szCs|lang|color|kern|spacing|proofErr|lastRenderedPageBreak|bCs|iCs|noProof|ind|jc|shd|tcW|keepNext|keepLines|widowControl|contextualSpacing|bookmarkStart|top|left|right|bottom|vAlign|trHeight|adjustRightInd|autoSpaceD[EN])(?:\s[^<>]*)?\/>/g;
/** The attributes of paragraphs, rows and runs, numbers of revisions: `<w:p w:rsidR="00A1">`; and what is then empty. */
const ATTRIBUTES = /<w:(p|r|t|tr)\s(?![^<>]*xmlns)[^<>]*?(\/?)>/g;
const EMPTY = /<w:([pr]Pr|tcBorders|pBdr)>\s*<\/w:\1>/g;
/** The library reads no fields of this kind, around ordinary words: `<w:fldSimple w:instr="DATE">`. */
const FIELD = /<\/?w:fldSimple(?:\s[^<>]*)?>/g;
/** The library shows hidden words: `<w:r><w:rPr><w:vanish/></w:rPr><w:t>a</w:t>`. */
const HIDDEN =
  /(<w:r><w:rPr>(?:<(?!\/w:rPr>)[^<>]*>)*?<w:vanish\/>(?:<(?!\/w:rPr>)[^<>]*>)*<\/w:rPr>)(?:<w:t>[^<]*<\/w:t>|<w:tab\/>)+/g;
/** The library knows head rows by their own mark only, not by the format of the table. */
const HEAD_ROW =
  /w:firstRow="1"[^<>]*\/>\s*<\/w:tblPr>\s*(?:<w:tblGrid>(?:<w:gridCol[^<>]*>|\s)*<\/w:tblGrid>\s*)?<w:tr(?:\s[^<>]*)?>/g;

const needed = (source: string): string =>
  source
    .replaceAll(FORMATTING, "")
    .replaceAll(ATTRIBUTES, "<w:$1$2>")
    .replaceAll(EMPTY, "")
    .replaceAll(FIELD, "")
    .replaceAll(HIDDEN, "$1")
    .replaceAll(HEAD_ROW, "$&<w:trPr><w:tblHeader/></w:trPr>");

/** Before the library makes nodes of them: they take most of its memory, and deep ones its time. */
const areElementsWithinLimits = (source: string): boolean => {
  let count = 0;
  let depth = 0;
  for (let at = source.indexOf("<"); at >= 0; at = source.indexOf("<", at + 1)) {
    const end = source.indexOf(">", at);
    if (source[at + 1] === "/") depth -= 1;
    else if (!/[!?]/.test(source[at + 1] ?? "")) {
      count += 1;
      if (end >= 0 && source[end - 1] !== "/") depth += 1;
    }
    if (count > XML_ELEMENTS_MAX || depth > NESTING_MAX) return false;
    if (end < 0) break;
  }
  return true;
};

const relationsName = (part: string): string => part.replace(/[^/]*$/, "_rels/$&.rels");

const partName = (zip: ZipEntries, main: string, type: string): string =>
  relatedPart(zip, main, type) ?? relativePath(main, `${type}.xml`);

/** By the names that the library looks for if no relationship says otherwise. */
const partsOf = (zip: ZipEntries, main: string): Record<string, Uint8Array> => {
  const parts: Record<string, Uint8Array> = {};
  const add = (name: string, source: string): void => {
    const text = zip.text(source);
    if (text === null) return;
    const xml = needed(text);
    if (!areElementsWithinLimits(xml)) throw new ZipRefused("too_large");
    parts[name] = new TextEncoder().encode(xml);
  };
  add("word/document.xml", main);
  add("word/_rels/document.xml.rels", relationsName(main));
  for (const type of ["styles", "numbering", "footnotes", "endnotes"]) {
    const part = partName(zip, main, type);
    add(`word/${type}.xml`, part);
    add(`word/_rels/${type}.xml.rels`, relationsName(part));
  }
  return parts;
};

/** Maximum length of a chain of base styles; a longer one is a cycle. */
const BASES_MAX = 12;

const valueOf = (element: PageElement | null): string => element?.attributes["w:val"] ?? "";

const headingLevel = (styles: ReadonlyMap<string, PageElement>, id: string, bases = 0): number | null => {
  const style = styles.get(id);
  if (style === undefined || bases > BASES_MAX) return null;
  const name = valueOf(childOf(style, "w:name")).toLowerCase();
  if (name === "title") return 1;
  const named = /^heading ([1-6])$/.exec(name)?.[1];
  if (named !== undefined) return Number(named);
  const outline = valueOf(childOf(style, "w:pPr", "w:outlineLvl"));
  if (/^[0-5]$/.test(outline)) return Number(outline) + 1;
  return headingLevel(styles, valueOf(childOf(style, "w:basedOn")), bases + 1);
};

/** The library knows headings by the usual names of their styles only, not by the styles that these are based on. */
const headingStyles = (root: PageElement | null): ReadonlyArray<string> => {
  const all = root === null ? [] : elementsOf(root, "w:style");
  const styles = new Map(all.map((style) => [style.attributes["w:styleId"] ?? "", style]));
  return [...styles.keys()].flatMap((id) => {
    const level = /^\w+$/.test(id) ? headingLevel(styles, id) : null;
    return level === null ? [] : [`p.${id} => h${level}:fresh`];
  });
};

const BLOCK_STYLES = [
  "p[style-name='Quote'] => blockquote > p:fresh",
  "p[style-name='HTML Preformatted'] => pre:separator('\\n')"
];

const BACKLINK = / ?<a href="#(?:foot|end)note-ref-[^"]*">↑<\/a>/g;
const MARK = /<a (?=href="#(?:foot|end)note-\d)/g;
/** A single paragraph stays on the line of its row: `<td><p>a</p></td>`. */
const LONE_PARAGRAPH = /(<t[dh][^>]*>)<p>((?:[^<]|<(?!\/?(?:p|td|th)\b))*)<\/p>(?=<\/t[dh]>)/g;

/** Adjacent spans of one kind are one: `</em> <em>`. */
const DIVIDED_SPANS = /<\/(strong|em)>(\s*)<\1>/g;

/** Notes come at the end. */
export const wordHtml = async (zip: ZipEntries, main: string): Promise<string> => {
  const parts = partsOf(zip, main);
  const headings = headingStyles(optionalXml(zip, partName(zip, main, "styles")));
  const [{ default: mammoth }, { zipSync }] = await Promise.all([import("mammoth"), import("fflate")]);
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(zipSync(parts, { level: 0 })) },
    {
      styleMap: [...headings, ...BLOCK_STYLES],
      includeEmbeddedStyleMap: false,
      convertImage: mammoth.images.imgElement(async () => ({ src: "" }))
    }
  );
  const html = value.replaceAll(BACKLINK, "").replaceAll(MARK, '<a role="doc-noteref" ');
  return `<body>${html.replaceAll(LONE_PARAGRAPH, "$1$2").replaceAll(DIVIDED_SPANS, "$2")}</body>`;
};
