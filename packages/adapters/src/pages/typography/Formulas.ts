/**
 * Formulas of a page. The TeX that their author wrote is taken from the annotation or alternative text that
 * MathML, KaTeX and MathJax include; MathML without it is written from its structure. Each becomes one element of
 * the tree, so that text and Markdown contain it.
 */
import { PageElement, rawTextOf, textOf, walk } from "../tree/PageTree.ts";
import { mathTex, mathText } from "./MathMl.ts";

export interface Formula {
  readonly tex: string;
  readonly isDisplay: boolean;
}

/** Name of the elements that hold a formula: no page can contain it. */
const FORMULA = "#formula";

/** Maximum TeX of one formula in characters; anything longer is data. */
const TEX_CHARS_MAX = 5_000;

const HOLDERS = /(^|\s)(katex(-display)?|mwe-math-element|MathJax(_Display)?|math-tex)(\s|$)/;

/** What MathJax 2 shows of the formula in the script that follows. */
const RENDERED = /(^|\s)MathJax(?:_Preview|_Display|_SVG|_CHTML)?(\s|$)/;

const isTexScript = ({ attributes, name }: PageElement): boolean =>
  name === "script" && /^math\/tex/i.test(attributes["type"] ?? "");

const isHolder = (element: PageElement): boolean =>
  element.name === "math" ||
  element.name === "mjx-container" ||
  isTexScript(element) ||
  ((element.name === "span" || element.name === "div") && HOLDERS.test(element.attributes["class"] ?? ""));

const isDisplayed = ({ attributes }: PageElement): boolean =>
  attributes["display"] === "block" ||
  attributes["display"] === "true" ||
  /mode=display/i.test(attributes["type"] ?? "") ||
  /katex-display|MathJax_Display/.test(attributes["class"] ?? "");

/** From an annotation, otherwise from an alternative text that contains TeX. */
const writtenTex = (element: PageElement): string | null => {
  if (element.name === "script") return rawTextOf(element);
  let tex: string | null = null;
  let alternative = element.attributes["alttext"] ?? null;
  walk(element, (inner) => {
    if (inner.name === "annotation" && /tex/i.test(inner.attributes["encoding"] ?? "")) tex ??= textOf(inner);
    alternative ??= inner.attributes["alttext"] ?? null;
    return tex === null;
  });
  return tex ?? alternative;
};

const mathIn = (element: PageElement): PageElement | null => {
  let math: PageElement | null = element.name === "math" ? element : null;
  walk(element, (inner) => {
    if (inner.name === "math") math ??= inner;
    return math === null;
  });
  return math;
};

const DISPLAY_STYLE = /^\{\\displaystyle\s+(.*)\}$/su;

interface ReadFormula extends Formula {
  readonly text: string;
}

/** Null if it has neither TeX nor MathML. */
const readFormula = (element: PageElement): ReadFormula | null => {
  const stated = writtenTex(element)?.trim().replace(DISPLAY_STYLE, "$1").trim() ?? "";
  const math = mathIn(element);
  const tex = stated === "" && math !== null ? mathTex(math) : stated;
  if (tex === "" || tex.length > TEX_CHARS_MAX) return null;
  const text = stated === "" && math !== null ? mathText(math) : stated.replace(/\s+/g, " ");
  return { tex, text, isDisplay: isDisplayed(element) || (math !== null && isDisplayed(math)) };
};

const hideRendering = (siblings: PageElement["children"], index: number): void => {
  for (let at = index - 1; at >= 0; at -= 1) {
    const before = siblings[at];
    if (typeof before === "string" && before.trim() === "") continue;
    if (typeof before !== "object" || !RENDERED.test(before.attributes["class"] ?? "")) return;
    before.hidden = true;
  }
};

/** The element that takes the place of a child; null if the child is no formula. */
export const formulaElement = (parent: PageElement, index: number): PageElement | null => {
  const child = parent.children[index];
  if (typeof child !== "object" || !isHolder(child)) return null;
  const read = readFormula(child);
  if (read === null) return null;
  if (isTexScript(child)) hideRendering(parent.children, index);
  const formula = new PageElement(FORMULA, parent);
  formula.attributes["alttext"] = read.tex;
  formula.attributes["display"] = read.isDisplay ? "block" : "inline";
  formula.children.push(read.text);
  return formula;
};

/** Null if it is not a formula. */
export const formulaOf = ({ attributes, name }: PageElement): Formula | null =>
  name === FORMULA
    ? { tex: attributes["alttext"] ?? "", isDisplay: attributes["display"] === "block" }
    : null;
