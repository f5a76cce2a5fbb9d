/**
 * The routes to sources in this process: each run takes the first route of its host that can serve, and the next one if
 * that is refused. Decisions are those of RouteHealth; RouteMemory remembers what they are made of.
 */
import { Failed } from "@winnow/core/domain/source/Failed";
import type { RouteOutcome } from "./RouteHealth.ts";
import {
  type CookieJarFile,
  jarOf,
  plainRoute,
  routesOf,
  type RouteTable,
  type SourceRoute
} from "./SourceRoute.ts";
import type { RouteReport } from "./RouteReport.ts";
import type * as Context from "effect/Context";
import * as Clock from "effect/Clock";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Option from "effect/Option";
import type { Egress, EgressWay, ProxyFailed } from "@winnow/isolation/network/Egress";
import { failed } from "../failures/classify.ts";
import { makeRouteMemory, type Tried } from "./RouteMemory.ts";
import { reportOf } from "./routeReports.ts";

/** For hosts that no route serves. */
const FALLBACK = plainRoute();

const hostNameOf = (url: string): string => URL.parse(url)?.hostname ?? url;

/** Reasons that say nothing about the host; it may not even have been contacted. */
const UNDECIDED: ReadonlySet<Failed["reason"]> = new Set([
  "timeout",
  "unreachable",
  "internal",
  "host_not_public",
  "blocked_address",
  "cancelled"
]);

/** The route of one run. */
export interface RoutedRun {
  readonly name: string;
  readonly egress: EgressWay;
  /** The jar for programs; null without one. */
  readonly cookies: CookieJarFile | null;
  /** The page, or what it consists of, answered 403. */
  readonly noteForbidden: () => void;
}

type Use<A, R> = (run: RoutedRun) => Effect.Effect<A, Failed, R>;

export interface Routes {
  /**
   * Runs `use` with the first route of the URL's host that can serve, and again with the next ones as long as it is refused.
   * Fails at once, or after a short wait, if all of them rest. `preferred` is tried first: media addresses are often
   * valid only for the address that asked for them.
   */
  readonly serve: <A, R>(url: string, use: Use<A, R>, preferred?: string) => Effect.Effect<A, Failed, R>;

  readonly report: Effect.Effect<ReadonlyArray<RouteReport>>;
}

type Restore = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>;

/** What happened on the way, besides the result. */
interface Seen {
  forbidden: boolean;
  proxyFailed: ProxyFailed | null;
}

const NOT_REACHED: ReadonlySet<Failed["reason"]> = new Set(["unreachable", "timeout"]);

const outcomeOf = (exit: Exit.Exit<unknown, Failed>, { forbidden, proxyFailed }: Seen): RouteOutcome => {
  const reason = Option.getOrUndefined(Exit.findErrorOption(exit))?.reason ?? null;
  if (Exit.isSuccess(exit)) return { _tag: "Answered" };
  if (reason === "bot_blocked" || reason === "rate_limited") return { _tag: "Refused", reason };
  if (reason === "private" && forbidden) return { _tag: "Forbidden" };
  if (reason !== null && NOT_REACHED.has(reason) && proxyFailed !== null) {
    return { _tag: proxyFailed.isProxy ? "Broken" : "Unreached" };
  }
  return reason === null || UNDECIDED.has(reason) ? { _tag: "Undecided" } : { _tag: "Answered" };
};

/** Whether another route may do better for the same URL. */
const wantsAnother = ({ _tag }: RouteOutcome): boolean => _tag !== "Answered" && _tag !== "Undecided";

/** A route to try, and those that could be tried after it. */
interface Turn {
  readonly route: SourceRoute;
  readonly others: ReadonlyArray<SourceRoute>;
}

/** One attempt; it ends early if the route's proxy does not work and there are others. */
const attempt = Effect.fnUntraced(function* <A, R>(
  { route, others }: Turn,
  wayOf: (onProxyFailed: (failure: ProxyFailed) => void) => EgressWay,
  use: Use<A, R>,
  restore: Restore
) {
  const seen: Seen = { forbidden: false, proxyFailed: null };
  const broken = Deferred.makeUnsafe<never, Failed>();
  const run: RoutedRun = {
    name: route.name,
    egress: wayOf((failure) => {
      seen.proxyFailed = seen.proxyFailed?.isProxy === true ? seen.proxyFailed : failure;
      if (failure.isProxy && others.length > 0)
        Deferred.doneUnsafe(broken, Effect.fail(failed("unreachable")));
    }),
    cookies: jarOf(route),
    noteForbidden: () => void (seen.forbidden = true)
  };
  const exit = yield* Effect.exit(restore(Effect.raceFirst(use(run), Deferred.await(broken))));
  const tried: Tried = { route, outcome: outcomeOf(exit, seen) };
  return { exit, tried };
});

export const makeRoutes = ({ current }: RouteTable, egress: Context.Service.Shape<typeof Egress>): Routes => {
  const { canAnyServe, restsOf, settle, take } = makeRouteMemory();
  /** When a run last succeeded, by the name of the route. */
  const succeededAtMs = new Map<string, number>();

  const routesFor = (url: string, preferred: string | undefined): ReadonlyArray<SourceRoute> =>
    routesOf(current(), hostNameOf(url), FALLBACK).toSorted(
      (left, right) => Number(right.name === preferred) - Number(left.name === preferred)
    );

  const tryOnce = Effect.fnUntraced(function* <A, R>(turn: Turn, use: Use<A, R>, restore: Restore) {
    const { name, proxy } = turn.route;
    const wayOf = (onProxyFailed: (failure: ProxyFailed) => void) =>
      egress.through({ name, upstream: proxy, onProxyFailed });
    const ended = yield* attempt(turn, wayOf, use, restore);
    if (Exit.isSuccess(ended.exit)) succeededAtMs.set(name, yield* Clock.currentTimeMillis);
    return ended;
  });

  const mayGoOn = ({ outcome }: Tried, others: ReadonlyArray<SourceRoute>, url: string) =>
    wantsAnother(outcome) ? canAnyServe(others, url) : Effect.succeed(false);

  const serve: Routes["serve"] = (url, use, preferred) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const tried: Array<Tried> = [];
        let left = routesFor(url, preferred);
        let route = yield* restore(take(left, url));
        for (;;) {
          const { name } = route;
          left = left.filter((each) => each.name !== name);
          const ended = yield* tryOnce({ route, others: left }, use, restore);
          tried.push(ended.tried);
          if (!(yield* mayGoOn(ended.tried, left, url))) {
            yield* settle(url, tried);
            return yield* ended.exit;
          }
          route = yield* take(left, url);
        }
      })
    );

  const report = Effect.gen(function* () {
    const nowMs = yield* Clock.currentTimeMillis;
    const named = current().toSorted((left, right) => left.order - right.order);
    const unnamed = named.some(({ name }) => name === FALLBACK.name) ? [] : [FALLBACK];
    return yield* Effect.forEach([...named, ...unnamed], (route) => {
      const { name } = route;
      return reportOf(route, {
        resting: restsOf(name, nowMs),
        succeededAtMs: succeededAtMs.get(name) ?? null
      });
    });
  });

  return { serve, report };
};
