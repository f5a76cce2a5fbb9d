/** The title of a page, without the name of its site. */
import {
  type Candidate,
  type DescribedPage,
  jsonLdCandidates,
  metaCandidates,
  microdataCandidates,
  type Sourced
} from "./Candidates.ts";
import { NAME_CHARS_MAX } from "./PageLimits.ts";
import { siteNameOf } from "./PageAuthor.ts";
import { dateIn } from "./PageDate.ts";
import type { Heading } from "./HeadingText.ts";
import { hasType } from "./JsonLd.ts";
import { decoded, folded, oneLine } from "./PlainText.ts";
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
const isSiteOf = (heading: string, title: string | null, site: Site, slug: string | null): boolean => {
  const parts = (title ?? "").split(SEPARATOR);
  return (
    parts.length > 1 &&
    isSameText(parts.at(-1) ?? "", heading) &&
    (isFrontPage(site.url) || !isNameOf(parts[0] ?? "", site)) &&
    !isAlike(slug ?? "", heading)
  );
};

/** A heading may have the date of publication before its words, in a separate element. */
const LEADING_DAY =
  /^(?:\p{L}{3,9}\.? \d{1,2},? \d{4}|\d{1,2}\.? \p{L}{3,9}\.? \d{4}|\d{4}-\d\d-\d\d)[\s|·•:–—-]+(?=\S)/u;

const withoutDate = (heading: string): string => {
  const day = LEADING_DAY.exec(heading)?.[0];
  return day === undefined || dateIn(day) === null ? heading : heading.slice(day.length);
};

/** The words in the last segment of the URL; null if it does not consist of words. */
const slugOf = (url: string): string | null => {
  const last = URL.parse(url)?.pathname.split("/").findLast(Boolean) ?? "";
  const words = last.replace(/\.\w{2,5}$/, "").split(/[-_]+/);
  return words.length >= WORDING_WORDS_MIN ? words.join(" ") : null;
};

/** Words that URLs omit. */
const SMALL = /^(?:an?|and|are|for|how|in|is|of|on|the|to|what|with|your)$/;

const contentWords = (text: string): ReadonlyArray<string> =>
  folded(text.replace(/['’]/g, ""))
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
const isOfAddress = (title: string, slug: string | null, heading: string): boolean => {
  const words = contentWords(title);
  const others = new Set(contentWords(heading));
  return (
    words.length >= TELLING_WORDS_MIN &&
    words.join(" ") === contentWords(slug ?? "").join(" ") &&
    words.filter((word) => others.has(word)).length <= OTHERWISE_SHARE_MAX * words.length
  );
};

/** Whether a heading begins with all words of the URL, which may be cut. */
const beginsLike = (heading: string, slug: string | null): boolean => {
  const words = contentWords(slug ?? "");
  return (
    words.length >= TELLING_WORDS_MIN &&
    contentWords(heading).slice(0, words.length).join(" ") === words.join(" ")
  );
};

/**
 * The first of: the heading that is a whole part of a declared title; that is contained in the document's title;
 * that is a wording of any title. Later headings of one or two words are sections.
 */
const headingFrom = (
  headings: ReadonlyArray<string>,
  titles: ReadonlyArray<string>,
  wordings: ReadonlyArray<string>,
  slug: string | null
): string | undefined => {
  const isShort = (each: string): boolean => wordCount(each) < WORDING_WORDS_MIN;
  const whole = headings.find((each, index) =>
    titles.some((title) => {
      const parts = title.split(SEPARATOR);
      const candidates = isShort(each) ? (index === 0 ? parts.slice(0, 1) : []) : parts;
      return [title, ...candidates].some((part) => isSameText(part, each));
    })
  );
  if (whole !== undefined) return whole;
  const alike = headings.filter(
    (each, index) =>
      (index === 0 || !isShort(each)) &&
      (beginsLike(each, slug) ||
        wordings.some((other) => (index === 0 || wordCount(other) > 1) && isAlike(each, other)))
  );
  const isHeld = (each: string): boolean =>
    titles.some((title) => ` ${folded(title)} `.includes(` ${folded(each)} `));
  return alike.find((each) => !isShort(each) && isHeld(each)) ?? alike[0];
};

/**
 * The only heading, if a later title is a wording of it; a heading contained in a title as a whole may be the
 * site's name.
 */
const soleHeading = (
  headings: ReadonlyArray<string>,
  titles: ReadonlyArray<Sourced<string>>
): string | undefined => {
  const [only, another] = headings;
  if (only === undefined || another !== undefined || contentWords(only).length < TELLING_WORDS_MIN)
    return undefined;
  const isHeld = (title: string): boolean => ` ${folded(title)} `.includes(` ${folded(only)} `);
  return titles.some(({ value }) => isAlike(only, value) && !isHeld(value)) ? only : undefined;
};

/** The part of a heading that a declared title consists of; the rest is a label or a subtitle. */
const declaredPart = ({ parts, text }: Heading, titles: ReadonlyArray<string>): string => {
  const declared = new Set(titles.flatMap((title) => [title, ...title.split(SEPARATOR)]).map(folded));
  if (declared.has(folded(text))) return text;
  const pieces = parts.flatMap((_, at) => [parts.slice(at + 1).join(" "), parts.slice(0, at + 1).join(" ")]);
  return pieces.find((piece) => piece !== "" && declared.has(folded(piece))) ?? text;
};

/** The parts of a title, each also without the label of a section before a colon. */
const piecesOf = ({ origin, value }: Sourced<string>): ReadonlyArray<Sourced<string>> =>
  value
    .split(/\s+[|–—•·»-]+\s+|\s*\|\s*/)
    .flatMap((part) => [part, part.replace(/^[^:]*:\s+/, "")])
    .map((piece) => ({ origin, value: piece }));

/** A mark that links to the heading. */
const ANCHOR_END = /\s*[¶🔗]+$/u;

const QUESTIONS: ReadonlySet<string> = new Set(["Question"]);
const QUESTION_LISTS: ReadonlySet<string> = new Set(["FAQPage"]);

interface Headings {
  readonly titles: ReadonlyArray<string>;
  /** With the name of the site or the book. */
  readonly sites: ReadonlyArray<string>;
}

const headingsOf = (
  { scan }: DescribedPage,
  declared: ReadonlyArray<string>,
  site: Site,
  slug: string | null
): Headings => {
  const isSites = (text: string): boolean =>
    isOnlySite(text, site) ||
    isSameText(text, site.name ?? "") ||
    isAddress(text, site.url) ||
    isSiteOf(text, clean(scan.title), site, slug);
  const all = scan.headings
    .map((each) => clean(isFrontPage(site.url) ? each.text : declaredPart(each, declared)) ?? "")
    .map((text) => withoutDate(withoutTrail(text.replace(ANCHOR_END, ""), site)))
    .filter((text) => folded(text) !== "");
  return { titles: all.filter((text) => !isSites(text)), sites: all.filter(isSites) };
};

/** Without the questions that a page answers among other things, which are sections of it. */
const headlinesOf = (page: DescribedPage): ReadonlyArray<Candidate> => {
  const hasList = page.scan.jsonLd.entities.some((entity) => hasType(entity, QUESTION_LISTS));
  return page.entities
    .filter((entity) => !hasList || !hasType(entity, QUESTIONS))
    .flatMap((entity) => jsonLdCandidates({ ...page, entities: [entity] }, ["headline", "name"]))
    .slice(0, 1);
};

const readable = (candidates: ReadonlyArray<Candidate>): ReadonlyArray<Sourced<string>> =>
  candidates.flatMap(([origin, written]) => {
    const value = clean(written);
    return value === null ? [] : [{ value, origin }];
  });

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
  const headings = headingsOf(page, declared, site, slug);
  const own = (all: ReadonlyArray<Sourced<string>>): ReadonlyArray<Sourced<string>> =>
    all
      .map(({ origin, value }) => ({
        origin,
        value: withoutSite(withoutTrail(value, site), site, headings.titles[0], headings.sites)
      }))
      .filter(({ value }) => !isOnlySite(value, site) && !isHome(value, site));
  const [named, titles] = [own(headlines), own(written)];
  const wordings = [named[0]?.value, titles[0]?.value, slug].filter((each) => typeof each === "string");
  const heading =
    headingFrom(headings.titles, declared, wordings, slug) ?? soleHeading(headings.titles, titles.slice(1));
  const addressed = [...titles, ...written.flatMap(piecesOf)].find(({ value }) =>
    isOfAddress(value, slug, heading ?? named[0]?.value ?? "")
  );
  if (addressed !== undefined) return addressed;
  if (heading !== undefined) return { value: heading, origin: "page" };
  const shown = [...headings.titles, clean(scan.subheading), ...headings.sites, clean(scan.heading)]
    .filter((text) => text !== null)
    .map((value): Sourced<string> => ({ value, origin: "page" }));
  const others = shown.filter(({ value }) => !isOnlySite(value, site));
  return [...named, ...titles, ...others, ...written, ...shown][0] ?? null;
};
