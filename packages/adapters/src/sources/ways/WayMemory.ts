/**
 * What this process remembers of its ways: at which hosts a route and a version of yt-dlp rest, and which routes' proxies
 * do. It is shared by all accounts on purpose: a platform sees the address of the route, not the account. What one account
 * can do to another is bounded: a URL that no way gets makes none rest, and a trial follows within a minute.
 *
 * A single URL may have its own restriction. So a refusal is the route's only if another route is answered, or if five
 * URLs in a row are refused: a host whose last route rests gets no requests for a while. A fault is the version's if
 * another one reads the source.
 */
import { Failed } from "@winnow/core/domain/source/Failed";
import { siteOf, makeStandings, REFUSALS_TO_REST, type Standing, type Verdict } from "./Standing.ts";
import { DEFAULT_ROUTE, type SourceRoute } from "./SourceRoute.ts";
import type { RestReason, RouteReport } from "./RouteReport.ts";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Metric from "effect/Metric";
import { sentenceOf } from "../failures/classify.ts";
import type { YtDlpProgram } from "../../programs/python/VersionState.ts";

/** Maximum wait for a pause to end; probe and submit must respond within 10 s. */
export const WAIT_MAX_MS = 5_000;

/** Poll interval of waiting requests, because a trial may end early. */
const WAIT_STEP_MS = 250;

/** In the place of a host. */
const EVERY_HOST = "";

export interface Way {
  readonly route: SourceRoute;
  readonly program: YtDlpProgram;
}

/** What a run learned of a route. */
export type RouteOutcome =
  /** The host answered, whatever it said of the URL. */
  | { readonly _tag: "Answered" }
  | { readonly _tag: "Refused"; readonly reason: Exclude<RestReason, "unreachable"> }
  /** A page answered 403: it may forbid the page to all, or everything to this route. */
  | { readonly _tag: "Forbidden" }
  /** The route's proxy is not there, or does not admit us. */
  | { readonly _tag: "Broken" }
  /** The route's proxy did not connect to the host. */
  | { readonly _tag: "Unreached" }
  /** Nothing about the route. */
  | { readonly _tag: "Undecided" };

/** What a version made of a source: `fault`, if another one may do better. */
export type VersionOutcome = "read" | "refused" | "fault" | "undecided";

/** A way that was tried for a URL. */
export interface Tried {
  readonly way: Way;
  readonly ofRoute: RouteOutcome;
  readonly ofVersion: VersionOutcome;
}

const hostPauses = Metric.counter("winnow_host_pauses_total", {
  description: "Pauses of a route at a host that kept rejecting requests, by reason",
  incremental: true
});

const routeRuns = Metric.counter("winnow_route_requests_total", {
  description: "Inspections and downloads by the route that served them, and by what the host made of it",
  incremental: true
});

const restFailure = (reason: RestReason, remainingMs: number): Failed => {
  const retryAfterSeconds = Math.ceil(remainingMs / 1_000);
  return new Failed({
    reason,
    message: `${sentenceOf(reason)} Next attempt in ${retryAfterSeconds} seconds.`,
    retryAfterSeconds
  });
};

interface Learned {
  readonly atHost: Verdict<RestReason>;
  readonly ofProxy: Verdict<RestReason>;
}

/** Without an alternative, there is nothing else to do than to try a forbidden page, or the route's proxy, again. */
const learnedOf = (outcome: RouteOutcome, isAnsweredElsewhere: boolean): Learned => {
  const ifElsewhere = (reason: RestReason, otherwise: "good" | "unknown") =>
    isAnsweredElsewhere ? reason : otherwise;
  switch (outcome._tag) {
    case "Answered":
      return { atHost: "good", ofProxy: "good" };
    case "Undecided":
      return { atHost: "unknown", ofProxy: "unknown" };
    case "Refused":
      return { atHost: outcome.reason, ofProxy: "good" };
    case "Forbidden":
      return { atHost: ifElsewhere("bot_blocked", "good"), ofProxy: "good" };
    case "Unreached":
      return { atHost: ifElsewhere("unreachable", "unknown"), ofProxy: "unknown" };
    case "Broken":
      return { atHost: "unknown", ofProxy: ifElsewhere("unreachable", "unknown") };
  }
};

const reportPause = Effect.fnUntraced(function* (
  { name }: SourceRoute,
  host: string | null,
  reason: Verdict<RestReason>,
  pauseMs: number | null
) {
  if (pauseMs === null) return;
  yield* Metric.update(Metric.withAttributes(hostPauses, { reason }), 1);
  const words =
    host === null
      ? "The proxy of a route does not work; the route rests"
      : "The host is rejecting requests; backing off";
  yield* Effect.logWarning(words).pipe(
    Effect.annotateLogs({
      ...(host === null ? {} : { host }),
      ...(name === DEFAULT_ROUTE ? {} : { route: name }),
      reason,
      pauseSeconds: pauseMs / 1_000
    })
  );
});

/** The standings of routes: at a host, and of their proxies, which are the same for all hosts. */
const makeRoutes = () => {
  const atHosts = makeStandings<RestReason>();
  const proxies = makeStandings<RestReason>();

  const settle = Effect.fnUntraced(function* (
    url: string,
    tried: ReadonlyArray<Pick<Tried, "ofRoute" | "way">>
  ) {
    const host = siteOf(url);
    const nowMs = yield* Clock.currentTimeMillis;
    const answered = tried.find(({ ofRoute }) => ofRoute._tag === "Answered");
    for (const each of tried) {
      const { ofRoute, way } = each;
      const { name } = way.route;
      const isElsewhere = answered !== undefined && answered !== each;
      const { atHost, ofProxy } = learnedOf(ofRoute, isElsewhere);
      const how = { url, restsAt: isElsewhere ? 1 : REFUSALS_TO_REST };
      yield* reportPause(way.route, host, atHost, atHosts.learn(name, host, atHost, how, nowMs));
      yield* reportPause(way.route, null, ofProxy, proxies.learn(name, EVERY_HOST, ofProxy, how, nowMs));
      const attributes = { route: name, outcome: ofRoute._tag.toLowerCase() };
      yield* Metric.update(Metric.withAttributes(routeRuns, attributes), 1);
    }
  });

  return {
    settle,
    serves: ({ name }: SourceRoute, host: string, nowMs: number): boolean =>
      atHosts.serves(name, host, nowMs) && proxies.serves(name, EVERY_HOST, nowMs),
    take: ({ name }: SourceRoute, host: string, nowMs: number): void => {
      atHosts.take(name, host, nowMs);
      proxies.take(name, EVERY_HOST, nowMs);
    },
    /** Until it may serve again. */
    restOf: (
      { name }: SourceRoute,
      host: string,
      nowMs: number
    ): NonNullable<Standing<RestReason>["rest"]> | undefined =>
      [atHosts.of(name, host), proxies.of(name, EVERY_HOST)]
        .flatMap(({ rest }) => (rest !== null && rest.untilMs > nowMs ? [rest] : []))
        .toSorted((left, right) => right.untilMs - left.untilMs)[0],
    /** Where the route rests; the host is null where it is its proxy. */
    restsOf: (name: string, nowMs: number): RouteReport["resting"] => [
      ...proxies.restsOf(name, nowMs).map((rest) => ({ ...rest, host: null })),
      ...atHosts.restsOf(name, nowMs)
    ]
  };
};

/** The standings of versions of yt-dlp at hosts. */
const makeVersions = () => {
  const standings = makeStandings<"fault">();

  /** By one route. One that was no help is asked less and less. */
  const settle = Effect.fnUntraced(function* (
    url: string,
    tried: ReadonlyArray<Pick<Tried, "ofVersion" | "way">>
  ) {
    const host = siteOf(url);
    const nowMs = yield* Clock.currentTimeMillis;
    const last = tried.at(-1);
    const isReadElsewhere = last?.ofVersion === "read";
    for (const [at, { ofVersion, way }] of tried.entries()) {
      const { version, ytDlp } = way.program;
      const isFault = ofVersion === "fault" && (isReadElsewhere || at > 0);
      const isGood = ofVersion === "read" || ofVersion === "refused";
      const how = { url, restsAt: isReadElsewhere ? 1 : REFUSALS_TO_REST };
      const verdict = isFault ? "fault" : isGood ? "good" : "unknown";
      const pauseMs = standings.learn(ytDlp, host, verdict, how, nowMs);
      if (pauseMs !== null && isReadElsewhere && last?.way.program !== way.program) {
        yield* Effect.logWarning("A version of yt-dlp cannot read a host; another one serves it").pipe(
          Effect.annotateLogs({ host, version, pauseSeconds: pauseMs / 1_000 })
        );
      }
    }
  });

  return { settle, serves: standings.serves, take: standings.take };
};

export const makeWayMemory = () => {
  const routes = makeRoutes();
  const versions = makeVersions();

  /** The versions that do not rest; if all do, all of them, because a version is no reason to refuse a run. */
  const thatServe = (programs: ReadonlyArray<YtDlpProgram>, url: string) =>
    Effect.map(Clock.currentTimeMillis, (nowMs) => {
      const serving = programs.filter(({ ytDlp }) => versions.serves(ytDlp, siteOf(url), nowMs));
      return serving.length === 0 ? programs : serving;
    });

  const canServe = (ways: ReadonlyArray<Way>, url: string) =>
    Effect.map(Clock.currentTimeMillis, (nowMs) =>
      ways.some(({ route }) => routes.serves(route, siteOf(url), nowMs))
    );

  /** Takes a way by a route that the run has. After a pause, the run is the trial of its version. */
  const takeVersion = (way: Way, url: string) =>
    Effect.map(Clock.currentTimeMillis, (nowMs) => {
      versions.take(way.program.ytDlp, siteOf(url), nowMs);
      return way;
    });

  /** Takes the first of the ways whose route can serve the URL's host; waits a little if all rest, then fails. */
  const take = Effect.fnUntraced(function* (ways: ReadonlyArray<Way>, url: string) {
    const host = siteOf(url);
    const giveUpAtMs = (yield* Clock.currentTimeMillis) + WAIT_MAX_MS;
    for (;;) {
      const nowMs = yield* Clock.currentTimeMillis;
      const way = ways.find(({ route }) => routes.serves(route, host, nowMs));
      if (way !== undefined) {
        routes.take(way.route, host, nowMs);
        return yield* takeVersion(way, url);
      }
      const rests = ways.flatMap(({ route }) => routes.restOf(route, host, nowMs) ?? []);
      const { reason, untilMs } = rests.reduce((first, each) =>
        each.untilMs < first.untilMs ? each : first
      );
      const isTrial = rests.some(({ trial }) => trial);
      if (nowMs >= giveUpAtMs || (!isTrial && untilMs > giveUpAtMs)) {
        return yield* restFailure(reason, untilMs - nowMs);
      }
      yield* Effect.sleep(Math.min(WAIT_STEP_MS, untilMs - nowMs));
    }
  });

  /** Records what a run learned of the ways that it tried. */
  const settle = Effect.fnUntraced(function* (url: string, all: ReadonlyArray<Tried>) {
    const byRoute = [...Map.groupBy(all, ({ way }) => way.route).values()];
    yield* routes.settle(
      url,
      byRoute.flatMap((tried) => tried.slice(-1))
    );
    yield* Effect.forEach(byRoute, (tried) => versions.settle(url, tried), { discard: true });
  });

  return { canServe, restsOf: routes.restsOf, settle, take, takeVersion, thatServe };
};
