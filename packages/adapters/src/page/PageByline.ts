/**
 * Who wrote a page and when, as the words around its heading tell a reader, for pages whose markup does not.
 */
import type { Block } from "./blocks/Blocks.ts";
import { shownName } from "./PageAuthor.ts";
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
/** A date may stand before it. */
const DATED = /^(?:\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}|\p{L}{3,9}\.? \d{1,2},? \d{4})\s*[|·•–—-]?\s+(?=by\s)/iu;
/** Words that sign a page wherever they stand on it. */
const SIGNED = new RegExp(
  `^(?:(?:this|the) ${WORK}(?: post)? (?:was|is) )?(?:(?:authored|written) by|${WORK} by)\\s*:?\\s*`,
  "i"
);
const SIGNATURE_CHARS_MAX = 200;
/** What follows a name on its line. */
const AFTER_NAME =
  /\s*[|·⋅•–—(\n]|\s+-\s|\s+(?:on|in|at|for|updated|published|posted)\s|,?\s+\d|,\s+(?=\p{L}+ (?:editor|writer))/iu;

const AUTHOR_PATH =
  /\/(?:authors?|contributors?|writers?|people|team|staff|profile|bio|by|u)\/[^/?#]+\/?(?:[?#]|$)/i;

const NAME =
  /^\p{Lu}[\p{L}.'’-]*(?: (?:(?:van|von|de|der|den|da|di|la|le|al|bin|y|and|&) )*\p{Lu}[\p{L}.'’-]*){1,3}$/u;
const NO_NAME =
  /\b(?:articles by|blog|news|home|articles?|posts?|read|share|updated|published|guide|resources|insights|marketing|business|reviews?|about|contact|inc|ltd|team|all|the|how|best|top|health|technology|products?|services?|table|contents?|min|january|february|march|april|may|june|july|august|september|october|november|december)\b/i;

const nameIn = (text: string): string | null => {
  const [name = ""] = text.split(AFTER_NAME, 1);
  const line = shownName(name.replace(/[,:;.\s]+$/u, ""));
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

type Sign = (lines: ReadonlyArray<Block>, at: number) => string | null;

/** By somebody: the strongest sign first; each looked for in the order of reading. */
const STRONG_SIGNS: ReadonlyArray<Sign> = [
  (lines, at) => {
    const text = lines[at]?.text ?? "";
    const line = text.replace(DATED, "");
    const prefix = PREFIXED.exec(line)?.[0] ?? "";
    return prefix === "" ? null : nameIn(line.slice(prefix.length));
  },
  (lines, at) => (LABEL.test(lines[at]?.text ?? "") ? nameIn(lines[at + 1]?.text ?? "") : null)
];

/** A name that seems to be the author's. */
const WEAK_SIGNS: ReadonlyArray<Sign> = [
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
  },
  (lines, at) => {
    const text = lines[at]?.text ?? "";
    const [name = ""] = text.split(/\s*[|·•]\s*/, 1);
    return name !== text && isName(name) && dateIn(text) !== null ? name : null;
  }
];

const authorIn = (lines: ReadonlyArray<Block>, signs: ReadonlyArray<Sign>): string | null => {
  for (const sign of signs) {
    for (let at = 0; at < lines.length; at += 1) {
      const name = sign(lines, at);
      if (name !== null) return name;
    }
  }
  return null;
};

/** Who signs the page somewhere on it; nobody where several do, for these sign other pages. */
const signatureIn = (blocks: ReadonlyArray<Block>): string | null => {
  const names = new Set<string>();
  for (const [at, { text }] of blocks.entries()) {
    const start = text.slice(0, SIGNATURE_CHARS_MAX);
    const mark = SIGNED.exec(start)?.[0];
    if (mark === undefined) continue;
    const [line = ""] = (
      mark.length === start.length ? (blocks[at + 1]?.text ?? "") : start.slice(mark.length)
    ).split(/[\n(,|]|\s(?:is|and is|in|on)\s/, 1);
    const name = line.length <= LINE_CHARS_MAX ? nameIn(line) : null;
    if (name !== null && isName(name)) names.add(name);
  }
  const [only = null] = names;
  return names.size === 1 ? only : null;
};

/** "Posted on" and the like, wherever it stands; null where several days are told so. */
const PUBLISHED = /^(?:(?:first|originally) )?(?:posted|published)\b/i;

const publishedIn = (blocks: ReadonlyArray<Block>): string | null => {
  const days = new Set(
    blocks
      .filter((block) => isLine(block) && PUBLISHED.test(block.text))
      .map(({ text }) => dateIn(text))
      .filter((day) => day !== null)
  );
  const [only = null] = days;
  return days.size === 1 ? only : null;
};

/** A day of which a line says that it is not the one of publication. */
const CHANGED = /\b(?:updated|modified|edited|reviewed|revised)\b/i;

const headingIndex = (blocks: ReadonlyArray<Block>, heading: string | null): number => {
  const at = blocks.findIndex(({ text }) => heading !== null && text.replace(/\s+/g, " ") === heading);
  return at >= 0 ? at : blocks.findIndex(({ box }) => box.element.name === "h1");
};

/** `heading` as scanned. */
export const bylineOf = (blocks: ReadonlyArray<Block>, heading: string | null): Byline => {
  const at = Math.max(0, headingIndex(blocks, heading));
  const after = blocks.slice(at + 1, at + 1 + AFTER).filter(isLine);
  const before = blocks.slice(Math.max(0, at - BEFORE), at).filter(isLine);
  const around = [...after, ...before.toReversed()];
  const dated = around.filter(({ text }) => dateIn(text) !== null);
  const first = dated.find(({ text }) => !CHANGED.test(text)) ?? dated[0];
  return {
    author:
      authorIn(after, STRONG_SIGNS) ??
      authorIn(before, STRONG_SIGNS) ??
      signatureIn(blocks) ??
      authorIn(after, WEAK_SIGNS) ??
      authorIn(before, WEAK_SIGNS),
    date: first === undefined ? publishedIn(blocks) : dateIn(first.text)
  };
};
