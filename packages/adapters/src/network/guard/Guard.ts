/**
 * Decides which addresses of a host and port may be connected to: none, or all that the name resolves to.
 *
 * The name is resolved once, and only these addresses are used, so that DNS rebinding between check and connection
 * is useless.
 */
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import * as Result from "effect/Result";
import type { AllowList } from "./AllowList.ts";
import { inTurnByDomain } from "./FairLookups.ts";
import { isHostName, isLocalName } from "./HostName.ts";
import { isPublicAddress } from "./PublicAddress.ts";
import type { RefusalReason } from "./EgressRefused.ts";
import { PROFILES, type EgressProfile } from "./Target.ts";

type Answer = string | { readonly address: string };

/** All addresses of a name; an empty result or a rejection means that it does not resolve. */
export type ResolveHost = (host: string) => ReadonlyArray<Answer> | PromiseLike<ReadonlyArray<Answer>>;

/** Concurrent requests for a name share one look-up. */
export const sharing = (resolve: ResolveHost): ResolveHost => {
  const pending = new Map<string, Promise<ReadonlyArray<Answer>>>();
  return (host) => {
    const known = pending.get(host);
    if (known !== undefined) return known;
    const answer = Promise.resolve(host)
      .then(resolve)
      .finally(() => pending.delete(host));
    pending.set(host, answer);
    return answer;
  };
};

/**
 * The system's resolver, including `/etc/hosts`; its results are vetted like all others. Each look-up occupies a
 * thread of the process, for up to 30 s if a name server is silent.
 */
const systemResolve: ResolveHost = sharing(inTurnByDomain((host) => lookup(host, { all: true })));

/** Time limit of a look-up; libc alone would try for up to 30 s. */
const RESOLVE_TIMEOUT_MS = 5000;

export type Vetted = Result.Result<ReadonlyArray<string>, RefusalReason>;

export interface Guard {
  /** `host` as in `Target`. Never rejects. */
  readonly vet: (host: string, port: number, profile: EgressProfile) => Promise<Vetted>;
}

const resolveWithin = async (resolve: ResolveHost, host: string): Promise<ReadonlyArray<string>> => {
  const { promise: expired, resolve: expire } = Promise.withResolvers<ReadonlyArray<Answer>>();
  const timer = setTimeout(() => expire([]), RESOLVE_TIMEOUT_MS);
  try {
    const resolved = await Promise.race([resolve(host), expired]);
    return resolved.map((answer) => (typeof answer === "string" ? answer : answer.address));
  } catch {
    return [];
  } finally {
    clearTimeout(timer);
  }
};

export const makeGuard = (allow: AllowList, resolve: ResolveHost = systemResolve): Guard => ({
  vet: async (host, port, profile) => {
    const isAddress = isIP(host) !== 0;
    if (!isAddress && !isHostName(host)) return Result.fail("host_name");
    const portOpen = PROFILES[profile].ports.includes(port);
    const nameListed = allow.hasName(host, port);
    const localName = !isAddress && isLocalName(host);
    // A local name or a port outside the profile is allowed only if the allow-list contains it, or all its
    // addresses; without listed addresses, there is no need to resolve it.
    const needsListing = !nameListed && (!portOpen || localName);
    const isInternal = isAddress && !isPublicAddress(host);
    const refusal: RefusalReason = localName ? "host_name" : portOpen || isInternal ? "address" : "port";
    if (needsListing && !allow.listsAddresses) return Result.fail(refusal);

    const addresses = isAddress ? [host] : await resolveWithin(resolve, host);
    if (addresses.length === 0) return Result.fail(needsListing ? refusal : "unresolvable");
    const passes = (address: string): boolean =>
      isIP(address) !== 0 &&
      (nameListed || allow.hasAddress(address, port) || (!needsListing && isPublicAddress(address)));
    return addresses.every(passes) ? Result.succeed(addresses) : Result.fail(refusal);
  }
});
