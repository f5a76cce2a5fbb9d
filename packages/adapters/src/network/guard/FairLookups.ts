/**
 * Names are looked up in turns by domain. A look-up occupies a thread of the process until the name server responds,
 * so the silent name servers of one domain must not occupy all of them.
 */
import * as Effect from "effect/Effect";
import { makeFairPermits } from "../../runtime/FairPermits.ts";
import type { ResolveHost } from "./Guard.ts";

const THREADS_DEFAULT = 4;

/** libuv uses at most half of its threads for look-ups, rounded up. */
const LOOKUPS_AT_ONCE_MAX = Math.max(
  2,
  Math.ceil((Number(process.env["UV_THREADPOOL_SIZE"]) || THREADS_DEFAULT) / 2)
);

/** Maximum names of a domain that wait for their turn; further ones do not resolve. */
export const LOOKUPS_QUEUED_MAX = 64;

/** Registries with several domains of different owners below them, as in `example.co.uk`. */
const COUNTRY_REGISTRY = /(?:^|\.)(?:ac|com?|edu|gob|gouv?|go|net?|org?)\.[a-z]{2}$/u;

/** The part of the name that has one owner and one set of name servers. */
const domainOf = (host: string): string => {
  const name = host.toLowerCase();
  return name
    .split(".")
    .slice(COUNTRY_REGISTRY.test(name) ? -3 : -2)
    .join(".");
};

export const inTurnByDomain = (resolve: ResolveHost, lookupsAtOnceMax = LOOKUPS_AT_ONCE_MAX): ResolveHost => {
  const quarter = Math.floor(lookupsAtOnceMax / 4);
  const permits = makeFairPermits(lookupsAtOnceMax, {
    ofAccountMax: Math.max(1, quarter),
    forNewcomers: quarter
  });
  return (host) => {
    const domain = domainOf(host);
    if (permits.waitingOf(domain) >= LOOKUPS_QUEUED_MAX) return [];
    const lookup = Effect.tryPromise({ try: async () => resolve(host), catch: (error) => error });
    return Effect.runPromise(permits.withPermit(domain)(lookup));
  };
};
