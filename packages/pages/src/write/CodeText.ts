/**
 * Code with its white space and language, without line numbers and buttons. Measured by bench/page-markdown.ts.
 * Tests: readContent.test.ts.
 */
import { type PageElement, walk } from "../parse/PageTree.ts";

/** Names of numbers of lines and of buttons: "line-numbers", "copy-btn". */
const GUTTER =
  /(^|[\s_-])(gutter|line-?nos?|line-?numbers?(-rows)?|blob-num|ln-num|lnt|copy|copy-?(button|btn))([\s_-]|$)/i;

/** Lines of an example that mdBook hides: they only make it run. */
const UNSEEN_LINES = "boring";

const LINES: ReadonlySet<string> = new Set(["div", "p", "li", "tr"]);
const NO_CODE: ReadonlySet<string> = new Set(["button", "script", "style", "template", "svg"]);

/** "language-ts", "brush: php". */
const LANGUAGE =
  /(?:^|\s)(?:lang(?:uage)?|highlight-source|highlight-text|brush:?|code|sourceCode)[-: ]\s*([\w+#.-]{1,30})/i;
const NO_LANGUAGE =
  /^(none|auto|text|plain|plaintext|txt|block|default|wrapper|snippet|container|numbers|highlight)$/i;

const named = ({ attributes }: PageElement): string | null => {
  const languageAttribute =
    attributes["data-lang"] ?? attributes["data-language"] ?? attributes["data-code-lang"];
  const found = languageAttribute ?? LANGUAGE.exec(attributes["class"] ?? "")?.[1] ?? null;
  return found !== null && /^[\w+#.-]{1,30}$/.test(found) && !NO_LANGUAGE.test(found)
    ? found.toLowerCase()
    : null;
};

/** Maximum distance of an ancestor that may name the language. */
const HOLDERS_MAX = 3;

/** Empty if the page does not state it. */
const codeLanguage = (pre: PageElement): string => {
  for (const child of pre.children) {
    const language = typeof child === "string" || child.name !== "code" ? null : named(child);
    if (language !== null) return language;
  }
  let element: PageElement | null = pre;
  for (let up = 0; up <= HOLDERS_MAX && element !== null; up += 1) {
    const language = named(element);
    if (language !== null) return language;
    element = element.parent;
  }
  return "";
};

const codeText = (pre: PageElement): string => {
  let text = "";
  const collect = (element: PageElement): void => {
    for (const child of element.children) {
      if (typeof child === "string") {
        text += child;
        continue;
      }
      if (child.name === "br") text += "\n";
      const names = child.attributes["class"] ?? "";
      if (child.hidden || NO_CODE.has(child.name) || GUTTER.test(names) || names === UNSEEN_LINES) continue;
      const isLine = LINES.has(child.name);
      if (isLine && text !== "" && !text.endsWith("\n")) text += "\n";
      collect(child);
      if (isLine && !text.endsWith("\n")) text += "\n";
    }
  };
  collect(pre);
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/[^\S\n]+$/gm, "")
    .replace(/^\n+|\n+$/g, "");
};

/** As `codeText` and `codeLanguage`. */
export const codeOf = (pre: PageElement): { readonly language: string; readonly text: string } => ({
  language: codeLanguage(pre),
  text: codeText(pre)
});

const lineCount = (text: string): number => text.split("\n").length;

/** Line numbers in a cell next to a cell with about as many lines of code. */
export const isGutter = (pre: PageElement, text: string): boolean => {
  const lines = text.split("\n");
  const first = Number(lines[0]);
  const isCounting = lines.every((line, index) => /^\s*\d+$/.test(line) && Number(line) === first + index);
  if (!isCounting || lines.length < 2) return false;
  let cell: PageElement | null = pre;
  while (cell !== null && cell.name !== "td") cell = cell.parent;
  let isBeside = false;
  for (const other of cell?.parent?.children ?? [])
    if (typeof other !== "string" && other !== cell)
      walk(other, (element) => {
        isBeside ||= element.name === "pre" && Math.abs(lineCount(codeText(element)) - lines.length) <= 1;
      });
  return isBeside;
};
