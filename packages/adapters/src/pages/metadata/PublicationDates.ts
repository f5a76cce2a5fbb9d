/**
 * When a page was published and changed: by its markup, then the words around its heading, its URL, and dates
 * elsewhere on it.
 */
import type { WrittenDate } from "@winnow/core/domain/source/StructuredData";
import {
  type Candidate,
  candidatesOf,
  type DescribedPage,
  firstOf,
  jsonLdCandidates,
  type Sourced
} from "../tree/Candidates.ts";
import type { BylineDates } from "./BylineDates.ts";
import { dateInPath, dayOfDate, writtenDate } from "./PageDate.ts";
import { dayDate } from "./WrittenDates.ts";

export interface DatedPage extends DescribedPage {
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

const onPage = (texts: ReadonlyArray<string | null>): ReadonlyArray<Candidate> =>
  texts.flatMap((text): ReadonlyArray<Candidate> => (text === null ? [] : [["page", text]]));

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
    ...onPage([dateInPath(url), byline.date, byline.dateElsewhere, ...scan.times]),
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
