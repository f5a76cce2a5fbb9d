/** HTML that was made of a document as one of its pages: all of it is text, so that no block is chosen. */
import { cleanText } from "@winnow/core/domain/CleanText";
import { cutBlocks } from "../blocks/Blocks.ts";
import { isWithinModelLimits, joinBlocks } from "../blocks/MainText.ts";
import { blockText } from "../BlockText.ts";
import { pageMarkdown, plainMarkdown } from "../markdown/PageMarkdown.ts";
import { bodyOf } from "../PageBody.ts";
import { parsePage } from "../PageTree.ts";
import { tidyLines } from "../PlainText.ts";
import type { DocumentPage } from "./Document.ts";
import { ZipRefused } from "./ZipEntries.ts";

/** A document has no address that its own parts could be reached at. */
const outside = (reference: string | null | undefined): string | null => {
  const url = URL.parse(reference ?? "");
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" ? url.href : null;
};

export const markupPage = (html: string): DocumentPage => {
  const { root, truncated } = parsePage(html);
  if (truncated) throw new ZipRefused("too_large");
  const page = cutBlocks(bodyOf(root));
  const body = page.body.element;
  if (!isWithinModelLimits(page)) {
    const text = tidyLines(cleanText(blockText(body)));
    return { text, markdown: plainMarkdown(text), links: [] };
  }
  return {
    text: tidyLines(cleanText(joinBlocks(page.blocks))),
    ...pageMarkdown({ body, kept: page.blocks, resolve: outside, picture: null })
  };
};
