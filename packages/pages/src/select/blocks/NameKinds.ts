/**
 * What the names of elements say about them: words of class, id, role and similar attributes, and the elements
 * themselves, classified into kinds. Features for the block model, not decisions. Retrain: train/train-page-text.ts. Tests: golden.test.ts.
 */
import { withHyphens } from "../../parse/NoiseRules.ts";
import type { PageElement } from "../../parse/PageTree.ts";

/** Words by kind; the order is part of the block model, so new kinds must be appended. */
const WORDS: ReadonlyArray<string> = [
  "nav navbar navigation menu submenu megamenu dropdown topbar toolbar navmenu",
  "breadcrumb breadcrumbs crumb crumbs",
  "header head masthead hero banner top",
  "footer foot colophon copyright legal bottom",
  "sidebar aside side rail secondary complementary",
  "comment comments commentlist disqus respond discussion",
  "related recommended recommendations recommendation similar more also trending popular latest recent upsell next prev previous",
  "share sharing social follow facebook twitter addtoany sharedaddy whatsapp linkedin",
  "promo promotion ad ads advert advertisement sponsored sponsor newsletter subscribe subscription signup cta campaign optin",
  "cookie cookies consent gdpr onetrust privacy",
  "modal popup overlay lightbox dialog drawer offcanvas tooltip flyout toast notification alert",
  "meta byline author date published timestamp posted bio time",
  "tag tags category categories topic topics badge label labels",
  "caption credit figcaption",
  "sr visually hidden offscreen screenreader screen noprint",
  "pagination pager paging paginate loadmore",
  "filter filters facet facets refine sort search form input",
  "login signin account auth cart checkout wishlist minicart bag",
  "toc contents jump",
  "content body article entry story text prose markdown rte richtext main copy",
  "title heading headline name",
  "description desc summary excerpt intro lead subtitle teaser abstract",
  "price prices amount sale cost money",
  "product products pdp sku variant swatch option options",
  "card item items tile grid list listing result results row col",
  "review reviews rating ratings stars testimonial testimonials",
  "reply replies message thread post posts quote signature bbwrapper",
  "user profile member avatar username",
  "faq accordion tab tabs panel question answer collapse collapsible",
  "widget module block section container wrapper",
  "spec specs specification specifications table attributes features feature ingredients details detail"
];

const ELEMENTS: ReadonlyArray<string> = [
  "article",
  "main",
  "nav",
  "header",
  "footer",
  "aside",
  "form",
  "table",
  "ul ol dl",
  "figure",
  "blockquote",
  "pre code",
  "section",
  "dialog",
  "a",
  "details",
  "button label"
];

const ROLES: Readonly<Record<string, string>> = {
  main: "main",
  navigation: "nav",
  menu: "nav",
  menubar: "nav",
  banner: "header",
  contentinfo: "footer",
  complementary: "aside",
  search: "form",
  dialog: "dialog",
  alertdialog: "dialog",
  article: "article",
  list: "ul",
  button: "button"
};

export const KIND_COUNT = WORDS.length + ELEMENTS.length;

const indexed = (lists: ReadonlyArray<string>, offset: number): ReadonlyMap<string, number> =>
  new Map(lists.flatMap((list, index) => list.split(" ").map((word) => [word, offset + index] as const)));

const KIND_BY_WORD = indexed(WORDS, 0);
const KIND_BY_ELEMENT = indexed(ELEMENTS, WORDS.length);

/** Longer names are generated. */
const NAMES_CHARS_MAX = 400;

const NONE: ReadonlyArray<number> = [];

const kindsOfNames = (names: string): ReadonlyArray<number> => {
  const kinds = new Set<number>();
  const words = withHyphens(names.slice(0, NAMES_CHARS_MAX))
    .toLowerCase()
    .split(/[^a-z]+/);
  for (const word of words) {
    const kind = KIND_BY_WORD.get(word);
    if (kind !== undefined) kinds.add(kind);
  }
  return kinds.size === 0 ? NONE : [...kinds];
};

/** Classifies elements of one page; pages repeat the same names many times. */
export class NameKinds {
  private readonly known = new Map<string, ReadonlyArray<number>>();

  of({ attributes, name }: PageElement): ReadonlyArray<number> {
    const names = `${attributes["class"] ?? ""} ${attributes["id"] ?? ""} ${attributes["data-testid"] ?? ""} ${attributes["itemprop"] ?? ""}`;
    let kinds = this.known.get(names);
    if (kinds === undefined) this.known.set(names, (kinds = kindsOfNames(names)));
    const role = attributes["role"];
    const element = KIND_BY_ELEMENT.get(ROLES[role ?? ""] ?? name);
    return element === undefined ? kinds : [...kinds, element];
  }
}
