/**
 * What markup says about noise and content: the words sites use in class names, ids, roles and elements.
 * Retrain: train/train-page-text.ts. Tests: golden.test.ts.
 */
import type { PageElement } from "./PageTree.ts";

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Elements that start a new line. */
export const BLOCKS = setOf(
  "address article aside blockquote body br caption center dd details dialog div dl dt fieldset figcaption " +
    "figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup option p " +
    "pre search section summary table tbody td tfoot th thead tr ul"
);

/** Elements that never contain text of the page. */
export const NO_TEXT = setOf(
  "script style template svg math iframe object embed applet canvas audio video head input select " +
    "textarea datalist button map area noframes noembed xmp"
);

/** Those among them whose label may be the heading of what they expand. */
export const LABELS: ReadonlySet<string> = new Set(["button", "dialog", "map"]);

/** Whether nothing of an element is read. */
export const isTextless = ({ hidden, name }: PageElement): boolean =>
  hidden || (NO_TEXT.has(name) && !LABELS.has(name));

/** Elements that never contain main text. */
const NO_MAIN_TEXT = setOf("nav dialog form menu figcaption");

const NOISE_ROLES =
  /^(navigation|banner|contentinfo|complementary|dialog|alertdialog|menu|menubar|search|tablist|toolbar)$/;

/** Parts of names, delimited by word boundaries, `-` and `_`. */
const named = (parts: string): RegExp => new RegExp(`(^|[\\s_-])(${parts})($|[\\s_-])`, "i");

const NOISE_NAMES = named(
  [
    "comment(s|list|-list|-area)?|disqus|footer|foot|masthead|sidebar|side-bar|aside|nav(bar|igation)?|menu",
    "breadcrumbs?|share|sharing|social|addthis|related|recommend(ed|ations)?|more-(stories|from|on)",
    "read-?(more|next)|also-?(like|read)|newsletter|subscribe|subscription|sign-?up|promo(ted)?",
    "advert(isement)?s?|ads?|ad-?(slot|unit|container|wrapper)|sponsor(ed)?|banner|cookie(s|-banner|-consent)?",
    "consent|gdpr|popup|pop-up|modal|overlay|lightbox|paywall|toolbar|widget(s)?|tag-?(s|list|cloud)|taboola",
    "outbrain|trending|most-?(read|popular)|popular|caption|credit|byline|author-?(bio|box|info)?|meta",
    "post-?meta|entry-?meta|published|timestamp|skip-?link|visually-hidden|sr-only|screen-reader-text",
    "print-?only|hidden|pagination|pager|rating|utility|legal|copyright|correction-form|login",
    "search(-?(box|form|bar))?|jump|toc"
  ].join("|")
);

const CONTENT_NAMES = named(
  "articlebody|article-?body|story-?body|entry-content|post-?content|article-?content|post-?body"
);

/** "articleBody" as "article-Body". */
export const withHyphens = (names: string): string => names.replace(/([a-z])([A-Z])/g, "$1-$2");

/** Class, id and test id as words, with camel case split. */
export const nameWords = ({ attributes }: PageElement): string => {
  const { class: names = "", id = "", "data-testid": testId = "" } = attributes;
  if (names === "" && id === "" && testId === "") return "";
  return withHyphens(`${names} ${id} ${testId}`);
};

/** Marked as the article body by name. */
export const isNamedContent = (element: PageElement): boolean =>
  element.attributes["itemprop"] === "articleBody" || CONTENT_NAMES.test(nameWords(element));

/** Marked as the article body by name or element. */
export const isLandmark = (element: PageElement): boolean =>
  element.name === "article" || element.name === "main" || isNamedContent(element);

/** Certainly not main text, including everything inside. */
export const isExcluded = (element: PageElement): boolean =>
  NO_TEXT.has(element.name) ||
  NO_MAIN_TEXT.has(element.name) ||
  element.hidden ||
  NOISE_ROLES.test(element.attributes["role"] ?? "");

/** A header this near the root belongs to the site, deeper ones to an article. */
const SITE_HEADER_DEPTH_MAX = 8;

/** Noise by name, unless it contains most of the page. */
export const isSuspected = (element: PageElement, depth: number): boolean => {
  const { name } = element;
  if (name === "aside" || name === "footer") return true;
  if (name === "header" && depth < SITE_HEADER_DEPTH_MAX) return true;
  if (name === "body" || name === "html" || name === "article" || name === "main") return false;
  const words = nameWords(element);
  if (words === "") return false;
  return NOISE_NAMES.test(words) && !CONTENT_NAMES.test(words);
};
