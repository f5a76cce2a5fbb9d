/** What is wrong with routes: their proxies and cookie jars, looked at without asking any other host. Tests: Ways.test.ts. */
import { jarOf, type RouteTable, type SourceRoute } from "./SourceRoute.ts";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Schedule from "effect/Schedule";
import { examineProxy } from "@winnow/isolation/network/guard/UpstreamProxy";
import { troubleText } from "@winnow/isolation/runtime/Trouble";
import { examineJar } from "./CookieJars.ts";
import { DAY_MS } from "@winnow/core/domain/Durations";

/** How often the log repeats what is wrong with a route. */
const WARNED_EVERY_MS = DAY_MS;

/** How soon new routes are looked at. */
const LOOKED_AT_EVERY = "1 minute";

/** What is wrong with a route; null for what works. No other host than its proxy is asked. */
export const problemsOf = Effect.fnUntraced(function* (route: SourceRoute) {
  const { proxy } = route;
  const jar = jarOf(route);
  const nowMs = yield* Clock.currentTimeMillis;
  const [ofProxy, ofJar] = yield* Effect.promise(() =>
    Promise.all([
      proxy === null ? null : examineProxy(proxy),
      jar === null ? null : examineJar(jar, nowMs).then(({ trouble }) => trouble)
    ])
  );
  return { ofProxy, ofJar };
});

const warnOf = Effect.fnUntraced(function* (route: SourceRoute) {
  const { ofJar, ofProxy } = yield* problemsOf(route);
  const named = Effect.annotateLogs({ route: route.name });
  if (ofProxy !== null) yield* named(Effect.logWarning(`The proxy of a route ${troubleText(ofProxy)}.`));
  if (ofJar !== null) yield* named(Effect.logWarning(`The cookie file of a route ${troubleText(ofJar)}.`));
});

/** Logs what is wrong with routes: now, once they change, and daily. */
export const warnOfRoutes = ({ current }: RouteTable): Effect.Effect<never> =>
  Effect.suspend(() => {
    let seen: ReadonlyArray<SourceRoute> | null = null;
    let warnedAtMs = 0;
    return Effect.gen(function* () {
      const nowMs = yield* Clock.currentTimeMillis;
      const routes = current();
      if (routes === seen && nowMs - warnedAtMs < WARNED_EVERY_MS) return;
      [seen, warnedAtMs] = [routes, nowMs];
      yield* Effect.forEach(routes, warnOf, { concurrency: "unbounded", discard: true });
    }).pipe(Effect.repeat(Schedule.spaced(LOOKED_AT_EVERY)), Effect.andThen(Effect.never));
  });
