/**
 * The routes to sources that an operator names: a proxy, a cookie jar, the hosts they serve, and their order. Pure: says
 * which routes serve a host.
 */
import type { ProxyAddress } from "@winnow/isolation/network/guard/ProxyAddress";

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

/** Whether `host` is `domain` or below it. */
export const isWithin = (host: string, domain: string): boolean =>
  host === domain || host.endsWith(`.${domain}`);

/** Null for all hosts. */
const servesHost = (hosts: ReadonlyArray<string> | null, host: string): boolean =>
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
