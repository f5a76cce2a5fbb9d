/** The `metadata.json` of a run (docs/reference/artifacts.md), reduced to what people read. Pure. */
import { clock, number, languageName, writtenDate } from "../../words/format.ts";
import { metadataWords } from "./words.ts";
import { wordOf } from "../../words/words.ts";

export interface WrittenDate {
  readonly value: string;
  readonly precision: string;
}

export interface SourceMetadata {
  readonly platform: string;
  readonly canonicalUrl: string;
  readonly siteName: string | null;
  readonly title: string | null;
  readonly author: {
    readonly name: string | null;
    readonly id: string | null;
    readonly url: string | null;
  } | null;
  readonly stats: Readonly<Record<"views" | "likes" | "comments" | "shares", number | null>>;
  readonly tags: ReadonlyArray<string>;
  readonly language: string | null;
  readonly publishedAt: WrittenDate | null;
  readonly modifiedAt: WrittenDate | null;
  readonly durationSeconds: number | null;
  readonly chapters: ReadonlyArray<{ readonly title: string; readonly startSeconds: number }>;
  readonly captionLanguages: ReadonlyArray<{ readonly language: string; readonly origin: string }>;
  readonly structured?: ReadonlyArray<Thing>;
  readonly origins?: Readonly<Record<string, string>>;
}

export interface Thing {
  readonly type: string;
  readonly origin: string;
  readonly values: Readonly<Record<string, unknown>>;
}

type FactName = keyof typeof metadataWords.fields;

export interface Fact {
  readonly name: FactName;
  readonly text: string;
  /** The link given by the source, to any address. */
  readonly url: string | null;
  /** The places it was found in, without duplicates. */
  readonly origins: ReadonlyArray<string>;
}

const STATS = ["views", "likes", "comments", "shares"] as const;

const countsOf = ({ stats }: SourceMetadata): string =>
  STATS.flatMap((name) => {
    const count = stats[name] ?? null;
    return count === null ? [] : [`${number(count)} ${name}`];
  }).join(" · ");

const captionsOf = ({ captionLanguages }: SourceMetadata): string =>
  captionLanguages
    .map(({ language, origin }) => `${languageName(language)} (${wordOf(metadataWords.captions, origin)})`)
    .join(", ");

/** The platform name is omitted for ordinary websites. */
const OPEN_WEB = "web";

const textsOf = (metadata: SourceMetadata): Readonly<Record<FactName, string | null>> => {
  const { author, platform, publishedAt, modifiedAt, language, durationSeconds } = metadata;
  return {
    title: metadata.title,
    author: author?.name ?? author?.id ?? null,
    siteName: metadata.siteName,
    platform: platform === OPEN_WEB || platform === metadata.siteName?.toLowerCase() ? null : platform,
    publishedAt: publishedAt === null ? null : writtenDate(publishedAt),
    modifiedAt: modifiedAt === null ? null : writtenDate(modifiedAt),
    language: language === null ? null : languageName(language),
    duration: durationSeconds === null ? null : clock(durationSeconds),
    stats: countsOf(metadata),
    tags: metadata.tags.join(", "),
    captions: captionsOf(metadata),
    canonicalUrl: metadata.canonicalUrl
  };
};

const originsOf = ({ origins = {} }: SourceMetadata, name: FactName): ReadonlyArray<string> => {
  const named = Object.entries(origins).filter(([field]) => field === name || field.startsWith(`${name}.`));
  return [...new Set(named.map(([, origin]) => origin))];
};

export const factsOf = (metadata: SourceMetadata): ReadonlyArray<Fact> =>
  (Object.entries(textsOf(metadata)) as ReadonlyArray<[FactName, string | null]>).flatMap(([name, text]) => {
    if (text === null || text === "") return [];
    const url = name === "author" ? (metadata.author?.url ?? null) : name === "canonicalUrl" ? text : null;
    return [{ name, text, url, origins: originsOf(metadata, name) }];
  });

export const readMetadata = (json: string) => {
  const metadata = JSON.parse(json) as SourceMetadata;
  return { ...metadata, facts: factsOf(metadata) };
};
