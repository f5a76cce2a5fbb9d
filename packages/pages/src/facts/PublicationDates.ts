/**
 * When a page was published and changed: by its markup, then the words around its heading, its URL, and dates
 * elsewhere on it. Measured by bench/page-bylines.ts.
 */
import { DAY_MS } from "@winnow/core/domain/Durations";
import type { WrittenDate } from "@winnow/core/domain/source/StructuredData";
import type { NumericOrder } from "@winnow/core/domain/text/WrittenDays";
import type { Block } from "../select/blocks/Blocks.ts";
import { isLine, type Line } from "./HeadingLines.ts";
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

/** Words that mark a date as that of a change. */
const CHANGED = /\b(?:updated?|modified|edited|reviewed|revised)\b/i;
/** Dates of people, memberships and offers: "Born", "Member since". */
const OF_SOMETHING_ELSE =
  /^(?:(?:born|died|birth ?(?:day|date)|date of (?:birth|death)|deaths?|founded|established|expires?|joined|last (?:active|seen|visit)|member since|registered|valid|geboren|gestorben|geburts(?:tag|datum)|né(?:e)?|naissance|décès|nacid[oa]|nacimiento|fallecid[oa]|nat[oa]|nascita|morte|nascid[oa]|nascimento|geboortedatum|född|født|urodzon[ya]|narozen[aí]?|született|doğum)(?![\p{L}])|出生|生日|逝世|成立|誕生|生年月日|생년월일|출생|родил|дата рождения|родивс)/iu;

interface DatedLine {
  readonly day: string;
  readonly cost: number;
  readonly isOfChange: boolean;
}

/** Null without a day, or if the line or its label says that this is one of a person, for example. */
const datedLine = (
  { cost, label, text }: Pick<Line, "cost" | "label" | "text">,
  order: NumericOrder | null
): DatedLine | null => {
  const day = dateIn(text, order);
  if (day === null) return null;
  // A label with a day of its own speaks of that.
  const about = dateIn(label, order) === null ? label : "";
  return OF_SOMETHING_ELSE.test(text) || OF_SOMETHING_ELSE.test(about)
    ? null
    : { day, cost, isOfChange: CHANGED.test(`${about} ${text}`) };
};

/** Maximum length of a line that consists of a date and little else, in characters. */
const BARE_CHARS_MAX = 30;

/** Null if several lines of their own have different dates. */
const bareDate = (blocks: ReadonlyArray<Block>, order: NumericOrder | null): string | null => {
  const dated = blocks.flatMap(({ text }, at) => {
    const before = blocks[at - 1];
    const label = before !== undefined && isLine(before) ? before.text : "";
    return text.length <= BARE_CHARS_MAX ? (datedLine({ text, label, cost: 0 }, order) ?? []) : [];
  });
  const days = new Set(dated.filter(({ isOfChange }) => !isOfChange).map(({ day }) => day));
  const [only = null] = days;
  return days.size === 1 ? only : null;
};

export const bylineDates = (
  blocks: ReadonlyArray<Block>,
  lines: ReadonlyArray<Line>,
  language: string | null
): BylineDates => {
  const order = numericOrder(
    blocks.filter(isLine).map(({ text }) => text),
    language
  );
  const dated = lines
    .flatMap((line) => (line.isInText ? [] : (datedLine(line, order) ?? [])))
    .toSorted((one, other) => one.cost - other.cost);
  const first = dated.find(({ isOfChange }) => !isOfChange) ?? dated[0];
  return {
    date: first?.day ?? null,
    changed: dated.find(({ isOfChange }) => isOfChange)?.day ?? null,
    bareDate: first === undefined ? bareDate(blocks, order) : null
  };
};

interface DatedPage extends DescribedPage {
  readonly url: string;
  readonly byline: BylineDates;
}

/** Of meta elements, the most trusted first. */
const PUBLISHED_KEYS = (
  "article:published_time og:article:published_time datepublished date dc.date dc.date.issued dcterms.date " +
  "dcterms.created published-date publish-date publication_date publication-date article:published " +
  "article.published og:published_time parsely-pub-date sailthru.date citation_publication_date pubdate " +
  "publishdate video:release_date og:video:release_date uploaddate"
).split(" ");
const MODIFIED_KEYS =
  "article:modified_time og:updated_time datemodified last-modified dcterms.modified".split(" ");

const daysApart = (one: string, other: string): number =>
  Math.abs(Date.parse(dayDate(one).value) - Date.parse(dayDate(other).value)) / DAY_MS;

export const modifiedAt = (page: DatedPage): Sourced<WrittenDate> | null =>
  firstOf(
    [...candidatesOf(page, ["dateModified"], MODIFIED_KEYS), ...onPage([page.byline.changed])],
    writtenDate
  );

export const publishedAt = (page: DatedPage): Sourced<WrittenDate> | null => {
  const { byline, scan, url } = page;
  return firstOf(
    [
      ...candidatesOf(page, ["uploadDate", "datePublished"], PUBLISHED_KEYS),
      ...jsonLdCandidates(page, ["dateCreated"]),
      ...onPage([dateInPath(url), byline.date, ...scan.times, scan.scriptedDate, byline.bareDate])
    ],
    writtenDate
  );
};

/** If a URL path contains the day before or after an instant in UTC, it is the local date of the publisher. */
export const localDay = (published: WrittenDate | null, url: string): string | null => {
  const [day, inPath] = [dayOfDate(published), dateInPath(url)];
  if (day === null || inPath === null || !/(?:Z|\+00:00)$/.test(published?.value ?? "")) return day;
  return daysApart(day, inPath) <= 1 ? inPath : day;
};
