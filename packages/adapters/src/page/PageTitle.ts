/** The title of a page, without the name of its site. */
import { type JsonLdNode, stringsOf } from "./JsonLd.ts";
import { NAME_CHARS_MAX } from "./PageLimits.ts";
import type { PageScan } from "./PageScan.ts";
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
 * The heading where it is another wording of what the page calls itself elsewhere: titles for sharing carry
 * the name of the site or are shortened. Else what the page declares.
 */
export const pageTitle = (scan: PageScan, entities: ReadonlyArray<JsonLdNode>): string | null => {
  const heading = clean(scan.heading);
  const shared = clean(scan.meta.get("og:title")?.[0]);
  const site = clean(scan.meta.get("og:site_name")?.[0]);
  const headlines = entities.flatMap((entity) => [
    ...stringsOf(scan.jsonLd, entity, "headline"),
    ...stringsOf(scan.jsonLd, entity, "name")
  ]);
  const headline = clean(headlines[0]);
  const title = shared ?? clean(scan.meta.get("twitter:title")?.[0]) ?? clean(scan.title);
  const isTitle =
    heading !== null &&
    folded(heading) !== "" &&
    folded(heading) !== folded(site ?? "") &&
    !isSiteOf(heading, clean(scan.title));
  if (isTitle && [headline, title].some((other) => isAlike(heading, other))) return heading;
  if (headline !== null) return headline;
  return title === null ? heading : withoutSite(title, site, heading);
};
