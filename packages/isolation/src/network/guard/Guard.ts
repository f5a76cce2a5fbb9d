/**
 * Decides which addresses of a host and port may be connected to: none, or all that the name resolves to.
 *
 * The name is resolved once, and only these addresses are used, so that DNS rebinding between check and connection
 * is useless.
 *
 * In this order: names, public addresses (PublicAddress.test.ts), the operator's allow-list (AllowList.test.ts), look-ups in turn
 * (FairLookups.test.ts), the decision itself (`makeGuard`, Guard.test.ts) and `vetUrl` (VetUrl.test.ts).
 */
import { isIP, isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import { lookup } from "node:dns/promises";
import type { RefusalReason } from "./EgressRefused.ts";
import { PROFILES, type EgressProfile, readTarget } from "./Target.ts";
import * as Effect from "effect/Effect";
import { makeFairPermits } from "../../runtime/FairPermits.ts";

// Valid host names, and names that never lead to the public internet. Pure.

/** RFC 1035: maximum octets of a name in text, without the trailing dot. */
const NAME_MAX_LENGTH = 253;

/** RFC 1035: 63 octets per label. `my_cdn-1` occurs as a host name; `-a` and `a-` do not. */
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/u;

/** Lower-case ASCII (punycode for the rest) without trailing dot; one label is enough. */
export const isHostName = (host: string): boolean =>
  host.length <= NAME_MAX_LENGTH && host.split(".").every((label) => LABEL.test(label));

/** Special-use top-level names (RFC 6761, 6762, 7686, 8375, 9476; ICANN's `internal`) and customary ones. */
const LOCAL_TLD =
  /\.(?:localhost|localdomain|local|internal|intranet|private|corp|home|lan|arpa|onion|alt|test|invalid|example)$/u;

/** Single labels and special-use names only have a meaning in a local network. */
const isLocalName = (host: string): boolean => !host.includes(".") || LOCAL_TLD.test(host);

// Whether an IP address belongs to the public internet. Pure.
//
// Based on the IANA special-purpose registries in ipaddr.js, with its known gaps closed. Addresses not known to be
// public are not public.

/** The only allocated block of IPv6 global unicast (RFC 4291, IANA); `::a.b.c.d` is outside. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/** Addresses in public ranges that the hypervisors of cloud providers serve. */
const CLOUD_INTERNAL_IPV4: ReadonlySet<string> = new Set(["168.63.129.16"]); // Azure WireServer

/**
 * ISATAP (RFC 5214): the second half of the address is `0:5efe` or `200:5efe` and an IPv4 address, to which a local
 * router forwards the packet.
 */
const isIsatap = ({ parts }: ipaddr.IPv6): boolean =>
  (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe;

/** Accepts plain forms only: no brackets, no zone id, IPv4 as four decimal parts. */
export const isPublicAddress = (address: string): boolean => {
  const family = address.includes("%") ? 0 : isIP(address);
  if (family === 4) {
    return !CLOUD_INTERNAL_IPV4.has(address) && ipaddr.IPv4.parse(address).range() === "unicast";
  }
  if (family === 6) {
    const parsed = ipaddr.IPv6.parse(address);
    return parsed.match(GLOBAL_UNICAST) && parsed.range() === "unicast" && !isIsatap(parsed);
  }
  return false;
};

// Private addresses the operator allows (setting WINNOW_EGRESS_ALLOW). Pure.
//
// An entry is `host`, `host:port` or a CIDR block and allows nothing else: `10.0.0.5:8080` allows that port of that
// address under any name; `wiki.corp` every port of that name, wherever it resolves; a block every port of its
// addresses. Anything else is rejected by name.

/** An invalid setting of the guard; the server does not start and names it. */
export class InvalidEgressSetting extends Schema.TaggedError<InvalidEgressSetting>()("InvalidEgressSetting", {
  setting: Schema.Literals(["allow", "upstreamProxy"]),
  /** Of `allow`: the entry as given, unless it may contain a password. */
  entry: Schema.optionalKey(Schema.String),
  message: Schema.String
}) {}

type Block = [ipaddr.IPv4 | ipaddr.IPv6, number];

export interface AllowList {
  /** The requested name is listed for this port. */
  readonly hasName: (host: string, port: number) => boolean;
  /** The address is listed for this port, individually or by a block. */
  readonly hasAddress: (address: string, port: number) => boolean;
  /** Whether any address or block is listed, so that an unlisted name may resolve to an allowed one. */
  readonly listsAddresses: boolean;
}

interface Entry {
  /** Lower-case name; null for an address or a block. */
  readonly name: string | null;
  readonly block: Block | null;
  /** null: every port. */
  readonly port: number | null;
}

const PORT_MAX = 65_535;

const readPort = (text: string): number | null => {
  const port = /^[1-9]\d{0,4}$/u.test(text) ? Number(text) : 0;
  return port >= 1 && port <= PORT_MAX ? port : null;
};

const isPlainAddress = (text: string): boolean => isIP(text) !== 0 && !text.includes("%");

const fullPrefix = (address: string): Block => [ipaddr.parse(address), isIPv4(address) ? 32 : 128];

const readBlock = (text: string): Entry | string => {
  const [address = "", prefix = "", ...rest] = text.split("/");
  const bits = /^\d{1,3}$/u.test(prefix) ? Number(prefix) : -1;
  if (rest.length > 0 || !isPlainAddress(address)) return "is not a CIDR block such as 10.0.0.0/8";
  if (bits < 0 || bits > (isIPv4(address) ? 32 : 128)) return "has a prefix length out of range";
  return { name: null, block: [ipaddr.parse(address), bits], port: null };
};

const readHost = (host: string, port: number | null): Entry | string => {
  if (isPlainAddress(host)) return { name: null, block: fullPrefix(host), port };
  const name = host.toLowerCase().replace(/\.$/u, "");
  // URL parsers read a name with a numeric last label as an IPv4 address (127.1, 0x7f.1).
  if (!isHostName(name) || /(?:^|\.)(?:\d+|0x[\da-f]*)$/u.test(name)) {
    return (
      "is not a valid host: use host, host:port or a CIDR block (a name in ASCII, an IPv4 address in four " +
      "parts)"
    );
  }
  return { name, block: null, port };
};

const readEntry = (entry: string): Entry | string => {
  const text = entry.trim();
  if (text === "") return "is empty";
  if (text.includes("://")) return "is a URL: use only host or host:port";
  if (text.includes("/")) return readBlock(text);
  if (isPlainAddress(text)) return readHost(text, null);
  // `wiki.corp`, `10.0.0.5:8080`, `[fd00::1]:443`.
  const match = /^(?:\[(?<v6>[^\]]*)\]|(?<host>[^:[\]]*))(?::(?<port>.*))?$/u.exec(text);
  const { v6, host, port } = match?.groups ?? {};
  if (match === null || (v6 !== undefined && isIP(v6) !== 6)) return "is not host, host:port or a CIDR block";
  const portNumber = port === undefined ? null : readPort(port);
  if (port !== undefined && portNumber === null)
    return `has a port that is not a number from 1 to ${PORT_MAX}`;
  return readHost(v6 ?? host ?? "", portNumber);
};

const contains = ([network, bits]: Block, address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  network.kind() === address.kind() && address.match([network, bits]);

const opensPort = (entry: Entry, port: number): boolean => entry.port === null || entry.port === port;

export const parseAllowList = (
  entries: ReadonlyArray<string>
): Result.Result<AllowList, InvalidEgressSetting> => {
  const names: Array<Entry> = [];
  const blocks: Array<Entry & { readonly block: Block }> = [];
  for (const text of entries) {
    const entry = readEntry(text);
    if (typeof entry === "string") {
      const shown = text.includes("@") ? "(not shown, as it may contain a password)" : text;
      const message = `Egress allow-list entry "${shown}" ${entry}`;
      return Result.fail(new InvalidEgressSetting({ setting: "allow", entry: shown, message }));
    }
    if (entry.block === null) names.push(entry);
    else blocks.push({ ...entry, block: entry.block });
  }
  return Result.succeed({
    hasName: (host, port) => names.some((entry) => entry.name === host && opensPort(entry, port)),
    hasAddress: (address, port) => {
      if (blocks.length === 0 || !isPlainAddress(address)) return false;
      const parsed = ipaddr.parse(address);
      return blocks.some((entry) => opensPort(entry, port) && contains(entry.block, parsed));
    },
    listsAddresses: blocks.length > 0
  });
};

// Names are looked up in turns by domain. A look-up occupies a thread of the process until the name server responds,
// so the silent name servers of one domain must not occupy all of them.

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
    forNewcomers: quarter,
    newFirst: false
  });
  return (host) => {
    const domain = domainOf(host);
    if (permits.waitingOf(domain) >= LOOKUPS_QUEUED_MAX) return [];
    const lookup = Effect.tryPromise({ try: async () => resolve(host), catch: (error) => error });
    return Effect.runPromise(permits.withPermit(domain)(lookup));
  };
};

// Resolving a name, and the decision.

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

// The guard as one promise, for callers who open the connection themselves.

export interface VetUrlOptions {
  /** Default `page`. */
  readonly profile?: EgressProfile | undefined;
  /** Default: the system's resolver. */
  readonly resolve?: ResolveHost | undefined;
  /** Non-public hosts that are allowed: `host`, `host:port` or CIDR; default none. */
  readonly allow?: ReadonlyArray<string> | undefined;
}

/** Connect to one of `addresses` without resolving the name again. */
export type UrlVerdict =
  | { readonly ok: true; readonly url: string; readonly addresses: ReadonlyArray<string> }
  | { readonly ok: false; readonly reason: RefusalReason };

/** Rejects only with `InvalidEgressSetting`, for an invalid entry of `allow`. */
export const vetUrl = async (input: string, options: VetUrlOptions = {}): Promise<UrlVerdict> => {
  const profile = options.profile ?? "page";
  const guard = makeGuard(Result.getOrThrow(parseAllowList(options.allow ?? [])), options.resolve);
  const target = readTarget(input, profile);
  if (Result.isFailure(target)) return { ok: false, reason: target.failure };
  const { url, host, port } = target.success;
  const verdict = await guard.vet(host, port, profile);
  return Result.isSuccess(verdict)
    ? { ok: true, url: url.href, addresses: verdict.success }
    : { ok: false, reason: verdict.failure };
};
