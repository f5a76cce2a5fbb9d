/**
 * The content of `metadata.json`: one shape for videos, photo posts and webpages. All values are
 * claims of the source, cleaned but not verified; null or empty if the source does not state them.
 */
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import { CaptionLanguage, Chapter, SourceKind, type SourceFacts } from "./SourceFacts.ts";
import { StructuredThing, WrittenDate } from "./StructuredData.ts";

/**
 * Where a value was found, in order of preference. `page`: text or address of the page; `document`: properties of a
 * file; `platform`: the response of a platform's downloader.
 */
export const MetadataOrigin = Schema.Literals([
  "json-ld",
  "open-graph",
  "microdata",
  "meta",
  "page",
  "document",
  "platform"
]).annotate({ identifier: "MetadataOrigin" });
export type MetadataOrigin = typeof MetadataOrigin.Type;

const Text = Schema.NullOr(Schema.String);
const Count = Schema.NullOr(Schema.Int);
const Moment = Schema.NullOr(WrittenDate);

/** Platform name if no downloader recognises the source. */
const OPEN_WEB = "web";

const MetadataAuthor = Schema.Struct({ name: Text, id: Text, url: Text });
type MetadataAuthor = typeof MetadataAuthor.Type;

export const MetadataLink = Schema.Struct({ url: Schema.String, text: Schema.String });
export type MetadataLink = typeof MetadataLink.Type;

/** What an inspection finds besides the facts; all optional. */
export interface SourceDetails {
  readonly platform?: string;
  readonly id?: string | null;
  readonly siteName?: string | null;
  /** Null: no person is named, and the uploader of the facts is only the site. */
  readonly author?: MetadataAuthor | null;
  readonly shareCount?: number | null;
  readonly tags?: ReadonlyArray<string>;
  readonly language?: string | null;
  readonly publishedAt?: WrittenDate | null;
  readonly modifiedAt?: WrittenDate | null;
  readonly links?: ReadonlyArray<MetadataLink>;
  readonly structured?: ReadonlyArray<StructuredThing>;
  /** By field name of {@link SourceMetadata}, including those of the facts. */
  readonly origins?: Readonly<Record<string, MetadataOrigin>>;
}

const described = <S extends Schema.Top>(schema: S, description: string) => schema.annotate({ description });

export const SourceMetadata = Schema.Struct({
  platform: described(
    Schema.String,
    "Name of the platform in lower case, such as `youtube`; `web` for all others."
  ),
  kind: described(SourceKind, "`video`, `photos` or `webpage`."),
  id: described(Text, "Id of the video or post on its platform."),
  canonicalUrl: described(Schema.String, "URL that the source declares as canonical, else its final URL."),
  siteName: described(Text, "Name of the site or platform."),
  title: described(Text, "Without the name of the site."),
  description: described(Text, "Description by the publisher; of a webpage, at most 20,000 characters."),
  author: described(
    Schema.NullOr(MetadataAuthor),
    "`{name, id, url}`, null if no author is named; `id` is the account on the platform."
  ),
  stats: described(
    Schema.Struct({ views: Count, likes: Count, comments: Count, shares: Count }),
    "`{views, likes, comments, shares}` at the time of the inspection."
  ),
  tags: described(Schema.Array(Schema.String), "The publisher's keywords, without duplicates."),
  language: described(Text, "BCP 47."),
  publishedAt: described(
    Moment,
    "`{value, precision}`, such as " +
      '`{"value": "2025-03-04T21:30", "precision": "minute"}`: ISO 8601, to the `year`, `month`, `day`, `minute` or ' +
      "`second`, as the source states it. A time without a zone is local to the source."
  ),
  modifiedAt: described(Moment, "Last change, in the same shape."),
  durationSeconds: described(Schema.NullOr(Schema.Finite), "Duration of a video, as reported."),
  thumbnailUrl: described(Text, "URL of the preview image at the source."),
  chapters: described(Schema.Array(Chapter), "`{title, startSeconds}` of a video's chapters, in order."),
  captionLanguages: described(
    Schema.Array(CaptionLanguage),
    "`{language, origin}`; `origin` is `people` or `automatic`."
  ),
  links: described(
    Schema.Array(MetadataLink),
    "`{url, text}` of at most 2,000 links in a webpage's text, without duplicates and tracking parameters."
  ),
  structured: described(
    Schema.Array(StructuredThing),
    "`{type, origin, values}` of each thing [below](#structured) in the page's structured data. Of different values " +
      "for a field the first counts, JSON-LD before microdata."
  ),
  origins: described(
    Schema.Record(Schema.String, MetadataOrigin),
    "Where each value above was read, by name: `json-ld`, `open-graph`, `microdata`, `meta`, `page` (its " +
      "text or URL), `document` (properties of a file), `platform`. The first that has a value is used; for the " +
      "title, the page's heading if it says the same in other words."
  )
}).annotate({ identifier: "SourceMetadata" });
export type SourceMetadata = typeof SourceMetadata.Type;

/** YYYYMMDD of facts as a date. */
const dayOf = (uploadDate: string | null): WrittenDate | null => {
  const parts = /^(\d{4})(\d{2})(\d{2})$/u.exec(uploadDate ?? "")?.slice(1);
  return parts === undefined ? null : { value: parts.join("-"), precision: "day" };
};

/** The named author, else the uploader of the facts. */
const authorOf = ({ author }: SourceDetails, uploader: string | null): MetadataAuthor | null => {
  if (author !== undefined) return author;
  return uploader === null ? null : { name: uploader, id: null, url: null };
};

export const sourceMetadata = (facts: SourceFacts, details: SourceDetails = {}): SourceMetadata => ({
  platform: details.platform ?? OPEN_WEB,
  kind: facts.kind,
  id: details.id ?? null,
  canonicalUrl: facts.webpageUrl,
  siteName: details.siteName ?? null,
  title: facts.title,
  description: facts.description,
  author: authorOf(details, facts.uploader),
  stats: {
    views: facts.viewCount,
    likes: facts.likeCount,
    comments: facts.commentCount,
    shares: details.shareCount ?? null
  },
  tags: details.tags ?? [],
  language: details.language ?? null,
  publishedAt: details.publishedAt ?? dayOf(facts.uploadDate),
  modifiedAt: details.modifiedAt ?? null,
  durationSeconds: facts.durationSeconds,
  thumbnailUrl: facts.thumbnailUrl,
  chapters: facts.chapters ?? [],
  captionLanguages: facts.captionLanguages ?? [],
  links: details.links ?? [],
  structured: details.structured ?? [],
  origins: details.origins ?? {}
});

/** The content of `metadata.json`. */
export const writeMetadata = (facts: SourceFacts, details?: SourceDetails): string =>
  `${JSON.stringify(sourceMetadata(facts, details), null, 2)}\n`;

/** The details that `metadata.json` was written with; null if it is not one of ours. */
export const readMetadata = (text: string): SourceDetails | null =>
  Option.match(decodeMetadata(text), {
    onNone: () => null,
    onSome: ({ stats, ...metadata }) => ({
      platform: metadata.platform,
      id: metadata.id,
      siteName: metadata.siteName,
      author: metadata.author,
      shareCount: stats.shares,
      tags: metadata.tags,
      language: metadata.language,
      publishedAt: metadata.publishedAt,
      modifiedAt: metadata.modifiedAt,
      links: metadata.links,
      structured: metadata.structured,
      origins: metadata.origins
    })
  });

const decodeMetadata = Schema.decodeUnknownOption(Schema.fromJsonString(SourceMetadata));
