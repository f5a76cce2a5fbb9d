/** Finds author and date in the words around a page's heading, for pages whose markup lacks them. */
import { type Block, regionsOf } from "../select/blocks/Blocks.ts";
import {
  beforeText,
  type BylineDates,
  bylineDates,
  BACKWARD,
  type Direction,
  FORWARD,
  isLine,
  LINE_CHARS_MAX
} from "./PublicationDates.ts";
import { shownName } from "./PageAuthor.ts";
import { dateIn } from "./PageDate.ts";
import { isMarkedAuthor, isOfAnother } from "./AuthorMarks.ts";
import { headingLevel, type PageElement } from "../parse/PageTree.ts";
import { folded } from "../parse/PlainText.ts";

export interface Byline extends BylineDates {
  readonly author: string | null;
}

/** How many blocks before and after the heading may contain the byline. */
const BEFORE = 6;
const AFTER = 20;
/** How many lines before the heading belong to it; above them are menus, whose names do not count. */
const MENU_GAP = 3;

/** Parts of patterns: kinds of works, what authors do, and labels of authors. */
const WORK = "(?:article|blog|interview|post|story|text|words)";
const DEED = "(?:authored|contributed|created|posted|published|recommended|written)";
const BY = `(?:${WORK}\\s+)?(?:${DEED}\\s+)?by`;
const ROLE = "authors?(?:\\(s\\))?|contributors?|writer|von|par|por|di|autor|auteur|autore";
const LABEL = new RegExp(`^(?:${BY}|${ROLE})\\s*:?$`, "i");
const PREFIXED = new RegExp(`^(?:(?:${BY}|${ROLE})\\s*:\\s*|${BY}\\s+)(?=\\S)`, "i");
/** May be preceded by a date. */
const DATED = /^(?:\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}|\p{L}{3,9}\.? \d{1,2},? \d{4})\s*[|·•–—-]?\s+(?=by\s)/iu;
/** Words that introduce an author anywhere on a page. */
const ATTRIBUTION = new RegExp(
  `^(?:(?:this|the) ${WORK}(?: post)? (?:was|is) )?(?:(?:authored|written) by|${WORK} by)\\s*:?\\s*`,
  "i"
);
const ATTRIBUTION_CHARS_MAX = 200;
/** What may follow a name on its line. */
const AFTER_NAME =
  /\s*[|·⋅•–—»(\n]|\s+-\s|\s+(?:on|in|at|for|updated|published|posted)\s|,?\s+\d|,\s+(?=\p{L}+ (?:editor|writer))/iu;

const AUTHOR_PATH =
  /\/(?:authors?|contributors?|writers?|people|team|staff|profile|bio|by|u)\/[^/?#]+\/?(?:[?#]|$)/i;

/** Sections of a site, and things that it offers. */
const OTHER_PATH = /\/(?:brands?|categor(?:y|ies)|collections?|products?|sections?|tags?|topics?|videos?)\//i;

const NAME =
  /^\p{Lu}[\p{L}.'’-]*(?: (?:(?:van|von|de|der|den|da|di|la|le|al|bin|y|and|&) )*\p{Lu}[\p{L}.'’-]*){1,3}$/u;
const NO_NAME =
  /\b(?:articles by|blog|news|home|articles?|posts?|read|share|updated|published|guide|resources|insights|staff|desk|editorial|contributors?|weblog|marketing|business|reviews?|about|contact|inc|ltd|team|all|the|how|best|top|health|technology|products?|services?|table|contents?|min|january|february|march|april|may|june|july|august|september|october|november|december)\b/i;

const nameIn = (text: string): string | null => {
  const [name = ""] = text.split(AFTER_NAME, 1);
  const line = shownName(name.replace(/[,:;.\s]+$/u, ""));
  const isPhrase =
    line !== null &&
    (/^\p{Ll}.* /u.test(line) || /^(?:(?:articles|posts|more|all|view)\b|(?:an?|our|the)$)/i.test(line));
  return isPhrase ? null : line;
};

/** The second half of a subject: "Food & Drink", "Tax and Accounting". */
const SUBJECT = /(?:^|\s)(?:and|&)\s\S+$/;

const isName = (text: string): boolean =>
  text.length <= 40 &&
  NAME.test(text) &&
  !NO_NAME.test(text) &&
  !SUBJECT.test(text) &&
  !/['’]s\b/.test(text) &&
  shownName(text) !== null;

const someAbove = (block: Block, depth: number, test: (element: PageElement) => boolean): boolean =>
  regionsOf(block)
    .slice(0, depth)
    .some(({ element }) => test(element));

const linkOf = (block: Block): string =>
  regionsOf(block).find(({ element }) => element.name === "a")?.element.attributes["href"] ?? "";

const NAVIGATION_DEPTH = 8;
const isNavigation = ({ name }: PageElement): boolean => name === "nav";

/** How many ancestors of a name are searched for author markup. */
const MARK_DEPTH = 3;

/** The name after introductory words. */
const attributedName = (lines: ReadonlyArray<Block>, at: number): string | null => {
  const text = lines[at]?.text ?? "";
  const line = text.replace(DATED, "");
  const prefix = PREFIXED.exec(line)?.[0] ?? "";
  if (prefix !== "") return nameIn(line.slice(prefix.length));
  return LABEL.test(text) ? nameIn(lines[at + 1]?.text ?? "") : null;
};

const markedAs = (lines: ReadonlyArray<Block>, at: number): string | null => {
  const line = lines[at];
  if (line === undefined || !someAbove(line, MARK_DEPTH, isMarkedAuthor)) return null;
  const name = nameIn(line.text);
  return name !== null && isName(name) ? name : null;
};

/** A name that is probably the author's, judged by its link or the words next to it. */
const seemsBy = (
  lines: ReadonlyArray<Block>,
  at: number,
  biographies: ReadonlySet<string>
): string | null => {
  const line = lines[at];
  if (line === undefined || someAbove(line, NAVIGATION_DEPTH, isNavigation)) return null;
  const { text } = line;
  const link = linkOf(line);
  if (OTHER_PATH.test(link) && !AUTHOR_PATH.test(link)) return null;
  if (AUTHOR_PATH.test(link) && text.split(/\s+/).length <= 5) return nameIn(text);
  if (isName(text)) {
    const isDated = [at - 1, at + 1, at + 2].some((near) => dateIn(lines[near]?.text ?? "") !== null);
    return isDated || biographies.has(text) ? text : null;
  }
  const [name = ""] = text.split(/\s*[|·•]\s*/, 1);
  return name !== text && isName(name) && dateIn(text) !== null ? name : null;
};

/** Names at the beginning of biographies. */
const BIOGRAPHY = /^(\p{Lu}[\p{L}.'’-]*(?: \p{Lu}[\p{L}.'’-]*){1,3}),? (?:is|has|was|writes|works|covers)\s/u;
const OF_A_PERSON =
  /\b(?:he|she|his|her|hers)\b|\bis an? (?:[\w-]+ ){0,6}(?:analyst|attorney|author|blogger|coach|consultant|contributor|director|editor|enthusiast|expert|founder|journalist|lawyer|manager|marketer|physician|professional|professor|reporter|specialist|strategist|writer)\b/i;
const BIOGRAPHY_CHARS_MAX = 500;

const biographyName = (text: string): string | null => {
  const start = text.slice(0, BIOGRAPHY_CHARS_MAX);
  return OF_A_PERSON.test(start) ? (BIOGRAPHY.exec(start)?.[1] ?? null) : null;
};

const biographiesIn = (blocks: ReadonlyArray<Block>): ReadonlySet<string> =>
  new Set(blocks.flatMap(({ text }) => biographyName(text) ?? []));

interface Found {
  readonly name: string;
  readonly isAttributed: boolean;
  readonly cost: number;
}

/** A name without introductory words counts as this many lines further away than one with them. */
const UNATTRIBUTED_COST = 12;

/** People with other roles on a page. */
const OTHERS =
  /^(?:[\w-]+ ){0,2}(?:checked|edited|photos?|photography|photographs?|illustrations?|illustrated|reviewed|translated) by\b/i;

const LABEL_END = /\bby:?$/i;

/** All names with their cost; the previous line may contain the introductory words. */
const namesIn = (
  lines: ReadonlyArray<Block>,
  { step, toLabel }: Direction,
  biographies: ReadonlySet<string>,
  title: string
): ReadonlyArray<Found> =>
  lines.flatMap((line, at): ReadonlyArray<Found> => {
    const label = lines[at + toLabel]?.text ?? "";
    if (isOfAnother(line.leaf.element, title)) return [];
    if (OTHERS.test(lines[at]?.text ?? "") || (OTHERS.test(label) && LABEL_END.test(label))) return [];
    const attributed = attributedName(lines, at) ?? markedAs(lines, at);
    const name = attributed ?? seemsBy(lines, at, biographies);
    if (name === null) return [];
    const isAttributed = attributed !== null;
    return [{ name, isAttributed, cost: step * (at + 1) + (isAttributed ? 0 : UNATTRIBUTED_COST) }];
  });

/** A short line may consist of an attribution only; without a colon, cards of other pages have such lines. */
const ONLY_BY = /^by:\s+(?=\S)/i;
const ONLY_BY_CHARS_MAX = 60;

/** The text after an attribution, in this block or the next, or a name directly before its biography. */
const attributedText = ({ text }: Block, next: Block | undefined): string | null => {
  const start = text.slice(0, ATTRIBUTION_CHARS_MAX);
  const mark =
    ATTRIBUTION.exec(start)?.[0] ?? (text.length <= ONLY_BY_CHARS_MAX ? ONLY_BY.exec(text)?.[0] : undefined);
  if (mark !== undefined) return mark.length === start.length ? (next?.text ?? "") : start.slice(mark.length);
  return next !== undefined && biographyName(next.text) === text ? text : null;
};

/**
 * The author attributed anywhere on the page; null if there are several, because these belong to other pages.
 */
const attributedAuthor = (blocks: ReadonlyArray<Block>): string | null => {
  const names = new Set<string>();
  for (const [at, block] of blocks.entries()) {
    const text = attributedText(block, blocks[at + 1]);
    if (text === null) continue;
    const [line = ""] = text.split(/[\n(,|]|\s(?:is|and is|in|on)\s/, 1);
    const name = line.length <= LINE_CHARS_MAX ? nameIn(line) : null;
    if (name !== null && isName(name)) names.add(name);
  }
  const [only = null] = names;
  return names.size === 1 ? only : null;
};

/**
 * Maximum length of the block with the title, as a multiple of the title's length, including markers and white
 * space.
 */
const LONGER_MAX = 3;

/** The block with a title; otherwise the page's heading; -1 if there is neither. */
const headingIndex = (blocks: ReadonlyArray<Block>, titles: ReadonlyArray<string | null>): number => {
  for (const title of titles) {
    const words = folded(title ?? "");
    if (words === "") continue;
    const alike = blocks.flatMap(({ box, text }, at) =>
      text.length <= LONGER_MAX * words.length && folded(text) === words ? [{ at, box }] : []
    );
    const found = alike.find(({ box }) => headingLevel(box.element) !== null) ?? alike[0];
    if (found !== undefined) return found.at;
  }
  return blocks.findIndex(({ box }) => box.element.name === "h1");
};

/** `titles`: candidates for the heading, most likely first. */
export const bylineOf = (
  blocks: ReadonlyArray<Block>,
  titles: ReadonlyArray<string | null>,
  language: string | null = null
): Byline => {
  const at = Math.max(0, headingIndex(blocks, titles));
  const following = blocks.slice(at + 1, at + 1 + AFTER);
  const after = following.filter(isLine);
  const before = blocks
    .slice(Math.max(0, at - BEFORE), at)
    .filter(isLine)
    .toReversed();
  const biographies = biographiesIn(blocks);
  const heading = folded(blocks[at]?.text ?? "");
  const title = titles.join(" ");
  const menu = new Set(blocks.slice(0, Math.max(0, at - MENU_GAP)).map(({ text }) => text));
  const named = [
    ...namesIn(after, FORWARD, biographies, title),
    ...namesIn(before, BACKWARD, biographies, title)
  ]
    .filter(({ isAttributed, name }) => !heading.includes(folded(name)) && (isAttributed || !menu.has(name)))
    .toSorted((one, other) => one.cost - other.cost);
  return {
    author: named[0]?.name ?? attributedAuthor(blocks),
    ...bylineDates(blocks, { after: beforeText(following), before }, language)
  };
};
