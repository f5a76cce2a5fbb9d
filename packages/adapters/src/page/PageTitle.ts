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
import { decoded, folded, oneLine } from "./PlainText.ts";

/** Between a title and the name of a site; a hyphen only with spaces around it. */
const SEPARATOR = /\s+[|–—•·»:-]+\s+|\s*\|\s*/;

const withoutSite = (title: string, site: string | null, heading: string | null): string => {
  const parts = title.split(SEPARATOR);
  const [first = title] = parts;
  if (parts.length < 2) return title;
  if (heading !== null && folded(first) === folded(heading)) return first;
  const last = parts.at(-1) ?? "";
  if (site !== null && folded(last) === folded(site))
    return title.slice(0, title.lastIndexOf(last)).replace(/[\s|–—•·»:-]+$/, "");
  return title;
};

const clean = (written: string | undefined | null): string | null =>
  oneLine(decoded(written ?? ""), NAME_CHARS_MAX);

/** Words that two titles of the same thing have in common at least, as a share of the shorter one's. */
const ALIKE_SHARE = 0.5;
/** A heading with more than so many times the words is a sentence, not a title. */
const LONGER_MAX = 2;
const WORDS_MIN = 6;
/** Fewer in an address, or in a heading after the first, are a name and not the wording of a title. */
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

/** The last part of a title is the site, and sites put their names into headings too. */
const isSiteOf = (heading: string, title: string | null): boolean => {
  const parts = (title ?? "").split(SEPARATOR);
  return parts.length > 1 && folded(parts.at(-1) ?? "") === folded(heading);
};

/**
 * Sections and names of the site that follow a title, or that a heading repeats from it; two at least, else they are
 * part of the title. Some sites put their name first.
 */
const withoutTrail = (title: string, site: string | null): string => {
  const [first = title, ...rest] = title.split(/\s+\|\s+/);
  return rest.length > 1 && folded(first) !== folded(site ?? "") ? first : title;
};

/** What the last part of the address calls the page; null where that is not wording. */
const slugOf = (url: string): string | null => {
  const last = URL.parse(url)?.pathname.split("/").findLast(Boolean) ?? "";
  const words = last.replace(/\.\w{2,5}$/, "").split(/[-_]+/);
  return words.length >= WORDING_WORDS_MIN ? words.join(" ") : null;
};

/**
 * The heading where it is another wording of what the page calls itself elsewhere: titles for sharing carry
 * the name of the site or are shortened. Else what the page declares.
 */
export const pageTitle = (page: DescribedPage & { readonly url: string }): Sourced<string> | null => {
  const { scan } = page;
  const site = clean(scan.meta.get("og:site_name")?.[0]);
  const headline = firstOf(
    page.entities
      .flatMap((entity) => jsonLdCandidates({ ...page, entities: [entity] }, ["headline", "name"]))
      .slice(0, 1),
    clean
  );
  const title = firstOf(
    [
      ...metaCandidates(scan, ["og:title"]),
      ...microdataCandidates(page, ["headline"]),
      ...metaCandidates(scan, ["twitter:title"]),
      ["meta", scan.title ?? ""]
    ],
    clean
  );
  const isTitle = (heading: string): boolean =>
    folded(heading) !== "" && folded(heading) !== folded(site ?? "") && !isSiteOf(heading, clean(scan.title));
  const headings = scan.headings.map((written) => withoutTrail(clean(written) ?? "", site)).filter(isTitle);
  const wordings = [headline?.value, title?.value, slugOf(page.url)];
  const heading = headings.find(
    (each, index) =>
      (index === 0 || folded(each).split(" ").length >= WORDING_WORDS_MIN) &&
      (folded(each) === folded(scan.title ?? "") || wordings.some((other) => isAlike(each, other ?? null)))
  );
  if (heading !== undefined) return { value: heading, origin: "page" };
  if (headline !== null) return headline;
  const first = clean(scan.heading);
  if (title !== null) return { ...title, value: withoutSite(withoutTrail(title.value, site), site, first) };
  return first === null ? null : { value: first, origin: "page" };
};
