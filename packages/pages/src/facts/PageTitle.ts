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
import { decoded, folded, oneLine } from "../parse/PlainText.ts";
import {
  EDGES,
  isFrontPage,
  isHome,
  isNameOf,
  isOnlySite,
  isSameText,
  isShort,
  SEPARATOR,
  type Site,
  withoutSections,
  withoutSite,
  wordCount
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

const isSpelled = (heading: string, slug: string): boolean =>
  folded(slug)
    .split(" ")
    .some((word) => folded(heading).split(" ").includes(word));

const begins = (text: string, start: string): boolean =>
  ` ${contentWords(text).join(" ")} `.startsWith(` ${contentWords(start).join(" ")} `);

/**
 * Whether a heading begins with all words of the URL, which may be cut; two words must be all of it. With a dot, the URL
 * ends with the name of a file or of a thing in code.
 */
const beginsLike = (heading: string, slug: string): boolean =>
  begins(heading, slug) &&
  (!isShort(contentWords(slug).join(" ")) ||
    (contentWords(heading).length > 1 && !slug.includes(".") && begins(slug, heading)));

/** The parts of a title, each also without the label of a section before a colon. */
const piecesOf = (title: string): ReadonlyArray<string> =>
  title.split(/\s+[|–—•·»-]+\s+|\s*\|\s*/).flatMap((part) => [part, part.replace(/^[^:]*:\s+/, "")]);

/**
 * The heading that is a whole part of a declared title; else `below`, the first second-level heading that is one, as
 * also if that heading is the name of a section: of one or two words, none of them in the URL. Else one that is another
 * wording of a title, preferably held by a title. Later headings of one or two words are sections.
 */
const headingFrom = (
  headings: ReadonlyArray<string>,
  below: string | null,
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
  if (whole !== undefined && (below === null || !isShort(whole) || isSpelled(whole, slug))) return whole;
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

/** What the page declares to be its title, most trusted first. */
const declaredTitles = (page: DescribedPage): ReadonlyArray<Sourced<string>> => {
  const { entities, scan } = page;
  const headlines = entities.flatMap((entity) =>
    jsonLdCandidates({ ...page, entities: [entity] }, ["headline", "name"])
  );
  const candidates: ReadonlyArray<Candidate> = [
    ...headlines.slice(0, 1),
    ...metaCandidates(scan, ["og:title"]),
    ...microdataCandidates(page, ["headline"]),
    ...metaCandidates(scan, ["twitter:title"]),
    ["meta", scan.title ?? ""]
  ];
  return candidates.flatMap(([origin, written]) => {
    const value = clean(written);
    return value === null ? [] : [{ value, origin }];
  });
};

/**
 * The heading, if it is another wording of a title that the page states elsewhere: titles for sharing include
 * the site's name or are shortened. Otherwise what the page declares, and the site's name only if nothing else is
 * there.
 */
export const pageTitle = (page: DescribedPage & { readonly url: string }): Sourced<string> | null => {
  const { scan, url } = page;
  const site: Site = { name: siteNameOf(page)?.value ?? null, url };
  const slug = slugOf(url);
  const declared = declaredTitles(page);
  const titles = declared.map(({ value }) => value);
  const document = clean(scan.title) ?? "";
  const headings = scan.headings
    .filter(({ isKicker, text }) => !isKicker || beginsLike(text, slug))
    .map((each) => clean(isFrontPage(url) ? each.text : declaredPart(each, titles, slug)) ?? "")
    .map((text) => withoutSections(text, site))
    .filter((text) => folded(text) !== "");
  const isSites = (text: string): boolean =>
    isOnlySite(text, site) ||
    isNameOf(text, site) ||
    isSiteOf(text, document, site, isShort(slug) ? "" : slug);
  const [sites, own] = [headings.filter(isSites), headings.filter((text) => !isSites(text))];
  const stated = declared
    .map(({ origin, value }) => ({ origin, value: withoutSite(value, site, sites) }))
    .filter(({ value }) => !isOnlySite(value, site) && !isHome(value, site));
  const wordings = [stated[0], stated.find(({ origin }) => origin !== "json-ld")].flatMap(
    (each) => each?.value ?? []
  );
  const subheading = clean(scan.subheading) ?? "";
  const isBelow =
    !isShort(subheading) &&
    !isSites(subheading) &&
    piecesOf(document).some((piece) => isSameText(piece, subheading));
  const heading = headingFrom(
    own,
    isBelow ? subheading : null,
    titles,
    isShort(slug) ? wordings : [...wordings, slug],
    slug
  );
  const addressed = stated.find(
    ({ origin, value }) => origin !== "json-ld" && isOfAddress(value, slug, heading ?? stated[0]?.value ?? "")
  );
  if (addressed !== undefined) return addressed;
  if (heading !== undefined) return { value: heading, origin: "page" };
  const shown = [...own, subheading, ...sites, clean(scan.heading) ?? ""].flatMap(
    (value): ReadonlyArray<Sourced<string>> => (value === "" ? [] : [{ value, origin: "page" }])
  );
  const others = shown.filter(({ value }) => !isOnlySite(value, site));
  return [...stated, ...others, ...declared, ...shown][0] ?? null;
};
