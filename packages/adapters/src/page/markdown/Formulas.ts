/** Formulas as written by their authors: the TeX source that MathML, KaTeX and MathJax include. */
import { type PageElement, rawTextOf, textOf, walk } from "../PageTree.ts";

export interface Formula {
  readonly tex: string;
  readonly isDisplay: boolean;
}

/** Maximum TeX of one formula in characters; anything longer is data. */
const TEX_CHARS_MAX = 5_000;

const HOLDERS = /(^|\s)(katex(-display)?|mwe-math-element|MathJax(_Display)?|math-tex)(\s|$)/;

const isFormula = ({ attributes, name }: PageElement): boolean =>
  name === "math" ||
  name === "mjx-container" ||
  (name === "script" && /^math\/tex/i.test(attributes["type"] ?? "")) ||
  ((name === "span" || name === "div") && HOLDERS.test(attributes["class"] ?? ""));

const isDisplayed = ({ attributes }: PageElement): boolean =>
  attributes["display"] === "block" ||
  attributes["display"] === "true" ||
  /mode=display/i.test(attributes["type"] ?? "") ||
  /katex-display|MathJax_Display/.test(attributes["class"] ?? "");

/** From an annotation, otherwise from an alternative text that contains TeX commands. */
const texOf = (element: PageElement): string | null => {
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

const DISPLAY_STYLE = /^\{\\displaystyle\s+(.*)\}$/su;

/** Null if it is not a formula or has no TeX. */
export const formulaOf = (element: PageElement): Formula | null => {
  if (!isFormula(element)) return null;
  const tex = texOf(element)?.trim().replace(DISPLAY_STYLE, "$1").trim() ?? "";
  if (tex === "" || tex.length > TEX_CHARS_MAX) return null;
  let isDisplay = isDisplayed(element);
  walk(element, (inner) => {
    if (inner.name === "math" && isDisplayed(inner)) isDisplay = true;
    return !isDisplay;
  });
  return { tex, isDisplay };
};
