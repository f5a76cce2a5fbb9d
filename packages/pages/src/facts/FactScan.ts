/**
 * Collects what the markup of a page offers for its facts, in the walk of PageScan: headings, marked authors and dates,
 * media elements, scripts of players. Values as written; PageTitle, PageAuthor, PublicationDates and PageKind interpret
 * them. The block model sees nothing of it. Tests: PageMetadata.test.ts, PublicationDates.test.ts, Media.test.ts.
 */
import { isMarkedAuthor, isOfAnother } from "./AuthorMarks.ts";
import { type Heading, headingOf } from "./HeadingText.ts";
import { isAdded } from "../parse/AddedContent.ts";
import { isJsonLd, type PageScan, scanPage, textWithin } from "../parse/PageScan.ts";
import { type PageElement, rawTextOf, walk } from "../parse/PageTree.ts";

interface VideoElement {
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

interface Marks {
  /** All first-level headings, in order. */
  readonly headings: ReadonlyArray<Heading>;
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
  /** Publication date in the first inline script that states it. */
  readonly scriptedDate: string | null;
}

export type FactScan = PageScan & Marks;

type Draft = {
  -readonly [Key in keyof Marks]: Marks[Key] extends ReadonlyArray<infer Each> ? Array<Each> : Marks[Key];
};

/** The URL of an image, even if a script is to load it later. */
const imageSource = ({ attributes }: PageElement): string | null => {
  const later = attributes["data-src"] ?? attributes["data-original"] ?? attributes["data-lazy-src"];
  const now = attributes["src"];
  return later ?? (now === undefined || now.startsWith("data:") ? null : now);
};

/** `"datePublished":"2025-03-04"`, also within a string, with `\"`. */
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
  if (isJsonLd(element)) return;
  const source = rawTextOf(element);
  draft.scriptedDate ??= SCRIPTED_DATE.exec(source)?.[1] ?? null;
  if (/\bjwplayer\s*\([^)]{0,100}\)\s*\.\s*setup\s*\(/.test(source)) draft.playerScripts.push(source);
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

/** Maximum first-level headings stored; a page has one or two. */
const HEADINGS_MAX = 10;

const READERS: Readonly<Record<string, (element: PageElement, draft: Draft) => void>> = {
  h1: (element, draft) => {
    const heading = draft.headings.length < HEADINGS_MAX ? headingOf(element) : null;
    if (heading !== null) draft.headings.push(heading);
  },
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
const isLifeDate = ({ attributes }: PageElement): boolean =>
  BIRTH_MARK.test(`${attributes["class"] ?? ""} ${attributes["itemprop"] ?? ""}`);

const DATE_CLASS = /date|published|timestamp|posted-on/i;
const MARK_CHARS_MAX = 120;
/** Markers that any element may have. */
const readMarks = (element: PageElement, draft: Draft, title: string | null): void => {
  const { attributes, name } = element;
  const itemprop = attributes["itemprop"] ?? "";
  const className = attributes["class"] ?? "";
  const isAuthor = name !== "meta" && itemprop === "author" && !isAdded(element);
  if ((isAuthor || isMarkedAuthor(element)) && !isOfAnother(element, title)) {
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

export const scanFacts = (root: PageElement): FactScan => {
  const draft: Draft = {
    headings: [],
    bylines: [],
    times: [],
    videos: [],
    frameUrls: [],
    figureImages: [],
    passwordFieldCount: 0,
    playerScripts: [],
    scriptedDate: null
  };
  const scan = scanPage(root, (element, title) => {
    if (Object.hasOwn(READERS, element.name)) READERS[element.name]?.(element, draft);
    readMarks(element, draft, title);
    readState(element, draft);
  });
  return { ...scan, ...draft };
};
