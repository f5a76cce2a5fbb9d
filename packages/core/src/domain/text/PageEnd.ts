/** Separates the pages in the text of a document, as other PDF readers do. */
export const PAGE_END = "\f";
