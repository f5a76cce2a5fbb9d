/**
 * The Downloader with yt-dlp, ffmpeg, gallery-dl and our page reader: the order of an inspection and of a fetch, and their
 * limits. Connections go through the egress guard, files into a folder apart.
 */
import type { Failed } from "@winnow/core/domain/source/Failed";
import { DEFAULT_ROUTE } from "./ways/SourceRoute.ts";
import { CurrentRun } from "@winnow/core/ports/CurrentRun";
import { isTooLong, tooLongMessage } from "@winnow/core/domain/source/SourceFacts";
import {
  Downloader,
  type Fetched,
  type FetchRequest,
  inspectedFetch,
  type InspectOptions
} from "@winnow/core/ports/Downloader";
import { RouteReports } from "./ways/RouteReport.ts";
import * as Clock from "effect/Clock";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import { inTurnOfRun } from "@winnow/isolation/runtime/FairPermits";
import { explainedBy, failed } from "./failures/classify.ts";
import { folderMaxBytes } from "./DownloadLimits.ts";
import { describeFiles } from "./fetch/describeFiles.ts";
import { type FetchedParts, fetchSource } from "./fetch/fetchParts.ts";
import { makePreview } from "./fetch/fetchPreview.ts";
import { failingOnFullDisk } from "./fetch/fullDisk.ts";
import { type FetchContext, makeProgressMeter } from "./fetch/FetchContext.ts";
import type { Inspection } from "./inspect/Inspection.ts";
import {
  type Inspect,
  type InspectionCache,
  makeInspectionCache,
  permitsOf
} from "./inspect/InspectionCache.ts";
import { listSource } from "./inspect/Listing.ts";
import type { InspectorServices } from "./inspect/InspectionContext.ts";
import { inspectSource } from "./inspect/SourceInspector.ts";
import { makeRunFolder, type RunFolder, withinFolder } from "@winnow/isolation/process/RunFolder";
import { routedServices, type SharedServices } from "./inspect/RoutedServices.ts";
import type { RunWay, Ways } from "./ways/Ways.ts";
import type { YtDlp } from "./yt-dlp/YtDlp.ts";
import type { RunningVersions } from "./yt-dlp/versions/RunningVersions.ts";

/** Failures that an outdated inspection may have caused: its media addresses expire, and most hosts then answer 403. */
const STALE_REASONS: ReadonlySet<Failed["reason"]> = new Set([
  "removed",
  "private",
  "bot_blocked",
  "not_extractable"
]);

/** An inspection younger than this is not the cause. */
const STALE_AFTER_MS = 30_000;

const fetchInspected = Effect.fnUntraced(function* (
  services: InspectorServices,
  request: FetchRequest,
  folder: RunFolder,
  inspection: Inspection
): Effect.fn.Return<FetchedParts, Failed> {
  const { maxDurationSeconds } = request;
  if (isTooLong(inspection.facts, null, maxDurationSeconds)) {
    return yield* failed("too_long", tooLongMessage(maxDurationSeconds));
  }
  const budgetBytes = services.limits.maxDownloadBytes;
  return yield* Effect.scoped(
    Effect.gen(function* () {
      const proxy = yield* services.egress.openProxy({ budgetBytes });
      const meter = makeProgressMeter(yield* CurrentRun);
      yield* Effect.forkScoped(meter.report);
      yield* meter.enter("fetching");
      const context: FetchContext = {
        ...services,
        request: inspectedFetch(request, inspection.facts),
        meter,
        place: { folder, proxyUrl: proxy.url, cookies: services.cookies }
      };
      const bounded = withinFolder(fetchSource(context, inspection), folder, {
        maxBytes: folderMaxBytes(services.limits, budgetBytes),
        failure: () => failed("too_large")
      });
      return yield* bounded.pipe(
        Effect.catch((failure) => Effect.flatMap(explainedBy(proxy, failure), Effect.fail))
      );
    })
  );
});

const noteRoute = ({ way: { route } }: Inspection, url: string): Effect.Effect<void> =>
  route === DEFAULT_ROUTE
    ? Effect.void
    : Effect.logInfo("A source was read").pipe(
        Effect.annotateLogs({ route, host: URL.parse(url)?.host ?? url })
      );

interface Inspections {
  readonly inspections: InspectionCache;
  readonly inspectBy: (way: RunWay<YtDlp>) => Inspect;
}

const makeFetch = (services: SharedServices, { inspections, inspectBy }: Inspections, ways: Ways<YtDlp>) => {
  const fetchInto = Effect.fnUntraced(function* (request: FetchRequest, folder: RunFolder) {
    const { url } = request;
    // A run can wait for its turn.
    let inspection = yield* Effect.catchTag(inspections.get(url, request), "Busy", Effect.die);
    let isOutdated = false;
    const fetchBy = Effect.fnUntraced(function* (way: RunWay<YtDlp>) {
      const { route, ytDlp } = inspection.way;
      if (isOutdated || way.name.route !== route || way.name.ytDlp !== ytDlp)
        inspection = yield* inspections.renew(url, request, inspectBy(way));
      const fetching = fetchInspected(routedServices(services, way), request, folder, inspection);
      return yield* Effect.tapError(fetching, ({ reason }) =>
        Effect.map(Clock.currentTimeMillis, (nowMs) => {
          if (isOutdated || !STALE_REASONS.has(reason)) return;
          isOutdated = nowMs - inspection.inspectedAtMs >= STALE_AFTER_MS;
          if (isOutdated) way.noteOutdated();
        })
      );
    });
    const part = yield* ways.serve(url, fetchBy, inspection.way).pipe(
      Effect.timeoutOrElse({
        duration: services.limits.fetchTimeoutMs,
        orElse: () => Effect.fail(failed("timeout"))
      })
    );
    yield* noteRoute(inspection, url);
    const fetched: Fetched = {
      route: inspection.way.route,
      facts: inspection.facts,
      details: inspection.details,
      measuredDurationSeconds: part.measuredDurationSeconds,
      streamDurationSeconds: part.streamDurationSeconds,
      sections: part.sections,
      files: yield* describeFiles(folder, part),
      failedLookups: part.failedLookups,
      wholePage: part.wholePage ?? null,
      languageMissing: part.languageMissing,
      warnings: [...(request.wantsOnly === true ? [] : (inspection.warnings ?? [])), ...part.warnings]
    };
    return fetched;
  });
  return Effect.fn("MediaDownloader.fetch")(function* (request: FetchRequest) {
    const { report } = yield* CurrentRun;
    yield* report({ step: "inspecting", percent: null, bytes: 0 });
    const folder = yield* makeRunFolder(services.workDir);
    return yield* failingOnFullDisk(folder, request.wantsOf)(fetchInto(request, folder));
  });
};

/** Starts the fork server in the background; returns whether it is ready. */
const warming = Effect.fnUntraced(function* ({ ready }: RunningVersions) {
  let isWarm = false;
  yield* Effect.forkScoped(
    Effect.andThen(
      ready,
      Effect.sync(() => (isWarm = true))
    )
  );
  return Effect.sync(() => isWarm);
});

/** Inspections and looks at listings. Each goes by the first of its ways that serves it. */
const makeInspections = Effect.fnUntraced(function* (services: SharedServices, ways: Ways<YtDlp>) {
  const permits = permitsOf(services.limits);
  const inspectBy =
    (way: RunWay<YtDlp>): Inspect =>
    (url, permit, known) =>
      Effect.map(inspectSource(routedServices(services, way), url, permit, known), (found) => ({
        ...found,
        way: way.name
      }));
  const inspections = yield* makeInspectionCache(permits, (url, permit, known) =>
    ways.serve(url, (way) => inspectBy(way)(url, permit, known))
  );
  const list: Downloader["Service"]["list"] = (request) =>
    inTurnOfRun(permits)(
      ways.serve(request.url, (way) => listSource(routedServices(services, way), request))
    );
  return { inspections, inspectBy, list };
});

/** Its routes are told by RouteReports. */
export const makeDownloader = Effect.fnUntraced(function* (
  services: SharedServices,
  versions: RunningVersions,
  ways: Ways<YtDlp>
) {
  const { list, ...inspecting } = yield* makeInspections(services, ways);
  const downloader = Downloader.of({
    isWarm: yield* warming(versions),
    inspect: Effect.fn("MediaDownloader.inspect")((url: string, options: InspectOptions) =>
      Effect.map(inspecting.inspections.get(url, options), ({ facts }) => facts)
    ),
    preview: makePreview(services, inspecting.inspections, ways),
    list,
    fetch: makeFetch(services, inspecting, ways)
  });
  return Context.make(Downloader, downloader).pipe(Context.add(RouteReports, ways.report));
});
