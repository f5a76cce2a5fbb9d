/**
 * The main text by the amount of text, link density and class names, in one pass over the tree: of pages that are too
 * large for the model, and as one of the features of the others. Retrain: train/train-page-text.ts. Tests: golden.test.ts.
 */
import { BLOCKS, isExcluded, isLandmark, isNamedContent, isSuspected } from "../../parse/NoiseRules.ts";
import { type PageElement } from "../../parse/PageTree.ts";
import { tidyLines } from "../../parse/PlainText.ts";

interface Mass {
  /** Characters of text. */
  text: number;
  /** How many of them are inside links. */
  link: number;
  /** Characters of running text: paragraphs of a minimum length, without links. */
  prose: number;
  paragraphs: number;
  drop: "no" | "excluded" | "suspected";
}

const PARAGRAPH_CHARS_MIN = 25;
/** Suspected noise with more than this share of the page's prose is content after all. */
const RESCUE_SHARE = 0.45;
const RESCUE_CHARS_MIN = 300;
/** Text outside paragraphs counts less, because menus and teasers consist of it. */
const LOOSE_TEXT_WEIGHT = 0.35;
/** The content is the lowest element with this share of its parent's weight. */
const DESCENT_SHARE = 0.75;
const LANDMARK_DESCENT_SHARE = 0.55;
const LINK_LIST_DENSITY = 0.6;
const LINK_LIST_CHARS_MAX = 200;
const LINK_LINE_DENSITY = 0.9;
const LINK_LINE_CHARS_MAX = 120;

const LISTS: ReadonlySet<string> = new Set(["ul", "ol", "div", "section", "table", "dl"]);
const LINES = /^(p|h[1-6])$/;

const empty = (drop: Mass["drop"]): Mass => ({ text: 0, link: 0, prose: 0, paragraphs: 0, drop });

const elementsOf = (element: PageElement): ReadonlyArray<PageElement> =>
  element.children.filter((child) => typeof child !== "string");

class Measurement {
  readonly masses = new Map<PageElement, Mass>();
  /** Prose of the page, including that of suspected noise. */
  private proseTotal = 0;
  readonly body: PageElement;

  constructor(body: PageElement) {
    this.body = body;
    this.measure(body, false, 0);
    if (this.rescue(body)) this.sum(body, false);
  }

  massOf(element: PageElement): Mass {
    return this.masses.get(element) ?? empty("excluded");
  }

  private measure(element: PageElement, inLink: boolean, depth: number): void {
    const isBody = element === this.body;
    const mass = empty(!isBody && isExcluded(element) ? "excluded" : "no");
    this.masses.set(element, mass);
    if (mass.drop === "excluded") return;
    if (!isBody && isSuspected(element, depth)) mass.drop = "suspected";
    for (const child of element.children)
      if (typeof child !== "string") this.measure(child, inLink || child.name === "a", depth + 1);
    this.add(element, mass, inLink);
    if (element.name === "p") this.proseTotal += mass.prose;
  }

  /** Adds up the remaining children. */
  private add(element: PageElement, mass: Mass, inLink: boolean): void {
    for (const child of element.children) {
      if (typeof child === "string") {
        const { length } = child.trim();
        mass.text += length;
        if (inLink) mass.link += length;
        continue;
      }
      const inner = this.massOf(child);
      if (inner.drop !== "no") continue;
      mass.text += inner.text;
      mass.link += inner.link;
      mass.prose += inner.prose;
      mass.paragraphs += inner.paragraphs;
    }
    const plain = mass.text - mass.link;
    if (element.name === "p" && plain >= PARAGRAPH_CHARS_MIN) {
      mass.prose = Math.max(mass.prose, plain);
      mass.paragraphs += 1;
    }
  }

  private rescue(element: PageElement): boolean {
    const mass = this.massOf(element);
    const holdsThePage = mass.prose > RESCUE_SHARE * this.proseTotal && mass.prose > RESCUE_CHARS_MIN;
    const rescued = mass.drop === "suspected" && holdsThePage;
    if (rescued) mass.drop = "no";
    let any = rescued;
    for (const child of element.children) if (typeof child !== "string" && this.rescue(child)) any = true;
    return any;
  }

  private sum(element: PageElement, inLink: boolean): void {
    const mass = this.massOf(element);
    if (mass.drop !== "no") return;
    for (const child of element.children)
      if (typeof child !== "string") this.sum(child, inLink || child.name === "a");
    Object.assign(mass, empty("no"));
    this.add(element, mass, inLink);
  }
}

const weightOf = ({ link, prose, text }: Mass): number => prose + LOOSE_TEXT_WEIGHT * (text - link);

/** The lowest element that has most of the page's weight. */
const contentOf = (measured: Measurement): PageElement => {
  let content = measured.body;
  for (;;) {
    const candidates = elementsOf(content).filter((child) => measured.massOf(child).drop === "no");
    let heaviest: PageElement | null = null;
    let most = 0;
    for (const child of candidates) {
      const weight = weightOf(measured.massOf(child)) * (isNamedContent(child) ? 1.5 : 1);
      if (weight > most) [heaviest, most] = [child, weight];
    }
    if (heaviest === null) break;
    const share = isLandmark(heaviest) ? LANDMARK_DESCENT_SHARE : DESCENT_SHARE;
    if (weightOf(measured.massOf(heaviest)) < share * weightOf(measured.massOf(content))) break;
    content = heaviest;
  }
  while ((content.name === "p" || content.name === "span") && content.parent !== null)
    content = content.parent;
  return content;
};

const isLinkNoise = (name: string, { link, paragraphs, text }: Mass): boolean => {
  const density = text === 0 ? 0 : link / text;
  if (LISTS.has(name))
    return density > LINK_LIST_DENSITY && text - link < LINK_LIST_CHARS_MAX && paragraphs < 2;
  return LINES.test(name) && density > LINK_LINE_DENSITY && text < LINK_LINE_CHARS_MAX;
};

/** Elements whose own text is main text. */
export const mainElements = (body: PageElement): ReadonlySet<PageElement> => {
  const measured = new Measurement(body);
  const included = new Set<PageElement>();
  const include = (element: PageElement): void => {
    included.add(element);
    for (const child of element.children) {
      if (typeof child === "string") continue;
      const mass = measured.massOf(child);
      if (mass.drop === "no" && !(BLOCKS.has(child.name) && isLinkNoise(child.name, mass))) include(child);
    }
  };
  include(contentOf(measured));
  return included;
};

/** One block per line. */
export const filterNoise = (body: PageElement): string => {
  const main = mainElements(body);
  const parts: Array<string> = [];
  const emit = (element: PageElement): void => {
    for (const child of element.children) {
      if (typeof child === "string") {
        parts.push(child);
        continue;
      }
      if (!main.has(child) || child.isStruck) continue;
      const isBlock = BLOCKS.has(child.name);
      if (isBlock) parts.push("\n");
      emit(child);
      if (isBlock) parts.push("\n");
    }
  };
  // The selected elements form one subtree, whose root comes first.
  const [root] = main;
  if (root !== undefined) emit(root);
  return tidyLines(parts.join(""));
};
