/**
 * The main text of a page: selected by the model if the page is within its limits, otherwise by the noise
 * filter.
 */
import { type Block, cutBlocks, type PageBlocks } from "./blocks/Blocks.ts";
import { blockChances, isWithinModelLimits, joinBlocks, mainText } from "./blocks/MainText.ts";
import { BLOCK_MODEL } from "./blocks/Model.ts";
import { textConfidence } from "./blocks/TextConfidence.ts";
import { blockText } from "./BlockText.ts";
import { embeddedText } from "./EmbeddedText.ts";
import { isEmptyShell, SHELL_TEXT_CHARS_MAX } from "./EmptyShell.ts";
import { filterNoise } from "./blocks/NoiseFilter.ts";
import { FILTER_ELEMENTS_MAX } from "../PageLimits.ts";
import { bodyOf } from "../tree/PageBody.ts";
import type { PageScan } from "../tree/PageScan.ts";
import type { PageElement, PageTree } from "../tree/PageTree.ts";

/** The position of a text on the page. */
export interface SelectedBlocks {
  readonly body: PageElement;
  readonly blocks: ReadonlyArray<Block>;
}

export interface ArticleText {
  readonly text: string;
  /** Null if the text was taken without dividing it into blocks. */
  readonly selected: SelectedBlocks | null;
  /** All visible text, if the confidence is below {@link TRUSTED_CONFIDENCE_MIN}; `selected` as for the text. */
  readonly whole: { readonly text: string; readonly selected: SelectedBlocks | null } | null;
  /** 0 to 1, as in PageReading. */
  readonly confidence: number;
  /** All visible text, in order. */
  readonly blocks: ReadonlyArray<Block>;
  readonly needsBrowser: boolean;
}

/** For text that the model did not judge: neither trusted nor doubted. */
const UNJUDGED_CONFIDENCE = 0.5;

/**
 * Below this, a reader of the text should see the whole page: on such training pages the text has 0.58 of the
 * expected words, the whole page 0.72.
 */
export const TRUSTED_CONFIDENCE_MIN = 0.65;

const withoutModel = (body: PageElement, elementCount: number): string =>
  (elementCount <= FILTER_ELEMENTS_MAX && filterNoise(body)) || blockText(body);

/** Text from embedded data has no position on the page. */
const wholeOf = (
  page: PageBlocks,
  isJudged: boolean,
  { shown, sent }: { readonly shown: string; readonly sent: string }
): ArticleText["whole"] => {
  if (sent.length > shown.length) return null;
  const body = page.body.element;
  const { blocks } = page;
  return isJudged
    ? { text: joinBlocks(blocks), selected: { body, blocks } }
    : { text: blockText(body), selected: null };
};

/** For pages that state no address: that of a post, as most pages are. */
const USUAL_PATH = "/posts/1";

/**
 * The address that the page states for itself, otherwise a usual one of its site: how a page was reached must not decide what its
 * text is.
 */
const ownAddress = ({ canonicalHref, meta }: PageScan, url: string): string => {
  const site = URL.parse(USUAL_PATH, url)?.href ?? url;
  const stated = [canonicalHref, meta.get("og:url")?.[0]]
    .map((href) => (href == null ? null : URL.parse(href, site)))
    .find((each) => each !== null && /^https?:$/.test(each.protocol));
  return stated?.href ?? site;
};

export const readArticle = ({ elementCount, root }: PageTree, scan: PageScan, from: string): ArticleText => {
  const url = ownAddress(scan, from);
  const page = cutBlocks(bodyOf(root));
  const body = page.body.element;
  const main = isWithinModelLimits(page)
    ? mainText(page, blockChances(page, { scan, url }, BLOCK_MODEL), { scan, url })
    : null;
  const text = main === null ? withoutModel(body, elementCount) : joinBlocks(main.blocks);
  const sent = text.length < SHELL_TEXT_CHARS_MAX ? embeddedText(scan) : "";
  const isJudged = main !== null && sent.length <= text.length;
  const confidence = isJudged ? textConfidence(main.expectedF1) : UNJUDGED_CONFIDENCE;
  return {
    text: sent.length > text.length ? sent : text,
    selected: isJudged ? { body, blocks: main.blocks } : null,
    whole: confidence < TRUSTED_CONFIDENCE_MIN ? wholeOf(page, isJudged, { shown: text, sent }) : null,
    confidence,
    blocks: page.blocks,
    needsBrowser: sent.length < SHELL_TEXT_CHARS_MAX && isEmptyShell(root, text, page.body.chars)
  };
};
