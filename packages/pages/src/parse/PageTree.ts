/**
 * The element tree of a page, built in one pass of htmlparser2. Depth, elements, attributes and text are
 * limited, so that code may recurse over it and no page can fill the heap. Retrain: train/train-page-text.ts.
 * Tests: ReadBytes.test.ts, HiddenText.test.ts.
 */
import { Parser } from "htmlparser2";
import { SHADOW_ROOT, slotContents } from "./ShadowRoots.ts";
import {
  ATTRIBUTES_MAX,
  NESTING_MAX,
  SCRIPT_CHARS_MAX,
  TREE_DEPTH_MAX,
  TREE_ELEMENTS_MAX,
  TREE_TEXT_CHARS_MAX
} from "../PageLimits.ts";

export type PageNode = PageElement | string;

export class PageElement {
  readonly name: string;
  /** Changes only while the tree is built. */
  parent: PageElement | null;
  readonly attributes: Record<string, string> = {};
  readonly children: Array<PageNode> = [];
  /** Hidden by its own markup. */
  hidden = false;
  /** Shown as no longer valid, and without blocks inside. */
  isStruck = false;

  constructor(name: string, parent: PageElement | null) {
    this.name = name;
    this.parent = parent;
  }
}

/** 1 to 6; null for what is no heading by its name. */
export const headingLevel = ({ name }: PageElement): number | null =>
  /^h[1-6]$/.test(name) ? Number(name[1]) : null;

export interface PageTree {
  readonly root: PageElement;
  /** Counts of the document itself, even beyond the limits of the tree. */
  readonly elementCount: number;
  readonly depth: number;
  readonly textChars: number;
  /** There is more text than the tree can store; for XML, more of anything. */
  readonly truncated: boolean;
}

/** Elements that contain code or data instead of text. */
const RAW: ReadonlySet<string> = new Set(["script", "style", "template", "xmp", "noembed", "noframes"]);

/** Of a template that is the shadow tree of the element around it; the second was Chromium's before the standard. */
const SHADOW_MODES: ReadonlySet<string> = new Set(["shadowrootmode", "shadowroot"]);

/** Ends the parsing of a page that is nested too deeply: the parser's own stack takes quadratic time. */
class TooNested extends Error {}

/** XML mode: names are case-sensitive, and elements may be self-closing. */
interface XmlOptions {
  /** Elements without text that nothing needs; they and their content are neither stored nor counted. */
  readonly skipped: ReadonlySet<string>;
  readonly elementsMax: number;
}

class TreeBuilder {
  readonly root = new PageElement("#document", null);
  elementCount = 0;
  depth = 0;
  textChars = 0;
  truncated = false;
  private current = this.root;
  private currentDepth = 0;
  /** Open elements that are not in the tree, and how many were open at the outermost raw one; 0 outside of one. */
  private leftOut = 0;
  private leftOutRaw = 0;
  private scriptChars = 0;
  private preformatted = 0;
  private attributeCount = ATTRIBUTES_MAX;
  private unwrapped = false;
  /** Open elements within a skipped one. */
  private skippedDepth = 0;
  private readonly xml: XmlOptions | null;
  /** Elements that show a shadow tree instead of their own content. */
  readonly hosts = new Set<PageElement>();

  constructor(xml: XmlOptions | null) {
    this.xml = xml;
  }

  /** HTML has no CDATA: what looks like it is a comment up to the next `>`, after which the page continues. */
  oncomment(data: string): void {
    const end = data.startsWith("[CDATA[") && !this.unwrapped ? data.indexOf(">") : -1;
    if (end < 0) return;
    // Once per page: it usually contains everything else.
    this.unwrapped = true;
    const parser = new Parser(this);
    parser.write(data.slice(end + 1));
    parser.end();
  }

  onopentagname(name: string): void {
    if (this.currentDepth + this.leftOut + this.skippedDepth >= NESTING_MAX) throw new TooNested();
    if (this.skippedDepth > 0 || this.xml?.skipped.has(name) === true) {
      this.skippedDepth += 1;
      this.attributeCount = ATTRIBUTES_MAX;
      return;
    }
    this.elementCount += 1;
    this.depth = Math.max(this.depth, this.currentDepth + this.leftOut + 1);
    this.attributeCount = ATTRIBUTES_MAX;
    const elementsMax = this.xml?.elementsMax ?? TREE_ELEMENTS_MAX;
    const full = this.currentDepth >= TREE_DEPTH_MAX || this.elementCount > elementsMax;
    // If there are too many elements, the text of a page goes to their parent; XML has no meaning without its
    // elements.
    if (full && this.xml !== null) this.truncated = true;
    if (this.leftOut > 0 || full) {
      this.leftOut += 1;
      if (RAW.has(name) && this.leftOutRaw === 0) this.leftOutRaw = this.leftOut;
      this.addText("\n");
      return;
    }
    const element = new PageElement(name, this.current);
    this.current.children.push(element);
    this.current = element;
    this.currentDepth += 1;
    this.attributeCount = 0;
    if (name === "pre") this.preformatted += 1;
  }

  onattribute(name: string, value: string): void {
    const { attributes } = this.current;
    if (this.attributeCount >= ATTRIBUTES_MAX || name === "__proto__" || Object.hasOwn(attributes, name))
      return;
    attributes[name] = value;
    this.attributeCount += 1;
    if (SHADOW_MODES.has(name) && this.current.name === "template" && /^(?:open|closed)$/i.test(value))
      this.openShadowRoot();
  }

  /** A template that browsers show in place of the element it stands in, with its own templates closed. */
  private openShadowRoot(): void {
    const { attributes, parent } = this.current;
    if (parent === null) return;
    const root = new PageElement(SHADOW_ROOT, parent);
    Object.assign(root.attributes, attributes);
    parent.children[parent.children.length - 1] = root;
    this.current = root;
    this.hosts.add(parent);
  }

  onclosetag(name: string): void {
    this.attributeCount = ATTRIBUTES_MAX;
    if (this.skippedDepth > 0) {
      this.skippedDepth -= 1;
      return;
    }
    if (this.leftOut > 0) {
      if (this.leftOutRaw === this.leftOut) this.leftOutRaw = 0;
      this.leftOut -= 1;
      return;
    }
    this.current = this.current.parent ?? this.root;
    this.currentDepth -= 1;
    if (name === "pre") this.preformatted -= 1;
  }

  ontext(data: string): void {
    this.attributeCount = ATTRIBUTES_MAX;
    if (this.skippedDepth > 0) return;
    if (this.leftOutRaw > 0) return;
    if (this.current.name === "script" || this.current.name === "style") this.addScript(data);
    else this.addText(this.preformatted > 0 ? data : data.replace(/\s{2,}|[^\S ]/g, " "));
  }

  /** The text after the depth limit, without tags. */
  addRest(html: string): void {
    this.addText(html.replace(/<[^<>]{0,1000}>/g, "\n"));
  }

  private addScript(data: string): void {
    this.scriptChars += data.length;
    if (this.scriptChars <= SCRIPT_CHARS_MAX) this.append(data);
  }

  private addText(data: string): void {
    this.textChars += data.length;
    if (this.textChars <= TREE_TEXT_CHARS_MAX) this.append(data);
    else this.truncated = true;
  }

  private append(data: string): void {
    const { children } = this.current;
    const last = children.length - 1;
    if (typeof children[last] === "string") children[last] += data;
    else children.push(data);
  }
}

/**
 * `isXhtml`: elements may be self-closing and text may be CDATA, as in files meant as XML. Everything else is forgiven
 * and named as in HTML, so that a page that is no XML after all is read as well.
 */
export const parseTree = (
  html: string,
  { isXhtml = false, xml = null }: { readonly isXhtml?: boolean; readonly xml?: XmlOptions | null } = {}
): PageTree => {
  const builder = new TreeBuilder(xml);
  const parser = new Parser(builder, {
    xmlMode: xml !== null,
    recognizeSelfClosing: xml !== null || isXhtml,
    recognizeCDATA: xml !== null || isXhtml
  });
  try {
    parser.write(html);
    parser.end();
  } catch (error) {
    if (!(error instanceof TooNested)) throw error;
    builder.addRest(html.slice(parser.startIndex));
  }
  builder.hosts.forEach(slotContents);
  return builder;
};

/** Depth first in document order. `visit` returns false to skip the content. */
export const walk = (element: PageElement, visit: (element: PageElement) => boolean | void): void => {
  for (const child of element.children) {
    if (typeof child !== "string" && visit(child) !== false) walk(child, visit);
  }
};

/** The text inside, without code and data; stops soon after `charsMax` characters. */
export const textOf = (element: PageElement, charsMax = Number.POSITIVE_INFINITY): string => {
  const parts: Array<string> = [];
  let length = 0;
  const collect = (node: PageNode): void => {
    if (length > charsMax) return;
    if (typeof node === "string") {
      parts.push(node);
      length += node.length;
    } else if (!RAW.has(node.name)) {
      if (node.name === "br") parts.push(" ");
      node.children.forEach(collect);
    }
  };
  element.children.forEach(collect);
  return parts.join("");
};

/** Text of a raw element such as a script. */
export const rawTextOf = (element: PageElement): string =>
  element.children.filter((child) => typeof child === "string").join("");

/** The element with the page's text: the root if there is no body, as in fragments, or several, as in pages kept within others. */
export const bodyOf = (root: PageElement): PageElement => {
  let body: PageElement | null = null;
  let count = 0;
  walk(root, (element) => {
    if (element.name !== "body") return count < 2;
    body ??= element;
    count += 1;
    return false;
  });
  return count === 1 ? (body ?? root) : root;
};
