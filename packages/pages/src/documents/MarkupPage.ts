/**
 * A document as a page of elements: everything is text, so no blocks are selected. Measured by bench/documents.ts.
 * Tests: OfficeDocument.test.ts.
 */
import type { Resolve } from "../parse/Address.ts";
import { BLOCKS_MAX, cutBlocks, type PageBlocks } from "../select/blocks/Blocks.ts";
import { blockText } from "../parse/PlainText.ts";
import { type PageContent, plainContent } from "../write/Content.ts";
import { readContent } from "../write/readContent.ts";
import { bodyOf, PageElement } from "../parse/PageTree.ts";
import { parsePage } from "../parse/ParsedPage.ts";
import { ZipRefused } from "./ZipEntries.ts";

/** A document has no URL that its parts could be resolved against. */
const outside = (reference: string | null | undefined): string | null => {
  const url = URL.parse(reference ?? "");
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" ? url.href : null;
};

/** The limit of blocks was reached before the end. */
const isCut = ({ blocks }: PageBlocks): boolean => blocks.length >= BLOCKS_MAX;

const pageOf = (page: PageBlocks, resolve: Resolve = outside): PageContent => {
  const body = page.body.element;
  return isCut(page) ? plainContent(blockText(body)) : readContent({ body, kept: page.blocks, resolve });
};

/** `resolve` is for documents with a URL of their own. */
export const markupPage = (html: string, resolve: Resolve = outside): PageContent => {
  const { root, truncated } = parsePage(html);
  if (truncated) throw new ZipRefused("too_large");
  return pageOf(cutBlocks(bodyOf(root)), resolve);
};

/** Adds an element to a page that is made rather than parsed. */
export const append = (
  parent: PageElement,
  name: string,
  attributes: Readonly<Record<string, string>> = {}
): PageElement => {
  const element = new PageElement(name, parent);
  Object.assign(element.attributes, attributes);
  parent.children.push(element);
  return element;
};

/** Made by `append`. */
export const treePage = (body: PageElement): PageContent => pageOf(cutBlocks(body));

/**
 * Parts of one text, in order: together, so that references find their notes; separately if that is too much. Takes
 * their nodes.
 */
export const treePages = (parts: ReadonlyArray<PageElement>): ReadonlyArray<PageContent> => {
  const body = new PageElement("body", null);
  const sections = parts.map(({ attributes, children }) => {
    const section = append(body, "section", attributes);
    for (const child of children) {
      section.children.push(child);
      if (typeof child !== "string") child.parent = section;
    }
    return section;
  });
  const whole = cutBlocks(body);
  return isCut(whole) ? sections.map(treePage) : [pageOf(whole)];
};
