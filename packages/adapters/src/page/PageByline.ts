/**
 * Who wrote a page and when, as the words around its heading tell a reader, for pages whose markup does not.
 */
import type { Block } from "./blocks/Blocks.ts";
import { personLike } from "./PageAuthor.ts";
import { dateIn } from "./PageDate.ts";

export interface Byline {
  readonly author: string | null;
  /** YYYYMMDD */
  readonly date: string | null;
}

/** Blocks around the heading in which its byline may stand. */
const BEFORE = 6;
const AFTER = 20;
const LINE_CHARS_MAX = 120;

/** Whose author; what the author did; what it is called elsewhere. */
const WORK = "(?:article|blog|interview|post|story|text|words)";
const DEED = "(?:authored|contributed|created|posted|published|recommended|written)";
const BY = `(?:${WORK}\\s+)?(?:${DEED}\\s+)?by`;
const ROLE = "authors?(?:\\(s\\))?|contributors?|writer|von|par|por|di|autor|auteur|autore";
const LABEL = new RegExp(`^(?:${BY}|${ROLE})\\s*:?$`, "i");
const PREFIXED = new RegExp(`^(?:(?:${BY}|${ROLE})\\s*:\\s*|${BY}\\s+)(?=\\S)`, "i");
/** What follows a name on its line. */
const AFTER_NAME =
  /\s*[|·⋅•–—(\n]|\s+-\s|\s+(?:on|in|at|for|updated|published|posted)\s|,?\s+\d|,\s+(?=\p{L}+ (?:editor|writer))/iu;

const AUTHOR_PATH =
  /\/(?:authors?|contributors?|writers?|people|team|staff|profile|bio|by)\/[^/?#]+\/?(?:[?#]|$)/i;

const NAME =
  /^\p{Lu}[\p{L}.'’-]*(?: (?:(?:van|von|de|der|den|da|di|la|le|al|bin|y|and|&) )*\p{Lu}[\p{L}.'’-]*){1,3}$/u;
const NO_NAME =
  /\b(?:articles by|blog|news|home|articles?|posts?|read|share|updated|published|guide|resources|insights|marketing|business|reviews?|about|contact|inc|ltd|team|all|the|how|best|top|health|technology|products?|services?|table|contents?|min|january|february|march|april|may|june|july|august|september|october|november|december)\b/i;

const nameIn = (text: string): string | null => {
  const [name = ""] = text.split(AFTER_NAME, 1);
  const line = personLike(name.replace(/[,:;.\s]+$/u, ""));
  const isPhrase =
    line !== null && (/^\p{Ll}.* /u.test(line) || /^(?:articles|posts|more|all|view)\b/i.test(line));
  return isPhrase ? null : line;
};

const isName = (text: string): boolean => text.length <= 40 && NAME.test(text) && !NO_NAME.test(text);

const linksToAuthor = ({ leaf }: Block): boolean => {
  for (let region: Block["leaf"] | null = leaf; region !== null; region = region.parent)
    if (region.element.name === "a") return AUTHOR_PATH.test(region.element.attributes["href"] ?? "");
  return false;
};

const isLine = ({ text }: Block): boolean => text.length <= LINE_CHARS_MAX;

/** The strongest sign first; each looked for in the order of reading. */
const SIGNS: ReadonlyArray<(lines: ReadonlyArray<Block>, at: number) => string | null> = [
  (lines, at) => {
    const text = lines[at]?.text ?? "";
    const prefix = PREFIXED.exec(text)?.[0] ?? "";
    return prefix === "" ? null : nameIn(text.slice(prefix.length));
  },
  (lines, at) => (LABEL.test(lines[at]?.text ?? "") ? nameIn(lines[at + 1]?.text ?? "") : null),
  (lines, at) => {
    const line = lines[at];
    return line !== undefined && linksToAuthor(line) && line.text.split(/\s+/).length <= 5
      ? nameIn(line.text)
      : null;
  },
  (lines, at) => {
    const text = lines[at]?.text ?? "";
    if (!isName(text)) return null;
    const isDated = [at - 1, at + 1, at + 2].some((near) => dateIn(lines[near]?.text ?? "") !== null);
    return isDated ? text : null;
  }
];

const authorIn = (lines: ReadonlyArray<Block>): string | null => {
  for (const sign of SIGNS) {
    for (let at = 0; at < lines.length; at += 1) {
      const name = sign(lines, at);
      if (name !== null) return name;
    }
  }
  return null;
};

const headingIndex = (blocks: ReadonlyArray<Block>, heading: string | null): number => {
  const at = blocks.findIndex(({ text }) => heading !== null && text.replace(/\s+/g, " ") === heading);
  return at >= 0 ? at : blocks.findIndex(({ box }) => box.element.name === "h1");
};

/** `heading` as scanned. */
export const bylineOf = (blocks: ReadonlyArray<Block>, heading: string | null): Byline => {
  const at = Math.max(0, headingIndex(blocks, heading));
  const after = blocks.slice(at + 1, at + 1 + AFTER).filter(isLine);
  const before = blocks.slice(Math.max(0, at - BEFORE), at).filter(isLine);
  const dates = [...after, ...before.toReversed()].map(({ text }) => dateIn(text));
  return {
    author: authorIn(after) ?? authorIn(before),
    date: dates.find((date) => date !== null) ?? null
  };
};
