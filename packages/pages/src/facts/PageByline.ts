/** Finds author and date in the words around a page's heading, for pages whose markup lacks them. Measured by bench/page-bylines.ts. */
import { type Block, regionsOf } from "../select/blocks/Blocks.ts";
import { type BylineDates, bylineDates } from "./PublicationDates.ts";
import { headingIndex, type Line, LINE_CHARS_MAX, linesAround } from "./HeadingLines.ts";
import { shownName } from "./PageAuthor.ts";
import { dateIn } from "./PageDate.ts";
import { isMarkedAuthor, isOfAnother } from "./AuthorMarks.ts";
import { folded } from "../parse/PlainText.ts";

export interface Byline extends BylineDates {
  readonly author: string | null;
}

/** How many blocks before the heading belong to it; above them are menus, whose names do not count. */
const MENU_GAP = 3;

/** Parts of patterns: kinds of works, what authors do, and labels of authors. */
const WORK = "(?:article|blog|interview|post|story|text|words)";
const DEED = "(?:authored|contributed|created|posted|published|recommended|written)";
const BY = `(?:${WORK}\\s+)?(?:${DEED}\\s+)?by`;
const ROLE = "authors?(?:\\(s\\))?|contributors?|writer|von|par|por|di|autor|auteur|autore";
const LABEL = new RegExp(`^(?:${BY}|${ROLE})\\s*:?$`, "i");
/** "Words by ", "Author: ". */
const PREFIXED = new RegExp(`^(?:(?:${BY}|${ROLE})\\s*:\\s*|${BY}\\s+)(?=\\S)`, "i");
/** May be preceded by a date: "3/4/2025 | by", "March 4, 2025 by". */
const DATED = /^(?:\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}|\p{L}{3,9}\.? \d{1,2},? \d{4})\s*[|·•–—-]?\s+(?=by\s)/iu;
/** Words that introduce an author anywhere on a page: "This article was written by". */
const ATTRIBUTION = new RegExp(
  `^(?:(?:this|the) ${WORK}(?: post)? (?:was|is) )?(?:(?:authored|written) by|${WORK} by|by(?=:\\s))\\s*:?\\s*`,
  "i"
);
const ATTRIBUTION_CHARS_MAX = 200;
/** What may follow a name on its line: " | 5 min", " on March 4", ", staff writer". */
const AFTER_NAME =
  /\s*[|·⋅•–—»(\n]|\s+-\s|\s+(?:on|in|at|for|updated|published|posted)\s|,?\s+\d|,\s+(?=\p{L}+ (?:editor|writer))/iu;

/** "/authors/ann-lee". */
const AUTHOR_PATH =
  /\/(?:authors?|contributors?|writers?|people|team|staff|profile|bio|by|u)\/[^/?#]+\/?(?:[?#]|$)/i;

/** Sections of a site, and things that it offers. */
const OTHER_PATH = /\/(?:brands?|categor(?:y|ies)|collections?|products?|sections?|tags?|topics?|videos?)\//i;

/** "Ann Lee", "Ann van der Lee"; and words that no such name contains. */
const NAME =
  /^\p{Lu}[\p{L}.'’-]*(?: (?:(?:van|von|de|der|den|da|di|la|le|al|bin|y|and|&) )*\p{Lu}[\p{L}.'’-]*){1,3}$/u;
const NOT_IN_NAMES =
  /\b(?:blog|news|home|read|share|updated|published|guide|resources|insights|staff|desk|editorial|contributors?|weblog|marketing|business|about|contact|inc|ltd|team|all|the|how|best|top|health|technology|products?|services?|table|min|january|february|march|april|may|june|july|august|september|october|november|december)\b/i;

const nameIn = (text: string): string | null => {
  const [name = ""] = text.split(AFTER_NAME, 1);
  const line = shownName(name.replace(/[,:;.\s]+$/u, ""));
  return line !== null && /^\p{Ll}.* /u.test(line) ? null : line;
};

/** The second half of a subject: "Food & Drink", "Tax and Accounting". */
const SUBJECT = /(?:^|\s)(?:and|&)\s\S+$/;

const isName = (text: string): boolean =>
  text.length <= 40 &&
  NAME.test(text) &&
  !NOT_IN_NAMES.test(text) &&
  !SUBJECT.test(text) &&
  shownName(text) !== null;

const linkOf = (block: Block): string =>
  regionsOf(block).find(({ element }) => element.name === "a")?.element.attributes["href"] ?? "";

/** How many ancestors of a name are searched for author markup. */
const MARK_DEPTH = 3;

/** The name after introductory words, which may be the line before. */
const attributedName = ({ label, text }: Line): string | null => {
  const line = text.replace(DATED, "");
  const prefix = PREFIXED.exec(line)?.[0] ?? "";
  if (prefix !== "") return nameIn(line.slice(prefix.length));
  return LABEL.test(label) ? nameIn(text) : null;
};

const markedAs = ({ block, text }: Line): string | null => {
  const above = regionsOf(block).slice(0, MARK_DEPTH);
  const name = above.some(({ element }) => isMarkedAuthor(element)) ? nameIn(text) : null;
  return name !== null && isName(name) ? name : null;
};

/** Names at the beginning of biographies: "Ann Lee is a baker". */
const BIOGRAPHY = /^(\p{Lu}[\p{L}.'’-]*(?: \p{Lu}[\p{L}.'’-]*){1,3}),? (?:is|has|was|writes|works|covers)\s/u;
const OF_A_PERSON =
  /\b(?:he|she|his|her|hers)\b|\bis an? (?:[\w-]+ ){0,6}(?:analyst|attorney|author|blogger|coach|consultant|contributor|director|editor|enthusiast|expert|founder|journalist|lawyer|manager|marketer|physician|professional|professor|reporter|specialist|strategist|writer)\b/i;
const BIOGRAPHY_CHARS_MAX = 500;

const biographyName = (text: string): string | null => {
  const start = text.slice(0, BIOGRAPHY_CHARS_MAX);
  return OF_A_PERSON.test(start) ? (BIOGRAPHY.exec(start)?.[1] ?? null) : null;
};

/** A name that is probably the author's, judged by its link, its biography or a date on its line or next to it. */
const seemsBy = (
  lines: ReadonlyArray<Line>,
  at: number,
  { block, text }: Line,
  biographies: ReadonlySet<string | null>
): string | null => {
  const link = linkOf(block);
  if (AUTHOR_PATH.test(link)) return text.split(/\s+/).length <= 5 ? nameIn(text) : null;
  const [name = ""] = text.split(/\s*[|·•]\s*/, 1);
  const near = lines.slice(Math.max(0, at - 1), at + 2);
  const isDated = near.some((line) => dateIn(line.text) !== null);
  return isName(name) && !OTHER_PATH.test(link) && (isDated || biographies.has(name)) ? name : null;
};

interface Found {
  readonly name: string;
  readonly isAttributed: boolean;
  readonly cost: number;
}

/** A name without introductory words counts as this many lines further away than one with them. */
const UNATTRIBUTED_COST = 12;

/** All names with their cost. */
const namesIn = (
  lines: ReadonlyArray<Line>,
  title: string,
  biographies: ReadonlySet<string | null>
): ReadonlyArray<Found> =>
  lines.flatMap((line, at): ReadonlyArray<Found> => {
    if (isOfAnother(line.block.leaf.element, title)) return [];
    const attributed = attributedName(line) ?? markedAs(line);
    const name = attributed ?? seemsBy(lines, at, line, biographies);
    if (name === null) return [];
    const isAttributed = attributed !== null;
    return [{ name, isAttributed, cost: line.cost + (isAttributed ? 0 : UNATTRIBUTED_COST) }];
  });

/**
 * The author attributed anywhere on the page; null if there are several, because these belong to other pages.
 */
const attributedAuthor = (blocks: ReadonlyArray<Block>): string | null => {
  const names = new Set<string>();
  for (const [at, { text }] of blocks.entries()) {
    const start = text.slice(0, ATTRIBUTION_CHARS_MAX);
    const next = blocks[at + 1]?.text ?? "";
    const mark = ATTRIBUTION.exec(start)?.[0] ?? (biographyName(next) === text ? "" : null);
    if (mark === null) continue;
    const named = mark.length === start.length ? next : start.slice(mark.length);
    const [line = ""] = named.split(/[\n(,|]|\s(?:is|and is|in|on)\s/, 1);
    const name = line.length <= LINE_CHARS_MAX ? nameIn(line) : null;
    if (name !== null && isName(name)) names.add(name);
  }
  const [only = null] = names;
  return names.size === 1 ? only : null;
};

export const bylineOf = (
  blocks: ReadonlyArray<Block>,
  title: string,
  language: string | null = null
): Byline => {
  const at = headingIndex(blocks, title);
  const sides = linesAround(blocks, at);
  const biographies = new Set(blocks.map(({ text }) => biographyName(text)));
  const heading = folded(blocks[at]?.text ?? "");
  const menu = new Set(blocks.slice(0, Math.max(0, at - MENU_GAP)).map(({ text }) => text));
  const named = sides
    .flatMap((lines) => namesIn(lines, title, biographies))
    .filter(({ isAttributed, name }) => !heading.includes(folded(name)) && (isAttributed || !menu.has(name)))
    .toSorted((one, other) => one.cost - other.cost);
  return {
    author: named[0]?.name ?? attributedAuthor(blocks),
    ...bylineDates(blocks, sides.flat(), language)
  };
};
