/**
 * The name of a site in titles of its pages: what it looks like, and titles without it. PageTitle decides between
 * titles. Measured by bench/page-bylines.ts. Tests: PageTitle.test.ts.
 */
import { folded, foldedWords } from "../parse/PlainText.ts";

/** Between a title and the name of the site: "Bread | Valley News"; a hyphen only with spaces around it. */
export const SEPARATOR = /\s+[|–—•·»:-]+\s+|\s*\|\s*/;

/** At both ends of a title from which a part is missing: "| Bread -". */
export const EDGES = /^(?:[|–—•·»:/-]+\s+)+|(?:\s+[|–—•·»:/-]+)+$/g;

export interface Site {
  readonly name: string | null;
  readonly url: string;
}

export const isSameText = (one: string, other: string): boolean => folded(one) === folded(other);

export const isFrontPage = (url: string): boolean => (URL.parse(url)?.pathname ?? "/") === "/";

const compact = (text: string): string => folded(text).replaceAll(" ", "");

const hostOf = (url: string): string => URL.parse(url)?.hostname ?? "";

/** Longest second-level label under which a registry sells names (`co.uk`, `com.au`), in characters. */
const REGISTRY_CHARS_MAX = 3;

/** The label chosen by the site's owner: `example` in www.example.com and shop.example.co.uk. */
const ownLabel = (url: string): string => {
  const labels = hostOf(url).split(".").slice(0, -1);
  const last = labels.at(-1) ?? "";
  return compact(last.length <= REGISTRY_CHARS_MAX ? (labels.at(-2) ?? last) : last);
};

/** Whether a text is the site's host name, such as `Example.com` on www.example.com. */
const isAddress = (text: string, url: string): boolean =>
  /^[\w-]+(?:\.[\w-]+)+$/.test(text) && `.${hostOf(url)}`.endsWith(`.${text.toLowerCase()}`);

const nameWords = (text: string): string => folded(text.replaceAll("&", " and "));

/** Whether a text is the name of the site, declared or as in its host name. */
export const isNameOf = (text: string, { name, url }: Site): boolean =>
  (name !== null && nameWords(text) === nameWords(name)) ||
  isAddress(text, url) ||
  (compact(text) !== "" && compact(text) === ownLabel(url));

/** Whether a text is only the name of the site, and not the title of its front page. */
export const isOnlySite = (text: string, site: Site): boolean =>
  isNameOf(text, site) && !isFrontPage(site.url);

/** With fewer letters, the host's label may be any word. */
const LABEL_CHARS_MIN = 4;
/** Words that may follow the host's label in a longer name: Miratal Baking Forum on miratal.test. */
const MORE_NAME_WORDS_MAX = 2;

const isLongerName = (text: string, { url }: Site): boolean => {
  const label = ownLabel(url);
  const words = foldedWords(text);
  const size = words.findIndex((_, at) => words.slice(0, at + 1).join("") === label) + 1;
  return label.length >= LABEL_CHARS_MIN && size > 0 && words.length <= size + MORE_NAME_WORDS_MAX;
};

/** With fewer words, a URL, a section or a later heading is a name rather than another wording of a title. */
const WORDING_WORDS_MIN = 3;

export const isShort = (text: string): boolean => foldedWords(text).length < WORDING_WORDS_MIN;

/** The separators above, a slash, and that of labels: "Bread / Recipes", "Recipe: Bread". */
const JOINTS = /\s+[|–—•·»:/-]+\s+|\s*\|\s*|:\s+/g;

/** What front pages call themselves; elsewhere it may be a title. */
const HOME = /^(?:home(?: ?page)?|index|start|startseite|accueil|inicio)$/i;

export const isHome = (text: string, { url }: Site): boolean => HOME.test(text) && isFrontPage(url);

/** The text before a joint, and what follows it. */
const cutAt = (title: string, joint: RegExpExecArray | undefined): readonly [string, string] =>
  joint === undefined
    ? [title, ""]
    : [title.slice(0, joint.index), title.slice(joint.index + joint[0].length)];

/**
 * Without what follows a second ` | `, and the site's name at the end or at the beginning; a front page is titled by its
 * site. `siteHeadings`: those with the name of the site or the book.
 */
export const withoutSite = (whole: string, site: Site, siteHeadings: ReadonlyArray<string>): string => {
  const [piece = whole, ...trail] = whole.split(/\s+\|\s+/);
  const title = trail.length > 1 && !isSameText(piece, site.name ?? "") ? piece : whole;
  const isFront = isFrontPage(site.url);
  const joints = [...title.matchAll(JOINTS)];
  const [first, after] = cutAt(title, joints[0]);
  const [before, last] = cutAt(title, joints.at(-1));
  if (isHome(first, site) && after !== "") return after;
  if (
    isNameOf(last, site) ||
    isLongerName(last, site) ||
    (!isFront && !isShort(before) && siteHeadings.some((each) => isSameText(last, each)))
  )
    return before;
  if (isFront) return title;
  if (isNameOf(first, site) && after !== "") return after;
  const words = title.split(" ");
  if (words.length > 1 && isAddress(words[0] ?? "", site.url)) return words.slice(1).join(" ");
  return words.length > 1 && isAddress(words.at(-1) ?? "", site.url) ? words.slice(0, -1).join(" ") : title;
};
