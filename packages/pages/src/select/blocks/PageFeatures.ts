/**
 * Features of the page as a whole: its type (what it declares, its URL, what it consists of), and which of its regions
 * Readability's method takes for the article. Retrain: train/train-page-text.ts. Tests: golden.test.ts.
 */
import { isLandmark, isSuspected } from "../../parse/NoiseRules.ts";
import type { Block, PageBlocks, Region } from "./Blocks.ts";
import { type JsonLdNode, stringsOf, typesOf } from "../../parse/JsonLd.ts";
import type { PageScan } from "../../parse/PageScan.ts";
import { decoded, folded } from "../../parse/PlainText.ts";

const PARAGRAPH_CHARS_MIN = 25;
/** How many elements around a paragraph get points. */
const LEVELS = 5;
/** The distance of a block that is not within the article. */
const FAR = 30;

/**
 * Readability's method applied to regions: paragraphs give points to the elements around them, fewer with
 * distance, and the element with the most points, reduced by links, is the article.
 */
export class ContentScores {
  private readonly points = new Map<Region, number>();
  private readonly scores = new Map<Region, number>();
  private top: Region | null = null;
  private topScore = 0;

  constructor({ blocks }: PageBlocks) {
    for (const block of blocks) this.give(block);
    for (const region of this.points.keys()) {
      const score = this.scoreOf(region);
      if (score > this.topScore) [this.top, this.topScore] = [region, score];
    }
  }

  private give({ box, chars, linkChars, text }: Block): void {
    if (chars < PARAGRAPH_CHARS_MIN || linkChars > 0.6 * chars) return;
    const score = 1 + (text.match(/[,，、]/g)?.length ?? 0) + Math.min(3, chars / 100);
    let region = box.parent;
    for (let level = 0; level < LEVELS && region !== null; level += 1) {
      const share = level === 0 ? 1 : level === 1 ? 0.5 : 1 / (3 * level);
      this.points.set(region, (this.points.get(region) ?? 0) + score * share);
      region = region.parent;
    }
  }

  private scoreOf(region: Region): number {
    const known = this.scores.get(region);
    if (known !== undefined) return known;
    const { chars, element, linkChars } = region;
    const bonus = isLandmark(element) ? 25 : isSuspected(element, region.depth) ? -25 : 0;
    const score = ((this.points.get(region) ?? 0) + bonus) * (1 - linkChars / Math.max(1, chars));
    this.scores.set(region, score);
    return score;
  }

  /** Distance to the article; best score around the block and that of its parent, as shares; the score. */
  of({ box }: Block): ReadonlyArray<number> {
    let steps = 0;
    let best = 0;
    let distance = FAR;
    for (let region: Region | null = box; region !== null; region = region.parent) {
      if (region === this.top) distance = steps;
      if (region !== box) best = Math.max(best, this.scoreOf(region));
      steps += 1;
    }
    const whole = Math.max(1, this.topScore);
    return [
      distance,
      best / whole,
      box.parent === null ? 0 : this.scoreOf(box.parent) / whole,
      this.topScore,
      this.top?.depth ?? 0
    ];
  }
}

/** A feature each: articles, products, lists, threads, questions, businesses, documentation. */
const TYPES: ReadonlyArray<RegExp> = [
  /Article$|^BlogPosting|^Report|^Recipe|^HowTo/,
  /^Product|^Offer|^Vehicle/,
  /^ItemList|^CollectionPage|^OfferCatalog|^SearchResultsPage|^Blog$/,
  /^QAPage|^Question|^DiscussionForumPosting|^SocialMediaPosting/,
  /^FAQPage/,
  /^LocalBusiness|^Service|^Organization|^Corporation|^Course/,
  /^TechArticle|^APIReference|^SoftwareApplication|^SoftwareSourceCode/
];

const DECLARED_CHARS_MAX = 200_000;

const collectTexts = (value: unknown, depth: number, texts: Array<string>): void => {
  if (depth > 6 || texts.length > 200) return;
  if (Array.isArray(value)) for (const item of value) collectTexts(item, depth + 1, texts);
  else if (typeof value === "object" && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner !== "string") collectTexts(inner, depth + 1, texts);
      else if (/^(articleBody|description|text|reviewBody)$/.test(key)) texts.push(inner);
    }
  }
};

/** Running text in the page's structured data, folded. */
export const declaredTexts = (scan: PageScan): string => {
  const texts: Array<string> = [];
  for (const key of ["description", "og:description"]) texts.push(...(scan.meta.get(key) ?? []));
  for (const entity of scan.jsonLd.entities) collectTexts(entity, 0, texts);
  return folded(decoded(texts.join(" \n ").slice(0, DECLARED_CHARS_MAX)).replace(/<[^>]{0,200}>/g, " "));
};

/** 0 if the total is 0. */
export const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

const NAMES: ReadonlyArray<RegExp> = [/^h1$/, /^h[2-4]$/, /^pre$/, /^t[dh]$/, /^li$/, /^p$/, /^d[td]$/];

const hasBody = (scan: PageScan, entity: JsonLdNode): boolean =>
  stringsOf(scan.jsonLd, entity, "articleBody").length > 0;

/** A feature each: "/shop/bread", "/p/12", "/t/12", "/docs/start", "/blog/2025", "/about". */
const PATHS: ReadonlyArray<RegExp> = [
  /\/(collections?|categor(y|ies)|cat|c|shop|store|browse|catpage|department)\b/i,
  /\/(products?|p|item|itm|dp|listing)\/|\/p\b|product/i,
  /forum|thread|topic|\/t\/|questions?|discuss|communit/i,
  /docs?\b|documentation|reference|manual|guide|wiki|\bapi\b|developer/i,
  /blog|news|article|stor(y|ies)|post|\/20\d\d\b/i,
  /services?\b|solutions?|about|pricing|programs?\b/i
];

const addressFeatures = (address: string): ReadonlyArray<number> => {
  const url = URL.parse(address);
  const path = url?.pathname ?? "";
  const parts = path.split("/").filter((part) => part !== "");
  return [
    ...PATHS.map((pattern) => (pattern.test(`${url?.hostname ?? ""}${path}`) ? 1 : 0)),
    parts.length,
    parts.at(-1)?.split("-").length ?? 0
  ];
};

/** `url` is the page's URL. */
export const pageFeatures = (
  { blocks, body }: PageBlocks,
  scan: PageScan,
  url: string
): ReadonlyArray<number> => {
  const types = scan.jsonLd.entities.flatMap(typesOf);
  const ogType = scan.meta.get("og:type")?.[0]?.toLowerCase() ?? "";
  const elements = blocks.map(({ box }) => box.element.name);
  const long = blocks.filter(({ chars, isProse }) => isProse && chars > 200).length;
  return [
    ...TYPES.map((type) => (types.some((name) => type.test(name)) ? 1 : 0)),
    ogType === ""
      ? 0
      : ogType === "article"
        ? 1
        : ogType.includes("product")
          ? 2
          : ogType === "website"
            ? 3
            : 4,
    ...addressFeatures(url),
    scan.meta.has("article:published_time") ? 1 : 0,
    scan.jsonLd.entities.some((entity) => hasBody(scan, entity)) ? 1 : 0,
    blocks.length,
    body.chars,
    share(body.linkChars, body.chars),
    share(body.proseChars, body.chars),
    share(long, blocks.length),
    body.imageCount,
    share(blocks.filter(({ text }) => /[$€£]\s?\d/.test(text)).length, blocks.length),
    ...NAMES.map((name) => elements.filter((element) => name.test(element)).length)
  ];
};
