/**
 * Reads an e-book (EPUB 2 and 3): its chapters in reading order, joined into one text with working internal
 * links. Measured by bench/documents.ts.
 */
import { cleanText } from "@winnow/core/domain/text/CleanText";
import { writtenDate } from "../facts/PageDate.ts";
import { bodyOf, type PageElement, walk } from "../parse/PageTree.ts";
import { TREE_TEXT_CHARS_MAX } from "../PageLimits.ts";
import { parsePage } from "../parse/ParsedPage.ts";
import { oneLine } from "../parse/PlainText.ts";
import type { Document } from "./Document.ts";
import { headingOf, titleOf } from "./DocumentTitle.ts";
import { childOf, elementsOf, firstText, optionalXml, relativePath, requiredXml, textsOf } from "./Markup.ts";
import { treePages } from "./MarkupPage.ts";
import { type ZipEntries, ZipRefused } from "./ZipEntries.ts";

export const BOOK_MARK = "META-INF/container.xml";

/** Fonts are often encrypted in books that are otherwise readable. */
const encryptedPaths = (zip: ZipEntries): ReadonlySet<string> => {
  const root = optionalXml(zip, "META-INF/encryption.xml");
  const references =
    root === null ? [] : [...elementsOf(root, "enc:CipherReference"), ...elementsOf(root, "CipherReference")];
  return new Set(references.map(({ attributes }) => relativePath("x", attributes["URI"] ?? "")));
};

interface Chapter {
  readonly path: string;
  readonly body: PageElement;
}

/** Anchors are prefixed by chapter, so that they are unique in the whole book. */
const placeIn = (chapter: number, id: string): string => `c${chapter}-${id}`;

/** Internal links of the book remain internal. */
const withOwnPlaces = (
  { body, path }: Chapter,
  index: number,
  indices: ReadonlyMap<string, number>
): void => {
  walk(body, ({ attributes, name }) => {
    if (attributes["id"] !== undefined) attributes["id"] = placeIn(index, attributes["id"]);
    if (name === "a" && attributes["name"] !== undefined)
      attributes["name"] = placeIn(index, attributes["name"]);
    const href = attributes["href"] ?? "";
    const [target = "", id] = href.split("#", 2);
    if (id === undefined || /^[a-z][\w+.-]*:/i.test(target)) return;
    const chapter = target === "" ? index : indices.get(relativePath(path, target));
    if (chapter !== undefined) attributes["href"] = `#${placeIn(chapter, id)}`;
  });
};

/** Reads chapters until their total text exceeds the limit for a page. */
const chapterReader = (zip: ZipEntries): ((path: string) => Chapter) => {
  let chars = 0;
  return (path) => {
    const { root, textChars, truncated } = parsePage(zip.text(path) ?? "", { isXhtml: true });
    chars += textChars;
    if (truncated || chars > TREE_TEXT_CHARS_MAX) throw new ZipRefused("too_large");
    return { path, body: bodyOf(root) };
  };
};

/** Files that the text links to. */
const linkedPaths = (chapters: ReadonlyArray<Chapter>): ReadonlySet<string> => {
  const paths = new Set<string>();
  for (const { body, path } of chapters)
    walk(body, ({ attributes, name }) => {
      if (name === "a" && attributes["href"] !== undefined) paths.add(relativePath(path, attributes["href"]));
    });
  return paths;
};

/** Files outside the reading order, such as notes, come last if the text links to them; covers are left out. */
const chaptersOf = (zip: ZipEntries, root: PageElement, path: string): ReadonlyArray<Chapter> => {
  const paths = new Map(
    elementsOf(root, "item").map(({ attributes }) => [
      attributes["id"] ?? "",
      relativePath(path, attributes["href"] ?? "")
    ])
  );
  const all = elementsOf(root, "itemref").map(({ attributes }) => ({
    isLinear: attributes["linear"] !== "no",
    path: paths.get(attributes["idref"] ?? "") ?? ""
  }));
  const hasOrder = all.some(({ isLinear }) => isLinear);
  const encrypted = encryptedPaths(zip);
  if (all.some((each) => (each.isLinear || !hasOrder) && encrypted.has(each.path)))
    throw new ZipRefused("encrypted");
  const chapterAt = chapterReader(zip);
  const linear = all.filter((each) => each.isLinear || !hasOrder).map((each) => chapterAt(each.path));
  const linked = linkedPaths(linear);
  const others = all.filter(
    (each) => hasOrder && !each.isLinear && linked.has(each.path) && !encrypted.has(each.path)
  );
  return [...linear, ...others.map((each) => chapterAt(each.path))];
};

/**
 * Of several elements with one name, those marked with this role; it is in separate elements (EPUB 3) or in
 * attributes (EPUB 2).
 */
const roleOf = (metadata: PageElement, { attributes }: PageElement, property: string): string | null => {
  const refining = elementsOf(metadata, "meta").find(
    (meta) =>
      meta.attributes["property"] === property && meta.attributes["refines"] === `#${attributes["id"]}`
  );
  const own = attributes[`opf:${property}`] ?? attributes[property];
  return refining === undefined ? (own ?? null) : textsOf(refining);
};

const authorOf = (metadata: PageElement): string | null => {
  const creators = elementsOf(metadata, "dc:creator").map((element) => ({
    name: oneLine(cleanText(textsOf(element)), 200),
    role: roleOf(metadata, element, "role")
  }));
  const authors = creators.filter(({ role }) => role === null || role.trim() === "aut");
  const named = (authors.length > 0 ? authors : creators)
    .map(({ name }) => name)
    .filter((name) => name !== null);
  return [...new Set(named)].join(", ") || null;
};

/** The main title, without those of a series or edition. */
const bookTitle = (metadata: PageElement): string | null => {
  const titles = elementsOf(metadata, "dc:title").filter((element) => textsOf(element).trim() !== "");
  const main =
    titles.find((element) => roleOf(metadata, element, "title-type")?.trim() === "main") ?? titles[0];
  return main === undefined ? null : titleOf(textsOf(main).trim());
};

const dateOf = (metadata: PageElement): Document["date"] => {
  const dates = elementsOf(metadata, "dc:date").map((element) => ({
    event: roleOf(metadata, element, "event"),
    written: textsOf(element)
  }));
  const found =
    dates.find(({ event }) => event !== null && /publication/.test(event)) ??
    dates.find(({ event }) => event === null) ??
    dates[0];
  return found === undefined ? null : writtenDate(found.written);
};

export const readBook = (zip: ZipEntries): Document => {
  const [rootFile] = elementsOf(requiredXml(zip, BOOK_MARK), "rootfile");
  const path = rootFile?.attributes["full-path"] ?? "";
  const root = requiredXml(zip, path);
  const chapters = chaptersOf(zip, root, path);
  const indices = new Map(chapters.map((chapter, index) => [chapter.path, index]));
  for (const [index, chapter] of chapters.entries()) withOwnPlaces(chapter, index, indices);
  const metadata = childOf(root, "package", "metadata") ?? root;
  const pages = treePages(chapters.map(({ body }) => body));
  return {
    pages,
    isPaged: false,
    title: bookTitle(metadata),
    heading: headingOf(pages[0]),
    author: authorOf(metadata),
    date: dateOf(metadata),
    language: firstText(metadata, "dc:language")
  };
};
