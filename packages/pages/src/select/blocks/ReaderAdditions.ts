/**
 * Detects text that readers added: comments on an article, reviews of a product. To the block model they look
 * like the posts of a thread, so this rule recognizes them by name, and only if there is something they comment
 * on. Measured by bench/page-text.ts.
 */
import { hasType } from "../../parse/JsonLd.ts";
import { nameWords } from "../../parse/NoiseRules.ts";
import type { PageScan } from "../../parse/PageScan.ts";
import { type Block, charsOfAll, type Region } from "./Blocks.ts";

const COMMENTS = /(^|[\s_-])(comments?|comment-?list|disqus|respond)([\s_-]|$)/i;
const REVIEWS = /(^|[\s_-])(reviews?|ratings?|stars|testimonials?)([\s_-]|$)/i;

const DISCUSSIONS: ReadonlySet<string> = new Set(["DiscussionForumPosting", "QAPage", "Question"]);
const PRODUCTS: ReadonlySet<string> = new Set(["Product", "ProductGroup"]);

const DISCUSSION_ADDRESS = /forum|thread|discuss|communit|questions?\/|viewtopic|\/comments\/|\/t\//i;

/** Minimum other text for which additions are dropped, in characters. */
const OWN_CHARS_MIN = 600;

const PAGE_ELEMENTS: ReadonlySet<string> = new Set(["#document", "html", "body", "main", "article"]);

/** Matches blocks in elements with such names. */
const insideOf = (names: RegExp): ((block: Block) => boolean) => {
  const known = new Map<Region, boolean>();
  const isInside = (region: Region | null): boolean => {
    if (region === null) return false;
    const before = known.get(region);
    if (before !== undefined) return before;
    const isNamed = !PAGE_ELEMENTS.has(region.element.name) && names.test(nameWords(region.element));
    const inside = isNamed || isInside(region.parent);
    known.set(region, inside);
    return inside;
  };
  return ({ leaf }) => isInside(leaf);
};

const without = (blocks: ReadonlyArray<Block>, names: RegExp): ReadonlyArray<Block> => {
  const isInside = insideOf(names);
  const others = blocks.filter((block) => !isInside(block));
  return charsOfAll(others) < OWN_CHARS_MIN ? blocks : others;
};

const isDiscussion = (scan: PageScan, url: string): boolean =>
  DISCUSSION_ADDRESS.test(`${url} ${scan.canonicalHref ?? ""}`) ||
  scan.jsonLd.entities.some((entity) => hasType(entity, DISCUSSIONS));

export const isProduct = (scan: PageScan): boolean =>
  /product/i.test(scan.meta.get("og:type")?.[0] ?? "") ||
  scan.jsonLd.entities.some((entity) => hasType(entity, PRODUCTS));

/** Keeps only the blocks that are not additions. */
export const withoutAdditions = (
  blocks: ReadonlyArray<Block>,
  scan: PageScan,
  url: string
): ReadonlyArray<Block> => {
  const own = isDiscussion(scan, url) ? blocks : without(blocks, COMMENTS);
  return isProduct(scan) ? without(own, REVIEWS) : own;
};
