/**
 * Divides a page into blocks, the smallest pieces of text that the layout separates, each with the regions that
 * contain it. One walk over the tree; linear in its size. Retrain: train/train-page-text.ts.
 */
import { BLOCKS, isTextless, LABELS } from "../../parse/NoiseRules.ts";
import { type PageElement, type PageNode, textOf } from "../../parse/PageTree.ts";
import { charsOf } from "../../parse/PlainText.ts";
import { KIND_COUNT, NameKinds } from "./NameKinds.ts";

/** Maximum number of blocks: each costs the model about 50 microseconds, and real pages have some thousand. */
export const BLOCKS_MAX = 20_000;

/** Maximum length of a class name; the rest does not distinguish elements. */
const CLASS_CHARS_MAX = 200;

/** Siblings with the same signature, such as the items of a list, with totals of their text. */
export class Twins {
  count = 0;
  chars = 0;
  linkChars = 0;
  proseChars = 0;
  blockCount = 0;
  imageCount = 0;
}

const NOWHERE: ReadonlyArray<number> = Array.from({ length: KIND_COUNT }, () => -1);

const withDepth = (
  nearest: ReadonlyArray<number>,
  kinds: ReadonlyArray<number>,
  depth: number
): ReadonlyArray<number> => {
  const own = nearest.slice();
  for (const kind of kinds) own[kind] = depth;
  return own;
};

/** An element with totals of its text. */
export class Region {
  readonly element: PageElement;
  readonly parent: Region | null;
  readonly depth: number;
  /** Depth of the nearest region with each kind of name, including this one; -1 if there is none. */
  readonly nearest: ReadonlyArray<number>;
  readonly inLink: boolean;
  /** Element name and class: the same for the items of a list. */
  readonly signature: string;
  /** Number of siblings with the same signature, including this one, and its position among them. */
  twins = new Twins();
  twinIndex = 0;
  chars = 0;
  linkChars = 0;
  /** Characters in blocks that look like sentences. */
  proseChars = 0;
  blockCount = 0;
  imageCount = 0;

  constructor(element: PageElement, parent: Region | null, kinds: ReadonlyArray<number>) {
    this.element = element;
    this.parent = parent;
    this.depth = parent === null ? 0 : parent.depth + 1;
    this.inLink = element.name === "a" || (parent?.inLink ?? false);
    this.signature = `${element.name}.${(element.attributes["class"] ?? "").slice(0, CLASS_CHARS_MAX)}`;
    const inherited = parent?.nearest ?? NOWHERE;
    this.nearest = kinds.length === 0 ? inherited : withDepth(inherited, kinds, this.depth);
  }
}

/** A string that is a child of an element. */
interface TextPlace {
  readonly element: PageElement;
  readonly index: number;
}

export interface Block {
  readonly text: string;
  /** Positions of its strings, in order, including white space. */
  readonly places: ReadonlyArray<TextPlace>;
  /** Approximate number of letters and digits, without white space. */
  readonly chars: number;
  readonly linkChars: number;
  /** The position of most of its text. */
  readonly leaf: Region;
  /** The element that makes it a block. */
  readonly box: Region;
  readonly isProse: boolean;
}

/** The regions around a block, from the inside. */
export const regionsOf = ({ leaf }: Pick<Block, "leaf">): ReadonlyArray<Region> => {
  const regions: Array<Region> = [];
  for (let region: Region | null = leaf; region !== null; region = region.parent) regions.push(region);
  return regions;
};

/** Whether an element around a block has one of these names, or the role of that name. */
export const isWithin = (block: Block, names: ReadonlySet<string>): boolean =>
  regionsOf(block).some(
    ({ element }) => names.has(element.name) || names.has(element.attributes["role"] ?? "")
  );

export const charsOfAll = (blocks: ReadonlyArray<Block>): number =>
  blocks.reduce((sum, { chars }) => sum + chars, 0);

export interface PageBlocks {
  readonly blocks: ReadonlyArray<Block>;
  readonly body: Region;
  /** Text in the largest repetition on the page. */
  readonly repeatedChars: number;
}

/** This many similar siblings make a list. */
export const REPEATED_MIN = 3;

const PROSE_CHARS_MIN = 60;
/** "It rained." to the end, or "It rained. Then" anywhere. */
const SENTENCE = /[.!?…。:;"”)]["”')\]]?$|[.!?]\s+\p{Lu}/u;

/** Several elements without text of their own between them: each is a separate piece. */
const isRow = ({ children, name }: PageElement): boolean => {
  if (name === "ruby") return false;
  let elements = 0;
  for (const child of children) {
    if (typeof child !== "string") elements += child.hidden ? 0 : 1;
    else if (child.trim() !== "") return false;
  }
  return elements > 1;
};

/** Signs, codes (ISO 4217) and abbreviations of currencies: "US$", "EUR", "Rs.". */
const CURRENCY =
  /^(?:[A-Z]{0,3}\p{Sc}|USD|EUR|GBP|CHF|JPY|CNY|RMB|INR|SEK|NOK|DKK|ISK|PLN|CZK|HUF|RON|BGN|TRY|RUB|UAH|BRL|MXN|ARS|CLP|COP|PEN|CAD|AUD|NZD|SGD|HKD|TWD|KRW|THB|IDR|MYR|PHP|VND|ZAR|NGN|KES|EGP|ILS|SAR|AED|QAR|KWD|PKR|BDT|LKR|Rs|Rp|kr|zł|Kč|Ft|lei|лв|грн|руб|TL|元|円)\.?$/u;

/** Longer texts are no part of a price, in characters. */
const PRICE_CHARS_MAX = 24;

/** Whether two neighbours in a row are parts of one price: "€" and "12", "12" and ".99", "12," and "99", "12" and "€". */
const isPrice = (first: PageElement, next: PageElement | undefined): boolean => {
  if (next === undefined) return false;
  const before = textOf(first, PRICE_CHARS_MAX).trim();
  const after = textOf(next, PRICE_CHARS_MAX).trim();
  if (CURRENCY.test(before)) return /^[−+-]?\d/u.test(after);
  if (/^[.,]$/.test(before)) return /^\d/.test(after);
  if (/\d[.,]$/.test(before)) return /^\d\d(?!\d)/.test(after);
  return /\d[.,]?[–-]?$/u.test(before) && (CURRENCY.test(after) || /^[.,](?:\d|$)/.test(after));
};

/** Whether a first letter, on its own for its looks, and the element right after it are one word: "O" and "nce". */
const isWord = (first: PageElement, next: PageNode | undefined): boolean =>
  typeof next === "object" &&
  first.name !== "a" &&
  /^\p{L}$/u.test(textOf(first, 2)) &&
  /^\p{Ll}/u.test(textOf(next, 1));

const nextElement = (children: ReadonlyArray<PageNode>, index: number): PageElement | undefined =>
  children.slice(index + 1, index + 3).find((child) => typeof child !== "string");

const addSums = (from: Region, to: Region | Twins): void => {
  to.chars += from.chars;
  to.linkChars += from.linkChars;
  to.proseChars += from.proseChars;
  to.blockCount += from.blockCount;
  to.imageCount += from.imageCount;
};

class BlockCutter {
  readonly blocks: Array<Block> = [];
  repeatedChars = 0;
  private readonly kinds = new NameKinds();
  private parts: Array<string> = [];
  private places: Array<TextPlace> = [];
  private chars = 0;
  private linkChars = 0;
  private leaf: Region | null = null;
  private leafChars = 0;

  region(element: PageElement, parent: Region | null): Region {
    return new Region(element, parent, this.kinds.of(element));
  }

  cut(region: Region, box: Region): void {
    const { element } = region;
    const row = isRow(element);
    const twins = new Map<string, Twins>();
    let isContinued = false;
    for (let index = 0; index < element.children.length; index += 1) {
      if (this.blocks.length >= BLOCKS_MAX) return;
      const child = element.children[index] as PageNode;
      if (typeof child === "string") {
        this.places.push({ element, index });
        this.add(child, region);
        continue;
      }
      if (child.name === "img" || child.name === "picture" || child.name === "svg") region.imageCount += 1;
      if (child.name === "br") this.parts.push("\n");
      if (child.name === "br" || isTextless(child)) continue;
      const inner = this.region(child, region);
      const alike = twins.get(inner.signature);
      if (alike === undefined) twins.set(inner.signature, inner.twins);
      else inner.twins = alike;
      inner.twinIndex = inner.twins.count;
      inner.twins.count += 1;
      const isBlock = BLOCKS.has(child.name) || LABELS.has(child.name);
      if (isBlock || (row && !isContinued)) this.flush(box);
      isContinued =
        row &&
        !isBlock &&
        (isPrice(child, nextElement(element.children, index)) || isWord(child, element.children[index + 1]));
      this.cut(inner, isBlock ? inner : box);
      if (isBlock || (row && !isContinued)) this.flush(isBlock ? inner : box);
      addSums(inner, region);
      addSums(inner, inner.twins);
      if (inner.twins.count >= REPEATED_MIN)
        this.repeatedChars = Math.max(this.repeatedChars, inner.twins.chars);
    }
    if (box === region) this.flush(box);
  }

  private add(text: string, region: Region): void {
    this.parts.push(text);
    const chars = charsOf(text);
    if (chars === 0) return;
    this.chars += chars;
    if (region.inLink) this.linkChars += chars;
    if (chars > this.leafChars) {
      this.leaf = region;
      this.leafChars = chars;
    }
  }

  private flush(box: Region): void {
    const { chars, leaf, linkChars, parts, places } = this;
    if (parts.length === 0) return;
    this.parts = [];
    this.places = [];
    this.chars = this.linkChars = this.leafChars = 0;
    this.leaf = null;
    if (leaf === null) return;
    const text = parts.join("").trim();
    const isProse = chars >= PROSE_CHARS_MIN && linkChars < 0.5 * chars && SENTENCE.test(text);
    this.blocks.push({ text, places, chars, linkChars, leaf, box, isProse });
    box.chars += chars;
    box.linkChars += linkChars;
    if (isProse) box.proseChars += chars;
    box.blockCount += 1;
  }
}

export const cutBlocks = (element: PageElement): PageBlocks => {
  const cutter = new BlockCutter();
  const body = cutter.region(element, null);
  cutter.cut(body, body);
  return { blocks: cutter.blocks, body, repeatedChars: cutter.repeatedChars };
};
