/**
 * What a page says about itself, each field from the first place that gives it: JSON-LD, Open Graph, microdata, meta
 * elements, then the words and the address of the page.
 */
import { cleanText } from "@winnow/core/domain/CleanText";
import type { MetadataOrigin, SourceDetails } from "@winnow/core/domain/SourceMetadata";
import type { WrittenDate } from "@winnow/core/domain/StructuredData";
import { resolver, type Resolve } from "./Address.ts";
import {
  type Candidate,
  candidatesOf,
  type DescribedPage,
  firstOf,
  jsonLdCandidates,
  metaCandidates,
  type Sourced
} from "./Candidates.ts";
import { stringsOf, typesOf } from "./JsonLd.ts";
import { languageTag } from "./Language.ts";
import { pageAuthor, siteNameOf } from "./PageAuthor.ts";
import { dateInPath, dayOfDate, writtenDate } from "./PageDate.ts";
import { DESCRIPTION_CHARS_MAX } from "./PageLimits.ts";
import { durationSeconds } from "./PageNumber.ts";
import type { PageReading } from "./PageReading.ts";
import { type PageCounts, pageCounts } from "./PageCounts.ts";
import { pageTags } from "./PageTags.ts";
import { pageTitle } from "./PageTitle.ts";
import { cut, decoded, tidyLines } from "./PlainText.ts";
import { structuredData } from "./structured/StructuredData.ts";
import { dayDate } from "./WrittenDates.ts";

export type Metadata = Omit<
  PageReading,
  | "kind"
  | "text"
  | "markdown"
  | "textConfidence"
  | "wholePage"
  | "pageCount"
  | "links"
  | "images"
  | "videoUrls"
  | "subtitles"
  | "loginWall"
  | "needsBrowser"
>;

export interface MetadataInput extends DescribedPage {
  readonly url: string;
  /** As the words around the heading say. */
  readonly byline: string | null;
  readonly publishedTime: string | null;
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

const DAY_MS = 86_400_000;

const MODIFIED_KEYS = [
  "article:modified_time",
  "og:updated_time",
  "datemodified",
  "last-modified",
  "dcterms.modified"
];

const onPage = (texts: ReadonlyArray<string | null>): ReadonlyArray<Candidate> =>
  texts.flatMap((text): ReadonlyArray<Candidate> => (text === null ? [] : [["page", text]]));

const valueOf = <A>(sourced: Sourced<A> | null): A | null => sourced?.value ?? null;

const modifiedAt = (input: MetadataInput): Sourced<WrittenDate> | null =>
  firstOf(candidatesOf(input, ["dateModified"], MODIFIED_KEYS), writtenDate);

/**
 * Some systems write the day of the last change, or a later one, as that of publication: an earlier day beside the
 * heading is the one that readers are told.
 */
const isOfLastChange = (found: Sourced<WrittenDate> | null, input: MetadataInput): boolean => {
  const [published, modified] = [found?.value ?? null, valueOf(modifiedAt(input))].map(dayOfDate);
  const { publishedTime } = input;
  return (
    found?.origin !== "page" &&
    publishedTime !== null &&
    published != null &&
    modified != null &&
    published >= modified &&
    publishedTime < published
  );
};

/** A day before a month or year alone, wherever they stand. */
const publishedAt = (input: MetadataInput): Sourced<WrittenDate> | null => {
  const { publishedTime, scan, url } = input;
  const candidates = [
    ...candidatesOf(input, ["uploadDate", "datePublished"], PUBLISHED_KEYS),
    ...jsonLdCandidates(input, ["dateCreated"]),
    ...onPage([...scan.times, publishedTime, scan.scriptedDate, dateInPath(url)])
  ];
  const ofDay = (text: string): WrittenDate | null => {
    const date = writtenDate(text);
    return dayOfDate(date) === null ? null : date;
  };
  const found = firstOf(candidates, ofDay) ?? firstOf(candidates, writtenDate);
  return isOfLastChange(found, input) ? firstOf(onPage([publishedTime]), ofDay) : found;
};

const description = (input: MetadataInput): Sourced<string> | null =>
  firstOf(
    candidatesOf(input, ["description"], ["og:description", "description", "twitter:description"]),
    (text) => cut(tidyLines(cleanText(decoded(text))), DESCRIPTION_CHARS_MAX) || null
  );

const thumbnail = (input: MetadataInput, resolve: Resolve): string | null => {
  const { entities, scan } = input;
  const images = ["thumbnailUrl", "thumbnail", "image"].flatMap((key) =>
    entities.flatMap((entity) => stringsOf(scan.jsonLd, entity, key, ["url", "contentUrl", "@id"]))
  );
  const shared = metaCandidates(scan, [
    "og:image:secure_url",
    "og:image",
    "og:image:url",
    "twitter:image",
    "twitter:image:src"
  ]).map(([, address]) => address);
  const all = [...shared, ...images, ...scan.videos.map(({ poster }) => poster)];
  return all.map(resolve).find((address) => address !== null) ?? null;
};

/** The language of the document goes before that of sharing it, which is often left at its default. */
const language = (input: MetadataInput): Sourced<string> | null =>
  firstOf(
    [
      ...jsonLdCandidates(input, ["inLanguage"]),
      ...onPage([input.scan.language]),
      ...metaCandidates(input.scan, ["og:locale", "content-language", "language", "dc.language"])
    ],
    languageTag
  );

const canonical = ({ scan }: MetadataInput, resolve: Resolve): Sourced<string> | null =>
  firstOf([["meta", scan.canonicalHref ?? ""], ...metaCandidates(scan, ["og:url"])], resolve);

const duration = ({ entities, scan }: MetadataInput): number | null => {
  const ofVideo = entities.filter((entity) => typesOf(entity).includes("VideoObject"));
  const durations = ofVideo.flatMap((entity) => stringsOf(scan.jsonLd, entity, "duration"));
  const shared = metaCandidates(scan, ["og:video:duration", "video:duration", "duration"]);
  const all = [...durations, ...shared.map(([, seconds]) => seconds)];
  return all.map(durationSeconds).find((seconds) => seconds !== null) ?? null;
};

/** A path that names the day after or before an instant in UTC names the day of those who published it. */
const localDay = (published: WrittenDate | null, url: string): string | null => {
  const [day, inPath] = [dayOfDate(published), dateInPath(url)];
  if (day === null || inPath === null || !/(?:Z|\+00:00)$/.test(published?.value ?? "")) return day;
  const apartMs = Date.parse(dayDate(day).value) - Date.parse(dayDate(inPath).value);
  return Math.abs(apartMs) <= DAY_MS ? inPath : day;
};

const originsOf = (
  fields: Readonly<Record<string, { readonly origin: MetadataOrigin } | null>>
): Readonly<Record<string, MetadataOrigin>> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, sourced]) => (sourced === null ? [] : [[name, sourced.origin]]))
  );

const detailsOf = (
  input: MetadataInput,
  resolve: Resolve,
  { shares }: PageCounts
): Required<Omit<SourceDetails, "platform" | "id" | "links">> => {
  const site = siteNameOf(input);
  const author = pageAuthor(input, input.byline, valueOf(site));
  const published = publishedAt(input);
  const modified = modifiedAt(input);
  const spoken = language(input);
  const tags = pageTags(input);
  return {
    siteName: valueOf(site),
    author: author === null ? null : { name: author.name, id: null, url: resolve(author.url) },
    shareCount: valueOf(shares),
    tags: valueOf(tags) ?? [],
    language: valueOf(spoken),
    publishedAt: valueOf(published),
    modifiedAt: valueOf(modified),
    ...structuredData(input, resolve),
    origins: originsOf({
      siteName: site,
      author,
      tags,
      language: spoken,
      publishedAt: published,
      modifiedAt: modified
    })
  };
};

export const metadataOf = (input: MetadataInput): Metadata => {
  const resolve = resolver(input.url, input.scan.baseHref);
  const counts = pageCounts(input);
  const details = detailsOf(input, resolve, counts);
  const title = pageTitle(input);
  const told = description(input);
  const canonicalUrl = canonical(input, resolve);
  const { comments, likes, shares, views } = counts;
  const stats = {
    "stats.views": views,
    "stats.likes": likes,
    "stats.comments": comments,
    "stats.shares": shares
  };
  return {
    title: valueOf(title),
    uploader: details.author?.name ?? details.siteName,
    uploadDate: localDay(details.publishedAt, input.url),
    description: valueOf(told),
    thumbnail: thumbnail(input, resolve),
    durationSeconds: duration(input),
    viewCount: valueOf(views),
    likeCount: valueOf(likes),
    commentCount: valueOf(comments),
    language: details.language,
    canonicalUrl: valueOf(canonicalUrl),
    details: {
      ...details,
      origins: { ...originsOf({ title, description: told, canonicalUrl, ...stats }), ...details.origins }
    }
  };
};

/** Of a document without markup: its properties, if any. */
export const propertiesOf = (found: {
  readonly title: string | null;
  /** The title is a heading of the text. */
  readonly isTitleInText: boolean;
  readonly author: string | null;
  readonly date: WrittenDate | null;
  readonly language: string | null;
}): SourceDetails => {
  const origin = { origin: "document" } as const;
  const { author, date, language: spoken, title } = found;
  return {
    language: spoken,
    author: author === null ? null : { name: author, id: null, url: null },
    publishedAt: date,
    origins: originsOf({
      title: title === null ? null : found.isTitleInText ? { origin: "page" } : origin,
      author: author === null ? null : origin,
      publishedAt: date === null ? null : origin,
      language: spoken === null ? null : origin
    })
  };
};
