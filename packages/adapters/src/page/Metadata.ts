/** What a page says about itself, each field from the first place that gives it. */
import { cleanText } from "@winnow/core/domain/CleanText";
import { resolver, type Resolve } from "./Address.ts";
import { hasType, type JsonLdNode, nodesOf, stringsOf, typesOf, valuesOf } from "./JsonLd.ts";
import { languageTag } from "./Language.ts";
import { pageUploader } from "./PageAuthor.ts";
import { dateInPath, pageDate } from "./PageDate.ts";
import { DESCRIPTION_CHARS_MAX } from "./PageLimits.ts";
import { count, durationSeconds } from "./PageNumber.ts";
import type { PageReading } from "./PageReading.ts";
import type { PageScan } from "./PageScan.ts";
import { pageTitle } from "./PageTitle.ts";
import { cut, decoded, tidyLines } from "./PlainText.ts";

export type Metadata = Omit<
  PageReading,
  | "kind"
  | "text"
  | "markdown"
  | "textConfidence"
  | "links"
  | "images"
  | "videoUrls"
  | "subtitles"
  | "loginWall"
  | "needsBrowser"
>;

export interface MetadataInput {
  readonly scan: PageScan;
  /** What the page is about, most telling first. */
  readonly entities: ReadonlyArray<JsonLdNode>;
  readonly url: string;
  /** As the words around the heading say. */
  readonly byline: string | null;
  readonly publishedTime: string | null;
}

const first = <A>(values: Iterable<A | null>): A | null => {
  for (const value of values) if (value !== null) return value;
  return null;
};

const metaOf = (scan: PageScan, keys: ReadonlyArray<string>): ReadonlyArray<string> =>
  keys.flatMap((key) => scan.meta.get(key)?.slice(0, 1) ?? []);

const textsOf = ({ entities, scan }: MetadataInput, key: string): ReadonlyArray<string> =>
  entities.flatMap((entity) => stringsOf(scan.jsonLd, entity, key));

const DATE_KEYS = [
  "article:published_time",
  "og:article:published_time",
  "datepublished",
  "date",
  "dc.date",
  "dc.date.issued",
  "dcterms.date",
  "dcterms.created",
  "parsely-pub-date",
  "sailthru.date",
  "citation_publication_date",
  "pubdate",
  "publishdate",
  "video:release_date",
  "og:video:release_date",
  "uploaddate"
];

const uploadDate = (input: MetadataInput): string | null =>
  first(
    [
      ...["uploadDate", "datePublished"].flatMap((key) => textsOf(input, key)),
      ...metaOf(input.scan, DATE_KEYS),
      ...textsOf(input, "dateCreated"),
      ...input.scan.times,
      input.publishedTime,
      input.scan.scriptedDate
    ].map(pageDate)
  ) ?? dateInPath(input.url);

const description = (input: MetadataInput): string | null => {
  const written = [
    ...metaOf(input.scan, ["og:description", "description", "twitter:description"]),
    ...textsOf(input, "description")
  ];
  return first(
    written.map((text) => cut(tidyLines(cleanText(decoded(text))), DESCRIPTION_CHARS_MAX) || null)
  );
};

const thumbnail = (input: MetadataInput, resolve: Resolve): string | null => {
  const { entities, scan } = input;
  const images = ["thumbnailUrl", "thumbnail", "image"].flatMap((key) =>
    entities.flatMap((entity) => stringsOf(scan.jsonLd, entity, key, ["url", "contentUrl", "@id"]))
  );
  const shared = metaOf(scan, [
    "og:image:secure_url",
    "og:image",
    "og:image:url",
    "twitter:image",
    "twitter:image:src"
  ]);
  return first([...shared, ...images, ...scan.videos.map(({ poster }) => poster)].map(resolve));
};

/** Of an `interactionStatistic` list; sites give the action as a name, an address or an object. */
const interactions = ({ entities, scan }: MetadataInput, actions: ReadonlySet<string>): number | null => {
  const counters = entities.flatMap((entity) => nodesOf(scan.jsonLd, entity, "interactionStatistic"));
  const matching = counters.filter((counter) =>
    valuesOf(scan.jsonLd, counter, "interactionType").some((type) =>
      typeof type === "string"
        ? actions.has(type.slice(Math.max(type.lastIndexOf("/"), type.lastIndexOf(":")) + 1))
        : typeof type === "object" && type !== null && hasType(type as JsonLdNode, actions)
    )
  );
  return first(matching.map((counter) => count(valuesOf(scan.jsonLd, counter, "userInteractionCount")[0])));
};

const VIEW_ACTIONS: ReadonlySet<string> = new Set(["WatchAction", "ViewAction", "UserPageVisits"]);
const LIKE_ACTIONS: ReadonlySet<string> = new Set(["LikeAction", "UserLikes"]);
const COMMENT_ACTIONS: ReadonlySet<string> = new Set(["CommentAction", "UserComments"]);

const language = (input: MetadataInput): string | null =>
  first(
    [
      input.scan.language,
      ...textsOf(input, "inLanguage"),
      ...metaOf(input.scan, ["og:locale", "content-language", "language", "dc.language"])
    ].map(languageTag)
  );

export const metadataOf = (input: MetadataInput): Metadata => {
  const { byline, entities, scan, url } = input;
  const resolve = resolver(url, scan.baseHref);
  const ofVideo = entities.filter((entity) => typesOf(entity).includes("VideoObject"));
  const durations = ofVideo.flatMap((entity) => stringsOf(scan.jsonLd, entity, "duration"));
  const commentCounts = entities.map((entity) => count(valuesOf(scan.jsonLd, entity, "commentCount")[0]));
  return {
    title: pageTitle(scan, entities),
    uploader: pageUploader(scan, entities, byline),
    uploadDate: uploadDate(input),
    description: description(input),
    thumbnail: thumbnail(input, resolve),
    durationSeconds: first(
      [...durations, ...metaOf(scan, ["og:video:duration", "video:duration", "duration"])].map(
        durationSeconds
      )
    ),
    viewCount: interactions(input, VIEW_ACTIONS),
    likeCount: interactions(input, LIKE_ACTIONS),
    commentCount: interactions(input, COMMENT_ACTIONS) ?? first(commentCounts),
    language: language(input),
    canonicalUrl: first([scan.canonicalHref, ...metaOf(scan, ["og:url"])].map(resolve))
  };
};
