/**
 * What every implementation of Downloader promises, on a scenario of URLs that the caller serves.
 * Run by FakeDownloader.test.ts, MediaDownloader.test.ts.
 */
import { assert, layer as withLayer, type Vitest } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as FileSystem from "effect/FileSystem";
import type * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import type { Failed } from "@winnow/core/domain/source/Failed";
import {
  AUDIO_FILE,
  COMMENTS_FILE,
  contentTypeOf,
  DESCRIPTION_FILE,
  isSafeFileName,
  ARTIFACTS,
  slideFile,
  THUMBNAIL_FILE,
  TRANSCRIPT_FILE,
  TRANSCRIPT_SEGMENTS_FILE,
  VIDEO_FILE,
  artifactOf
} from "@winnow/core/domain/result/ArtifactName";
import { MODALITIES, type Modality } from "@winnow/core/domain/source/Modality";
import { readTranscript, transcriptText } from "@winnow/core/domain/transcript/Transcript";
import { CurrentRun, type Run } from "@winnow/core/ports/CurrentRun";
import type { StepProgress } from "@winnow/core/domain/run/RunProgress";
import { inRun } from "../samples/samples.ts";
import { Downloader, type FetchedFile, type FetchRequest } from "@winnow/core/ports/Downloader";

/** Normalised URLs and their content. */
export interface DownloaderScenario {
  /** A video with audio, subtitles, thumbnail and description, without comments. */
  readonly video: {
    readonly url: string;
    readonly durationSeconds: number;
    /** Occurs in the plain transcript. */
    readonly transcriptIncludes: string;
  };
  /** A photo post without comments. */
  readonly carousel: { readonly url: string; readonly imageCount: number };
  readonly article: { readonly url: string; readonly textIncludes: string };
  /** A channel or playlist, and what it lists: two items or more. */
  readonly listing: { readonly url: string; readonly lists: ReadonlyArray<string> };
  readonly emptyListing: { readonly url: string };
  /** Content that is not public, and the reason of its refusal. */
  readonly gated: { readonly url: string; readonly reason: Failed["reason"] };
  /** A URL whose host itself is not public. */
  readonly notPublic: { readonly url: string };
}

/** Containers round durations: a 12 s file measures 12.018 s. */
const DURATION_TOLERANCE_SECONDS = 0.5;

/** A picture of 320 by 320 pixels, with room. */
const PREVIEW_BYTES_MAX = 128 * 2 ** 10;

/** Real downloads through real programs on a busy machine. */
const TEST_MS = 120_000;

type Tests = Vitest.MethodsNonLive<Downloader | FileSystem.FileSystem>;

const inspect = (url: string) =>
  Downloader.use((downloader) => downloader.inspect(url, {})).pipe(Effect.catchTag("Busy", Effect.die));

const fetch = (
  url: string,
  wants: ReadonlyArray<Modality>,
  over: Partial<Run> = {},
  request: Partial<FetchRequest> = {}
) =>
  Downloader.use((downloader) =>
    downloader.fetch({ url, maxDurationSeconds: 3_600, wantsOf: () => wants, ...request })
  ).pipe(Effect.updateService(CurrentRun, (run) => ({ ...run, ...over })));

const namesOf = (files: ReadonlyArray<FetchedFile>): ReadonlyArray<string> => files.map(({ name }) => name);

const bytesOf = ({ source }: FetchedFile) =>
  source._tag === "Bytes"
    ? Effect.succeed(source.bytes)
    : FileSystem.FileSystem.use((files) => files.readFile(source.path));

const textOf = (files: ReadonlyArray<FetchedFile>, name: string) =>
  Effect.gen(function* () {
    const file = files.find((each) => each.name === name);
    if (file === undefined) return assert.fail(`${name} is not among ${namesOf(files).join(", ")}`);
    return new TextDecoder().decode(yield* bytesOf(file));
  });

/** Checks every file: a safe, unique name, the right type and the stated size. */
const assertSound = Effect.fnUntraced(function* (files: ReadonlyArray<FetchedFile>) {
  assert.strictEqual(new Set(namesOf(files)).size, files.length, "a name occurs twice");
  for (const file of files) {
    assert.isTrue(isSafeFileName(file.name), file.name);
    assert.strictEqual(file.contentType, contentTypeOf(file.name));
    const bytes = yield* bytesOf(file);
    assert.strictEqual(bytes.length, file.sizeBytes, file.name);
    assert.isAbove(file.sizeBytes, 0, file.name);
    if (artifactOf(file.name)?.readAs === "text") assert.strictEqual(file.source._tag, "Bytes", file.name);
  }
});

const inspections = (it: Tests, { video, carousel, article, gated, notPublic }: DownloaderScenario): void => {
  it.effect(
    "inspecting a video returns its kind, its duration and that it has subtitles",
    () =>
      Effect.gen(function* () {
        const facts = yield* inspect(video.url);
        assert.strictEqual(facts.kind, "video");
        assert.approximately(facts.durationSeconds ?? 0, video.durationSeconds, DURATION_TOLERANCE_SECONDS);
        assert.deepStrictEqual([facts.hasSubtitles, facts.hasComments, facts.imageCount], [true, false, 0]);
        assert.isNotEmpty(facts.title);
      }),
    TEST_MS
  );

  it.effect(
    "inspecting a photo post returns its kind and number of slides",
    () =>
      Effect.gen(function* () {
        const facts = yield* inspect(carousel.url);
        assert.deepStrictEqual([facts.kind, facts.imageCount], ["photos", carousel.imageCount]);
      }),
    TEST_MS
  );

  it.effect(
    "inspecting an article returns its kind, without duration and slides",
    () =>
      Effect.gen(function* () {
        const facts = yield* inspect(article.url);
        assert.deepStrictEqual([facts.kind, facts.durationSeconds, facts.imageCount], ["webpage", null, 0]);
        assert.isNotEmpty(facts.title);
      }),
    TEST_MS
  );

  it.effect(
    "concurrent and repeated inspections of one URL agree",
    () =>
      Effect.gen(function* () {
        const facts = yield* Effect.all([inspect(video.url), inspect(video.url)], { concurrency: 2 });
        assert.deepStrictEqual(facts[0], facts[1]);
        assert.deepStrictEqual(yield* inspect(video.url), facts[0]);
        const second = yield* Downloader.use((downloader) =>
          downloader.inspect(video.url, { notBeforeMs: Number.MAX_SAFE_INTEGER })
        );
        assert.deepStrictEqual(second, facts[0]);
      }),
    TEST_MS
  );

  it.effect(
    "inspect and fetch reject content that is not public, with its reason",
    () =>
      Effect.gen(function* () {
        for (const { url, reason } of [gated, { ...notPublic, reason: "host_not_public" }]) {
          const failure = yield* Effect.flip(inspect(url));
          const fetched = yield* Effect.flip(Effect.scoped(fetch(url, [])));
          assert.deepStrictEqual([failure.reason, fetched.reason], [reason, reason]);
          assert.isNotEmpty(failure.message);
        }
      }),
    TEST_MS
  );
};

/** Optional: none of a downloader without previews. */
const preview = (url: string) =>
  Downloader.use((downloader) =>
    downloader.preview === undefined
      ? Effect.succeedNone
      : Effect.map(downloader.preview(url, {}), Option.some)
  ).pipe(Effect.catchTag("Busy", Effect.die));

const previews = (it: Tests, { video, gated }: DownloaderScenario): void => {
  it.effect(
    "a preview is a small JPEG, and there is none of what is not public",
    () =>
      Effect.gen(function* () {
        const seen = yield* preview(video.url);
        if (Option.isNone(seen)) return;
        assert.deepStrictEqual(seen.value?.slice(0, 2), new Uint8Array([0xff, 0xd8]));
        assert.isBelow(seen.value?.length ?? 0, PREVIEW_BYTES_MAX);
        assert.strictEqual((yield* Effect.flip(preview(gated.url))).reason, gated.reason);
      }),
    TEST_MS
  );
};

const listings = (
  it: Tests,
  { video, article, listing, emptyListing, gated, notPublic }: DownloaderScenario
): void => {
  const list = (url: string, first: number) =>
    Downloader.use((downloader) => downloader.list({ url, first }));

  it.effect(
    "a listing lists its first items in order, and all of them if there are fewer",
    () =>
      Effect.gen(function* () {
        for (const first of [1, 2, listing.lists.length, 200]) {
          assert.deepStrictEqual(yield* list(listing.url, first), listing.lists.slice(0, first));
        }
        assert.deepStrictEqual(yield* list(emptyListing.url, 200), []);
      }),
    TEST_MS
  );

  it.effect(
    "what is no listing, or not public, is not listed",
    () =>
      Effect.gen(function* () {
        for (const [url, reason] of [
          [video.url, "not_extractable"],
          [article.url, "not_extractable"],
          [notPublic.url, "host_not_public"]
        ] as const) {
          const failure = yield* Effect.flip(list(url, 2));
          assert.strictEqual(failure.reason, reason, url);
          assert.isNotEmpty(failure.message);
        }
        yield* Effect.flip(list(gated.url, 2));
      }),
    TEST_MS
  );
};

const fetches = (it: Tests, { video, carousel, article }: DownloaderScenario): void => {
  it.effect(
    "a video has audio, transcript, subtitles, thumbnail and description, and no file of a missing part",
    () =>
      Effect.gen(function* () {
        const { failedLookups, files, measuredDurationSeconds } = yield* fetch(video.url, MODALITIES);
        yield* assertSound(files);
        const names = namesOf(files);
        const expected = [VIDEO_FILE, AUDIO_FILE, TRANSCRIPT_FILE, THUMBNAIL_FILE, DESCRIPTION_FILE];
        assert.includeMembers([...names], expected);
        assert.isTrue(
          names.some((name) => artifactOf(name) === ARTIFACTS.subtitles),
          names.join(", ")
        );
        assert.deepStrictEqual([names.includes(COMMENTS_FILE), failedLookups ?? {}], [false, {}]);
        assert.approximately(measuredDurationSeconds ?? 0, video.durationSeconds, DURATION_TOLERANCE_SECONDS);
        const words = yield* textOf(files, TRANSCRIPT_FILE);
        assert.include(words, video.transcriptIncludes);
        const segments = readTranscript(yield* textOf(files, TRANSCRIPT_SEGMENTS_FILE));
        assert.strictEqual(transcriptText(Option.getOrThrow(segments)), words.trimEnd());
      }),
    TEST_MS
  );

  it.effect(
    "a stretch of a video is as long as it was asked for, of a video as long as ever",
    () =>
      Effect.gen(function* () {
        const range = { startSec: video.durationSeconds / 4, endSec: video.durationSeconds / 2 };
        const { facts, files, measuredDurationSeconds } = yield* fetch(video.url, ["video"], {}, { range });
        yield* assertSound(files);
        assert.approximately(facts.durationSeconds ?? 0, video.durationSeconds, DURATION_TOLERANCE_SECONDS);
        const seconds = range.endSec - range.startSec;
        assert.approximately(measuredDurationSeconds ?? 0, seconds, DURATION_TOLERANCE_SECONDS);
      }),
    TEST_MS
  );

  it.effect(
    "only the requested parts are fetched, and metadata always",
    () =>
      Effect.gen(function* () {
        const audio = namesOf((yield* fetch(video.url, ["audio"])).files);
        assert.includeMembers([...audio], [AUDIO_FILE, THUMBNAIL_FILE, DESCRIPTION_FILE]);
        assert.notIncludeMembers([...audio], [VIDEO_FILE, TRANSCRIPT_FILE, COMMENTS_FILE]);
        const nothing = yield* fetch(video.url, []);
        assert.sameMembers([...namesOf(nothing.files)], [THUMBNAIL_FILE, DESCRIPTION_FILE]);
        assert.isNull(nothing.measuredDurationSeconds);
      }),
    TEST_MS
  );

  it.effect(
    "a later fetch of a run returns only the parts it requests",
    () =>
      Effect.gen(function* () {
        const only = (url: string, modalities: ReadonlyArray<Modality>) =>
          Downloader.use((downloader) =>
            downloader.fetch({
              url,
              maxDurationSeconds: 3_600,
              wantsOf: () => modalities,
              wantsOnly: true
            })
          );
        const audio = yield* only(video.url, ["audio"]);
        yield* assertSound(audio.files);
        assert.deepStrictEqual(namesOf(audio.files), [AUDIO_FILE]);
        for (const { url } of [video, carousel, article]) {
          assert.deepStrictEqual((yield* only(url, [])).files, []);
        }
      }),
    TEST_MS
  );

  it.effect(
    "if the requested language has no subtitles, it is reported as missing and the original is returned",
    () =>
      Effect.gen(function* () {
        const downloader = yield* Downloader;
        const request = {
          url: video.url,
          maxDurationSeconds: 3_600,
          wantsOf: () => ["transcript"] as const
        } as const;
        const fetched = yield* downloader.fetch({ ...request, language: "sw" });
        assert.isTrue(fetched.languageMissing);
        assert.include(yield* textOf(fetched.files, TRANSCRIPT_FILE), video.transcriptIncludes);
        assert.isFalse((yield* downloader.fetch(request)).languageMissing ?? false);
      }),
    TEST_MS
  );

  it.effect(
    "a photo post has all its slides, numbered",
    () =>
      Effect.gen(function* () {
        const { files } = yield* fetch(carousel.url, ["comments"]);
        yield* assertSound(files);
        const slides = Array.from({ length: carousel.imageCount }, (_, index) =>
          slideFile(index + 1, carousel.imageCount)
        );
        assert.includeMembers([...namesOf(files)], slides);
      }),
    TEST_MS
  );

  it.effect(
    "an article has its text",
    () =>
      Effect.gen(function* () {
        const { files } = yield* fetch(article.url, ["transcript"]);
        yield* assertSound(files);
        assert.include(yield* textOf(files, TRANSCRIPT_FILE), article.textIncludes);
      }),
    TEST_MS
  );
};

const lifetimes = (it: Tests, { video }: DownloaderScenario): void => {
  it.effect(
    "files on disk are removed when the scope closes",
    () =>
      Effect.gen(function* () {
        const system = yield* FileSystem.FileSystem;
        const { files } = yield* Effect.scoped(fetch(video.url, ["transcript"]));
        for (const { source } of files) {
          if (source._tag === "LocalFile") assert.isFalse(yield* system.exists(source.path), source.path);
        }
      }),
    TEST_MS
  );

  it.effect(
    "percent and bytes of the progress never decrease within a step",
    () =>
      Effect.gen(function* () {
        const seen: Array<Exclude<StepProgress, { readonly step: "transcribing" }>> = [];
        const report: Run["report"] = (progress) =>
          Effect.sync(() => (progress.step === "transcribing" ? assert.fail() : void seen.push(progress)));
        yield* fetch(video.url, MODALITIES, { report });
        assert.isNotEmpty(seen);
        for (const [index, { step, percent, bytes }] of seen.entries()) {
          assert.isTrue(percent === null || (percent >= 0 && percent <= 100), String(percent));
          const before = seen[index - 1];
          if (before?.step === step) assert.isAtLeast(bytes, before.bytes);
        }
      }),
    TEST_MS
  );
};

/** The layer includes the FileSystem that reads its local files. */
export const suite = <E>(
  name: string,
  layer: Layer.Layer<Downloader | FileSystem.FileSystem, E>,
  scenario: DownloaderScenario
): void =>
  withLayer(inRun(layer), { excludeTestServices: true })(`Downloader: ${name}`, (it) => {
    inspections(it, scenario);
    previews(it, scenario);
    listings(it, scenario);
    fetches(it, scenario);
    lifetimes(it, scenario);
  });
