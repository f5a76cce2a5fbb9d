/**
 * Which elements a page's own style sheets give a background or a size of letters: by the last class, id or element
 * name of each selector. Not what they set: only that inline styles do not tell everything. Retrain: train/train-page-text.ts.
 * Tests: HiddenText.test.ts.
 */
import { withHyphens } from "./NoiseRules.ts";
import { isPainting } from "./TextColours.ts";
import { type PageElement, rawTextOf, walk } from "./PageTree.ts";

/** Style sheets of a page in characters; further ones are ignored. */
const SHEETS_CHARS_MAX = 1_000_000;

/** Longer selectors and rules are generated; what they set is not what hides or shows text. */
const SELECTOR_CHARS_MAX = 300;
const RULE_CHARS_MAX = 4_000;

/** "background: #fff"; "font-size: 0.9rem" and "font: 1em Arial", but not "font-size: 0". */
const BACKGROUND = /(?:^|[;\s])background(?:-color|-image)?\s*:\s*([^;]{1,200})/i;
const SIZE = /(?:^|[;\s])(?:font-size\s*:(?!\s*0(?![.\d]))|font\s*:[^;]{0,100}\b[1-9])/i;

/** The name that the last part of a selector begins with: ".note" of "main > .note:hover". */
const LAST_NAME = /([.#]?-?[a-z_][\w-]*)[^\s>+~]*\s*$/i;

const nameOf = (selector: string): string | null => LAST_NAME.exec(selector)?.[1] ?? null;

/** Longer names are generated. */
const NAMES_CHARS_MAX = 200;

const namesOf = ({ attributes, name }: PageElement): ReadonlyArray<string> => [
  name,
  ...(attributes["id"] === undefined ? [] : [`#${attributes["id"]}`]),
  ...(attributes["class"]?.split(/\s+/).map((each) => `.${each}`) ?? [])
];

/** Names of what holds a page or its texts, readers' own among them: white words there are hidden. */
const TEXT_NAMES =
  /^(?:(?:page|site|app|root|main|content|contents|container|wrapper?|inner|outer|layout|body|article|story|post|posts|entry|text|copy|prose|rich|rte|markdown|comments?|repl(?:y|ies)|message|messages|review|reviews|thread|topic|answer|question|single|blog|news|user|author|quote|list|item|items|row|col|columns?|grid|left|right|center|clearfix|fluid|wide|lg|md|sm|xs|xl|js|no|\d+)(?:[\s_-]+|$))*$/i;

const isPart = ({ attributes, name }: PageElement): boolean => {
  if (name === "html" || name === "body") return false;
  const names = withHyphens(`${attributes["class"] ?? ""} ${attributes["id"] ?? ""}`).trim();
  return !TEXT_NAMES.test(names.slice(0, NAMES_CHARS_MAX));
};

export class SheetNames {
  private readonly painted = new Set<string>();
  private readonly sized = new Set<string>();
  /** There are sheets that cannot be read here. */
  private isLinked = false;

  constructor(root: PageElement) {
    let charsLeft = SHEETS_CHARS_MAX;
    walk(root, (element) => {
      if (element.name === "link" && /(?:^|\s)stylesheet(?:\s|$)/i.test(element.attributes["rel"] ?? ""))
        this.isLinked = true;
      if (element.name !== "style" || charsLeft <= 0) return;
      const sheet = rawTextOf(element).slice(0, charsLeft);
      charsLeft -= sheet.length;
      this.read(sheet);
    });
  }

  /** For a linked sheet, a name of a part of the page may mean any background; that of a text means none. */
  paints(element: PageElement): boolean {
    return (
      (this.isLinked && isPart(element)) ||
      (this.painted.size > 0 && namesOf(element).some((name) => this.painted.has(name)))
    );
  }

  sizes(element: PageElement): boolean {
    return (
      (this.isLinked && element.attributes["class"] !== undefined) ||
      (this.sized.size > 0 && namesOf(element).some((name) => this.sized.has(name)))
    );
  }

  private read(sheet: string): void {
    let start = 0;
    let selectors: string | null = null;
    for (const { 0: brace, index } of sheet.matchAll(/[{}]/g)) {
      const between = sheet.slice(start, index);
      start = index + 1;
      if (brace === "}" && selectors !== null) this.readRule(selectors, between.slice(0, RULE_CHARS_MAX));
      selectors = brace === "{" ? between.slice(between.lastIndexOf(";") + 1) : null;
    }
  }

  private readRule(selectors: string, declarations: string): void {
    const background = BACKGROUND.exec(declarations)?.[1];
    const paints = background !== undefined && isPainting(background);
    const sizes = SIZE.test(declarations);
    if (!paints && !sizes) return;
    for (const selector of selectors.split(",")) {
      const name = nameOf(selector.slice(-SELECTOR_CHARS_MAX));
      if (name !== null && paints) this.painted.add(name);
      if (name !== null && sizes) this.sized.add(name);
    }
  }
}
