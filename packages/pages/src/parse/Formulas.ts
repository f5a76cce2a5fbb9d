/**
 * Formulas of a page. The TeX that their author wrote is taken from the annotation or alternative text that
 * MathML, KaTeX and MathJax include; MathML without it is written as plain text from its structure. Each becomes one
 * element of the tree, so that text and Markdown contain it. Retrain: train/train-page-text.ts. Tests: Typography.test.ts.
 */
import { PageElement, rawTextOf, textOf, walk } from "./PageTree.ts";

/** By the sign above a base, the combining character after it. */
const ACCENTS: ReadonlyMap<string, string> = new Map(
  ["\u0304¯‾\u0305", "\u0302^ˆ", "\u0303~˜", "\u0307˙.", "\u0308¨", "\u20d7→"].flatMap((signs) =>
    [...signs].map((sign) => [sign, signs.charAt(0)] as const)
  )
);

/** Function application, invisible times, invisible separator, invisible plus. */
const INVISIBLE = /[\u2061-\u2064\u200b]/gu;

const INFIX = /^(?:[=≠<>≤≥≈≡∼≅∝+\-−±∓×÷·⋅→⇒⇔←↔∈∉⊂⊆∪∩∧∨]|:=|<=|>=|!=)$/u;

const inBrackets = (text: string): string =>
  /^(?:[\p{L}\p{M}]+|[\d.,]+|.)$/u.test(text.trim()) ? text.trim() : `(${text.trim()})`;

const TOKENS: ReadonlySet<string> = new Set(["mi", "mn", "mo", "mtext", "ms"]);
const LEFT_OUT: ReadonlySet<string> = new Set(
  "annotation annotation-xml mphantom none mprescripts".split(" ")
);

const partsOf = ({ children }: PageElement): ReadonlyArray<PageElement> =>
  children.filter((child) => typeof child !== "string");

const token = (element: PageElement): string => {
  const text = textOf(element).replace(/\s+/g, " ").trim().replace(INVISIBLE, "");
  return element.name === "mi" && /^\p{L}{2,}$/u.test(text) ? `${text} ` : text;
};

const rowOf = (parts: ReadonlyArray<PageElement>): string => {
  let out = "";
  for (const [index, part] of parts.entries()) {
    const written = plainOf(part);
    const isInfix = part.name === "mo" && index > 0 && INFIX.test(written);
    if (isInfix) out = `${out.trimEnd()} ${written} `;
    // A whole number before a fraction, as in 3 1/2.
    else if (part.name === "mfrac" && /\d$/.test(out)) out += ` ${written}`;
    else out += written;
  }
  return out;
};

/** Below and above a base; either may be absent. */
const withScripts = (base: string, below = "", above = ""): string => {
  const lowered = below === "" ? base : `${base}_${inBrackets(below)}`;
  return above === "" ? lowered : `${inBrackets(lowered)}^${inBrackets(above)}`;
};

/** The base, then pairs of sub- and superscripts, then the pairs before the base. */
const multiscripts = ([base, ...scripts]: ReadonlyArray<PageElement>): string => {
  const split = scripts.findIndex(({ name }) => name === "mprescripts");
  const withPairs = (from: string, pairs: ReadonlyArray<PageElement>): string => {
    const written = pairs.map(plainOf);
    return written.reduce(
      (out, below, at) => (at % 2 === 0 ? withScripts(out, below, written[at + 1]) : out),
      from
    );
  };
  const name = base === undefined ? "" : plainOf(base).trim();
  return split < 0
    ? withPairs(name, scripts)
    : withPairs("", scripts.slice(split + 1)) + withPairs(name, scripts.slice(0, split));
};

const rowsOf = (table: PageElement): string =>
  partsOf(table)
    .filter(({ name }) => name === "mtr" || name === "mlabeledtr")
    .map((row) =>
      partsOf(row)
        .map((cell) => plainOf(cell).trim())
        .join(", ")
    )
    .join("; ");

/** Of an element of MathML, by its structure: `(a + b)/2`. */
const plainOf = (element: PageElement): string => {
  const { attributes, name } = element;
  if (TOKENS.has(name)) return token(element);
  if (LEFT_OUT.has(name)) return "";
  const parts = partsOf(element);
  const part = (index: number): string =>
    parts
      .slice(index, index + 1)
      .map(plainOf)
      .join("");
  const base = (): string => part(0).trimEnd();
  switch (name) {
    case "mfrac":
      return `${inBrackets(part(0))}/${inBrackets(part(1))}`;
    case "mover": {
      const accent = ACCENTS.get(parts[1] === undefined ? "" : textOf(parts[1], 10).trim());
      return accent === undefined ? withScripts(base(), "", part(1)) : base() + accent;
    }
    case "msup":
      return withScripts(base(), "", part(1));
    case "msub":
    case "munder":
    case "msubsup":
    case "munderover":
      return withScripts(base(), part(1), part(2));
    case "msqrt":
      return `√${inBrackets(rowOf(parts))}`;
    case "mroot":
      return `${inBrackets(part(0))}^(1/${part(1).trim()})`;
    case "mfenced": {
      const { close = ")", open = "(", separators = "," } = attributes;
      return open + parts.map(plainOf).join(`${separators.trim().slice(0, 1)} `) + close;
    }
    case "mmultiscripts":
      return multiscripts(parts);
    case "mtable":
      return `[${rowsOf(element)}]`;
    case "mspace":
      return " ";
    default:
      // Text that somebody wrote without an element for it.
      return parts.length === 0 ? textOf(element).trim() : rowOf(parts);
  }
};

interface Formula {
  readonly tex: string;
  readonly isDisplay: boolean;
}

/** Name of the elements that hold a formula: no page can contain it. */
const FORMULA = "#formula";

/** Maximum length of one formula in characters; anything longer is data. */
const FORMULA_CHARS_MAX = 5_000;

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
  const tex = writtenTex(child)?.trim().replace(DISPLAY_STYLE, "$1").trim() ?? "";
  const math = mathIn(child);
  const text = (tex === "" && math !== null ? plainOf(math) : tex).replace(/\s+/g, " ").trim();
  if (text === "" || Math.max(tex.length, text.length) > FORMULA_CHARS_MAX) return null;
  if (isTexScript(child)) hideRendering(parent.children, index);
  const formula = new PageElement(FORMULA, parent);
  if (tex !== "") formula.attributes["alttext"] = tex;
  formula.attributes["display"] =
    isDisplayed(child) || (math !== null && isDisplayed(math)) ? "block" : "inline";
  formula.children.push(text);
  return formula;
};

export const isFormula = ({ name }: PageElement): boolean => name === FORMULA;

/** Null unless the page states the TeX of the formula. */
export const formulaOf = (element: PageElement): Formula | null => {
  const { alttext, display } = element.attributes;
  return isFormula(element) && alttext !== undefined
    ? { tex: alttext, isDisplay: display === "block" }
    : null;
};
