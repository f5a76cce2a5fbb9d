/** Main text and byline of a page, by the model where the page is within its limits, else by one filter. */
import { type Block, cutBlocks } from "./blocks/Blocks.ts";
import { blockFeatures } from "./blocks/BlockFeatures.ts";
import { blockChances, isWithinModelLimits, joinBlocks, mainText } from "./blocks/MainText.ts";
import { BLOCK_MODEL } from "./blocks/Model.ts";
import { textConfidence } from "./blocks/TextConfidence.ts";
import { blockText } from "./BlockText.ts";
import { embeddedText } from "./EmbeddedText.ts";
import { isEmptyShell, SHELL_TEXT_CHARS_MAX } from "./EmptyShell.ts";
import { filterNoise } from "./NoiseFilter.ts";
import { FILTER_ELEMENTS_MAX } from "./PageLimits.ts";
import { bodyOf } from "./PageBody.ts";
import { bylineOf } from "./PageByline.ts";
import type { PageScan } from "./PageScan.ts";
import type { PageElement, PageTree } from "./PageTree.ts";

export interface ArticleText {
  readonly text: string;
  /** Where the text stands on the page; null where it was taken without telling its blocks apart. */
  readonly kept: { readonly body: PageElement; readonly blocks: ReadonlyArray<Block> } | null;
  /** 0 to 1, as of PageReading. */
  readonly confidence: number;
  readonly byline: string | null;
  /** YYYYMMDD */
  readonly publishedTime: string | null;
  readonly needsBrowser: boolean;
}

/** Of a text that no model judged: neither trusted nor doubted. */
const UNJUDGED_CONFIDENCE = 0.5;

const withoutModel = (body: PageElement, elementCount: number): string =>
  (elementCount <= FILTER_ELEMENTS_MAX && filterNoise(body)) || blockText(body);

export const readArticle = ({ elementCount, root }: PageTree, scan: PageScan, url: string): ArticleText => {
  const page = cutBlocks(bodyOf(root));
  const body = page.body.element;
  const main = isWithinModelLimits(page)
    ? mainText(page, blockChances(blockFeatures(page, scan, url), BLOCK_MODEL), { scan, url })
    : null;
  const shown = main === null ? withoutModel(body, elementCount) : joinBlocks(main.blocks);
  const sent = shown.length < SHELL_TEXT_CHARS_MAX ? embeddedText(scan) : "";
  const { author, date } = bylineOf(page.blocks, scan.heading);
  const isJudged = main !== null && sent.length <= shown.length;
  return {
    text: sent.length > shown.length ? sent : shown,
    kept: isJudged ? { body, blocks: main.blocks } : null,
    confidence: isJudged ? textConfidence(main.expectedF1) : UNJUDGED_CONFIDENCE,
    byline: author,
    publishedTime: date,
    needsBrowser: sent.length < SHELL_TEXT_CHARS_MAX && isEmptyShell(root, shown, page.body.chars)
  };
};
