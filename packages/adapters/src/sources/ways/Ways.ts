/**
 * The ways to sources in this process: by a route, with a version of yt-dlp. Each run takes the first way of its host that
 * can serve, and the next one while another may do better: with another version, if yt-dlp has failed, by another route,
 * if the host has refused this one; the same way anew, if what it knew of the source has expired. Nothing else tries a
 * source again. WayMemory knows which of them can serve.
 */
import { type CookieJarFile, jarOf, plainRoute, routesOf, type RouteTable } from "./SourceRoute.ts";
import type { Failed } from "@winnow/core/domain/source/Failed";
import { reportOf, type RouteReport } from "./RouteReport.ts";
import type * as Context from "effect/Context";
import * as Clock from "effect/Clock";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Option from "effect/Option";
import type { Egress, EgressWay } from "@winnow/isolation/network/Egress";
import type { ProxyFailed } from "@winnow/isolation/network/guard/EgressFailed";
import { failed } from "../failures/classify.ts";
import { makeWayMemory, type RouteOutcome, type Tried, type VersionOutcome, type Way } from "./WayMemory.ts";
import type { YtDlpProgram } from "../../programs/python/VersionState.ts";

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

/** What a way is known by. */
export interface WayName {
  /** Name of the route. */
  readonly route: string;
  /** Path of the version of yt-dlp. */
  readonly ytDlp: string;
}

/** The versions of yt-dlp that may serve. */
export interface Versions<YtDlp> {
  /** The best version, and the one before; with cookies, only proven ones. */
  readonly bestTwo: (hasCookies: boolean) => readonly [YtDlpProgram, ...ReadonlyArray<YtDlpProgram>];
  readonly withProgram: <A, E, R>(
    program: YtDlpProgram,
    run: (ytDlp: YtDlp) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R>;
}

/** The way of one run. */
export interface RunWay<YtDlp> {
  readonly name: WayName;
  readonly program: YtDlpProgram;
  readonly egress: EgressWay;
  /** The jar for programs; null without one. */
  readonly cookies: CookieJarFile | null;
  readonly ytDlp: YtDlp;
  /** Whether another version may still be asked. */
  readonly hasSpareVersion: boolean;
  /** The page, or what it consists of, answered 403. */
  readonly noteForbidden: () => void;
  /** yt-dlp failed, and another version may do better; `died`: this one may too, started anew. */
  readonly noteFault: (cause: "broken" | "died") => void;
  /** The failure says nothing about the way: what the run knew of the source was old, and it has forgotten it. */
  readonly noteOutdated: () => void;
}

type Use<YtDlp, A, R> = (way: RunWay<YtDlp>) => Effect.Effect<A, Failed, R>;

export interface Ways<YtDlp> {
  /**
   * Runs `use` with the first way of the URL's host that can serve, and again with the next ones while they may do better.
   * Fails at once, or after a short wait, if all its routes rest. `preferred` is tried first: media addresses are often
   * valid only for the address that asked for them.
   */
  readonly serve: <A, R>(
    url: string,
    use: Use<YtDlp, A, R>,
    preferred?: WayName
  ) => Effect.Effect<A, Failed, R>;

  readonly report: Effect.Effect<ReadonlyArray<RouteReport>>;
}

type Restore = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>;

/** What happened on the way, besides the result. */
interface Seen {
  forbidden: boolean;
  fault: "broken" | "died" | null;
  proxyFailed: ProxyFailed | null;
  outdated: boolean;
}

interface Ended<A> extends Tried {
  readonly exit: Exit.Exit<A, Failed>;
  /** The version's process is gone. */
  readonly hasDied: boolean;
  readonly isOutdated: boolean;
}

const reasonOf = (exit: Exit.Exit<unknown, Failed>): Failed["reason"] | null =>
  Option.getOrUndefined(Exit.findErrorOption(exit))?.reason ?? null;

const NOT_REACHED: ReadonlySet<Failed["reason"]> = new Set(["unreachable", "timeout"]);

const outcomeOf = (exit: Exit.Exit<unknown, Failed>, { forbidden, proxyFailed }: Seen): RouteOutcome => {
  const reason = reasonOf(exit);
  if (Exit.isSuccess(exit)) return { _tag: "Answered" };
  if (reason === "bot_blocked" || reason === "rate_limited") return { _tag: "Refused", reason };
  if (reason === "private" && forbidden) return { _tag: "Forbidden" };
  if (reason !== null && NOT_REACHED.has(reason) && proxyFailed !== null) {
    return { _tag: proxyFailed.isProxy ? "Broken" : "Unreached" };
  }
  return reason === null || UNDECIDED.has(reason) ? { _tag: "Undecided" } : { _tag: "Answered" };
};

const versionOutcomeOf = (exit: Exit.Exit<unknown, Failed>, { fault }: Seen): VersionOutcome => {
  const reason = reasonOf(exit);
  if (Exit.isSuccess(exit)) return "read";
  if (reason !== null && fault !== null) return "fault";
  return reason === null || UNDECIDED.has(reason) ? "undecided" : "refused";
};

/** Whether another route may do better for the same URL. */
const wantsAnother = ({ _tag }: RouteOutcome): boolean => _tag !== "Answered" && _tag !== "Undecided";

/** Of the ways that are left, those that may do better; a version alone may itself, if it has died. */
const thatMayDoBetter = (
  { hasDied, ofRoute, ofVersion, way }: Ended<unknown>,
  left: ReadonlyArray<Way>,
  isFirst: boolean
): ReadonlyArray<Way> => {
  const better = left.filter(({ route }) =>
    route === way.route ? ofVersion === "fault" : wantsAnother(ofRoute)
  );
  return better.length === 0 && hasDied && isFirst ? [way] : better;
};

interface WayServices<YtDlp> {
  readonly egress: Context.Service.Shape<typeof Egress>;
  readonly versions: Versions<YtDlp>;
}

/** One attempt, and `left` could be next; it ends early if the route's proxy does not work and there are others. */
const attempt = Effect.fnUntraced(function* <YtDlp, A, R>(
  { egress, versions }: WayServices<YtDlp>,
  way: Way,
  left: ReadonlyArray<Way>,
  use: Use<YtDlp, A, R>,
  restore: Restore
) {
  const { route, program } = way;
  const { name, proxy } = route;
  const seen: Seen = { forbidden: false, fault: null, proxyFailed: null, outdated: false };
  const broken = Deferred.makeUnsafe<never, Failed>();
  const run: Omit<RunWay<YtDlp>, "ytDlp"> = {
    name: { route: name, ytDlp: program.ytDlp },
    program,
    egress: egress.through({
      name,
      upstream: proxy,
      onProxyFailed: (failure) => {
        seen.proxyFailed = seen.proxyFailed?.isProxy === true ? seen.proxyFailed : failure;
        if (failure.isProxy && left.some((each) => each.route !== route))
          Deferred.doneUnsafe(broken, Effect.fail(failed("unreachable")));
      }
    }),
    cookies: jarOf(route),
    hasSpareVersion: left.some((each) => each.route === route),
    noteForbidden: () => void (seen.forbidden = true),
    noteFault: (cause) => void (seen.fault = cause),
    noteOutdated: () => void (seen.outdated = true)
  };
  const used = versions.withProgram(program, (ytDlp) => use({ ...run, ytDlp }));
  const exit = yield* Effect.exit(restore(Effect.raceFirst(used, Deferred.await(broken))));
  const ended: Ended<A> = {
    way,
    exit,
    ofRoute: outcomeOf(exit, seen),
    ofVersion: versionOutcomeOf(exit, seen),
    hasDied: seen.fault === "died",
    isOutdated: seen.outdated
  };
  return ended;
});

/** Where no version could read it, the first one says why. */
const verdictOf = <A>(all: ReadonlyArray<Ended<A>>, last: Ended<A>) =>
  last.ofVersion === "fault" ? (all.find(({ ofVersion }) => ofVersion === "fault") ?? last) : last;

export const makeWays = <YtDlp>(table: RouteTable, services: WayServices<YtDlp>): Ways<YtDlp> => {
  const { canServe, restsOf, settle, take, takeVersion, thatServe } = makeWayMemory();
  /** When a run last succeeded, by the name of the route. */
  const succeededAtMs = new Map<string, number>();

  const waysOf = Effect.fnUntraced(function* (url: string, preferred: WayName | undefined) {
    const routes = routesOf(table.current(), hostNameOf(url), FALLBACK);
    const ways = yield* Effect.forEach(routes, (route) =>
      Effect.map(
        thatServe(services.versions.bestTwo(route.cookies !== null), url),
        (programs): ReadonlyArray<Way> => programs.map((program) => ({ route, program }))
      )
    );
    const rank = ({ program, route }: Way) =>
      2 * Number(route.name === preferred?.route) + Number(program.ytDlp === preferred?.ytDlp);
    return ways.flat().toSorted((left, right) => rank(right) - rank(left));
  });

  const serve: Ways<YtDlp>["serve"] = <A, R>(url: string, use: Use<YtDlp, A, R>, preferred?: WayName) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const all: Array<Ended<A>> = [];
        let left = yield* waysOf(url, preferred);
        let way = yield* restore(take(left, url));
        for (;;) {
          left = left.filter((each) => each !== way);
          const ended = yield* attempt(services, way, left, use, restore);
          if (ended.isOutdated) continue;
          if (Exit.isSuccess(ended.exit)) {
            succeededAtMs.set(way.route.name, yield* Clock.currentTimeMillis);
          }
          const better = thatMayDoBetter(ended, left, all.length === 0);
          all.push(ended);
          // The run goes on by its route, which may serve nobody else: in a trial, for example.
          const onward = better.find(({ route }) => route === ended.way.route);
          if (onward === undefined && !(yield* canServe(better, url))) {
            yield* settle(url, all);
            return yield* verdictOf(all, ended).exit;
          }
          way = yield* onward === undefined ? take(better, url) : takeVersion(onward, url);
        }
      })
    );

  const report = Effect.gen(function* () {
    const nowMs = yield* Clock.currentTimeMillis;
    const named = table.current().toSorted((left, right) => left.order - right.order);
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
