/**
 * The metadata of a page. Each field comes from the first place that has it: JSON-LD, Open Graph, microdata,
 * meta elements, then the text and URL of the page.
 */
import { cleanText } from "@winnow/core/domain/text/CleanText";
import type { MetadataOrigin, SourceDetails } from "@winnow/core/domain/source/SourceMetadata";
import type { WrittenDate } from "@winnow/core/domain/source/StructuredData";
import { resolver, type Resolve } from "../parse/Address.ts";
import type { Block } from "../select/blocks/Blocks.ts";
import {
  candidatesOf,
  type DescribedPage,
  firstOf,
  jsonLdCandidates,
  metaCandidates,
  onPage,
  type Sourced
} from "./Candidates.ts";
import { stringsOf, typesOf } from "../parse/JsonLd.ts";
import { languageTag } from "./Language.ts";
import { pageAuthor, siteNameOf } from "./PageAuthor.ts";
import { type Byline, bylineOf } from "./PageByline.ts";
import { DESCRIPTION_CHARS_MAX, NAME_CHARS_MAX } from "../PageLimits.ts";
import { durationSeconds, pageCounts, type PageCounts } from "./PageCounts.ts";
import { dayOfDate } from "./PageDate.ts";
import { mapPresent } from "@winnow/core/domain/text/Json";
import type { PageMetadata } from "./PageReading.ts";
import { pageTags } from "./PageTags.ts";
import { pageTitle } from "./PageTitle.ts";
import { cut, decoded, oneLine, tidyLines } from "../parse/PlainText.ts";
import { localDay, modifiedAt, publishedAt } from "./PublicationDates.ts";
import { structuredData } from "./StructuredData.ts";

interface MetadataInput extends DescribedPage {
  readonly url: string;
  readonly blocks: ReadonlyArray<Block>;
}

/** Includes what is read first: the title, and the words around it. */
interface Input extends MetadataInput {
  readonly title: Sourced<string> | null;
  readonly byline: Byline;
}

const valueOf = <A>(sourced: Sourced<A> | null): A | null => sourced?.value ?? null;

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

/** The document's language takes precedence over Open Graph's, which is often left at its default. */
const languageOf = (input: MetadataInput): Sourced<string> | null =>
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

const sourcedOrigins = (
  fields: Readonly<Record<string, { readonly origin: MetadataOrigin } | null>>
): Readonly<Record<string, MetadataOrigin>> => mapPresent(fields, ({ origin }) => origin);

const detailsOf = (
  input: Input,
  resolve: Resolve,
  { shares }: PageCounts
): Required<Omit<SourceDetails, "platform" | "id" | "links">> => {
  const site = siteNameOf(input);
  const author = pageAuthor(input, input.byline.author, valueOf(site));
  const published = publishedAt(input);
  const modified = modifiedAt(input);
  const language = languageOf(input);
  const tags = pageTags(input);
  return {
    siteName: valueOf(site),
    author: author === null ? null : { name: author.name, id: null, url: resolve(author.url) },
    shareCount: valueOf(shares),
    tags: valueOf(tags) ?? [],
    language: valueOf(language),
    publishedAt: valueOf(published),
    modifiedAt: valueOf(modified),
    structured: structuredData(input.scan, resolve),
    origins: sourcedOrigins({
      siteName: site,
      author,
      tags,
      language,
      publishedAt: published,
      modifiedAt: modified
    })
  };
};

export const metadataOf = (page: MetadataInput): PageMetadata => {
  const resolve = resolver(page.url, page.scan.baseHref);
  const title = pageTitle(page);
  const input: Input = {
    ...page,
    title,
    byline: bylineOf(page.blocks, valueOf(title) ?? "", languageTag(page.scan.language))
  };
  const counts = pageCounts(input);
  const details = detailsOf(input, resolve, counts);
  const described = description(input);
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
    description: valueOf(described),
    thumbnail: thumbnail(input, resolve),
    durationSeconds: duration(input),
    viewCount: valueOf(views),
    likeCount: valueOf(likes),
    commentCount: valueOf(comments),
    language: details.language,
    canonicalUrl: valueOf(canonicalUrl),
    details: {
      ...details,
      origins: {
        ...sourcedOrigins({ title, description: described, canonicalUrl, ...stats }),
        ...details.origins
      }
    }
  };
};

/** For a document without markup: its properties, if any. */
export const metadataOfDocument = (stated: {
  readonly title: string | null;
  /** That of its text, for a document without a title. */
  readonly heading: string | null;
  readonly author: string | null;
  readonly date: WrittenDate | null;
  readonly language?: string | null;
}): PageMetadata => {
  const named = oneLine(stated.title ?? "", NAME_CHARS_MAX);
  const title = named ?? oneLine(stated.heading ?? "", NAME_CHARS_MAX);
  const author = oneLine(stated.author ?? "", NAME_CHARS_MAX);
  const language = languageTag(stated.language);
  const { date } = stated;
  return {
    title,
    uploader: author,
    uploadDate: dayOfDate(date),
    description: null,
    thumbnail: null,
    durationSeconds: null,
    viewCount: null,
    likeCount: null,
    commentCount: null,
    language,
    canonicalUrl: null,
    details: {
      language,
      author: author === null ? null : { name: author, id: null, url: null },
      publishedAt: date,
      origins: {
        ...mapPresent({ title, author, publishedAt: date, language }, () => "document" as const),
        ...(named === null && title !== null && { title: "page" })
      }
    }
  };
};
