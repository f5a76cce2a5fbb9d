/** Converts formulas of office documents (Office Math, ECMA-376 part 1, 22.1) to TeX. */
import { type PageElement, rawTextOf } from "../tree/PageTree.ts";
import { childOf, childrenOf, escaped } from "./Markup.ts";

const valueOf = (element: PageElement | null): string | null => element?.attributes["m:val"] ?? null;

const SYMBOLS: ReadonlyMap<string, string> = new Map([
  ["∑", "\\sum"],
  ["∏", "\\prod"],
  ["∐", "\\coprod"],
  ["∫", "\\int"],
  ["∬", "\\iint"],
  ["∭", "\\iiint"],
  ["∮", "\\oint"],
  ["⋃", "\\bigcup"],
  ["⋂", "\\bigcap"]
]);

const ACCENTS: ReadonlyMap<string, string> = new Map([
  ["\u0302", "\\hat"],
  ["\u0303", "\\tilde"],
  ["\u0304", "\\bar"],
  ["\u0305", "\\overline"],
  ["\u0307", "\\dot"],
  ["\u0308", "\\ddot"],
  ["\u20d7", "\\vec"]
]);

const FUNCTIONS =
  /^(?:sin|cos|tan|cot|sec|csc|sinh|cosh|tanh|arcsin|arccos|arctan|log|ln|exp|lim|max|min|det|gcd|deg|arg|sup|inf|ker|dim)$/;

/** Brackets that TeX treats as groups. */
const bracket = (mark: string): string => (mark === "" ? "." : /^[{}]$/.test(mark) ? `\\${mark}` : mark);

const part = (element: PageElement, name: string): string => {
  const found = childOf(element, name);
  return found === null ? "" : texOf(found);
};

const group = (element: PageElement, name: string): string => `{${part(element, name)}}`;

/** A base of one letter needs no group. */
const base = (element: PageElement): string => {
  const tex = part(element, "m:e");
  return [...tex].length === 1 || /^\\[a-zA-Z]+$/.test(tex) ? tex : `{${tex}}`;
};

const delimited = (element: PageElement): string => {
  const properties = childOf(element, "m:dPr");
  const mark = (name: string, usual: string): string =>
    properties === null ? usual : (valueOf(childOf(properties, name)) ?? usual);
  const inner = childrenOf(element)
    .filter(({ name }) => name === "m:e")
    .map(texOf)
    .join(mark("m:sepChr", "|"));
  return `\\left${bracket(mark("m:begChr", "("))}${inner}\\right${bracket(mark("m:endChr", ")"))}`;
};

const largeOperator = (element: PageElement): string => {
  const properties = childOf(element, "m:naryPr");
  const sign = (properties === null ? null : valueOf(childOf(properties, "m:chr"))) ?? "∫";
  const [below, above] = [part(element, "m:sub"), part(element, "m:sup")];
  const limits = (below === "" ? "" : `_{${below}}`) + (above === "" ? "" : `^{${above}}`);
  return `${SYMBOLS.get(sign) ?? sign}${limits}{${part(element, "m:e")}}`;
};

const root = (element: PageElement): string => {
  const degree = part(element, "m:deg");
  return `\\sqrt${degree === "" ? "" : `[${degree}]`}${group(element, "m:e")}`;
};

const accent = (element: PageElement): string => {
  const mark = valueOf(childOf(element, "m:accPr", "m:chr")) ?? "\u0302";
  return `${ACCENTS.get(mark) ?? "\\hat"}${group(element, "m:e")}`;
};

const rowsOf = (element: PageElement, name: string): string =>
  childrenOf(element)
    .filter((child) => child.name === name)
    .map((row) =>
      name === "m:e"
        ? texOf(row)
        : childrenOf(row)
            .filter((cell) => cell.name === "m:e")
            .map(texOf)
            .join(" & ")
    )
    .join(" \\\\ ");

const applied = (element: PageElement): string => {
  const name = part(element, "m:fName");
  return `${FUNCTIONS.test(name) ? `\\${name}` : name} ${part(element, "m:e")}`;
};

const WRITERS: ReadonlyMap<string, (element: PageElement) => string> = new Map([
  ["m:f", (element) => `\\frac${group(element, "m:num")}${group(element, "m:den")}`],
  ["m:sSup", (element) => `${base(element)}^${group(element, "m:sup")}`],
  ["m:sSub", (element) => `${base(element)}_${group(element, "m:sub")}`],
  ["m:sSubSup", (element) => `${base(element)}_${group(element, "m:sub")}^${group(element, "m:sup")}`],
  ["m:sPre", (element) => `{}_${group(element, "m:sub")}^${group(element, "m:sup")}${base(element)}`],
  ["m:rad", root],
  ["m:nary", largeOperator],
  ["m:d", delimited],
  ["m:func", applied],
  ["m:acc", accent],
  ["m:bar", (element) => `\\overline${group(element, "m:e")}`],
  ["m:limLow", (element) => `${part(element, "m:e")}_${group(element, "m:lim")}`],
  ["m:limUpp", (element) => `${part(element, "m:e")}^${group(element, "m:lim")}`],
  ["m:m", (element) => `\\begin{matrix}${rowsOf(element, "m:mr")}\\end{matrix}`],
  ["m:eqArr", (element) => `\\begin{aligned}${rowsOf(element, "m:e")}\\end{aligned}`]
]);

const texOf = (element: PageElement): string =>
  childrenOf(element)
    .map((child) => {
      if (child.name === "m:t" || child.name === "w:t") return rawTextOf(child).replace(/[#$%&_{}]/g, "\\$&");
      if (child.name.endsWith("Pr")) return "";
      return WRITERS.get(child.name)?.(child) ?? texOf(child);
    })
    .join("");

/** Empty if the formula is. */
export const formulaHtml = (formula: PageElement, isDisplay: boolean): string => {
  const tex = texOf(formula).trim();
  if (tex === "") return "";
  const display = isDisplay ? ' display="true"' : "";
  return `<span class="math-tex"${display} alttext="${escaped(tex)}">${escaped(tex)}</span>`;
};
