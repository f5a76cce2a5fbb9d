/**
 * The only way out: every socket to a page, a media file or a webhook receiver is opened here, to a vetted address,
 * directly or through the upstream proxy. Tests: UpstreamProxy.test.ts, LyingProxy.test.ts.
 */
import { type Socket, isIP, type LookupFunction } from "node:net";
import * as Result from "effect/Result";
import { parseAllowList, makeGuard, type Guard, type ResolveHost } from "./Guard.ts";
import * as Effect from "effect/Effect";
import { connectSocket } from "./ConnectTimeout.ts";
import { Unresolvable } from "./EgressFailed.ts";
import { EgressRefused } from "./EgressRefused.ts";
import type { EgressProfile } from "./Target.ts";
import { openTunnel, parseUpstreamProxy, type UpstreamProxy } from "./UpstreamProxy.ts";

export interface EgressRoute {
  readonly guard: Guard;
  readonly upstream: UpstreamProxy | null;
  /** Which ports the guard allows. */
  readonly profile: EgressProfile;
}

export interface RouteSettings {
  /** Non-public hosts that are allowed: `host`, `host:port` or CIDR. */
  readonly allow: ReadonlyArray<string>;
  /** `http://user:password@host:port` of an upstream proxy for all connections; or https, or socks5. */
  readonly upstreamProxy?: string | undefined;
  /** Default: the system's resolver. */
  readonly resolve?: ResolveHost | undefined;
}

/** @fails InvalidEgressSetting names the invalid entry */
export const makeRoute = Effect.fnUntraced(function* (
  { allow, upstreamProxy, resolve }: RouteSettings,
  profile: EgressProfile
) {
  const allowList = yield* Effect.fromResult(parseAllowList(allow));
  const upstream =
    upstreamProxy === undefined ? null : yield* Effect.fromResult(parseUpstreamProxy(upstreamProxy));
  return { guard: makeGuard(allowList, resolve), upstream, profile } satisfies EgressRoute;
});

/** All addresses of the host, each vetted. Rejects with `EgressRefused` or `Unresolvable`. */
export const vettedAddresses = async (
  { guard, profile }: EgressRoute,
  host: string,
  port: number
): Promise<ReadonlyArray<string>> => {
  const verdict = await guard.vet(host, port, profile);
  if (Result.isSuccess(verdict)) return verdict.success;
  throw verdict.failure === "unresolvable"
    ? new Unresolvable()
    : new EgressRefused(verdict.failure, host, port);
};

const openDirect = (
  { host, port }: { readonly host: string; readonly port: number },
  addresses: ReadonlyArray<string>
): Promise<Socket> => {
  const lookupResults = addresses.map((address) => ({ address, family: isIP(address) }));
  // Node tries these in order (RFC 8305) without resolving the name again.
  const lookup: LookupFunction = (_host, _options, done) => done(null, lookupResults);
  return connectSocket({ host, port, lookup, autoSelectFamily: true });
};

/** A connected socket to a host that the guard allows. Rejects as above, or with a connection error. */
export const openSocket = async (route: EgressRoute, host: string, port: number): Promise<Socket> => {
  const addresses = await vettedAddresses(route, host, port);
  if (route.upstream === null) return openDirect({ host, port }, addresses);
  // The proxy gets the address instead of the name, so that it cannot resolve it differently. IPv4 first, because
  // many proxies support nothing else.
  const [address = ""] = addresses.toSorted((left, right) => isIP(left) - isIP(right));
  return openTunnel(route.upstream, { address, port });
};
