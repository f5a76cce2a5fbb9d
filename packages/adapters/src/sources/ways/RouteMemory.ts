/**
 * What this process remembers of its routes: which can serve a host now, and what runs learned of them. It is shared by all
 * accounts on purpose: a platform sees the address of the route, not the account. What one account can do to another is
 * bounded: a URL that no route gets makes no route rest, and a trial follows within a minute.
 */
import { Failed } from "@winnow/core/domain/source/Failed";
import { after, canServe, choose, type RouteOutcome, type RouteHealth } from "./RouteHealth.ts";
import { hostOf, makeStandings, pauseBegun } from "./Standing.ts";
import { DEFAULT_ROUTE, type SourceRoute } from "./SourceRoute.ts";
import type { RestReason, RouteReport } from "./RouteReport.ts";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Metric from "effect/Metric";
import { sentenceOf } from "../failures/classify.ts";

/** Maximum wait for a pause to end; probe and submit must respond within 10 s. */
export const WAIT_MAX_MS = 5_000;

/** Poll interval of waiting requests, because a trial may end early. */
const WAIT_STEP_MS = 250;

/** In the place of a host. */
const EVERY_HOST = "";

const SECOND_MS = 1_000;

const hostPauses = Metric.counter("winnow_host_pauses_total", {
  description: "Pauses of a route at a host that kept rejecting requests, by reason",
  incremental: true
});

const routeRuns = Metric.counter("winnow_route_requests_total", {
  description: "Inspections and downloads by the route that served them, and by what the host made of it",
  incremental: true
});

const restFailure = (reason: RestReason, remainingMs: number): Failed => {
  const retryAfterSeconds = Math.ceil(remainingMs / SECOND_MS);
  return new Failed({
    reason,
    message: `${sentenceOf(reason)} Next attempt in ${retryAfterSeconds} seconds.`,
    retryAfterSeconds
  });
};

/** A route that was tried for a URL. */
export interface Tried {
  readonly route: SourceRoute;
  readonly outcome: RouteOutcome;
}

/** What is known of the routes, by host. */
const makeHealth = () => {
  const atHosts = makeStandings<RestReason>();
  const proxies = makeStandings<RestReason>();
  return {
    of: ({ name }: SourceRoute, host: string): RouteHealth => ({
      atHost: atHosts.of(name, host),
      proxy: proxies.of(name, EVERY_HOST)
    }),
    set: ({ name }: SourceRoute, host: string, { atHost, proxy }: RouteHealth): void => {
      atHosts.set(name, host, atHost);
      proxies.set(name, EVERY_HOST, proxy);
    },
    /** Where the route rests; the host is null where it is its proxy. */
    restsOf: (name: string, nowMs: number): RouteReport["resting"] => [
      ...proxies.restsOf(name, nowMs).map((rest) => ({ ...rest, host: null })),
      ...atHosts.restsOf(name, nowMs)
    ]
  };
};

const reportPause = Effect.fnUntraced(function* (
  { name }: SourceRoute,
  host: string,
  before: RouteHealth,
  now: RouteHealth
) {
  const atHost = pauseBegun(before.atHost, now.atHost);
  const pauseMs = atHost ?? pauseBegun(before.proxy, now.proxy);
  if (pauseMs === null) return;
  const reason = (atHost === null ? now.proxy : now.atHost).rest?.reason ?? "unreachable";
  yield* Metric.update(Metric.withAttributes(hostPauses, { reason }), 1);
  const words =
    atHost === null
      ? "The proxy of a route does not work; the route rests"
      : "The host is rejecting requests; backing off";
  yield* Effect.logWarning(words).pipe(
    Effect.annotateLogs({
      ...(atHost === null ? {} : { host }),
      ...(name === DEFAULT_ROUTE ? {} : { route: name }),
      reason,
      pauseSeconds: pauseMs / SECOND_MS
    })
  );
});

export interface RouteMemory {
  /** Takes the first of the routes that can serve the URL's host; waits a little if all rest, then fails. */
  readonly take: (routes: ReadonlyArray<SourceRoute>, url: string) => Effect.Effect<SourceRoute, Failed>;
  readonly canAnyServe: (routes: ReadonlyArray<SourceRoute>, url: string) => Effect.Effect<boolean>;
  /** Records what a run learned. */
  readonly settle: (url: string, tried: ReadonlyArray<Tried>) => Effect.Effect<void>;
  /** Where the route rests. */
  readonly restsOf: (name: string, nowMs: number) => RouteReport["resting"];
}

export const makeRouteMemory = (): RouteMemory => {
  const health = makeHealth();

  const take = Effect.fnUntraced(function* (routes: ReadonlyArray<SourceRoute>, url: string) {
    const host = hostOf(url);
    const giveUpAtMs = (yield* Clock.currentTimeMillis) + WAIT_MAX_MS;
    for (;;) {
      const nowMs = yield* Clock.currentTimeMillis;
      const choice = choose(
        routes.map((route) => health.of(route, host)),
        nowMs
      );
      if (choice._tag === "Chosen") {
        const route = routes[choice.index] as SourceRoute;
        health.set(route, host, choice.health);
        return route;
      }
      const { reason, remainingMs, trial } = choice;
      if (nowMs >= giveUpAtMs || (!trial && nowMs + remainingMs > giveUpAtMs)) {
        return yield* restFailure(reason, remainingMs);
      }
      yield* Effect.sleep(Math.min(WAIT_STEP_MS, remainingMs));
    }
  });

  const canAnyServe = (routes: ReadonlyArray<SourceRoute>, url: string) =>
    Effect.map(Clock.currentTimeMillis, (nowMs) =>
      routes.some((route) => canServe(health.of(route, hostOf(url)), nowMs))
    );

  const settle = Effect.fnUntraced(function* (url: string, tried: ReadonlyArray<Tried>) {
    const host = hostOf(url);
    const nowMs = yield* Clock.currentTimeMillis;
    const answered = tried.find(({ outcome }) => outcome._tag === "Answered");
    for (const { outcome, route } of tried) {
      const before = health.of(route, host);
      const answeredElsewhere = answered !== undefined && answered.route !== route;
      const now = after(before, { url, outcome, answeredElsewhere }, nowMs);
      health.set(route, host, now);
      const attributes = { route: route.name, outcome: outcome._tag.toLowerCase() };
      yield* Metric.update(Metric.withAttributes(routeRuns, attributes), 1);
      yield* reportPause(route, host, before, now);
    }
  });

  return { take, canAnyServe, settle, restsOf: health.restsOf };
};
