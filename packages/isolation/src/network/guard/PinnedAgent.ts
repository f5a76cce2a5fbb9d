/**
 * Keep-alive HTTP connections by origin, opened by the egress route: a request only uses a connection whose address
 * was vetted for its own origin. Tests: EgressFetch.test.ts, LyingProxy.test.ts.
 */
import { isIP, type Socket } from "node:net";
import { createSecureContext } from "node:tls";
import { callbackify, promisify } from "node:util";
import { Agent, buildConnector, type Dispatcher } from "undici";
import { CONNECT_TIMEOUT_MS } from "./ConnectTimeout.ts";
import { openSocket, vettedAddresses, type EgressRoute } from "./EgressRoute.ts";
import { hostOf, portOf, type Target } from "./Target.ts";
import { authorizationOf, connectUpstream, declinedWith, forwardsRequests } from "./UpstreamProxy.ts";

/** Signed media URLs, cookies and content policies lead to headers of up to about 20 KiB. */
export const HEADERS_MAX_BYTES = 32_768;

/** Default keep-alive of most servers; a Keep-Alive header overrides it. */
const KEEP_ALIVE_MS = 4000;
const KEEP_ALIVE_MAX_MS = 30_000;

/**
 * Encrypts connected sockets. The TLS context is created at the first use and shared by all connections: trusted
 * authorities and ciphers are the same for each, and setting them up costs as much as a small request. Sessions
 * are cached separately, by name.
 */
const makeEncrypt = (tlsSessionsMax: number) => {
  let encrypt: ((options: buildConnector.Options) => Promise<unknown>) | null = null;
  return (options: buildConnector.Options): Promise<unknown> => {
    encrypt ??= promisify(
      buildConnector({
        allowH2: false,
        timeout: CONNECT_TIMEOUT_MS,
        maxCachedSessions: tlsSessionsMax,
        secureContext: createSecureContext()
      })
    );
    return encrypt(options);
  };
};

/** Called by undici for every new connection; `tlsSessionsKept` cached TLS sessions can avoid full handshakes. */
export const makeConnector = (route: EgressRoute, tlsSessionsKept = 100): buildConnector.connector => {
  const encrypt = makeEncrypt(tlsSessionsKept);
  const connect = callbackify(async (options: buildConnector.Options): Promise<Socket> => {
    const url = new URL(`${options.protocol}//${options.host}`);
    const isSecure = url.protocol === "https:";
    const host = hostOf(url);
    if (route.upstream !== null && !isSecure && forwardsRequests(route.upstream)) {
      return connectUpstream(route.upstream);
    }
    const httpSocket = await openSocket(route, host, portOf(url));
    if (!isSecure) return httpSocket;
    const name = isIP(host) === 0 ? { servername: host } : {};
    return (await encrypt({ ...options, hostname: host, ...name, httpSocket })) as Socket;
  });
  return (options, done) => {
    connect(options, (error, socket) => (error === null ? done(null, socket) : done(error, null)));
  };
};

/** Connections to an origin are limited only within one account's work: a slow response must not delay others. */
export const makePinnedAgent = (route: EgressRoute, connectionsPerOriginMax: number | null = null): Agent =>
  new Agent({
    connect: makeConnector(route),
    connections: connectionsPerOriginMax,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
    maxHeaderSize: HEADERS_MAX_BYTES,
    allowH2: false
  });

export interface RequestLine {
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the upstream proxy reads the request, and may answer it itself. */
  readonly isForwarded: boolean;
}

/** Rejects with `ProxyFailed` if the proxy did not admit the request: that is no answer of the source. */
export const admitted = <Response extends Pick<Dispatcher.ResponseData, "statusCode" | "body">>(
  { isForwarded }: RequestLine,
  response: Response
): Response => {
  if (!isForwarded || response.statusCode !== 407) return response;
  response.body.destroy();
  throw declinedWith(response.statusCode);
};

/**
 * The request line for `path` of the target. Plain http through an http proxy uses the absolute form, and the proxy
 * resolves the name again; this is the only case in which our check is not final.
 */
export const requestLine = async (route: EgressRoute, target: Target, path: string): Promise<RequestLine> => {
  const { origin, protocol } = target.url;
  const { upstream } = route;
  if (upstream === null || protocol === "https:" || !forwardsRequests(upstream)) {
    return { origin, path, headers: {}, isForwarded: false };
  }
  await vettedAddresses(route, target.host, target.port);
  const authorization = authorizationOf(upstream);
  return {
    origin,
    path: `${origin}${path}`,
    headers: authorization === null ? {} : { "proxy-authorization": authorization },
    isForwarded: true
  };
};
