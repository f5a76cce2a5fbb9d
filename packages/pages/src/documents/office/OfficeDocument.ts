/** Text documents, presentations and books, which are all ZIP archives of XML. */
import { dayIn } from "../../facts/PageDate.ts";
import { BOOK_MARK, readBook } from "../Book.ts";
import type { Document, DocumentOutcome } from "../Document.ts";
import { headingOf, titleOf } from "../DocumentTitle.ts";
import type { Content } from "../../write/Content.ts";
import { firstText, optionalXml, relatedPart } from "../Markup.ts";
import { markupPage } from "../MarkupPage.ts";
import { slidePages } from "./Slides.ts";
import { wordHtml } from "./WordDocument.ts";
import { ZipEntries, ZipRefused } from "../ZipEntries.ts";

const officeDocument = (zip: ZipEntries, content: Content): Document => {
  const root = optionalXml(zip, relatedPart(zip, "", "core-properties") ?? "docProps/core.xml");
  return {
    ...content,
    title: titleOf(firstText(root, "dc:title")),
    heading: headingOf(content.pages[0]),
    author: firstText(root, "dc:creator"),
    date: dayIn(firstText(root, "dcterms:created")) ?? dayIn(firstText(root, "dcterms:modified")),
    language: firstText(root, "dc:language")
  };
};

/** The main part named by the package, otherwise the usual one. */
const mainPart = (zip: ZipEntries): string | null => {
  const named = relatedPart(zip, "", "officeDocument");
  if (named !== null && zip.names.has(named)) return named;
  return ["word/document.xml", "ppt/presentation.xml"].find((name) => zip.names.has(name)) ?? null;
};

/** The local name of an XML's first element, behind its declaration and comments. */
const ROOT = /^\s*(?:<\?[^>]*>\s*|<!--(?:(?!-->)[^])*-->\s*)*<(?:[\w.-]+:)?([\w.-]+)/;

const documentOf = async (zip: ZipEntries): Promise<Document | null> => {
  if (zip.names.has(BOOK_MARK)) return readBook(zip);
  const main = mainPart(zip);
  if (main === null) return null;
  const root = ROOT.exec(zip.text(main) ?? "")?.[1];
  if (root === "presentation")
    return officeDocument(zip, { pages: slidePages(zip, main), isPaged: true, isSlides: true });
  if (root === "document" || main.startsWith("word/"))
    return officeDocument(zip, { pages: [markupPage(await wordHtml(zip, main))], isPaged: false });
  return null;
};

export const readOfficeDocument = async (
  bytes: Uint8Array
): Promise<DocumentOutcome | { readonly refused: "unsupported_type" }> => {
  try {
    const document = await documentOf(new ZipEntries(bytes));
    return document === null ? { refused: "unsupported_type" } : { document };
  } catch (error) {
    // V8's error for a stack that is full: nested too deeply.
    if (error instanceof RangeError) return { refused: "too_large" };
    // An unexpected structure means that the document violates its format.
    return { refused: error instanceof ZipRefused ? error.reason : "damaged" };
  }
};
