/** Text documents, presentations and books, which all are ZIP archives of XML. */
import { BOOK_MARK, readBook } from "./Book.ts";
import type { Document, DocumentOutcome } from "./Document.ts";
import { dayIn, firstText, optionalXml } from "./Markup.ts";
import { markupPage } from "./MarkupPage.ts";
import { slidesHtml } from "./Slides.ts";
import { wordHtml } from "./WordDocument.ts";
import { ZipEntries, ZipRefused } from "./ZipEntries.ts";

const propertiesOf = (zip: ZipEntries): Omit<Document, "pages" | "isPaged"> => {
  const root = optionalXml(zip, "docProps/core.xml");
  return {
    title: firstText(root, "dc:title"),
    author: firstText(root, "dc:creator"),
    date: dayIn(firstText(root, "dcterms:created")),
    language: firstText(root, "dc:language")
  };
};

const documentOf = (zip: ZipEntries): Document | null => {
  if (zip.names.has("word/document.xml"))
    return { ...propertiesOf(zip), pages: [markupPage(wordHtml(zip))], isPaged: false };
  if (zip.names.has("ppt/presentation.xml"))
    return { ...propertiesOf(zip), pages: slidesHtml(zip).map(markupPage), isPaged: true };
  if (!zip.names.has(BOOK_MARK)) return null;
  const { date, html, ...book } = readBook(zip);
  return { ...book, date: dayIn(date), pages: [markupPage(html)], isPaged: false };
};

export const readOfficeDocument = (
  bytes: Uint8Array
): DocumentOutcome | { readonly refused: "unsupported_type" } => {
  try {
    const document = documentOf(new ZipEntries(bytes));
    return document === null ? { refused: "unsupported_type" } : { document };
  } catch (error) {
    // What these readers do not expect is a document that does not keep to its format.
    return { refused: error instanceof ZipRefused ? error.reason : "damaged" };
  }
};
