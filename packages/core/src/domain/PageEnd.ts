/** Ends each page of the text of a document that has pages, as other readers of PDF write it. */
export const PAGE_END = "\f";
