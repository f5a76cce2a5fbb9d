/**
 * The ways to sources that an operator names: a proxy, a cookie jar, the hosts they serve, and their order. Pure: reads
 * the file of `WINNOW_ROUTES`, and says which routes serve a host.
 */
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import { quotedText, readFields } from "@winnow/core/domain/request/BodyFields";
import { isJsonObject } from "@winnow/core/domain/text/Json";
import { type ProxyAddress, readProxyAddress } from "@winnow/isolation/network/guard/ProxyAddress";

export interface SourceRoute {
  /** In logs, metrics and the admin API. */
  readonly name: string;
  /** Null: the server connects itself. */
  readonly proxy: ProxyAddress | null;
  /** Path of a Netscape cookie file; null without one. */
  readonly cookies: string | null;
  /** Lower-case; sub-domains belong to them. Null: all hosts. */
  readonly hosts: ReadonlyArray<string> | null;
  /** Routes of a host are tried from the lowest number; of equal ones, the first in the file is tried first. */
  readonly order: number;
}

/** A cookie file and the hosts that may get its cookies. */
export interface CookieJarFile {
  readonly path: string;
  /** Null: each cookie's own. */
  readonly hosts: ReadonlyArray<string> | null;
}

export const jarOf = ({ cookies, hosts }: SourceRoute): CookieJarFile | null =>
  cookies === null ? null : { path: cookies, hosts };

/** The name of the only route of a server without `WINNOW_ROUTES`, and of the one for hosts that no route serves. */
export const DEFAULT_ROUTE = "default";

/** The operator's routes, which may change while the server runs. */
export interface RouteTable {
  readonly current: () => ReadonlyArray<SourceRoute>;
}

/** The route of a server without named routes, and of hosts that none of them serves. */
export const plainRoute = (cookies: string | null = null): SourceRoute => ({
  name: DEFAULT_ROUTE,
  proxy: null,
  cookies,
  hosts: null,
  order: 0
});

export const fixedRoutes = (...routes: ReadonlyArray<SourceRoute>): RouteTable => ({ current: () => routes });

/** Names are label values of metrics, so their number is limited. */
const ROUTES_MAX = 64;
const HOSTS_MAX = 1_000;

const ROUTE_NAME = /^[a-z0-9][a-z0-9._-]{0,39}$/u;

/** RFC 1035, 2.3.4. */
const HOST =
  /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?)*$/u;

/** Whether `host` is `domain` or below it. */
export const isWithin = (host: string, domain: string): boolean =>
  host === domain || host.endsWith(`.${domain}`);

/** Null for all hosts. */
export const servesHost = (hosts: ReadonlyArray<string> | null, host: string): boolean =>
  hosts === null || hosts.some((domain) => isWithin(host.toLowerCase(), domain));

/** The routes of a host in the order in which they are tried; `fallback` alone if none serves it. */
export const routesOf = (
  routes: ReadonlyArray<SourceRoute>,
  host: string,
  fallback: SourceRoute
): readonly [SourceRoute, ...ReadonlyArray<SourceRoute>] => {
  const [first = fallback, ...rest] = routes
    .filter(({ hosts }) => servesHost(hosts, host))
    .toSorted((left, right) => left.order - right.order);
  return [first, ...rest];
};

const RouteFields = Schema.Struct({
  name: Schema.String,
  proxy: Schema.optionalKey(Schema.String),
  cookies: Schema.optionalKey(Schema.String),
  hosts: Schema.optionalKey(Schema.Array(Schema.String)),
  order: Schema.Int
});

const MAY_BE_SECRET = /@|:\/\//u;

/** A text of the operator's for a message; not if it may be a URL with a password that is in a wrong place. */
export const shownText = (text: string, quote = '"'): string =>
  MAY_BE_SECRET.test(text)
    ? "(not shown, as it may contain a password)"
    : `${quote}${quotedText(text)}${quote}`;

const hostsProblem = (hosts: ReadonlyArray<string>): string | null => {
  if (hosts.length === 0) return "`hosts` is empty: name a host, or leave the field out to serve all hosts.";
  if (hosts.length > HOSTS_MAX) return `\`hosts\` has more than ${HOSTS_MAX} entries.`;
  const odd = hosts.find((host) => !HOST.test(host));
  return odd === undefined
    ? null
    : `\`hosts\` has ${shownText(odd)}: write a host such as "youtube.com", in lower case, without scheme, port or path.`;
};

const readRoute = (body: object): Result.Result<SourceRoute, string> =>
  Result.gen(function* () {
    const odd = Object.keys(body).find((key) => MAY_BE_SECRET.test(key));
    if (odd !== undefined) return yield* Result.fail(`${shownText(odd)} is not a field of a route.`);
    const { name, proxy, cookies, hosts, order } = yield* Result.mapError(
      readFields(RouteFields, body, { name: "a route", path: "" }),
      ({ message }) => message
    );
    const problem = hosts === undefined ? null : hostsProblem(hosts);
    if (problem !== null) return yield* Result.fail(problem);
    if (cookies?.trim() === "") return yield* Result.fail("`cookies` must be the path of a cookie file.");
    return {
      name,
      proxy:
        proxy === undefined
          ? null
          : yield* Result.mapError(readProxyAddress(proxy), (why) => `\`proxy\` ${why}.`),
      cookies: cookies ?? null,
      hosts: hosts ?? null,
      order
    };
  });

const nameProblem = (name: unknown, known: ReadonlySet<string>): string | null => {
  if (typeof name !== "string" || !ROUTE_NAME.test(name)) {
    return "must have a `name` of 1 to 40 of a-z, 0-9, ., _ and -.";
  }
  if (name === DEFAULT_ROUTE) return `is named "${DEFAULT_ROUTE}", which is reserved: choose another name.`;
  return known.has(name) ? `is named "${name}" like an earlier one: names must differ.` : null;
};

/**
 * The routes of a file `{"routes": [{"name", "order", "proxy", "cookies", "hosts"}]}`. Fails with a sentence
 * that names the route and the field, without any password.
 */
export const readRoutes = (json: unknown): Result.Result<ReadonlyArray<SourceRoute>, string> => {
  if (!isJsonObject(json) || !Array.isArray(json["routes"])) {
    return Result.fail('Routes must be a JSON object such as {"routes": [{"name": "office", "order": 1}]}.');
  }
  const unknown = Object.keys(json).find((key) => key !== "routes");
  if (unknown !== undefined) {
    return Result.fail(`${shownText(unknown, "`")} is not a field of the file: only \`routes\` is.`);
  }
  const bodies: ReadonlyArray<unknown> = json["routes"];
  if (bodies.length === 0) return Result.fail("`routes` is empty: name a route, or unset the setting.");
  if (bodies.length > ROUTES_MAX) return Result.fail(`\`routes\` has more than ${ROUTES_MAX} entries.`);
  const routes = new Map<string, SourceRoute>();
  for (const [index, body] of bodies.entries()) {
    if (!isJsonObject(body)) return Result.fail(`Route ${index + 1} must be a JSON object.`);
    const problem = nameProblem(body["name"], new Set(routes.keys()));
    if (problem !== null) return Result.fail(`Route ${index + 1} ${problem}`);
    const route = readRoute(body);
    if (Result.isFailure(route)) return Result.fail(`Route "${String(body["name"])}": ${route.failure}`);
    routes.set(route.success.name, route.success);
  }
  return Result.succeed([...routes.values()]);
};
