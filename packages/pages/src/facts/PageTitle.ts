/** The title of a page, without the name of its site. */
import {
  type Candidate,
  type DescribedPage,
  jsonLdCandidates,
  metaCandidates,
  microdataCandidates,
  type Sourced
} from "./Candidates.ts";
import { NAME_CHARS_MAX } from "../PageLimits.ts";
import { siteNameOf } from "./PageAuthor.ts";
import type { Heading } from "./HeadingText.ts";
import type { FactScan } from "./FactScan.ts";
import { decoded, folded, oneLine } from "../parse/PlainText.ts";
import {
  EDGES,
  isAddress,
  isFrontPage,
  isHome,
  isNameOf,
  isOnlySite,
  isSameText,
  SEPARATOR,
  type Site,
  withoutSite,
  withoutTrail,
  wordCount,
  WORDING_WORDS_MIN
} from "./SiteInTitle.ts";

const clean = (written: string | undefined | null): string | null =>
  oneLine(decoded(written ?? ""), NAME_CHARS_MAX)?.replace(EDGES, "") || null;

/** Minimum share of the shorter title's words that two titles of the same thing have in common. */
const ALIKE_SHARE = 0.5;
/** A heading with more than this multiple of the words is a sentence, not a title. */
const LONGER_MAX = 2;
const WORDS_MIN = 6;

const isAlike = (heading: string, title: string | null): boolean => {
  const [a, b] = [new Set(folded(heading).split(" ")), new Set(folded(title ?? "").split(" "))];
  const shared = [...a].filter((word) => b.has(word)).length;
  const isWording = a.size <= LONGER_MAX * Math.max(WORDS_MIN, b.size);
  return (
    isWording &&
    shared >= ALIKE_SHARE * Math.min(a.size, b.size) &&
    (shared > 1 || a.size === 1 || b.size === 1)
  );
};

/**
 * Whether a heading is the last part of a title, where sites and books put their names, and not the title itself
 * after the site's name.
 */
const isSiteOf = (heading: string, title: string, site: Site, slug: string): boolean => {
  const parts = title.split(SEPARATOR);
  return (
    parts.length > 1 &&
    isSameText(parts.at(-1) ?? "", heading) &&
    (isFrontPage(site.url) || !isNameOf(parts[0] ?? "", site)) &&
    !isAlike(slug, heading)
  );
};

/** The words of the last segment of the URL. */
const slugOf = (url: string): string => {
  const last = URL.parse(url)?.pathname.split("/").findLast(Boolean) ?? "";
  return last.replace(/\.\w{2,5}$/, "").replace(/[-_]+/g, " ");
};

/** Words that URLs omit. */
const SMALL = /^(?:an?|and|are|for|how|in|is|of|on|the|to|what|with|your)$/;

const contentWords = (text: string): ReadonlyArray<string> =>
  folded(text.replace(/['’®™©]/g, ""))
    .split(" ")
    .filter((word) => !SMALL.test(word));

/** Fewer words may be the name of a section, as in URLs. */
const TELLING_WORDS_MIN = 4;
/** Maximum share of a title's words in a heading with different content. */
const OTHERWISE_SHARE_MAX = 0.6;

/**
 * Whether the URL spells out exactly this title and the heading differs: then the heading belongs to a part of
 * the page.
 */
const isOfAddress = (title: string, slug: string, heading: string): boolean => {
  const words = contentWords(title);
  const others = new Set(contentWords(heading));
  return (
    words.length >= TELLING_WORDS_MIN &&
    words.join(" ") === contentWords(slug).join(" ") &&
    words.filter((word) => others.has(word)).length <= OTHERWISE_SHARE_MAX * words.length
  );
};

const begins = (text: string, start: string): boolean =>
  ` ${contentWords(text).join(" ")} `.startsWith(` ${contentWords(start).join(" ")} `);

/** With a dot it is the name of a file or of a thing in code. */
const isSpelledOut = (heading: string, slug: string): boolean =>
  contentWords(heading).length > 1 && !slug.includes(".") && begins(heading, slug) && begins(slug, heading);

/** Whether a heading begins with all words of the URL, which may be cut; two words must be all of it. */
const beginsLike = (heading: string, slug: string): boolean =>
  isSpelledOut(heading, slug) || (contentWords(slug).length >= WORDING_WORDS_MIN && begins(heading, slug));

const isShort = (text: string): boolean => wordCount(text) < WORDING_WORDS_MIN;

const sharesWord = (one: string, other: string): boolean => {
  const words = new Set(folded(one).split(" "));
  return folded(other)
    .split(" ")
    .some((word) => words.has(word));
};

/**
 * Whether a heading is the name of a section: one or two words of which neither the URL has one, nor a declared
 * headline that the document's title confirms.
 */
const isSection = (heading: string, confirmed: ReadonlyArray<string>, slug: string): boolean =>
  isShort(heading) &&
  !sharesWord(heading, slug) &&
  confirmed.some((headline) => !isShort(headline) && !sharesWord(heading, headline));

interface Headings {
  readonly titles: ReadonlyArray<string>;
  /** With the name of the site or the book. */
  readonly sites: ReadonlyArray<string>;
  /** The first second-level heading, if it is a whole part of the document's title. */
  readonly below: string | null;
}

/**
 * The first of: the heading that is a whole part of a declared title; the first second-level heading that is one,
 * unless a heading begins like the URL; the heading that is contained in the document's title; that is a wording of
 * any title. Later headings of one or two words are sections.
 */
const headingFrom = (
  { below, titles: headings }: Headings,
  declared: ReadonlyArray<string>,
  wordings: ReadonlyArray<string>,
  slug: string
): string | undefined => {
  const whole = headings.find((each, index) =>
    declared.some((title) => {
      const parts = title.split(SEPARATOR);
      const candidates = isShort(each) ? (index === 0 ? parts.slice(0, 1) : []) : parts;
      return [title, ...candidates].some((part) => isSameText(part, each));
    })
  );
  if (whole !== undefined && (below === null || !isShort(whole) || sharesWord(whole, slug))) return whole;
  if (below !== null && !headings.some((each) => beginsLike(each, slug))) return below;
  const alike = headings.filter(
    (each, index) =>
      (index === 0 || !isShort(each)) &&
      (beginsLike(each, slug) ||
        wordings.some((other) => (index === 0 || wordCount(other) > 1) && isAlike(each, other)))
  );
  const isHeld = (each: string): boolean =>
    declared.some((title) => ` ${folded(title)} `.includes(` ${folded(each)} `));
  return alike.find((each) => !isShort(each) && isHeld(each)) ?? alike[0];
};

/**
 * The part of a heading that a declared title consists of; the rest is a label or a subtitle, unless the URL spells
 * it out too.
 */
const declaredPart = ({ parts, text }: Heading, titles: ReadonlyArray<string>, slug: string): string => {
  const declared = new Set(titles.flatMap((title) => [title, ...title.split(SEPARATOR)]).map(folded));
  if (declared.has(folded(text)) || begins(slug, text)) return text;
  const pieces = parts.flatMap((_, at) => [parts.slice(at + 1).join(" "), parts.slice(0, at + 1).join(" ")]);
  return pieces.find((piece) => piece !== "" && declared.has(folded(piece))) ?? text;
};

/** The parts of a title, each also without the label of a section before a colon. */
const piecesOf = (title: string): ReadonlyArray<string> =>
  title.split(/\s+[|–—•·»-]+\s+|\s*\|\s*/).flatMap((part) => [part, part.replace(/^[^:]*:\s+/, "")]);

/** A mark that links to the heading. */
const ANCHOR_END = /\s*[¶🔗]+$/u;

const isPart = (text: string, title: string): boolean =>
  piecesOf(title).some((piece) => isSameText(piece, text));

const headingsOf = (scan: FactScan, declared: ReadonlyArray<string>, site: Site, slug: string): Headings => {
  const document = clean(scan.title) ?? "";
  const isSites = (text: string): boolean =>
    isOnlySite(text, site) ||
    isSameText(text, site.name ?? "") ||
    isAddress(text, site.url) ||
    isSiteOf(text, document, site, isShort(slug) ? "" : slug);
  const all = scan.headings
    .filter(({ isKicker, text }) => !isKicker || isSpelledOut(text, slug))
    .map((each) => clean(isFrontPage(site.url) ? each.text : declaredPart(each, declared, slug)) ?? "")
    .map((text) => withoutTrail(text.replace(ANCHOR_END, ""), site))
    .filter((text) => folded(text) !== "");
  const below = clean(scan.subheading) ?? "";
  return {
    titles: all.filter((text) => !isSites(text)),
    sites: all.filter(isSites),
    below: !isShort(below) && !isSites(below) && isPart(below, document) ? below : null
  };
};

const headlinesOf = (page: DescribedPage): ReadonlyArray<Candidate> =>
  page.entities
    .flatMap((entity) => jsonLdCandidates({ ...page, entities: [entity] }, ["headline", "name"]))
    .slice(0, 1);

const readable = (candidates: ReadonlyArray<Candidate>): ReadonlyArray<Sourced<string>> =>
  candidates.flatMap(([origin, written]) => {
    const value = clean(written);
    return value === null ? [] : [{ value, origin }];
  });

const isText = (text: string | null | undefined): text is string => (text ?? "") !== "";

/**
 * The heading, if it is another wording of a title that the page states elsewhere: titles for sharing include
 * the site's name or are shortened. Otherwise what the page declares, and the site's name only if nothing else is
 * there.
 */
export const pageTitle = (page: DescribedPage & { readonly url: string }): Sourced<string> | null => {
  const { scan, url } = page;
  const site: Site = { name: siteNameOf(page)?.value ?? null, url };
  const slug = slugOf(url);
  const headlines = readable(headlinesOf(page));
  const written = readable([
    ...metaCandidates(scan, ["og:title"]),
    ...microdataCandidates(page, ["headline"]),
    ...metaCandidates(scan, ["twitter:title"]),
    ["meta", scan.title ?? ""]
  ]);
  const declared = [...headlines, ...written].map(({ value }) => value);
  const headings = headingsOf(scan, declared, site, slug);
  const own = (all: ReadonlyArray<Sourced<string>>): ReadonlyArray<Sourced<string>> =>
    all
      .map(({ origin, value }) => ({
        origin,
        value: withoutSite(withoutTrail(value, site), site, headings.titles[0], headings.sites)
      }))
      .filter(({ value }) => !isOnlySite(value, site) && !isHome(value, site));
  const [named, titles] = [own(headlines), own(written)];
  const stated = [named[0]?.value, titles[0]?.value].filter(isText);
  const confirmed = stated.filter((title) => isPart(title, clean(scan.title) ?? ""));
  const ofPage = headings.titles.filter((each) => !isSection(each, confirmed, slug));
  const wordings = isShort(slug) ? stated : [...stated, slug];
  const heading = headingFrom({ ...headings, titles: ofPage }, declared, wordings, slug);
  const addressed = titles.find(({ value }) => isOfAddress(value, slug, heading ?? named[0]?.value ?? ""));
  if (addressed !== undefined) return addressed;
  if (heading !== undefined) return { value: heading, origin: "page" };
  const shown = [...headings.titles, clean(scan.subheading), ...headings.sites, clean(scan.heading)]
    .filter(isText)
    .map((value): Sourced<string> => ({ value, origin: "page" }));
  const others = shown.filter(({ value }) => !isOnlySite(value, site));
  return [...named, ...titles, ...others, ...written, ...shown][0] ?? null;
};
