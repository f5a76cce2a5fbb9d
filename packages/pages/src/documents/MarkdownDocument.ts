/**
 * Markdown files as documents: converted to HTML and read like other documents, so that raw HTML, pictures and unsafe
 * links in them are treated as on any page.
 */
import { resolver } from "../parse/Address.ts";
import { mediaTypeOf } from "../parse/ContentType.ts";
import type { PageSource } from "../facts/PageReading.ts";
import type { Document } from "./Document.ts";
import { headingOf } from "./DocumentTitle.ts";
import { markdownHtml } from "./MarkdownHtml.ts";
import { markupPage } from "./MarkupPage.ts";

const MARKDOWN_TYPE = /^text\/(?:x-)?markdown$/;
const MARKDOWN_NAME = /\.(?:md|markdown|mdown|mkdn?)$/i;

/** After an empty line; at least two, because a single one could be a comment in code. */
const HEADING = /(?:^|\n[^\S\n]*\n)#{1,6} +\S/g;
const HEADINGS_MIN = 2;
/** A fence of code, `[a](b)`, `**a**`. */
const FENCES = /^(`{3,}|~{3,})[\w+-]*\n[^]*?^\1[^\S\n]*$/m;
const LINKS = /\[[^[\]\n]{1,200}\]\([^()\s]{1,1000}\)/;
const STRONG = /(?:^|\s)\*\*\w[^*\n]{0,200}\*\*/m;

/** Maximum characters searched for Markdown syntax. */
const SEARCHED_CHARS_MAX = 20_000;

const usesMarkdown = (text: string): boolean => {
  const start = text.slice(0, SEARCHED_CHARS_MAX);
  const headingCount = start.match(HEADING)?.length ?? 0;
  return (
    headingCount >= HEADINGS_MIN && [FENCES, LINKS, STRONG].filter((syntax) => syntax.test(start)).length >= 2
  );
};

/**
 * By the declared type; plain text also by its file name, or by two headings and two other kinds of syntax.
 */
export const isMarkdown = (text: string, { contentType, url }: PageSource): boolean => {
  const type = mediaTypeOf(contentType);
  if (MARKDOWN_TYPE.test(type)) return true;
  if (type !== "" && type !== "text/plain") return false;
  return MARKDOWN_NAME.test(URL.parse(url)?.pathname ?? "") || usesMarkdown(text);
};

/** YAML front matter, read by site generators. No line matches two alternatives, so the time is linear. */
const FRONT_MATTER = /^---\n((?:\w[\w-]*:[^\n]*\n|[ \t#-][^\n]*\n|\n){1,200})---\n/;
const TITLE = /^title:([^\n]*)$/m;
const QUOTED = /^(["'])([^]*)\1$/;

const titleIn = (properties: string): string | null => {
  const title = TITLE.exec(properties)?.[1]?.trim() ?? "";
  return (QUOTED.exec(title)?.[2] ?? title) || null;
};

/** Quotes and lists within each other on one line, for which parsers take quadratic time; nobody writes as many. */
const DEEP = /^(?:[ \t]{0,3}(?:>|[-+*][ \t]|\d{1,9}[.)][ \t])){100}/m;

/** Null if there is nothing to read as Markdown, or too much. */
export const markdownDocument = async (decoded: string, url: string): Promise<Document | null> => {
  const text = decoded.replace(/\r\n?/g, "\n");
  if (DEEP.test(text)) return null;
  const properties = FRONT_MATTER.exec(text);
  try {
    const html = await markdownHtml(text.slice(properties?.[0].length ?? 0));
    const page = markupPage(`<body>${html}`, resolver(url, null));
    const title = titleIn(properties?.[1] ?? "");
    if (page.blocks.length === 0) return null;
    return { pages: [page], isPaged: false, title, heading: headingOf(page), author: null, date: null };
  } catch {
    // Nested too deeply, or more than the tree holds.
    return null;
  }
};
