/** HTML generated from a document, as one of its pages: everything is text, so no blocks are selected. */
import { cleanText } from "@winnow/core/domain/text/CleanText";
import type { Resolve } from "../parse/Address.ts";
import { BLOCKS_MAX, cutBlocks, type PageBlocks } from "../select/blocks/Blocks.ts";
import { joinBlocks } from "../select/blocks/MainText.ts";
import { blockText, oneLine, tidyLines } from "../parse/PlainText.ts";
import { pageMarkdown, plainMarkdown } from "../write/PageMarkdown.ts";
import { bodyOf, PageElement, textOf, walk } from "../parse/PageTree.ts";
import { parsePage } from "../parse/ParsedPage.ts";
import { NAME_CHARS_MAX } from "../PageLimits.ts";
import type { DocumentPage } from "./Document.ts";
import { highest, type RankedHeading } from "./DocumentTitle.ts";
import { ZipRefused } from "./ZipEntries.ts";

/** A document has no URL that its parts could be resolved against. */
const outside = (reference: string | null | undefined): string | null => {
  const url = URL.parse(reference ?? "");
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" ? url.href : null;
};

const headingIn = (body: PageElement): string | null => {
  const headings: Array<RankedHeading> = [];
  walk(body, (element) => {
    const level = /^h[1-6]$/.test(element.name) ? Number(element.name[1]) : null;
    const text = level === null ? null : oneLine(textOf(element, NAME_CHARS_MAX), NAME_CHARS_MAX);
    if (level !== null && text !== null) headings.push({ level, text });
  });
  return highest(headings);
};

/** The limit of blocks was reached before the end. */
const isCut = ({ blocks }: PageBlocks): boolean => blocks.length >= BLOCKS_MAX;

const pageOf = (page: PageBlocks, resolve: Resolve = outside): DocumentPage => {
  const body = page.body.element;
  const heading = headingIn(body);
  if (isCut(page)) {
    const text = tidyLines(cleanText(blockText(body)));
    return { text, markdown: plainMarkdown(text), links: [], heading };
  }
  return {
    text: tidyLines(cleanText(joinBlocks(page.blocks))),
    ...pageMarkdown({ body, kept: page.blocks, resolve }),
    heading
  };
};

/** `resolve` is for documents with a URL of their own. */
export const markupPage = (html: string, resolve: Resolve = outside): DocumentPage => {
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
export const treePages = (parts: ReadonlyArray<PageElement>): ReadonlyArray<DocumentPage> => {
  const body = new PageElement("body", null);
  for (const part of parts) copyInto(body, "section", part);
  const whole = cutBlocks(body);
  return isCut(whole) ? parts.map((part) => pageOf(cutBlocks(part))) : [pageOf(whole)];
};
