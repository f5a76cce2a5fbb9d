/**
 * The only way out: every socket to a page, a media file or a webhook receiver is opened here, to a vetted address,
 * directly or through the upstream proxy.
 */
import { connect, type Socket, type TcpNetConnectOpts, isIP, type LookupFunction } from "node:net";
import { type IncomingMessage, request } from "node:http";
import * as Result from "effect/Result";
import { InvalidEgressSetting, parseAllowList, makeGuard, type Guard, type ResolveHost } from "./Guard.ts";
import * as Effect from "effect/Effect";
import { EgressRefused, Unresolvable } from "./EgressFailed.ts";
import type { EgressProfile } from "./Target.ts";

// Waits a limited time for a socket to connect.

/** For TCP, and again for TLS: responsive hosts need a fraction; 5 s allows for packet loss. */
export const CONNECT_TIMEOUT_MS = 5000;

/** The same error code as for a kernel timeout, so that it is handled like one. */
class ConnectTimeout extends Error {
  readonly code = "ETIMEDOUT";
}

/**
 * Runs `start` with a function that registers the socket to destroy on timeout. The limit ends once connected; a
 * signal passed to `net.connect` would later kill the established socket.
 */
const withinConnectTimeout = <A>(start: (guardSocket: (socket: Socket) => void) => Promise<A>) => {
  const timeout = new ConnectTimeout("The connection took too long");
  const { promise: expired, reject } = Promise.withResolvers<never>();
  let pending: Socket | null = null;
  const timer = setTimeout(() => {
    pending?.destroy(timeout);
    reject(timeout);
  }, CONNECT_TIMEOUT_MS);
  return Promise.race([start((socket) => (pending = socket)), expired]).finally(() => clearTimeout(timer));
};

const connectSocket = (options: TcpNetConnectOpts): Promise<Socket> =>
  withinConnectTimeout(
    (guardSocket) =>
      new Promise((resolve, reject) => {
        const socket = connect({ noDelay: true, ...options });
        guardSocket(socket);
        socket.once("error", reject);
        socket.once("connect", () => {
          socket.off("error", reject);
          resolve(socket);
        });
      })
  );

// The upstream proxy of the guard (setting WINNOW_UPSTREAM_PROXY): parses the setting and opens tunnels. The
// operator chose it, so it may be in a private network.

export interface UpstreamProxy {
  readonly host: string;
  readonly port: number;
  /** Value of Proxy-Authorization; null without credentials. */
  readonly authorization: string | null;
}

const invalid = (entry: string, message: string) =>
  Result.fail(
    new InvalidEgressSetting({ setting: "upstreamProxy", entry, message: `Upstream proxy ${message}` })
  );

const decoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
};

/** `http://host:port` or `http://user:password@host:port`; without a port, 80. */
export const parseUpstreamProxy = (text: string): Result.Result<UpstreamProxy, InvalidEgressSetting> => {
  if (!URL.canParse(text)) return invalid("(unreadable)", "is not a URL such as http://proxy:3128");
  const url = new URL(text);
  const redactedUrl = `${url.protocol}//${url.host}`;
  if (url.protocol !== "http:") return invalid(redactedUrl, `"${redactedUrl}" must be an http:// URL`);
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "") {
    return invalid(redactedUrl, `"${redactedUrl}" must have no path`);
  }
  const [username, password] = [decoded(url.username), decoded(url.password)];
  if (username === null || password === null)
    return invalid(redactedUrl, `"${redactedUrl}" has badly encoded credentials`);
  const credentials = `${username}:${password}`;
  return Result.succeed({
    host: url.hostname.replace(/^\[|\]$/gu, ""),
    port: url.port === "" ? 80 : Number(url.port),
    authorization: credentials === ":" ? null : `Basic ${Buffer.from(credentials).toString("base64")}`
  });
};

/** To the proxy itself, for requests in absolute form. */
export const connectUpstream = (proxy: UpstreamProxy): Promise<Socket> =>
  connectSocket({ host: proxy.host, port: proxy.port });

/** A socket to `address:port` through the proxy (RFC 9110, 9.3.6); rejects if the proxy refuses. */
const openTunnel = async (proxy: UpstreamProxy, address: string, port: number): Promise<Socket> => {
  const socket = await connectUpstream(proxy);
  const authority = `${address.includes(":") ? `[${address}]` : address}:${port}`;
  const authorization = proxy.authorization === null ? {} : { "proxy-authorization": proxy.authorization };
  return withinConnectTimeout((guardSocket) => {
    guardSocket(socket);
    return new Promise<Socket>((resolve, reject) => {
      const connect = request({
        method: "CONNECT",
        path: authority,
        headers: { host: authority, ...authorization },
        createConnection: () => socket
      });
      connect.once("error", reject);
      // Every response to CONNECT arrives as this event, whatever its status.
      connect.once("connect", (response: IncomingMessage, _socket, head: Buffer) => {
        if (response.statusCode !== 200) {
          socket.destroy();
          return reject(new Error(`The upstream proxy responded with ${response.statusCode}`));
        }
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
      });
      connect.end();
    });
  });
};

export interface EgressRoute {
  readonly guard: Guard;
  readonly upstream: UpstreamProxy | null;
  /** Which ports the guard allows. */
  readonly profile: EgressProfile;
}

export interface RouteSettings {
  /** Non-public hosts that are allowed: `host`, `host:port` or CIDR. */
  readonly allow: ReadonlyArray<string>;
  /** `http://user:password@host:port` of an upstream proxy for all connections. */
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

const openDirect = (host: string, port: number, addresses: ReadonlyArray<string>): Promise<Socket> => {
  const lookupResults = addresses.map((address) => ({ address, family: isIP(address) }));
  // Node tries these in order (RFC 8305) without resolving the name again.
  const lookup: LookupFunction = (_host, _options, done) => done(null, lookupResults);
  return connectSocket({ host, port, lookup, autoSelectFamily: true });
};

/** A connected socket to a host that the guard allows. Rejects as above, or with a connection error. */
export const openSocket = async (route: EgressRoute, host: string, port: number): Promise<Socket> => {
  const addresses = await vettedAddresses(route, host, port);
  if (route.upstream === null) return openDirect(host, port, addresses);
  // The proxy gets the address instead of the name, so that it cannot resolve it differently. IPv4 first, because
  // many proxies support nothing else.
  const [address = ""] = addresses.toSorted((left, right) => isIP(left) - isIP(right));
  return openTunnel(route.upstream, address, port);
};
