/** The title of a page, without the name of its site. Measured by bench/page-bylines.ts. */
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
import { decoded, folded, foldedWords, oneLine } from "../parse/PlainText.ts";
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
  withoutSite
} from "./SiteInTitle.ts";

const clean = (written: string | undefined | null): string | null =>
  oneLine(decoded(written ?? ""), NAME_CHARS_MAX)?.replace(EDGES, "") || null;

/** Words that URLs omit. */
const SMALL = /^(?:an?|and|are|for|how|in|is|of|on|the|to|what|with|your)$/;

const contentWords = (text: string): ReadonlyArray<string> =>
  foldedWords(text).filter((word) => !SMALL.test(word));

/** Minimum share of the shorter title's words that two titles of the same thing have in common. */
const ALIKE_SHARE = 0.5;
/** A heading with more than this multiple of the words is a sentence, not a title. */
const LONGER_MAX = 2;
const WORDS_MIN = 6;

const isAlike = (heading: string, title: string): boolean => {
  const [a, b] = [new Set(contentWords(heading)), new Set(contentWords(title))];
  const shared = [...a].filter((word) => b.has(word)).length;
  const shorter = Math.min(a.size, b.size);
  const isWording = a.size <= LONGER_MAX * Math.max(WORDS_MIN, b.size);
  return isWording && shared >= Math.max(ALIKE_SHARE * shorter, shorter > 1 ? 2 : 1);
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

/**
 * Whether the URL spells out exactly this title and the heading lacks some of its words: then the heading belongs to a
 * part of the page.
 */
const isOfAddress = (title: string, slug: string, heading: string): boolean => {
  const words = contentWords(title);
  const others = new Set(contentWords(heading));
  return (
    !isShort(slug) &&
    words.join(" ") === contentWords(slug).join(" ") &&
    !words.every((word) => others.has(word))
  );
};

/**
 * The heading that is a whole part of a declared title; else one that is another wording of a title. Later headings of
 * one or two words are sections.
 */
const headingFrom = (
  headings: ReadonlyArray<string>,
  declared: ReadonlyArray<string>,
  wordings: ReadonlyArray<string>
): string | undefined =>
  headings.find((each) =>
    declared.some((title) =>
      [title, ...(isShort(each) ? [] : title.split(SEPARATOR))].some((part) => isSameText(part, each))
    )
  ) ??
  headings.find(
    (each, index) =>
      (index === 0 || !isShort(each)) &&
      wordings.some((other) => (index === 0 || contentWords(other).length > 1) && isAlike(each, other))
  );

/** The part of a heading that a declared title consists of; the rest is a label or a subtitle. */
const declaredPart = ({ parts, text }: Heading, titles: ReadonlyArray<string>): string => {
  const declared = new Set(titles.flatMap((title) => [title, ...title.split(SEPARATOR)]).map(folded));
  if (declared.has(folded(text))) return text;
  const pieces = parts.flatMap((_, at) => [parts.slice(at + 1).join(" "), parts.slice(0, at + 1).join(" ")]);
  return pieces.find((piece) => piece !== "" && declared.has(folded(piece))) ?? text;
};

/** What the page declares to be its title, most trusted first. */
const declaredTitles = (page: DescribedPage): ReadonlyArray<Sourced<string>> => {
  const candidates: ReadonlyArray<Candidate> = [
    ...jsonLdCandidates(page, ["headline", "name"]),
    ...metaCandidates(page.scan, ["og:title"]),
    ...microdataCandidates(page, ["headline"]),
    ...metaCandidates(page.scan, ["twitter:title"]),
    ["meta", page.scan.title ?? ""]
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
    .map((each) => clean(declaredPart(each, titles)) ?? "")
    .filter((text) => folded(text) !== "");
  const isSites = (text: string): boolean => isNameOf(text, site) || isSiteOf(text, document, site, slug);
  const own = headings.filter((text) => !isSites(text));
  const stated = declared
    .map(({ origin, value }) => ({ origin, value: withoutSite(value, site, headings.filter(isSites)) }))
    .filter(({ value }) => !isOnlySite(value, site) && !isHome(value, site));
  const [first] = stated;
  const wordings = [...(first === undefined ? [] : [first.value]), ...(isShort(slug) ? [] : [slug])];
  const heading = headingFrom(own, titles, wordings);
  const addressed = stated.find(({ value }) => isOfAddress(value, slug, heading ?? first?.value ?? ""));
  if (addressed !== undefined) return addressed;
  const onPage = (value: string | undefined): ReadonlyArray<Sourced<string>> =>
    value === undefined ? [] : [{ value, origin: "page" }];
  return [...onPage(heading), ...stated, ...onPage(own[0]), ...declared, ...onPage(headings[0])][0] ?? null;
};
