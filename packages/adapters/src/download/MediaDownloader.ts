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
import { isTooLong, MAX_DURATION_SECONDS, tooLongMessage } from "@winnow/core/domain/SourceFacts";
import {
  Downloader,
  type DownloadFailed,
  type Fetched,
  type FetchedFile,
  type FetchRequest,
  inspectedFetch,
  type InspectOptions,
  textFile
} from "@winnow/core/ports/Downloader";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import { Egress } from "../egress/Egress.ts";
import { PageReader } from "../page/PageReader.ts";
import { PageRenderer } from "../page/PageRenderer.ts";
import { makeFairPermits } from "../shares/FairPermits.ts";
import { failed } from "./classify.ts";
import { DEFAULT_LIMITS, type DownloadLimits, folderMaxBytes } from "./DownloadLimits.ts";
import { type FetchedParts, fetchSource } from "./fetchParts.ts";
import { mindingDisk } from "./fullDisk.ts";
import { type FetchSession, makeProgressMeter, type Part } from "./FetchSession.ts";
import { makeFfmpeg } from "../programs/Ffmpeg.ts";
import { makeGalleryDl } from "./gallery-dl/GalleryDl.ts";
import { type HostCircuits, makeHostCircuits } from "./HostCircuits.ts";
import type { Inspection } from "./Inspection.ts";
import { type InspectionCache, makeInspectionCache } from "./InspectionCache.ts";
import { explainedBy, type InspectorServices, makeSourceInspector } from "./SourceInspector.ts";
import { makeRunFolder, sweepWorkDir, withinFolder } from "../programs/RunFolder.ts";
import {
  locatePrograms,
  remedyOf,
  type ProgramSettings,
  ProgramsMissing
} from "../programs/ExternalPrograms.ts";
import { authorityFiles } from "../programs/ProgramEnvironment.ts";
import { programFiles, userPackages } from "../programs/sandbox/programFiles.ts";
import {
  type Confinement,
  openSandbox,
  type SandboxMissing,
  type SandboxSetting
} from "../programs/sandbox/Sandbox.ts";
import { makeYtDlp, type YtDlp } from "./yt-dlp/YtDlp.ts";
import { ageProblem, missingSince, readYtDlpVersion } from "./yt-dlp/YtDlpVersion.ts";
import { checkYtDlpArgs, pathsIn, withAbsolutePaths, YtDlpArgsRefused } from "./yt-dlp/YtDlpArgs.ts";

export interface MediaDownloaderOptions {
  /** Folder of all runs' working folders; made when absent. */
  readonly workDir: string;
  readonly programs?: ProgramSettings;
  /** The operator's extra options, split (YtDlpArgs). */
  readonly ytDlpArgs?: ReadonlyArray<string>;
  /** Netscape cookies for the downloaders; never logged, never in an artifact. */
  readonly cookiesFile?: string | null;
  readonly limits?: Partial<DownloadLimits>;
  /** Default `auto`. */
  readonly sandbox?: SandboxSetting;
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
  { files, texts }: Part
): Effect.Effect<ReadonlyArray<FetchedFile>, DownloadFailed> =>
  Effect.forEach(
    files,
    Effect.fnUntraced(function* (name) {
      const text = texts.get(name);
      if (text !== undefined) return textFile(name, text);
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

const fetchInspected = Effect.fnUntraced(function* (
  services: InspectorServices,
  request: FetchRequest,
  folder: string,
  inspection: Inspection
): Effect.fn.Return<FetchedParts, DownloadFailed> {
  const { maxDurationSeconds = MAX_DURATION_SECONDS } = request;
  if (isTooLong(inspection.facts, null, maxDurationSeconds)) {
    return yield* failed("too_long", tooLongMessage(maxDurationSeconds));
  }
  const budgetBytes = services.limits.maxDownloadBytes;
  return yield* Effect.scoped(
    Effect.gen(function* () {
      const proxy = yield* services.egress.openProxy({ budgetBytes });
      const meter = makeProgressMeter(request.onProgress);
      yield* Effect.forkScoped(meter.report);
      yield* meter.enter("fetching");
      const session: FetchSession = {
        ...services,
        request: inspectedFetch(request, inspection.facts),
        meter,
        place: { folder, proxyUrl: proxy.url }
      };
      const bounded = withinFolder(fetchSource(session, inspection), folder, {
        maxBytes: folderMaxBytes(services.limits, budgetBytes),
        failure: () => failed("too_large")
      });
      return yield* bounded.pipe(
        Effect.catch((failure) => Effect.flatMap(explainedBy(proxy, failure), Effect.fail))
      );
    })
  );
});

const makeFetch = (services: InspectorServices, inspections: InspectionCache, circuits: HostCircuits) =>
  Effect.fn("MediaDownloader.fetch")(function* (request: FetchRequest) {
    const fetchGuarded = (folder: string, inspection: Inspection) =>
      circuits.guard(request.url, fetchInspected(services, request, folder, inspection));
    yield* request.onProgress({ step: "inspecting", percent: null, bytes: 0 });
    const folder = yield* makeRunFolder(services.workDir);
    // A run has the time to wait for its turn.
    const inspect = Effect.catchTag(inspections.get(request.url, request), "Busy", Effect.die);
    let inspection = yield* inspect;
    const part = yield* fetchGuarded(folder, inspection).pipe(
      Effect.catch((failure) =>
        Effect.gen(function* () {
          const ageMs = (yield* Clock.currentTimeMillis) - inspection.inspectedAtMs;
          if (!STALE_REASONS.has(failure.reason) || ageMs < STALE_AFTER_MS) return yield* failure;
          yield* inspections.forget(request.url);
          inspection = yield* inspect;
          return yield* fetchGuarded(folder, inspection);
        })
      ),
      Effect.timeoutOrElse({
        duration: services.limits.fetchTimeoutMs,
        orElse: () => Effect.fail(failed("timeout"))
      })
    );
    const fetched: Fetched = {
      facts: inspection.facts,
      details: inspection.details,
      measuredDurationSeconds: part.measuredDurationSeconds,
      streamDurationSeconds: part.streamDurationSeconds,
      files: yield* describe(folder, part),
      unavailable: canonical(part.unavailable),
      failedLookups: part.failedLookups,
      wholePage: part.wholePage ?? null,
      languageMissing: part.languageMissing,
      warnings: [...(request.wantsOnly === true ? [] : (inspection.warnings ?? [])), ...part.warnings]
    };
    return fetched;
  }, mindingDisk(services.workDir));

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

/** Gets the fork server ready in the background; answers whether it is. */
const warming = Effect.fnUntraced(function* ({ ready, warm }: YtDlp) {
  let isWarm = false;
  yield* Effect.forkScoped(warm);
  yield* Effect.forkScoped(
    Effect.andThen(
      ready,
      Effect.sync(() => (isWarm = true))
    )
  );
  return Effect.sync(() => isWarm);
});

const make = Effect.fnUntraced(function* (options: MediaDownloaderOptions) {
  const workDir = resolve(options.workDir);
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  // Children work in folders of their own, where a relative path would lead nowhere.
  const cookiesFile = options.cookiesFile == null ? null : resolve(options.cookiesFile);
  const programs = yield* locatePrograms(options.programs ?? {});
  const checked = yield* Effect.fromResult(checkYtDlpArgs(options.ytDlpArgs ?? []));
  const extraArgs = withAbsolutePaths(checked, process.cwd());
  yield* sweepWorkDir(workDir);
  const version = yield* readYtDlpVersion(programs);
  yield* refuseTooNew(checked, version);
  yield* warnOfAge(version);
  const egress = yield* Egress;
  const sandbox = yield* openSandbox(options.sandbox ?? "auto");
  const door = sandbox === null ? null : yield* egress.proxyDoor;
  const readable = [...pathsIn(extraArgs), ...userPackages(), ...Object.values(authorityFiles())];
  const confinedTo = (program: string): Confinement | null =>
    sandbox === null ? null : { sandbox, door, readable: [...programFiles(program), ...readable] };
  const ytDlp = yield* makeYtDlp({
    programs,
    version,
    extraArgs,
    cookiesFile,
    workDir,
    limits,
    confinedTo,
    forkServer: options.forkServer ?? true
  });
  const services: InspectorServices = {
    egress,
    pages: yield* PageReader,
    renderer: Option.getOrNull(yield* Effect.serviceOption(PageRenderer)),
    ytDlp,
    ffmpeg: makeFfmpeg({ programs, limits, sandbox, door }),
    galleryDl:
      programs.galleryDl === null
        ? null
        : makeGalleryDl(programs.galleryDl, {
            programs,
            limits,
            cookiesFile,
            confinement: confinedTo(programs.galleryDl)
          }),
    workDir,
    sandbox,
    limits
  };
  const permits = makeFairPermits(limits.inspectionsAtOnceMax);
  const inspect = makeSourceInspector(services);
  const circuits = makeHostCircuits();
  const inspections = yield* makeInspectionCache(permits, (url, turn, known) =>
    circuits.guard(url, inspect(url, turn, known))
  );
  return Downloader.of({
    isWarm: (options.warmStart ?? true) ? yield* warming(ytDlp) : Effect.succeed(true),
    inspect: Effect.fn("MediaDownloader.inspect")((url: string, options: InspectOptions) =>
      Effect.map(inspections.get(url, options), ({ facts }) => facts)
    ),
    fetch: makeFetch(services, inspections, circuits)
  });
});

/**
 * Renders pages that their scripts make where the context holds a PageRenderer.
 *
 * Fails when a program is missing or an extra option is refused: the server must not start then.
 */
export const layer = (
  options: MediaDownloaderOptions
): Layer.Layer<Downloader, ProgramsMissing | YtDlpArgsRefused | SandboxMissing, Egress | PageReader> =>
  Layer.effect(Downloader, make(options));
