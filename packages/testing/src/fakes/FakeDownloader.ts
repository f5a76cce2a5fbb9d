/**
 * A Downloader without connections: the content of each URL is set in advance.
 *
 * The test controls time: use a sleep or a Deferred in `beforeInspect` and `beforeFetch`. As with an adapter, a call
 * outside of a run dies.
 */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Struct from "effect/Struct";
import {
  ARTIFACT_ROWS,
  artifactOf,
  type ArtifactRow,
  ARTIFACTS,
  COMMENTS_FILE,
  DESCRIPTION_FILE,
  slideFile,
  subtitleFile,
  subtitleSrtFile,
  TRANSCRIPT_FILE,
  TRANSCRIPT_SEGMENTS_FILE
} from "@winnow/core/domain/result/ArtifactName";
import { Failed, type PartFailures } from "@winnow/core/domain/source/Failed";
import type { TextSection } from "@winnow/core/domain/text/InputText";
import { languageDistance } from "@winnow/core/domain/text/LanguageTag";
import type { Modality } from "@winnow/core/domain/source/Modality";
import type { Busy } from "@winnow/core/domain/request/Refusal";
import { hasCaptions, type SourceFacts } from "@winnow/core/domain/source/SourceFacts";
import type { SourceDetails } from "@winnow/core/domain/source/SourceMetadata";
import { stretchSeconds } from "@winnow/core/domain/source/TimeRange";
import { transcriptText, writeTranscript } from "@winnow/core/domain/transcript/Transcript";
import { CurrentRun } from "@winnow/core/ports/CurrentRun";
import {
  Downloader,
  type Fetched,
  type InspectedFetch,
  inspectedFetch,
  type InspectOptions,
  textFile,
  type WholePage
} from "@winnow/core/ports/Downloader";

/** The content of a URL. */
export interface FakeSource {
  readonly facts: SourceFacts;
  /** Further results of the inspection; none by default. */
  readonly details?: SourceDetails;
  /** Content by file name; by default all files that the facts imply. */
  readonly files?: Readonly<Record<string, string>>;
  /** Of the whole; by default the reported duration, for videos. */
  readonly measuredDurationSeconds?: number | null;
  /** Duration found in the stream if no media is downloaded; none by default. */
  readonly streamDurationSeconds?: number;
  readonly warnings?: ReadonlyArray<string>;
  /** As in ports/Downloader; none by default. */
  readonly wholePage?: WholePage;
  readonly sections?: ReadonlyArray<TextSection>;
  /** Parts whose look-up fails even if they exist. */
  readonly failedLookups?: PartFailures;
  /** Runs before each inspection, to delay, fail or count it. */
  readonly beforeInspect?:
    | Effect.Effect<unknown, Failed | Busy>
    | ((options: InspectOptions) => Effect.Effect<unknown, Failed | Busy>);
  /** Gets the requested parts, so that it can fail some fetches only. */
  readonly beforeFetch?:
    | Effect.Effect<unknown, Failed>
    | ((request: InspectedFetch) => Effect.Effect<unknown, Failed>);
}

/** For the subtitles that the facts imply. */
const SUBTITLE_LANGUAGE = "en";

const segments = [{ startSeconds: 0, endSeconds: 2.5, text: `content of ${TRANSCRIPT_FILE}` }];

const CONTENT: Readonly<Record<string, string>> = {
  [TRANSCRIPT_FILE]: transcriptText(segments),
  [TRANSCRIPT_SEGMENTS_FILE]: writeTranscript(SUBTITLE_LANGUAGE, segments),
  [COMMENTS_FILE]: `${JSON.stringify([
    { id: "1", author: "Ann", text: "A comment.", likeCount: null, timestamp: null, parentId: null }
  ])}\n`
};

/** The engine writes `metadata.json`; only some servers can read slides. */
const isExpected = (row: ArtifactRow, facts: SourceFacts): boolean => {
  if (row === ARTIFACTS.metadata || row === ARTIFACTS.slidesText) return false;
  if (row === ARTIFACTS.thumbnail) return facts.thumbnailUrl !== null;
  if (row === ARTIFACTS.description) return facts.description !== null;
  if (row.modality === "comments") return facts.hasComments;
  return row.modality !== "transcript" || facts.kind === "webpage" || facts.hasSubtitles;
};

const namesOf = (row: ArtifactRow, { imageCount }: SourceFacts): ReadonlyArray<string> => {
  if (row === ARTIFACTS.subtitles) return [subtitleFile(SUBTITLE_LANGUAGE)];
  if (row === ARTIFACTS.subtitlesSrt) return [subtitleSrtFile(SUBTITLE_LANGUAGE)];
  if (row === ARTIFACTS.furtherVideos) return [];
  if (row !== ARTIFACTS.slides) return [row.name];
  return Array.from({ length: imageCount }, (_, index) => slideFile(index + 1, imageCount));
};

/** Every artifact that this kind of source can have, unless the facts rule it out. */
const expectedFiles = (facts: SourceFacts): Readonly<Record<string, string>> =>
  Object.fromEntries(
    ARTIFACT_ROWS.filter((row) => row.kinds.includes(facts.kind) && isExpected(row, facts))
      .flatMap((row) => namesOf(row, facts))
      .map((name) => [
        name,
        (name === DESCRIPTION_FILE ? facts.description : CONTENT[name]) ?? `content of ${name}`
      ])
  );

/** The modality of a file; null for files that are always fetched. */
const modalityOf = (name: string): Modality | null => artifactOf(name)?.modality ?? null;

const fetched = (
  source: FakeSource,
  { captions = "any", wants, wantsOnly = false, language, range }: InspectedFetch
): Fetched => {
  const { facts } = source;
  const isOther = facts.kind === "video" && facts.hasSubtitles && !hasCaptions(facts, captions);
  const failedLookups = Struct.pick(source.failedLookups ?? {}, wants);
  const files = Object.entries(source.files ?? expectedFiles(source.facts)).filter(([name]) => {
    const modality = modalityOf(name);
    if (modality === null) return !wantsOnly;
    if (modality === "transcript" && isOther) return false;
    return wants.includes(modality) && failedLookups[modality] === undefined;
  });
  const there = new Set(files.map(([name]) => modalityOf(name)));
  const hasMedia = there.has("video") || there.has("audio");
  return {
    facts: source.facts,
    ...(source.details === undefined ? {} : { details: source.details }),
    measuredDurationSeconds: hasMedia
      ? stretchSeconds(range ?? null, source.measuredDurationSeconds ?? source.facts.durationSeconds)
      : null,
    streamDurationSeconds: hasMedia ? null : (source.streamDurationSeconds ?? null),
    wholePage: source.wholePage ?? null,
    ...(source.sections === undefined ? {} : { sections: source.sections }),
    files: files.map(([name, text]) => textFile(name, text)),
    failedLookups,
    languageMissing:
      source.facts.kind === "video" &&
      language !== undefined &&
      there.has("transcript") &&
      languageDistance(SUBTITLE_LANGUAGE, language) === null,
    warnings: source.warnings ?? []
  };
};

/** A JPEG of two by two pixels. */
const PREVIEW = Uint8Array.from(
  atob(
    "/9j/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigj" +
      "KE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAACAAIDASIAAhEBAxEB/8QA" +
      "FQABAQAAAAAAAAAAAAAAAAAAAAT/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAAA//EABQRAQAAAAAAAAAAAAAA" +
      "AAAAAAD/2gAMAwEAAhEDEQA/AKwDhf/Z"
  ),
  (char) => char.charCodeAt(0)
);

const sourceNotFound = new Failed({
  reason: "not_extractable",
  message: "There is no video, photo post or article at this URL."
});

/** A URL that can be neither inspected nor fetched, always for the same reason. */
export const refuses = (reason: Failed["reason"]): Failed =>
  new Failed({ reason, message: `Refused: ${reason}.` });

const noListing = new Failed({
  reason: "not_extractable",
  message: "There is no channel or playlist at this URL."
});

/** What a channel or playlist lists, also anew at every look. */
export type FakeListing = ReadonlyArray<string> | (() => ReadonlyArray<string>) | Failed;

/**
 * `sources` by normalised URL; a failure instead of a source fails every inspection and fetch. `listings` by URL.
 */
export const layer = (
  sources: Readonly<Record<string, FakeSource | Failed>>,
  listings: Readonly<Record<string, FakeListing>> = {}
): Layer.Layer<Downloader> => {
  const find = (url: string): Effect.Effect<FakeSource, Failed> => {
    const source = sources[url] ?? sourceNotFound;
    return source instanceof Failed ? Effect.fail(source) : Effect.succeed(source);
  };
  const inspect = Effect.fnUntraced(function* (url: string, options: InspectOptions) {
    yield* CurrentRun;
    const source = yield* find(url);
    const { beforeInspect = Effect.void } = source;
    yield* typeof beforeInspect === "function" ? beforeInspect(options) : beforeInspect;
    return source;
  });
  return Layer.succeed(
    Downloader,
    Downloader.of({
      isWarm: Effect.succeed(true),
      inspect: Effect.fnUntraced(
        function* (url, options) {
          return (yield* inspect(url, options)).facts;
        },
        (inspecting, _url, { timeoutMs }) =>
          timeoutMs === undefined
            ? inspecting
            : Effect.timeoutOrElse(inspecting, {
                duration: timeoutMs,
                orElse: () =>
                  Effect.fail(new Failed({ reason: "timeout", message: "The source responded too slowly." }))
              })
      ),
      preview: (url, options) =>
        Effect.map(inspect(url, options), ({ facts }) => (facts.thumbnailUrl === null ? null : PREVIEW)),
      list: Effect.fnUntraced(function* ({ url, first }) {
        yield* CurrentRun;
        const listing = listings[url] ?? noListing;
        if (listing instanceof Failed) return yield* listing;
        return (typeof listing === "function" ? listing() : listing).slice(0, first);
      }),
      fetch: Effect.fnUntraced(function* (asked) {
        const { report } = yield* CurrentRun;
        const source = yield* Effect.catchTag(inspect(asked.url, asked), "Busy", Effect.die);
        const request = inspectedFetch(asked, source.facts);
        yield* report({ step: "fetching", percent: 0, bytes: 0 });
        const { beforeFetch = Effect.void } = source;
        yield* typeof beforeFetch === "function" ? beforeFetch(request) : beforeFetch;
        const answer = fetched(source, request);
        const bytes = answer.files.reduce((sum, file) => sum + file.sizeBytes, 0);
        yield* report({ step: "fetching", percent: 100, bytes });
        return answer;
      })
    })
  );
};
