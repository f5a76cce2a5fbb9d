/**
 * The Downloader over yt-dlp, ffmpeg, gallery-dl and our page reader.
 *
 * Owns the order of a fetch and its limits; every connection of it goes through the egress guard, every
 * file of it lies in a folder of its own.
 */
import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { contentTypeOf } from "@winnow/core/domain/ArtifactName";
import { canonical } from "@winnow/core/domain/Modality";
import { MAX_DURATION_SECONDS } from "@winnow/core/domain/SourceFacts";
import {
  Downloader,
  type DownloadFailed,
  type Fetched,
  type FetchedFile,
  type FetchRequest,
  type LookOptions
} from "@winnow/core/ports/Downloader";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Semaphore from "effect/Semaphore";
import { Egress } from "../egress/Egress.ts";
import { PageReader } from "../page/PageReader.ts";
import { PageRenderer } from "../page/PageRenderer.ts";
import { failed } from "./classify.ts";
import { DEFAULT_LIMITS, type DownloadLimits } from "./DownloadLimits.ts";
import { type FetchedParts, fetchSource } from "./fetchParts.ts";
import { type FetchSession, makeProgressMeter } from "./FetchSession.ts";
import { makeFfmpeg } from "./Ffmpeg.ts";
import { makeGalleryDl } from "./GalleryDl.ts";
import { type HostCircuits, makeHostCircuits } from "./HostCircuits.ts";
import type { Look } from "./Look.ts";
import { type LookCache, makeLookCache } from "./LookCache.ts";
import { explainedBy, type LookerServices, makeLooker } from "./Looker.ts";
import { makeRunFolder, sweepWorkDir } from "./RunFolder.ts";
import { locateTools, remedyOf, type ToolSettings, ToolsMissing } from "./Tools.ts";
import { makeYtDlp } from "./YtDlp.ts";
import { ageProblem, missingSince, readYtDlpVersion } from "./YtDlpVersion.ts";
import { checkYtDlpArgs, withAbsolutePaths, YtDlpArgsRefused } from "./YtDlpArgs.ts";

export interface MediaDownloaderOptions {
  /** Folder of all runs' working folders; made when absent. */
  readonly workDir: string;
  readonly tools?: ToolSettings;
  /** The operator's extra options, split (YtDlpArgs). */
  readonly ytDlpArgs?: ReadonlyArray<string>;
  /** Netscape cookies for the downloaders; never logged, never in an artifact. */
  readonly cookiesFile?: string | null;
  readonly limits?: Partial<DownloadLimits>;
  /** Starts the fork server with the layer rather than at the first look; default true. */
  readonly warmStart?: boolean;
  /** False: run the yt-dlp command for every job; default true. */
  readonly forkServer?: boolean;
}

/** Reasons that a look may have caused by being old: its media addresses expire. */
const STALE_REASONS: ReadonlySet<DownloadFailed["reason"]> = new Set([
  "removed",
  "private",
  "not_extractable"
]);

/** A look younger than this is not to blame. */
const STALE_AFTER_MS = 30_000;

/** Size in bytes; 0 where there is no such file. */
const sizeOf = (path: string): Effect.Effect<number> =>
  Effect.promise(() =>
    stat(path).then(
      (found) => (found.isFile() ? found.size : 0),
      () => 0
    )
  );

/** Whatever wrote them said that all went well, which proves nothing. */
const describe = (
  folder: string,
  names: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<FetchedFile>, DownloadFailed> =>
  Effect.forEach(
    names,
    Effect.fnUntraced(function* (name) {
      const path = join(folder, name);
      const sizeBytes = yield* sizeOf(path);
      if (sizeBytes === 0) return yield* failed("internal", "A file that was fetched is not there.");
      const file: FetchedFile = {
        name,
        contentType: contentTypeOf(name),
        sizeBytes,
        source: { _tag: "LocalFile", path }
      };
      return file;
    }),
    { concurrency: 8 }
  );

const fetchLooked = Effect.fnUntraced(function* (
  services: LookerServices,
  request: FetchRequest,
  folder: string,
  look: Look
): Effect.fn.Return<FetchedParts, DownloadFailed> {
  const { durationSeconds, kind } = look.facts;
  if (kind === "video" && durationSeconds !== null && durationSeconds > MAX_DURATION_SECONDS) {
    return yield* failed("too_long");
  }
  const budgetBytes = services.limits.maxDownloadBytes;
  return yield* Effect.scoped(
    Effect.gen(function* () {
      const proxy = yield* services.egress.openProxy({ budgetBytes });
      const meter = makeProgressMeter(request.onProgress);
      yield* Effect.forkScoped(meter.report);
      yield* meter.enter("fetching");
      const session: FetchSession = { ...services, request, meter, place: { folder, proxyUrl: proxy.url } };
      return yield* fetchSource(session, look).pipe(
        Effect.catch((failure) => Effect.flatMap(explainedBy(proxy, failure), Effect.fail))
      );
    })
  );
});

const makeFetch = (services: LookerServices, looks: LookCache, circuits: HostCircuits) =>
  Effect.fn("MediaDownloader.fetch")(function* (request: FetchRequest) {
    const fetchGuarded = (folder: string, look: Look) =>
      circuits.guard(request.url, fetchLooked(services, request, folder, look));
    yield* request.onProgress({ step: "inspecting", percent: null, bytes: 0 });
    const folder = yield* makeRunFolder(services.workDir);
    let look = yield* looks.get(request.url);
    const part = yield* fetchGuarded(folder, look).pipe(
      Effect.catch((failure) =>
        Effect.gen(function* () {
          const ageMs = (yield* Clock.currentTimeMillis) - look.lookedAtMs;
          if (!STALE_REASONS.has(failure.reason) || ageMs < STALE_AFTER_MS) return yield* failure;
          yield* looks.forget(request.url);
          look = yield* looks.get(request.url);
          return yield* fetchGuarded(folder, look);
        })
      ),
      Effect.timeoutOrElse({
        duration: services.limits.fetchTimeoutMs,
        orElse: () => Effect.fail(failed("timeout"))
      })
    );
    const fetched: Fetched = {
      facts: look.facts,
      measuredDurationSeconds: part.measuredDurationSeconds,
      files: yield* describe(folder, part.files),
      unavailable: canonical(part.unavailable),
      languageMissing: part.languageMissing,
      warnings: [...(request.wantsOnly === true ? [] : (look.warnings ?? [])), ...part.warnings]
    };
    return fetched;
  });

/** The operator's options, of which this yt-dlp may not know one: it would refuse every run. */
const refuseTooNew = (args: ReadonlyArray<string>, version: string | null) =>
  Effect.forEach(
    args,
    (option) => {
      const since = missingSince(option, version);
      const message = `The yt-dlp option ${option} needs yt-dlp ${since} or newer.`;
      return since === null ? Effect.void : Effect.fail(new YtDlpArgsRefused({ option, message }));
    },
    { discard: true }
  );

const warnOfAge = Effect.fnUntraced(function* (version: string | null) {
  const problem = version === null ? null : ageProblem(version, yield* Clock.currentTimeMillis);
  if (problem === null) return;
  yield* Effect.logWarning(`yt-dlp is ${problem}. Get a new one with: ${remedyOf("yt-dlp")}`).pipe(
    Effect.annotateLogs({ version })
  );
});

const make = Effect.fnUntraced(function* (options: MediaDownloaderOptions) {
  const workDir = resolve(options.workDir);
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  // Children work in folders of their own, where a relative path would lead nowhere.
  const cookiesFile = options.cookiesFile == null ? null : resolve(options.cookiesFile);
  const tools = yield* locateTools(options.tools ?? {});
  const checked = yield* Effect.fromResult(checkYtDlpArgs(options.ytDlpArgs ?? []));
  const extraArgs = withAbsolutePaths(checked, process.cwd());
  yield* sweepWorkDir(workDir);
  const version = yield* readYtDlpVersion(tools);
  yield* refuseTooNew(checked, version);
  yield* warnOfAge(version);
  const ytDlp = yield* makeYtDlp({
    tools,
    version,
    extraArgs,
    cookiesFile,
    workDir,
    limits,
    forkServer: options.forkServer ?? true
  });
  const services: LookerServices = {
    egress: yield* Egress,
    pages: yield* PageReader,
    renderer: Option.getOrNull(yield* Effect.serviceOption(PageRenderer)),
    ytDlp,
    ffmpeg: makeFfmpeg(tools, limits),
    galleryDl:
      tools.galleryDl === null ? null : makeGalleryDl(tools.galleryDl, { tools, limits, cookiesFile }),
    workDir,
    limits
  };
  const seats = yield* Semaphore.make(limits.looksAtOnceMax);
  const look = makeLooker(services);
  const circuits = makeHostCircuits();
  const looks = yield* makeLookCache((url) => circuits.guard(url, Semaphore.withPermit(seats, look(url))));
  if (options.warmStart ?? true) yield* Effect.forkScoped(ytDlp.warm);
  return Downloader.of({
    inspect: Effect.fn("MediaDownloader.inspect")((url: string, { notBeforeMs }: LookOptions = {}) =>
      Effect.map(looks.get(url, notBeforeMs), ({ facts }) => facts)
    ),
    fetch: makeFetch(services, looks, circuits)
  });
});

/**
 * Renders pages that their scripts make where the context holds a PageRenderer.
 *
 * Fails when a program is missing or an extra option is refused: the server must not start then.
 */
export const layer = (
  options: MediaDownloaderOptions
): Layer.Layer<Downloader, ToolsMissing | YtDlpArgsRefused, Egress | PageReader> =>
  Layer.effect(Downloader, make(options));
