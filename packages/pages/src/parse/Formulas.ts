/**
 * Formulas of a page. The TeX that their author wrote is taken from the annotation or alternative text that
 * MathML, KaTeX and MathJax include; MathML without it is written from its structure. Each becomes one element of
 * the tree, so that text and Markdown contain it.
 */
import { PageElement, rawTextOf, textOf, walk } from "./PageTree.ts";

// Writes a formula from the structure of its MathML, as TeX and as plain text.

/** How the parts of a formula are written. */
interface Notation {
  readonly fraction: (over: string, under: string) => string;
  readonly raised: (base: string, exponent: string) => string;
  readonly lowered: (base: string, index: string) => string;
  readonly root: (inside: string, degree: string | null) => string;
  readonly accent: (base: string, accent: Accent) => string;
  readonly table: (rows: ReadonlyArray<ReadonlyArray<string>>) => string;
  /** A name, number, operator or words. */
  readonly token: (element: PageElement, text: string) => string;
}

interface Accent {
  readonly command: string;
  readonly combining: string;
}

const ACCENTS: ReadonlyMap<string, Accent> = new Map(
  [
    ["¯‾\u0304\u0305", "\\bar", "\u0304"],
    ["^ˆ\u0302", "\\hat", "\u0302"],
    ["~˜\u0303", "\\tilde", "\u0303"],
    ["˙.\u0307", "\\dot", "\u0307"],
    ["¨\u0308", "\\ddot", "\u0308"],
    ["→⃗", "\\vec", "\u20d7"]
  ].flatMap(([signs = "", command = "", combining = ""]) =>
    [...signs].map((sign) => [sign, { command, combining }] as const)
  )
);

const FUNCTIONS =
  /^(?:sin|cos|tan|cot|sec|csc|sinh|cosh|tanh|arcsin|arccos|arctan|log|ln|exp|lim|max|min|det|gcd|deg|arg|sup|inf|ker|dim)$/;

/** Function application, invisible times, invisible separator, invisible plus. */
const INVISIBLE = /[\u2061-\u2064\u200b]/gu;

const INFIX = /^(?:[=≠<>≤≥≈≡∼≅∝+\-−±∓×÷·⋅→⇒⇔←↔∈∉⊂⊆∪∩∧∨]|:=|<=|>=|!=)$/u;

const isSimple = (text: string): boolean => /^(?:[\p{L}\p{M}]+|[\d.,]+|.)$/u.test(text.trim());

const inBrackets = (text: string): string => (isSimple(text) ? text.trim() : `(${text.trim()})`);

const group = (text: string): string =>
  isSimple(text) && [...text].length === 1 ? text : `{${text.trim()}}`;

const TEX: Notation = {
  fraction: (over, under) => `\\frac{${over.trim()}}{${under.trim()}}`,
  raised: (base, exponent) => `${base}^${group(exponent)}`,
  lowered: (base, index) => `${base}_${group(index)}`,
  root: (inside, degree) => `\\sqrt${degree === null ? "" : `[${degree}]`}{${inside.trim()}}`,
  accent: (base, { command }) => `${command}{${base}}`,
  table: (rows) => `\\begin{matrix}${rows.map((cells) => cells.join(" & ")).join(" \\\\ ")}\\end{matrix}`,
  token: ({ name }, text) => {
    const written = text.replace(/[#$%&_{}]/g, "\\$&");
    if (name === "mtext" && /\p{L}/u.test(text)) return `\\text{${written}}`;
    if (name !== "mi" || [...text].length < 2) return written;
    return FUNCTIONS.test(text) ? `\\${text} ` : `\\mathrm{${written}}`;
  }
};

const PLAIN: Notation = {
  fraction: (over, under) => `${inBrackets(over)}/${inBrackets(under)}`,
  raised: (base, exponent) => `${inBrackets(base)}^${inBrackets(exponent)}`,
  lowered: (base, index) => `${base}_${inBrackets(index)}`,
  root: (inside, degree) =>
    degree === null ? `√${inBrackets(inside)}` : `${inBrackets(inside)}^(1/${degree.trim()})`,
  accent: (base, { combining }) => base + combining,
  table: (rows) => `[${rows.map((cells) => cells.join(", ")).join("; ")}]`,
  token: ({ name }, text) =>
    name === "mi" && [...text].length > 1 && /^\p{L}+$/u.test(text) ? `${text} ` : text
};

const TOKENS: ReadonlySet<string> = new Set(["mi", "mn", "mo", "mtext", "ms"]);
const LEFT_OUT: ReadonlySet<string> = new Set([
  "annotation",
  "annotation-xml",
  "mphantom",
  "none",
  "mprescripts"
]);

const partsOf = ({ children }: PageElement): ReadonlyArray<PageElement> =>
  children.filter((child) => typeof child !== "string");

const accentOf = (element: PageElement | undefined): Accent | null =>
  (element === undefined ? undefined : ACCENTS.get(textOf(element, 10).trim())) ?? null;

class MathWriter {
  private readonly notation: Notation;

  constructor(notation: Notation) {
    this.notation = notation;
  }

  private part(element: PageElement, index: number): string {
    const part = partsOf(element)[index];
    return part === undefined ? "" : this.one(part);
  }

  private row(parts: ReadonlyArray<PageElement>): string {
    let out = "";
    for (const [index, part] of parts.entries()) {
      const written = this.one(part);
      const isInfix = part.name === "mo" && index > 0 && INFIX.test(written);
      if (isInfix) out = `${out.trimEnd()} ${written} `;
      // A whole number before a fraction, as in 3 1/2.
      else if (part.name === "mfrac" && /\d$/.test(out)) out += ` ${written}`;
      else out += written;
    }
    return out;
  }

  /** Below and above a base; either may be absent. */
  private scripts(base: string, below: string, above: string): string {
    const lowered = below === "" ? base : this.notation.lowered(base, below);
    return above === "" ? lowered : this.notation.raised(lowered, above);
  }

  private overOrUnder(element: PageElement): string {
    const [, second] = partsOf(element);
    const accent = element.name === "mover" ? accentOf(second) : null;
    const base = this.part(element, 0).trimEnd();
    if (accent !== null) return this.notation.accent(base, accent);
    const other = this.part(element, 1);
    if (element.name === "munderover") return this.scripts(base, other, this.part(element, 2));
    return element.name === "munder" ? this.scripts(base, other, "") : this.scripts(base, "", other);
  }

  private fenced(element: PageElement): string {
    const { close = ")", open = "(", separators = "," } = element.attributes;
    const separator = `${separators.trim().slice(0, 1)} `;
    return (
      open +
      partsOf(element)
        .map((part) => this.one(part))
        .join(separator) +
      close
    );
  }

  /** The base, then pairs of sub- and superscripts, then the pairs before the base. */
  private multiscripts(element: PageElement): string {
    const [base, ...scripts] = partsOf(element);
    const split = scripts.findIndex(({ name }) => name === "mprescripts");
    const written = (pairs: ReadonlyArray<PageElement>, from: string): string => {
      let out = from;
      for (let at = 0; at < pairs.length; at += 2) {
        const [below, above] = [pairs[at], pairs[at + 1]].map((one) =>
          one === undefined ? "" : this.one(one)
        );
        out = this.scripts(out, below ?? "", above ?? "");
      }
      return out;
    };
    const name = base === undefined ? "" : this.one(base).trim();
    const before = split < 0 ? "" : written(scripts.slice(split + 1), "");
    return before + written(split < 0 ? scripts : scripts.slice(0, split), name);
  }

  private table(element: PageElement): string {
    const rows = partsOf(element).filter(({ name }) => name === "mtr" || name === "mlabeledtr");
    return this.notation.table(rows.map((row) => partsOf(row).map((cell) => this.one(cell).trim())));
  }

  one(element: PageElement): string {
    const { name } = element;
    if (TOKENS.has(name)) {
      const text = textOf(element).replace(/\s+/g, " ").trim().replace(INVISIBLE, "");
      return text === "" ? "" : this.notation.token(element, text);
    }
    if (LEFT_OUT.has(name)) return "";
    switch (name) {
      case "mfrac":
        return this.notation.fraction(this.part(element, 0), this.part(element, 1));
      case "msup":
        return this.scripts(this.part(element, 0).trimEnd(), "", this.part(element, 1));
      case "msub":
        return this.scripts(this.part(element, 0).trimEnd(), this.part(element, 1), "");
      case "msubsup":
        return this.scripts(this.part(element, 0).trimEnd(), this.part(element, 1), this.part(element, 2));
      case "mover":
      case "munder":
      case "munderover":
        return this.overOrUnder(element);
      case "msqrt":
        return this.notation.root(this.row(partsOf(element)), null);
      case "mroot":
        return this.notation.root(this.part(element, 0), this.part(element, 1));
      case "mfenced":
        return this.fenced(element);
      case "mmultiscripts":
        return this.multiscripts(element);
      case "mtable":
        return this.table(element);
      case "mspace":
        return " ";
      default: {
        const parts = partsOf(element);
        // Text that somebody wrote without an element for it.
        return parts.length === 0 ? textOf(element).trim() : this.row(parts);
      }
    }
  }
}

const written = (math: PageElement, notation: Notation): string =>
  new MathWriter(notation).one(math).replace(/\s+/g, " ").trim();

/** `math` is the element of that name. */
const mathTex = (math: PageElement): string => written(math, TEX);

const mathText = (math: PageElement): string => written(math, PLAIN);

interface Formula {
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
