/**
 * The way out: every socket that leaves this process for a page, a media file or a webhook is opened here,
 * to an address that the guard has just vetted, directly or through the upstream proxy.
 */
import { isIP, type LookupFunction, type Socket } from "node:net";
import * as Result from "effect/Result";
import * as Effect from "effect/Effect";
import { parseAllowList } from "./AllowList.ts";
import { connectSocket } from "./ConnectedSocket.ts";
import { makeGuard, type Guard, type ResolveHost } from "./Guard.ts";
import { Refused, Unresolvable } from "./Refusal.ts";
import type { EgressProfile } from "./Target.ts";
import { openTunnel, parseUpstreamProxy, type UpstreamProxy } from "./UpstreamProxy.ts";

export interface EgressRoute {
  readonly guard: Guard;
  readonly upstream: UpstreamProxy | null;
  /** What may be asked for on this way. */
  readonly profile: EgressProfile;
}

export interface RouteSettings {
  /** Entries `host`, `host:port` or CIDR that may be reached although not public. */
  readonly allow: ReadonlyArray<string>;
  /** `http://user:password@host:port` of a proxy that the guard itself goes out through. */
  readonly upstreamProxy?: string | undefined;
  /** Default: the system's resolver. */
  readonly resolve?: ResolveHost | undefined;
}

/** @fails InvalidEgressSetting names the entry that cannot be read */
export const makeRoute = Effect.fnUntraced(function* (
  { allow, upstreamProxy, resolve }: RouteSettings,
  profile: EgressProfile
) {
  const allowList = yield* Effect.fromResult(parseAllowList(allow));
  const upstream =
    upstreamProxy === undefined ? null : yield* Effect.fromResult(parseUpstreamProxy(upstreamProxy));
  return { guard: makeGuard(allowList, resolve), upstream, profile } satisfies EgressRoute;
});

/** All addresses of the host, each vetted. Rejects with `Refused` or `Unresolvable`. */
export const vettedAddresses = async (
  { guard, profile }: EgressRoute,
  host: string,
  port: number
): Promise<ReadonlyArray<string>> => {
  const vetted = await guard.vet(host, port, profile);
  if (Result.isSuccess(vetted)) return vetted.success;
  throw vetted.failure === "unresolvable" ? new Unresolvable() : new Refused(vetted.failure, host, port);
};

const openDirect = (host: string, port: number, addresses: ReadonlyArray<string>): Promise<Socket> => {
  const answers = addresses.map((address) => ({ address, family: isIP(address) }));
  // Node tries these in turn (RFC 8305) and asks no resolver of its own.
  const lookup: LookupFunction = (_host, _options, done) => done(null, answers);
  return connectSocket({ host, port, lookup, autoSelectFamily: true });
};

/** A connected socket to a host that passes the guard. Rejects as above, or with a connection error. */
export const openSocket = async (route: EgressRoute, host: string, port: number): Promise<Socket> => {
  const addresses = await vettedAddresses(route, host, port);
  if (route.upstream === null) return openDirect(host, port, addresses);
  // The proxy is told the address, not the name, lest it resolve anew. IPv4 first: many have nothing else.
  const [address = ""] = addresses.toSorted((left, right) => isIP(left) - isIP(right));
  return openTunnel(route.upstream, address, port);
};
