/** The content of a document without HTML markup: its pages and properties. */
import { PAGE_END } from "@winnow/core/domain/text/CleanText";
import type { WrittenDate } from "@winnow/core/domain/source/StructuredData";
import { LINKS_MAX, type PageLink } from "../write/InlineReader.ts";

export interface DocumentPage {
  readonly text: string;
  readonly markdown: string;
  readonly links: ReadonlyArray<PageLink>;
  /** The first heading of the highest level on the page; null if there is none. */
  readonly heading: string | null;
}

export interface Document {
  readonly pages: ReadonlyArray<DocumentPage>;
  /** Whether its pages have numbers that can be cited. */
  readonly isPaged: boolean;
  readonly title: string | null;
  readonly author: string | null;
  /** With the precision the document states. */
  readonly date: WrittenDate | null;
  /** As stated by the document. */
  readonly language?: string | null;
}

export type DocumentOutcome =
  | { readonly document: Document }
  | { readonly refused: "damaged" | "encrypted" | "too_large" };

/** Empty if no page has text. */
export const textOfDocument = ({ pages }: Document): string => {
  const text = pages.map((page) => page.text).join(`\n${PAGE_END}`);
  return text.trim() === "" ? "" : text;
};

export const markdownOfDocument = ({ isPaged, pages }: Document): string =>
  pages
    .map(({ markdown }, index) => (isPaged ? `<!-- page ${index + 1} -->\n\n${markdown}` : markdown).trim())
    .filter((markdown) => markdown !== "")
    .join("\n\n");

/** Each URL once, in order, with its first link text. */
export const linksOfDocument = ({ pages }: Document): ReadonlyArray<PageLink> => {
  const links = new Map<string, PageLink>();
  for (const link of pages.flatMap((page) => page.links))
    if (links.size < LINKS_MAX && !links.has(link.url)) links.set(link.url, link);
  return [...links.values()];
};
