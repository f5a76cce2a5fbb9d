/**
 * The routes to sources: a JSON file, read at the start and on SIGHUP; without one, the single route that proxy and cookie
 * file of the settings are.
 */
import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { JAR_MAX_BYTES, readJar } from "@winnow/adapters/sources/ways/CookieJar";
import { readProxyAddress } from "@winnow/isolation/network/guard/ProxyAddress";
import { troubleText } from "@winnow/isolation/runtime/Trouble";
import { plainRoute, type RouteTable, type SourceRoute } from "@winnow/adapters/sources/ways/SourceRoute";
import * as Effect from "effect/Effect";
import * as Redacted from "effect/Redacted";
import * as Result from "effect/Result";
import type * as Scope from "effect/Scope";
import { readOperatorJson } from "../settings/OperatorJson.ts";
import { readAgainOnHangUp } from "../settings/ReloadedFile.ts";
import { type SettingMessage, told } from "../settings/SettingRow.ts";
import { SETTINGS, type Settings } from "../settings/SettingsTable.ts";
import { StartFailed } from "../settings/StartFailed.ts";
import { readRoutes, shownText } from "./RouteFields.ts";

/** Why a cookie file cannot be used, to follow its name; null if it can. */
const jarRefusal = (path: string): string | null => {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) return "is not a file";
    if (stats.size > JAR_MAX_BYTES) return `is larger than ${JAR_MAX_BYTES} bytes, so it is no cookie file`;
    const jar = readJar(readFileSync(path, "utf8"));
    return Result.isFailure(jar) ? troubleText(jar.failure) : null;
  } catch {
    return "cannot be read: check that it exists and that the server may read it";
  }
};

const onlyRoute = ({ cookiesFile, upstreamProxy }: Settings): Result.Result<SourceRoute, SettingMessage> => {
  const why = cookiesFile === null ? null : jarRefusal(cookiesFile);
  if (why !== null)
    return Result.fail(
      told`${SETTINGS.cookiesFile} is ${shownText(cookiesFile ?? "")}, but the file ${why}.`
    );
  const proxy = upstreamProxy === null ? null : readProxyAddress(Redacted.value(upstreamProxy));
  return Result.succeed({
    ...plainRoute(cookiesFile === null ? null : resolve(cookiesFile)),
    // The guard reports an address that cannot be read.
    proxy: proxy === null || Result.isFailure(proxy) ? null : proxy.success
  });
};

const jsonOf = (path: string): Result.Result<unknown, string> => {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return Result.fail("the file cannot be read: check that it exists and that the server may read it.");
  }
  return readOperatorJson(text);
};

/** Paths of cookie files are relative to the file of routes. */
const withJars = (routes: ReadonlyArray<SourceRoute>, path: string) => {
  const placed = routes.map((route) =>
    route.cookies === null ? route : { ...route, cookies: resolve(dirname(path), route.cookies) }
  );
  for (const { cookies, name } of placed) {
    const why = cookies === null ? null : jarRefusal(cookies);
    if (why !== null)
      return Result.fail(
        `route "${name}" is invalid. \`cookies\`: the file ${shownText(cookies ?? "")} ${why}.`
      );
  }
  return Result.succeed(placed);
};

/** Fails with one sentence that names the setting, the route and the field, and says what to do. */
export const readRouteFile = (
  settings: Settings
): Result.Result<ReadonlyArray<SourceRoute>, SettingMessage> => {
  const { cookiesFile, routes: path } = settings;
  if (path === null) return Result.map(onlyRoute(settings), (route) => [route]);
  if (cookiesFile !== null) {
    return Result.fail(
      told`${SETTINGS.cookiesFile} does not go with ${SETTINGS.routes}: name the file as \`cookies\` of a route instead.`
    );
  }
  return Result.gen(function* () {
    const json = yield* jsonOf(path);
    const routes = yield* Result.mapError(readRoutes(json), (message) => `the file is invalid. ${message}`);
    return yield* withJars(routes, path);
  }).pipe(Result.mapError((why) => told`${SETTINGS.routes} is "${path}", but ${why}`));
};

/** Why the settings of routes cannot be used; null if they can. */
export const routesProblem = (settings: Settings): SettingMessage | null =>
  Result.match(readRouteFile(settings), { onSuccess: () => null, onFailure: (why) => why });

/** The routes, which SIGHUP replaces by those that the file then has. */
export const openRoutes = Effect.fnUntraced(function* (
  settings: Settings
): Effect.fn.Return<RouteTable, StartFailed, Scope.Scope> {
  const read = Effect.suspend(() =>
    Effect.fromResult(Result.mapError(readRouteFile(settings), (why) => new StartFailed(why)))
  );
  let routes = yield* read;
  if (settings.routes !== null) {
    yield* readAgainOnHangUp("Routes", read, (found) =>
      Effect.sync(() => {
        routes = found;
        return found.map(({ name }) => name).join(", ");
      })
    );
  }
  return { current: () => routes };
});
