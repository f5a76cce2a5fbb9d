/** What the operator reads of the routes to sources. Tests: routedSources.test.ts. */
import { shownProxy } from "@winnow/isolation/network/guard/ProxyAddress";
import * as Clock from "effect/Clock";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import { troubleText } from "@winnow/isolation/runtime/Trouble";
import { examineJar, type JarState } from "./CookieJars.ts";
import { jarOf, type SourceRoute } from "./SourceRoute.ts";

/** Reasons that mean the host refuses us for now, or that the way to it is broken. */
export type RestReason = "bot_blocked" | "rate_limited" | "unreachable";

/** A route in this process, since it started. */
export interface RouteReport {
  readonly name: string;
  /** Without credentials; null without a proxy. */
  readonly proxy: string | null;
  readonly hosts: ReadonlyArray<string> | null;
  readonly order: number;
  /** Where it rests; at all hosts, because of its proxy, if `host` is null. */
  readonly resting: ReadonlyArray<{
    readonly host: string | null;
    readonly reason: RestReason;
    readonly untilMs: number;
  }>;
  readonly jar: {
    /** Cookies for the hosts of the route. */
    readonly cookies: number;
    /** Null if the file cannot be read. */
    readonly writtenAtMs: number | null;
    /** Null if nothing in it expires. */
    readonly expiresAtMs: number | null;
    /** Null if no run with it succeeded yet. */
    readonly lastSuccessAtMs: number | null;
    /** What is wrong, and what to do; null if nothing. */
    readonly problem: string | null;
  } | null;
}

export const reportOf = Effect.fnUntraced(function* (
  route: SourceRoute,
  known: Pick<RouteReport, "resting"> & { readonly succeededAtMs: number | null }
): Effect.fn.Return<RouteReport> {
  const { name, hosts, order, proxy } = route;
  const { resting, succeededAtMs } = known;
  const jar = jarOf(route);
  const nowMs = yield* Clock.currentTimeMillis;
  const examined = jar === null ? null : yield* Effect.promise(() => examineJar(jar, nowMs));
  const stateOf = ({ trouble, ...state }: JarState) => ({
    ...state,
    lastSuccessAtMs: succeededAtMs,
    problem: trouble === null ? null : troubleText(trouble)
  });
  return {
    name,
    proxy: proxy === null ? null : shownProxy(proxy),
    hosts,
    order,
    resting,
    jar: examined === null ? null : stateOf(examined)
  };
});

/** Of the downloader beside it; none without one. */
export class RouteReports extends Context.Reference<Effect.Effect<ReadonlyArray<RouteReport>>>(
  "@winnow/adapters/sources/ways/RouteReports",
  { defaultValue: () => Effect.succeed([]) }
) {}
