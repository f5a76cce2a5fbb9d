/**
 * When a page was published and changed: by its markup, then the words around its heading, its URL, and dates
 * elsewhere on it.
 */
import type { WrittenDate } from "@winnow/core/domain/source/StructuredData";
import type { NumericOrder } from "@winnow/core/domain/text/WrittenDays";
import { type Block, regionsOf } from "../select/blocks/Blocks.ts";
import { isLifeDate } from "./FactScan.ts";
import { dateIn, dateInPath, dayDate, dayOfDate, numericOrder, writtenDate } from "./PageDate.ts";
import {
  candidatesOf,
  type DescribedPage,
  firstOf,
  jsonLdCandidates,
  onPage,
  type Sourced
} from "./Candidates.ts";

/** The date in the words around a heading, as shown to readers. */
export interface BylineDates {
  /** YYYYMMDD, from the lines around the heading. */
  readonly date: string | null;
  /** If those lines have none: the only date on a line of its own, anywhere. */
  readonly bareDate: string | null;
  /** YYYYMMDD of the last change, according to those lines. */
  readonly changed: string | null;
}

export const LINE_CHARS_MAX = 120;

/** How lines are counted, starting from the heading. */
export interface Direction {
  /** The cost of one line of distance. */
  readonly step: number;
  /** Position of the preceding line on the page. */
  readonly toLabel: -1 | 1;
}

export const FORWARD: Direction = { step: 1, toLabel: -1 };
/** Menus and breadcrumbs come before the heading. */
export const BACKWARD: Direction = { step: 3, toLabel: 1 };

export const isLine = ({ text }: Block): boolean => text.length <= LINE_CHARS_MAX;

/** Words that mark a date as that of a change. */
const CHANGED = /\b(?:updated?|modified|edited|reviewed|revised)\b/i;
/** Dates of people, memberships and offers. */
const OF_SOMETHING_ELSE =
  /^(?:(?:born|died|birth ?(?:day|date)|date of (?:birth|death)|deaths?|founded|established|expires?|joined|last (?:active|seen|visit)|member since|registered|valid|geboren|gestorben|geburts(?:tag|datum)|né(?:e)?|naissance|décès|nacid[oa]|nacimiento|fallecid[oa]|nat[oa]|nascita|morte|nascid[oa]|nascimento|geboortedatum|född|født|urodzon[ya]|narozen[aí]?|született|doğum)(?![\p{L}])|出生|生日|逝世|成立|誕生|生年月日|생년월일|출생|родил|дата рождения|родивс)/iu;
/** Earlier days are in what pages tell. */
const FIRST_DAY = "19900101";

/** How many ancestors of the text are searched for a `time` element. */
const TIME_DEPTH = 3;

/** The machine-readable date of a line. */
const machineDay = (block: Block): string | null => {
  const above = regionsOf(block).slice(0, TIME_DEPTH);
  const marked = above.find(({ element }) => element.name === "time" || isLifeDate(element))?.element;
  return marked === undefined || isLifeDate(marked) ? null : dateIn(marked.attributes["datetime"]);
};

/** The visible date takes precedence over the machine-readable one, which may be in another time zone. */
const dayOf = (block: Block, order: NumericOrder | null): string | null => {
  if (OF_SOMETHING_ELSE.test(block.text)) return null;
  const day = dateIn(block.text, order) ?? machineDay(block);
  return day !== null && day < FIRST_DAY ? null : day;
};

/** Whether the line before says that the date is one of a person, for example. */
const isOfSomethingElse = (label: Block | undefined, order: NumericOrder | null): boolean =>
  label !== undefined && OF_SOMETHING_ELSE.test(label.text) && dateIn(label.text, order) === null;

interface DatedLine {
  readonly day: string;
  readonly cost: number;
  readonly isOfChange: boolean;
}

/** A label may be on the previous line. */
const datedLines = (
  lines: ReadonlyArray<Block>,
  order: NumericOrder | null,
  { step, toLabel }: Direction
): ReadonlyArray<DatedLine> =>
  lines.flatMap((block, at) => {
    const day = dayOf(block, order);
    if (day === null) return [];
    const label = lines[at + toLabel];
    if (isOfSomethingElse(label, order)) return [];
    const isLabelled = label !== undefined && CHANGED.test(label.text) && dayOf(label, order) === null;
    return [{ day, cost: step * (at + 1), isOfChange: isLabelled || CHANGED.test(block.text) }];
  });

/** Maximum length of a line that consists of a date and little else, in characters. */
const BARE_CHARS_MAX = 30;

/** Null if several lines of their own have different dates. */
const bareDate = (blocks: ReadonlyArray<Block>, order: NumericOrder | null): string | null => {
  const days = blocks.flatMap((block, at) =>
    block.text.length <= BARE_CHARS_MAX &&
    /\d/.test(block.text) &&
    !CHANGED.test(block.text) &&
    !isOfSomethingElse(blocks[at - 1], order)
      ? (dayOf(block, order) ?? [])
      : []
  );
  return new Set(days).size === 1 ? (days[0] ?? null) : null;
};

/** After this many paragraphs, the text has begun; dates in it are part of the content. */
const PARAGRAPHS_MAX = 3;

/** The lines between the heading and the text. */
export const beforeText = (after: ReadonlyArray<Block>): ReadonlyArray<Block> => {
  const paragraphs = after.flatMap((block, at) => (block.isProse && !isLine(block) ? [at] : []));
  return after.slice(0, paragraphs[PARAGRAPHS_MAX - 1] ?? after.length).filter(isLine);
};

/** `around`: the lines after the heading and those before it, nearest first. */
export const bylineDates = (
  blocks: ReadonlyArray<Block>,
  around: Readonly<Record<"after" | "before", ReadonlyArray<Block>>>,
  language: string | null
): BylineDates => {
  const order = numericOrder(
    blocks.filter(isLine).map(({ text }) => text),
    language
  );
  const lines = [
    ...datedLines(around.after, order, FORWARD),
    ...datedLines(around.before, order, BACKWARD)
  ].toSorted((one, other) => one.cost - other.cost);
  const first = lines.find(({ isOfChange }) => !isOfChange) ?? lines[0];
  return {
    date: first?.day ?? null,
    changed: lines.find(({ isOfChange }) => isOfChange)?.day ?? null,
    bareDate: first === undefined ? bareDate(blocks, order) : null
  };
};

interface DatedPage extends DescribedPage {
  readonly url: string;
  readonly byline: BylineDates;
}

const PUBLISHED_KEYS = [
  "article:published_time",
  "og:article:published_time",
  "datepublished",
  "date",
  "dc.date",
  "dc.date.issued",
  "dcterms.date",
  "dcterms.created",
  "published-date",
  "publish-date",
  "publication_date",
  "publication-date",
  "article:published",
  "article.published",
  "og:published_time",
  "parsely-pub-date",
  "sailthru.date",
  "citation_publication_date",
  "pubdate",
  "publishdate",
  "video:release_date",
  "og:video:release_date",
  "uploaddate"
];

const MODIFIED_KEYS = [
  "article:modified_time",
  "og:updated_time",
  "datemodified",
  "last-modified",
  "dcterms.modified"
];

const DAY_MS = 86_400_000;

const daysApart = (one: string, other: string): number =>
  Math.abs(Date.parse(dayDate(one).value) - Date.parse(dayDate(other).value)) / DAY_MS;

export const modifiedAt = (page: DatedPage): Sourced<WrittenDate> | null =>
  firstOf(
    [...candidatesOf(page, ["dateModified"], MODIFIED_KEYS), ...onPage([page.byline.changed])],
    writtenDate
  );

/** A full date takes precedence over a month or year, wherever they are. */
export const publishedAt = (page: DatedPage): Sourced<WrittenDate> | null => {
  const { byline, scan, url } = page;
  const candidates = [
    ...candidatesOf(page, ["uploadDate", "datePublished"], PUBLISHED_KEYS),
    ...jsonLdCandidates(page, ["dateCreated"]),
    ...onPage([dateInPath(url), byline.date, ...scan.times]),
    ...onPage([scan.scriptedDate, byline.bareDate])
  ];
  const ofDay = (text: string): WrittenDate | null => {
    const date = writtenDate(text);
    return dayOfDate(date) === null ? null : date;
  };
  return firstOf(candidates, ofDay) ?? firstOf(candidates, writtenDate);
};

/** If a URL path contains the day before or after an instant in UTC, it is the local date of the publisher. */
export const localDay = (published: WrittenDate | null, url: string): string | null => {
  const [day, inPath] = [dayOfDate(published), dateInPath(url)];
  if (day === null || inPath === null || !/(?:Z|\+00:00)$/.test(published?.value ?? "")) return day;
  return daysApart(day, inPath) <= 1 ? inPath : day;
};
