/** The name of a site in titles of its pages: what it looks like, and titles without it. */
import { folded } from "../parse/PlainText.ts";

/** Separators between a title and the name of the site; a hyphen only with spaces around it. */
export const SEPARATOR = /\s+[|–—•·»:-]+\s+|\s*\|\s*/;

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
export const isAddress = (part: string, url: string): boolean => {
  const host = URL.parse(url)?.hostname ?? "";
  return /^[\w-]+(?:\.[\w-]+)+$/.test(part) && `.${host}`.endsWith(`.${part.toLowerCase()}`);
};

const isHost = (part: string, url: string): boolean =>
  isAddress(part, url) || compact(part) === compact(ownLabel(URL.parse(url)?.hostname ?? ""));

export interface Site {
  readonly name: string | null;
  readonly url: string;
}

const nameWords = (text: string): string => folded(text.replaceAll("&", " and "));

/** Whether a part of a title is the name of the site, declared or as in its host name. */
export const isNameOf = (part: string, { name, url }: Site): boolean =>
  (name !== null && nameWords(part) === nameWords(name)) || (compact(part) !== "" && isHost(part, url));

/** With fewer letters, the host's label may be any word. */
const LABEL_CHARS_MIN = 4;
/** Words that may follow the host's label in a longer name: Miratal Baking Forum on miratal.test. */
const MORE_NAME_WORDS_MAX = 2;

const isLongerName = (part: string, { url }: Site): boolean => {
  const label = compact(ownLabel(URL.parse(url)?.hostname ?? ""));
  const words = folded(part).split(" ");
  const size = words.findIndex((_, at) => words.slice(0, at + 1).join("") === label) + 1;
  return label.length >= LABEL_CHARS_MIN && size > 0 && words.length <= size + MORE_NAME_WORDS_MAX;
};

/** Without the site's host name directly before or after a title. */
const withoutAddress = (title: string, url: string): string => {
  const words = title.split(" ");
  if (words.length < 2) return title;
  if (isAddress(words[0] ?? "", url)) return words.slice(1).join(" ");
  return isAddress(words.at(-1) ?? "", url) ? words.slice(0, -1).join(" ") : title;
};

/** Without the site's name and a colon before a title. */
const withoutLabel = (title: string, site: Site): string => {
  const [label = title, ...rest] = title.split(/:\s+/);
  const after = title.slice(label.length).replace(/^:\s+/, "");
  return rest.length > 0 && isNameOf(label, site) && !isFrontPage(site.url) ? after : title;
};

export const isFrontPage = (url: string): boolean => (URL.parse(url)?.pathname ?? "/") === "/";

/** Whether a text is the name of the site, and not the title of its front page. */
export const isOnlySite = (text: string, site: Site): boolean =>
  isNameOf(text, site) && !isFrontPage(site.url);

/** What front pages call themselves. */
const HOME = /^(?:home(?: ?page)?|index|start|startseite|accueil|inicio)$/i;

/** Whether a front page only says that it is one; elsewhere these words may be a title. */
export const isHome = (title: string, { url }: Site): boolean => HOME.test(title) && isFrontPage(url);

/** Separators at both ends of a title from which a part is missing. */
export const EDGES = /^(?:[|–—•·»:/-]+\s+)+|(?:\s+[|–—•·»:/-]+)+$/g;

export const isSameText = (one: string, other: string): boolean => folded(one) === folded(other);

export const wordCount = (text: string): number => folded(text).split(" ").length;

/** With fewer words, a URL or a later heading is a name rather than another wording of a title. */
export const WORDING_WORDS_MIN = 3;

const withoutLast = (title: string, part: string): string =>
  title.slice(0, title.lastIndexOf(part)).replace(/[\s|–—•·»:-]+$/, "");

/** A longer last part of a title may belong to it. */
const SECTION_WORDS_MAX = 2;

/** Without the section of the site that stands between a title and the site's name. */
const withoutSection = (title: string): string => {
  const parts = title.split(SEPARATOR);
  const section = parts.at(-1) ?? "";
  const before = withoutLast(title, section);
  const isSection = parts.length > 1 && wordCount(section) <= SECTION_WORDS_MAX && !/\p{N}/u.test(section);
  return isSection && wordCount(before) >= WORDING_WORDS_MIN ? before : title;
};

/**
 * Sites append their names to titles, a few prepend them; the name of a front page is its title. `siteHeadings`:
 * those with the name of the site or the book.
 */
export const withoutSite = (
  title: string,
  site: Site,
  heading: string | undefined,
  siteHeadings: ReadonlyArray<string>
): string => {
  const parts = title.split(SEPARATOR);
  const [first = title] = parts;
  if (parts.length < 2) return withoutLabel(withoutAddress(title, site.url), site);
  if (heading !== undefined && isSameText(first, heading)) return first;
  const last = parts.at(-1) ?? "";
  const before = withoutLast(title, last);
  const after = title.slice(first.length).replace(/^[\s|–—•·»:-]+/, "");
  if (isHome(first, site)) return after;
  if (isNameOf(last, site)) return isFrontPage(site.url) ? before : withoutSection(before);
  if (isNameOf(first, site)) return isFrontPage(site.url) ? title : after;
  const isSite =
    isLongerName(last, site) ||
    (!isFrontPage(site.url) &&
      wordCount(before) >= WORDING_WORDS_MIN &&
      siteHeadings.some((each) => isSameText(last, each)));
  return isSite ? before : title;
};

/**
 * Cuts what follows the first ` | ` if it has at least two parts: sections and the site's name, which some headings
 * repeat. A single part may belong to the title. Titles that begin with the site's name are unchanged. Forums write
 * ` / `, which titles contain too, so that the site's name must be last.
 */
export const withoutTrail = (title: string, site: Site): string => {
  const [first = title, ...rest] = title.split(/\s+\|\s+/);
  if (rest.length > 1 && !isSameText(first, site.name ?? "")) return first;
  const [top = title, ...above] = title.split(/\s+\/\s+/);
  const last = above.at(-1) ?? "";
  return above.length > 1 && (isNameOf(last, site) || isLongerName(last, site)) ? top : title;
};
