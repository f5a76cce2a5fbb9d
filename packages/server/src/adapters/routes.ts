/**
 * What `winnow check` and `winnow doctor` say of the routes to sources: whether their proxies answer, and their cookies.
 * Tests: sourceRoutes.test.ts.
 */
import { problemsOf } from "@winnow/adapters/sources/ways/routeProblems";
import { shownProxy } from "@winnow/isolation/network/guard/ProxyAddress";
import type { Trouble } from "@winnow/isolation/runtime/Trouble";
import { DEFAULT_ROUTE, type SourceRoute } from "@winnow/adapters/sources/ways/SourceRoute";
import * as Effect from "effect/Effect";
import * as Result from "effect/Result";
import type { Settings } from "../settings/Config.ts";
import { readRouteFile } from "./RouteFile.ts";

/** One line of the report; `isUsable` is false if no run can succeed by this route. */
interface RouteFinding {
  readonly name: string;
  readonly isUsable: boolean;
  readonly detail: string;
  readonly trouble: Trouble | null;
}

const findingsOf = Effect.fnUntraced(function* (route: SourceRoute) {
  const { cookies, hosts, name, proxy } = route;
  const { ofJar, ofProxy } = yield* problemsOf(route);
  const shown = name === DEFAULT_ROUTE ? null : `route ${name}`;
  const served = shown === null ? "" : ` for ${hosts?.join(", ") ?? "all hosts"}`;
  const ways: ReadonlyArray<RouteFinding> =
    proxy === null && shown === null
      ? []
      : [
          {
            name: shown ?? "proxy",
            isUsable: ofProxy === null,
            detail: `${proxy === null ? "without a proxy of its own" : shownProxy(proxy)}${served}`,
            trouble: ofProxy
          }
        ];
  const jars: ReadonlyArray<RouteFinding> =
    cookies === null
      ? []
      : [{ name: shown ?? "cookies", isUsable: true, detail: `cookie file ${cookies}`, trouble: ofJar }];
  return [...ways, ...jars];
});

/** Nothing about a server without proxies and cookies. */
export const findRoutes = (settings: Settings): Effect.Effect<ReadonlyArray<RouteFinding>> =>
  Result.match(readRouteFile(settings), {
    onFailure: ({ message }) =>
      Effect.succeed([{ name: "routes", isUsable: false, detail: message, trouble: null }]),
    onSuccess: (routes) =>
      Effect.map(Effect.forEach(routes, findingsOf, { concurrency: "unbounded" }), (found) => found.flat())
  });
