/**
 * Markdown as HTML: GitHub's, with its footnotes, which are `[^name]` in the text and `[^name]: note` as a block, with
 * further lines indented. Tests: MarkdownDocument.test.ts.
 */
import type { MarkedExtension, TokenizerAndRendererExtension } from "marked";

/** `[^1]: note`, and further lines of it. */
const DEFINITION = /^\[\^([^\]\s]{1,100})\]:[ \t]*([^\n]*(?:\n{1,2}(?: {4}|\t)[^\n]*)*)(?:\n+|$)/;
const REFERENCE = /^\[\^([^\]\s]{1,100})\]/;
const INDENTATION = /^(?: {4}|\t)/gm;

const addressOf = (number: number): string => `footnote-${number}`;

/** For one document. Notes stay where they are defined. References to undefined notes stay as written. */
const footnotes = (): MarkedExtension => {
  const numbers = new Map<string, number>();

  const definition: TokenizerAndRendererExtension = {
    name: "footnote",
    level: "block",
    tokenizer(source) {
      const [raw, name = "", content = ""] = DEFINITION.exec(source) ?? [];
      if (raw === undefined) return undefined;
      const number = numbers.get(name) ?? numbers.size + 1;
      numbers.set(name, number);
      const tokens = this.lexer.blockTokens(content.replace(INDENTATION, ""), []);
      return { type: "footnote", raw, number, tokens };
    },
    renderer({ number, tokens }) {
      return `<div id="${addressOf(Number(number))}">${this.parser.parse(tokens ?? [])}</div>\n`;
    }
  };

  // Blocks are parsed before the text in them, so all definitions are known.
  const reference: TokenizerAndRendererExtension = {
    name: "footnoteReference",
    level: "inline",
    tokenizer(source) {
      const [raw, name = ""] = REFERENCE.exec(source) ?? [];
      const number = numbers.get(name);
      return raw === undefined || number === undefined
        ? undefined
        : { type: "footnoteReference", raw, number };
    },
    renderer: ({ number }) =>
      `<sup><a role="doc-noteref" href="#${addressOf(Number(number))}">${Number(number)}</a></sup>`
  };

  return { extensions: [definition, reference] };
};

/** Raw HTML in the Markdown is kept. Throws if the Markdown is nested too deeply. */
export const markdownHtml = async (markdown: string): Promise<string> => {
  const { Marked } = await import("marked");
  return String(new Marked({ gfm: true, async: false }, footnotes()).parse(markdown));
};
