/** HTML generated from a document, as one of its pages: everything is text, so no blocks are selected. */
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

/** Nodes refer to their parents, so nodes for another tree are copied. */
const copyInto = (parent: PageElement, name: string, element: PageElement): void => {
  const copy = new PageElement(name, parent);
  Object.assign(copy.attributes, element.attributes);
  copy.hidden = element.hidden;
  copy.isStruck = element.isStruck;
  parent.children.push(copy);
  for (const child of element.children)
    if (typeof child === "string") copy.children.push(child);
    else copyInto(copy, child.name, child);
};

/**
 * Parts of one text, in order: together, so that references find their notes; separately if that is too much.
 */
export const treePages = (parts: ReadonlyArray<PageElement>): ReadonlyArray<PageContent> => {
  const body = new PageElement("body", null);
  for (const part of parts) copyInto(body, "section", part);
  const whole = cutBlocks(body);
  return isCut(whole) ? parts.map((part) => pageOf(cutBlocks(part))) : [pageOf(whole)];
};
