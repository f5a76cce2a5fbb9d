/**
 * Collects what a page states about itself, in one walk over its tree: meta elements, title, JSON-LD, addresses. Values
 * as written. The block model sees these; what only the facts of the page need is in facts/FactScan.ts. Retrain: train/train-page-text.ts.
 * Tests: PageMetadata.test.ts, Metadata.test.ts, Refresh.test.ts, golden.test.ts.
 */
import { isAdded } from "./AddedContent.ts";
import { type JsonLdGraph, parseJsonLd, readMicrodata } from "./JsonLd.ts";
import { NAME_CHARS_MAX } from "../PageLimits.ts";
import { type PageElement, rawTextOf, textOf, walk } from "./PageTree.ts";

export interface PageScan {
  /** Contents by lower-case `property`, `name` or `itemprop`, in document order. */
  readonly meta: ReadonlyMap<string, ReadonlyArray<string>>;
  readonly jsonLd: JsonLdGraph;
  /** Microdata, converted to the form of JSON-LD. */
  readonly microdata: JsonLdGraph;
  readonly title: string | null;
  readonly heading: string | null;
  readonly language: string | null;
  readonly baseHref: string | null;
  readonly canonicalHref: string | null;
  /** Content of the first refresh that holds where scripts run. */
  readonly refresh: string | null;
  /** JSON from which a framework renders the page. */
  readonly stateScripts: ReadonlyArray<string>;
}

interface Draft {
  readonly meta: Map<string, Array<string>>;
  readonly jsonLdSources: Array<string>;
  readonly stateScripts: Array<string>;
  title: string | null;
  heading: string | null;
  language: string | null;
  baseHref: string | null;
  canonicalHref: string | null;
  refresh: string | null;
}

/** The text inside, on one line. */
export const textWithin = (element: PageElement, charsMax = 4 * NAME_CHARS_MAX): string =>
  textOf(element, charsMax).replace(/\s+/g, " ").trim();

/** Whether an element stands where nothing takes effect in a browser that runs scripts. */
const isInert = ({ parent }: PageElement): boolean => {
  for (let above = parent; above !== null; above = above.parent)
    if (above.name === "noscript" || above.name === "template") return true;
  return false;
};

/** The first that is not empty. */
const keyOf = ({ attributes }: PageElement): string =>
  ["property", "name", "itemprop"]
    .map((name) => attributes[name]?.trim().toLowerCase() ?? "")
    .find((key) => key !== "") ?? "";

const readMeta = (element: PageElement, draft: Draft): void => {
  const { attributes } = element;
  if (/^\s*refresh\s*$/i.test(attributes["http-equiv"] ?? "") && !isInert(element))
    draft.refresh ??= attributes["content"] ?? null;
  const key = keyOf(element);
  const content = attributes["content"]?.trim() ?? "";
  if (key === "" || content === "" || (attributes["itemprop"] !== undefined && isAdded(element))) return;
  const contents = draft.meta.get(key);
  if (contents === undefined) draft.meta.set(key, [content]);
  else contents.push(content);
};

const readLink = ({ attributes }: PageElement, draft: Draft): void => {
  if (/(^|\s)canonical(\s|$)/i.test(attributes["rel"] ?? ""))
    draft.canonicalHref ??= attributes["href"] ?? null;
};

export const isJsonLd = ({ attributes }: PageElement): boolean => /ld\+json/i.test(attributes["type"] ?? "");

const readScript = (element: PageElement, draft: Draft): void => {
  if (isJsonLd(element)) draft.jsonLdSources.push(rawTextOf(element));
  else if (element.children.length > 0 && /^__(NEXT|NUXT)_DATA__$/.test(element.attributes["id"] ?? ""))
    draft.stateScripts.push(rawTextOf(element));
};

const READERS: Readonly<Record<string, (element: PageElement, draft: Draft) => void>> = {
  html: ({ attributes }, draft) =>
    void (draft.language ??= attributes["lang"] ?? attributes["xml:lang"] ?? null),
  base: ({ attributes }, draft) => void (draft.baseHref ??= attributes["href"] ?? null),
  title: (element, draft) => void (draft.title ??= textWithin(element) || null),
  h1: (element, draft) => {
    if (!element.hidden) draft.heading ??= textWithin(element) || null;
  },
  meta: readMeta,
  link: readLink,
  script: readScript
};

/** `visit` sees each element too, with the document's title if that stands before it. */
export const scanPage = (
  root: PageElement,
  visit: (element: PageElement, title: string | null) => void = () => {}
): PageScan => {
  const draft: Draft = {
    meta: new Map(),
    jsonLdSources: [],
    title: null,
    heading: null,
    language: null,
    baseHref: null,
    canonicalHref: null,
    refresh: null,
    stateScripts: []
  };
  walk(root, (element) => {
    // In SVG, `title` and other elements have another meaning.
    if (element.name === "svg") return false;
    if (Object.hasOwn(READERS, element.name)) READERS[element.name]?.(element, draft);
    visit(element, draft.title);
    return true;
  });
  return { ...draft, jsonLd: parseJsonLd(draft.jsonLdSources), microdata: readMicrodata(root) };
};
