/**
 * Collects what the markup of a page states, in one walk over its tree: meta elements, title, headings, media
 * elements, JSON-LD. Values as written; Metadata, Media and PageKind interpret them.
 */
import { isAdded, isMarkedAuthor, isOfAnother } from "./AuthorMarks.ts";
import { type Heading, headingOf, isInContent } from "./HeadingText.ts";
import { type JsonLdGraph, parseJsonLd, readMicrodata } from "./JsonLd.ts";
import { NAME_CHARS_MAX } from "../PageLimits.ts";
import { type PageElement, rawTextOf, textOf, walk } from "./PageTree.ts";

export interface VideoElement {
  /** `src` of the element and of its `source` children, in order. */
  readonly sources: ReadonlyArray<string>;
  readonly poster: string | null;
  readonly tracks: ReadonlyArray<{
    readonly language: string | null;
    readonly label: string;
    readonly src: string;
  }>;
  /** Autoplays, muted, in a loop, without controls: decoration more often than content. */
  readonly decorative: boolean;
}

export interface PageScan {
  /** Contents by lower-case `property`, `name` or `itemprop`, in document order. */
  readonly meta: ReadonlyMap<string, ReadonlyArray<string>>;
  readonly jsonLd: JsonLdGraph;
  /** Microdata, converted to the form of JSON-LD. */
  readonly microdata: JsonLdGraph;
  readonly title: string | null;
  readonly heading: string | null;
  /** All first-level headings, in order. */
  readonly headings: ReadonlyArray<Heading>;
  /** The first second-level heading of the content. */
  readonly subheading: string | null;
  readonly language: string | null;
  readonly baseHref: string | null;
  readonly canonicalHref: string | null;
  /** Content of the first refresh that holds where scripts run. */
  readonly refresh: string | null;
  /** Text of elements marked as the author. */
  readonly bylines: ReadonlyArray<string>;
  /** `datetime` of time elements, then text of elements marked as the date. */
  readonly times: ReadonlyArray<string>;
  readonly videos: ReadonlyArray<VideoElement>;
  readonly frameUrls: ReadonlyArray<string>;
  /** URLs of images inside figures. */
  readonly figureImages: ReadonlyArray<string>;
  readonly passwordFieldCount: number;
  /** Inline scripts that set up a JW player. */
  readonly playerScripts: ReadonlyArray<string>;
  /** JSON from which a framework renders the page. */
  readonly stateScripts: ReadonlyArray<string>;
  /** Publication date in the first inline script that states it. */
  readonly scriptedDate: string | null;
}

interface Draft {
  readonly meta: Map<string, Array<string>>;
  readonly jsonLdSources: Array<string>;
  readonly headings: Array<Heading>;
  readonly bylines: Array<string>;
  readonly times: Array<string>;
  readonly videos: Array<VideoElement>;
  readonly frameUrls: Array<string>;
  readonly figureImages: Array<string>;
  readonly playerScripts: Array<string>;
  readonly stateScripts: Array<string>;
  scriptedDate: string | null;
  title: string | null;
  heading: string | null;
  subheading: string | null;
  language: string | null;
  baseHref: string | null;
  canonicalHref: string | null;
  refresh: string | null;
  passwordFieldCount: number;
}

const textWithin = (element: PageElement, charsMax = 4 * NAME_CHARS_MAX): string =>
  textOf(element, charsMax).replace(/\s+/g, " ").trim();

/** The URL of an image, even if a script is to load it later. */
const imageSource = ({ attributes }: PageElement): string | null => {
  const later = attributes["data-src"] ?? attributes["data-original"] ?? attributes["data-lazy-src"];
  const now = attributes["src"];
  return later ?? (now === undefined || now.startsWith("data:") ? null : now);
};

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

const SCRIPTED_DATE =
  /\\?"(?:datePublished|date_published|publishedAt|published_at|publishedDate|publishDate|publish_date|publicationDate|firstPublished(?:At|Date)?|pubDate)\\?"\s*:\s*\\?"(\d{4}-\d\d-\d\d)/i;

/** The state of a component in an attribute, as some frameworks store it. */
const STATE_CHARS_MIN = 100;

const readState = ({ attributes }: PageElement, draft: Draft): void => {
  if (draft.scriptedDate !== null) return;
  for (const value of Object.values(attributes))
    if (value.length >= STATE_CHARS_MIN) draft.scriptedDate ??= SCRIPTED_DATE.exec(value)?.[1] ?? null;
};

const readScript = (element: PageElement, draft: Draft): void => {
  const type = element.attributes["type"] ?? "";
  if (/ld\+json/i.test(type)) draft.jsonLdSources.push(rawTextOf(element));
  else if (element.children.length > 0) {
    const source = rawTextOf(element);
    if (/^__(NEXT|NUXT)_DATA__$/.test(element.attributes["id"] ?? "")) draft.stateScripts.push(source);
    draft.scriptedDate ??= SCRIPTED_DATE.exec(source)?.[1] ?? null;
    if (/\bjwplayer\s*\([^)]{0,100}\)\s*\.\s*setup\s*\(/.test(source)) draft.playerScripts.push(source);
  }
};

const readVideo = (element: PageElement, draft: Draft): void => {
  const { attributes } = element;
  const sources: Array<string | undefined> = [attributes["src"]];
  const tracks: Array<VideoElement["tracks"][number]> = [];
  walk(element, ({ attributes: inner, name }) => {
    if (name === "source") sources.push(inner["src"]);
    const isText = /^(subtitles|captions)?$/i.test(inner["kind"]?.trim() ?? "");
    if (name === "track" && isText && inner["src"])
      tracks.push({ language: inner["srclang"] ?? null, label: inner["label"] ?? "", src: inner["src"] });
  });
  draft.videos.push({
    sources: sources.filter((source): source is string => source !== undefined && source.trim() !== ""),
    poster: attributes["poster"] ?? null,
    tracks,
    decorative:
      "autoplay" in attributes && "muted" in attributes && "loop" in attributes && !("controls" in attributes)
  });
};

const readFigure = (element: PageElement, draft: Draft): void => {
  walk(element, (inner) => {
    const source = inner.name === "img" ? imageSource(inner) : null;
    if (source !== null) draft.figureImages.push(source);
  });
};

const READERS: Readonly<Record<string, (element: PageElement, draft: Draft) => void>> = {
  html: ({ attributes }, draft) =>
    void (draft.language ??= attributes["lang"] ?? attributes["xml:lang"] ?? null),
  base: ({ attributes }, draft) => void (draft.baseHref ??= attributes["href"] ?? null),
  title: (element, draft) => void (draft.title ??= textWithin(element) || null),
  h1: (element, draft) => {
    if (!element.hidden) draft.heading ??= textWithin(element) || null;
    const heading = draft.headings.length < HEADINGS_MAX ? headingOf(element) : null;
    if (heading !== null) draft.headings.push(heading);
  },
  h2: (element, draft) => {
    const heading = draft.subheading === null && isInContent(element) ? headingOf(element) : null;
    if (heading !== null && !heading.isKicker) draft.subheading = heading.text;
  },
  meta: readMeta,
  link: readLink,
  script: readScript,
  video: readVideo,
  figure: readFigure,
  iframe: ({ attributes }, draft) => {
    const url = attributes["src"] ?? attributes["data-src"];
    if (url !== undefined) draft.frameUrls.push(url);
  },
  input: ({ attributes }, draft) => {
    if (attributes["type"]?.toLowerCase() === "password") draft.passwordFieldCount += 1;
  }
};

const BIRTH_MARK = /(?:^|[\s_-])(?:bday|birth-?(?:date|day)|death-?date|dday)(?:[\s_-]|$)/i;
/** Whether an element is marked as the date of a birth or death. */
export const isLifeDate = ({ attributes }: PageElement): boolean =>
  BIRTH_MARK.test(`${attributes["class"] ?? ""} ${attributes["itemprop"] ?? ""}`);

const DATE_CLASS = /date|published|timestamp|posted-on/i;
const MARK_CHARS_MAX = 120;
/** Maximum first-level headings stored; a page has one or two. */
const HEADINGS_MAX = 10;

/** Markers that any element may have. */
const readMarks = (element: PageElement, draft: Draft): void => {
  const { attributes, name } = element;
  const itemprop = attributes["itemprop"] ?? "";
  const className = attributes["class"] ?? "";
  const isAuthor = name !== "meta" && itemprop === "author" && !isAdded(element);
  if ((isAuthor || isMarkedAuthor(element)) && !isOfAnother(element, draft.title)) {
    const text = textWithin(element, 4 * MARK_CHARS_MAX);
    if (text !== "" && text.length <= MARK_CHARS_MAX) draft.bylines.push(text);
  }
  if (isLifeDate(element)) return;
  if (name === "time" && attributes["datetime"]) draft.times.push(attributes["datetime"]);
  else if (name === "time" || itemprop === "datePublished" || DATE_CLASS.test(className)) {
    const text = textWithin(element, 4 * MARK_CHARS_MAX);
    if (text !== "" && text.length <= MARK_CHARS_MAX) draft.times.push(text);
  }
};

export const scanPage = (root: PageElement): PageScan => {
  const draft: Draft = {
    meta: new Map(),
    jsonLdSources: [],
    title: null,
    heading: null,
    language: null,
    baseHref: null,
    canonicalHref: null,
    refresh: null,
    headings: [],
    subheading: null,
    bylines: [],
    times: [],
    videos: [],
    frameUrls: [],
    figureImages: [],
    passwordFieldCount: 0,
    playerScripts: [],
    stateScripts: [],
    scriptedDate: null
  };
  walk(root, (element) => {
    // In SVG, `title` and other elements have another meaning.
    if (element.name === "svg") return false;
    if (Object.hasOwn(READERS, element.name)) READERS[element.name]?.(element, draft);
    readMarks(element, draft);
    readState(element, draft);
    return true;
  });
  return { ...draft, jsonLd: parseJsonLd(draft.jsonLdSources), microdata: readMicrodata(root) };
};
