/**
 * A Downloader that opens no connection: what is at each URL is written down beforehand.
 *
 * Time and waiting are the test's: hang a sleep or a Deferred on `beforeInspect` and `beforeFetch`.
 */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import {
  AUDIO_FILE,
  COMMENTS_FILE,
  contentTypeOf,
  DESCRIPTION_FILE,
  isSubtitleFile,
  slideFile,
  subtitleFile,
  THUMBNAIL_FILE,
  TRANSCRIPT_FILE,
  TRANSCRIPT_SEGMENTS_FILE,
  VIDEO_FILE
} from "../domain/ArtifactName.ts";
import { languageDistance } from "../domain/LanguageTag.ts";
import type { Modality } from "../domain/Modality.ts";
import type { SourceFacts } from "../domain/SourceFacts.ts";
import { transcriptText, writeTranscript } from "../domain/Transcript.ts";
import {
  DownloadFailed,
  Downloader,
  type Fetched,
  type FetchedFile,
  type FetchRequest,
  type LookOptions
} from "../ports/Downloader.ts";

/** What is found at a URL. */
export interface FakeSource {
  readonly facts: SourceFacts;
  /** Content by file name; by default whatever the facts promise. */
  readonly files?: Readonly<Record<string, string>>;
  /** By default the reported duration, for videos. */
  readonly measuredDurationSeconds?: number | null;
  readonly warnings?: ReadonlyArray<string>;
  /** Runs before each look: delays it, fails it, counts it. */
  readonly beforeInspect?:
    | Effect.Effect<unknown, DownloadFailed>
    | ((options: LookOptions) => Effect.Effect<unknown, DownloadFailed>);
  /** Told what is wanted, so that it may fail one fetch and not another. */
  readonly beforeFetch?:
    | Effect.Effect<unknown, DownloadFailed>
    | ((request: FetchRequest) => Effect.Effect<unknown, DownloadFailed>);
}

/** Of the subtitles that the facts promise. */
const SUBTITLE_LANGUAGE = "en";

const segments = [{ startSeconds: 0, endSeconds: 2.5, text: `content of ${TRANSCRIPT_FILE}` }];

const CONTENT: Readonly<Record<string, string>> = {
  [TRANSCRIPT_FILE]: transcriptText(segments),
  [TRANSCRIPT_SEGMENTS_FILE]: writeTranscript(SUBTITLE_LANGUAGE, segments),
  [COMMENTS_FILE]: `${JSON.stringify([
    { id: "1", author: "Ann", text: "A comment.", likeCount: null, timestamp: null, parentId: null }
  ])}\n`
};

const content = (name: string): readonly [string, string] => [name, CONTENT[name] ?? `content of ${name}`];

const promisedNames = (facts: SourceFacts): ReadonlyArray<string> => {
  const subtitles = facts.hasSubtitles
    ? [TRANSCRIPT_FILE, TRANSCRIPT_SEGMENTS_FILE, subtitleFile(SUBTITLE_LANGUAGE)]
    : [];
  const comments = facts.hasComments ? [COMMENTS_FILE] : [];
  switch (facts.kind) {
    case "video":
      return [VIDEO_FILE, AUDIO_FILE, ...subtitles, ...comments];
    case "photos":
      return [
        ...Array.from({ length: facts.imageCount }, (_, index) => slideFile(index + 1, facts.imageCount)),
        ...comments
      ];
    case "webpage":
      return [TRANSCRIPT_FILE];
  }
};

const promised = (facts: SourceFacts): Readonly<Record<string, string>> =>
  Object.fromEntries([
    ...promisedNames(facts).map(content),
    ...(facts.thumbnailUrl === null ? [] : [content(THUMBNAIL_FILE)]),
    ...(facts.description === null ? [] : [[DESCRIPTION_FILE, facts.description] as const])
  ]);

/** The modality a file belongs to; null for what is always fetched. */
const modalityOf = (name: string): Modality | null => {
  if (name === TRANSCRIPT_FILE || name === TRANSCRIPT_SEGMENTS_FILE || isSubtitleFile(name)) {
    return "transcript";
  }
  if (name === COMMENTS_FILE) return "comments";
  if (name === AUDIO_FILE) return "audio";
  return name === VIDEO_FILE ? "video" : null;
};

const fetchedFile = ([name, text]: readonly [string, string]): FetchedFile => {
  const bytes = new TextEncoder().encode(text);
  return {
    name,
    contentType: contentTypeOf(name),
    sizeBytes: bytes.length,
    source: { _tag: "Bytes", bytes }
  };
};

const fetched = (source: FakeSource, { wants, wantsOnly = false, language }: FetchRequest): Fetched => {
  const files = Object.entries(source.files ?? promised(source.facts)).filter(([name]) => {
    const modality = modalityOf(name);
    return modality === null ? !wantsOnly : wants.includes(modality);
  });
  const there = new Set(files.map(([name]) => modalityOf(name)));
  const hasMedia = there.has("video") || there.has("audio");
  return {
    facts: source.facts,
    measuredDurationSeconds: hasMedia
      ? (source.measuredDurationSeconds ?? source.facts.durationSeconds)
      : null,
    files: files.map(fetchedFile),
    unavailable: wants.filter((modality) => !there.has(modality)),
    languageMissing:
      source.facts.kind === "video" &&
      language !== undefined &&
      there.has("transcript") &&
      languageDistance(SUBTITLE_LANGUAGE, language) === null,
    warnings: source.warnings ?? []
  };
};

const nothingThere = new DownloadFailed({
  reason: "not_extractable",
  message: "There is no video, photo post or article at this URL."
});

/** A URL that cannot be looked at or fetched, always for the same reason. */
export const refuses = (reason: DownloadFailed["reason"]): DownloadFailed =>
  new DownloadFailed({ reason, message: `Refused: ${reason}.` });

/** `sources` by normalised URL; a failure in the place of a source fails every look and fetch. */
export const layer = (
  sources: Readonly<Record<string, FakeSource | DownloadFailed>>
): Layer.Layer<Downloader> => {
  const find = (url: string): Effect.Effect<FakeSource, DownloadFailed> => {
    const source = sources[url] ?? nothingThere;
    return source instanceof DownloadFailed ? Effect.fail(source) : Effect.succeed(source);
  };
  return Layer.succeed(
    Downloader,
    Downloader.of({
      inspect: Effect.fnUntraced(function* (url, options = {}) {
        const source = yield* find(url);
        const { beforeInspect = Effect.void } = source;
        yield* typeof beforeInspect === "function" ? beforeInspect(options) : beforeInspect;
        return source.facts;
      }),
      fetch: Effect.fnUntraced(function* (request) {
        const { url, onProgress } = request;
        const source = yield* find(url);
        yield* onProgress({ step: "fetching", percent: 0, bytes: 0 });
        const { beforeFetch = Effect.void } = source;
        yield* typeof beforeFetch === "function" ? beforeFetch(request) : beforeFetch;
        const answer = fetched(source, request);
        const bytes = answer.files.reduce((sum, file) => sum + file.sizeBytes, 0);
        yield* onProgress({ step: "fetching", percent: 100, bytes });
        return answer;
      })
    })
  );
};
