/** The title of a page, without the name of its site. */
import {
  type DescribedPage,
  firstOf,
  jsonLdCandidates,
  metaCandidates,
  microdataCandidates,
  type Sourced
} from "./Candidates.ts";
import { NAME_CHARS_MAX } from "./PageLimits.ts";
import { siteNameOf } from "./PageAuthor.ts";
import { dateIn } from "./PageDate.ts";
import type { PageScan } from "./PageScan.ts";
import { decoded, folded, oneLine } from "./PlainText.ts";

/** Separators between a title and the name of the site; a hyphen only with spaces around it. */
const SEPARATOR = /\s+[|–—•·»:-]+\s+|\s*\|\s*/;

const compact = (text: string): string => folded(text).replaceAll(" ", "");

/** Longest second-level label under which a registry sells names (`co.uk`, `com.au`), in characters. */
const REGISTRY_CHARS_MAX = 3;

/** The label chosen by the site's owner: `example` in www.example.com and shop.example.co.uk. */
const ownLabel = (host: string): string => {
  const labels = host.split(".").slice(0, -1);
  const last = labels.at(-1) ?? "";
  return last.length <= REGISTRY_CHARS_MAX ? (labels.at(-2) ?? last) : last;
};

/** Whether a part of a title is the site's host name, such as `Example.com` on www.example.com. */
const isAddress = (part: string, url: string): boolean => {
  const host = URL.parse(url)?.hostname ?? "";
  return /^[\w-]+(?:\.[\w-]+)+$/.test(part) && `.${host}`.endsWith(`.${part.toLowerCase()}`);
};

const isHost = (part: string, url: string): boolean =>
  isAddress(part, url) || compact(part) === compact(ownLabel(URL.parse(url)?.hostname ?? ""));

interface Site {
  readonly name: string | null;
  readonly url: string;
}

const isNameOf = (part: string, { name, url }: Site): boolean =>
  (name !== null && folded(part) === folded(name)) || (compact(part) !== "" && isHost(part, url));

/** Without the site's host name directly before or after a title. */
const withoutAddress = (title: string, url: string): string => {
  const words = title.split(" ");
  if (words.length < 2) return title;
  if (isAddress(words[0] ?? "", url)) return words.slice(1).join(" ");
  return isAddress(words.at(-1) ?? "", url) ? words.slice(0, -1).join(" ") : title;
};

const isFrontPage = (url: string): boolean => (URL.parse(url)?.pathname ?? "/") === "/";

/** Sites append their names to titles, a few prepend them; the name of a front page is its title. */
const withoutSite = (title: string, site: Site, heading: string | null): string => {
  const parts = title.split(SEPARATOR);
  const [first = title] = parts;
  if (parts.length < 2) return withoutAddress(title, site.url);
  if (heading !== null && folded(first) === folded(heading)) return first;
  const last = parts.at(-1) ?? "";
  if (isNameOf(last, site)) return title.slice(0, title.lastIndexOf(last)).replace(/[\s|–—•·»:-]+$/, "");
  return isNameOf(first, site) && !isFrontPage(site.url)
    ? title.slice(first.length).replace(/^[\s|–—•·»:-]+/, "")
    : title;
};

const clean = (written: string | undefined | null): string | null =>
  oneLine(decoded(written ?? ""), NAME_CHARS_MAX);

/** Minimum share of the shorter title's words that two titles of the same thing have in common. */
const ALIKE_SHARE = 0.5;
/** A heading with more than this multiple of the words is a sentence, not a title. */
const LONGER_MAX = 2;
const WORDS_MIN = 6;
/** With fewer words, a URL or a later heading is a name rather than another wording of a title. */
const WORDING_WORDS_MIN = 3;

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

/** Whether a heading is the last part of a title: sites put their names into both. */
const isSiteOf = (heading: string, title: string | null): boolean => {
  const parts = (title ?? "").split(SEPARATOR);
  return parts.length > 1 && folded(parts.at(-1) ?? "") === folded(heading);
};

/**
 * Cuts what follows the first ` | ` if it has at least two parts: sections and the site's name, which some headings
 * repeat. A single part may belong to the title. Titles that begin with the site's name are unchanged.
 */
const withoutTrail = (title: string, site: string | null): string => {
  const [first = title, ...rest] = title.split(/\s+\|\s+/);
  return rest.length > 1 && folded(first) !== folded(site ?? "") ? first : title;
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

/** The heading contained in the document's title, otherwise the first that is a wording of any title. */
const headingOf = (
  headings: ReadonlyArray<string>,
  scan: PageScan,
  wordings: ReadonlyArray<string | null | undefined>
): string | undefined => {
  const document = ` ${folded(scan.title ?? "")} `;
  const alike = headings.filter(
    (each, index) =>
      (index === 0 || folded(each).split(" ").length >= WORDING_WORDS_MIN) &&
      (folded(each) === folded(scan.title ?? "") || wordings.some((other) => isAlike(each, other ?? null)))
  );
  const isHeld = (each: string): boolean =>
    folded(each).split(" ").length >= WORDING_WORDS_MIN && document.includes(` ${folded(each)} `);
  return alike.find(isHeld) ?? alike[0];
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

/**
 * The heading, if it is another wording of a title that the page states elsewhere: titles for sharing include
 * the site's name or are shortened. Otherwise what the page declares.
 */
export const pageTitle = (page: DescribedPage & { readonly url: string }): Sourced<string> | null => {
  const { scan, url } = page;
  const site: Site = { name: siteNameOf(page)?.value ?? null, url };
  const headline = firstOf(
    page.entities
      .flatMap((entity) => jsonLdCandidates({ ...page, entities: [entity] }, ["headline", "name"]))
      .slice(0, 1),
    clean
  );
  const first = clean(scan.heading);
  const titles = [
    ...metaCandidates(scan, ["og:title"]),
    ...microdataCandidates(page, ["headline"]),
    ...metaCandidates(scan, ["twitter:title"]),
    ["meta", scan.title ?? ""] as const
  ].flatMap(([origin, written]): ReadonlyArray<Sourced<string>> => {
    const title = clean(written);
    if (title === null) return [];
    return [{ value: withoutSite(withoutTrail(title, site.name), site, first), origin }];
  });
  const isTitle = (heading: string): boolean =>
    folded(heading) !== "" &&
    folded(heading) !== folded(site.name ?? "") &&
    !isAddress(heading, url) &&
    !isSiteOf(heading, clean(scan.title));
  const headings = scan.headings
    .map((written) => withoutDate(withoutTrail(clean(written) ?? "", site.name)))
    .filter(isTitle);
  const slug = slugOf(url);
  const wordings = [headline?.value, titles[0]?.value, slug];
  const heading = headingOf(headings, scan, wordings) ?? soleHeading(headings, titles.slice(1));
  const addressed = titles.find(({ value }) => isOfAddress(value, slug, heading ?? headline?.value ?? ""));
  if (addressed !== undefined) return addressed;
  if (heading !== undefined) return { value: heading, origin: "page" };
  return headline ?? titles[0] ?? (first === null ? null : { value: first, origin: "page" });
};
