/** What the operator is told of routes: traffic, rests and cookie jars. */
import { shownProxy } from "@winnow/core/domain/route/ProxyAddress";
import { GB_BYTES, jarOf, type SourceRoute } from "@winnow/core/domain/route/SourceRoute";
import type { RouteReport } from "@winnow/core/ports/SourceRoutes";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Schedule from "effect/Schedule";
import { examineJar } from "../../programs/CookieJars.ts";

export const reportOf = Effect.fnUntraced(function* (
  route: SourceRoute,
  known: Pick<RouteReport, "bytes" | "resting"> & { readonly succeededAtMs: number | null }
): Effect.fn.Return<RouteReport> {
  const { name, hosts, order, proxy, usdPerGb } = route;
  const { bytes, resting, succeededAtMs } = known;
  const jar = jarOf(route);
  const nowMs = yield* Clock.currentTimeMillis;
  return {
    name,
    proxy: proxy === null ? null : shownProxy(proxy),
    hosts,
    order,
    usdPerGb,
    bytes,
    costUsd: usdPerGb === null ? null : (bytes / GB_BYTES) * usdPerGb,
    resting,
    jar:
      jar === null
        ? null
        : { ...(yield* Effect.promise(() => examineJar(jar, nowMs))), lastSuccessAtMs: succeededAtMs }
  };
});

/** How often the log repeats what is wrong with a jar. */
const JARS_LOOKED_AT_EVERY = "1 day";

/** Warns of jars that cannot be used or expire soon, now and daily. */
export const warnOfJars = (report: Effect.Effect<ReadonlyArray<RouteReport>>): Effect.Effect<void> =>
  Effect.gen(function* () {
    for (const { jar, name } of yield* report) {
      if (jar === null || jar.problem === null) continue;
      yield* Effect.logWarning(`The cookie file of a route ${jar.problem}.`).pipe(
        Effect.annotateLogs({ route: name })
      );
    }
  }).pipe(Effect.repeat(Schedule.spaced(JARS_LOOKED_AT_EVERY)), Effect.asVoid);
