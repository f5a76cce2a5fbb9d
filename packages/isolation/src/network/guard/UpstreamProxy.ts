/**
 * A proxy between the guard and the internet: http, https or SOCKS 5. The operator chose it, so it may be in a private
 * network. It gets vetted addresses instead of names, so that it cannot resolve them differently.
 */
import { type IncomingMessage, request } from "node:http";
import { isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { type ProxyAddress, readProxyAddress } from "./ProxyAddress.ts";
import * as Result from "effect/Result";
import { connectSocket, withinConnectTimeout } from "./ConnectTimeout.ts";
import { codeOf } from "../../runtime/ErrorCode.ts";
import type { Trouble } from "../../runtime/Trouble.ts";
import { ProxyFailed } from "./EgressFailed.ts";
import { InvalidEgressSetting } from "./Guard.ts";
import { openSocks } from "./socks.ts";

export type UpstreamProxy = ProxyAddress;

/** The setting `upstreamProxy`; the error has no credentials. */
export const parseUpstreamProxy = (text: string): Result.Result<UpstreamProxy, InvalidEgressSetting> =>
  Result.mapError(
    readProxyAddress(text),
    (why) => new InvalidEgressSetting({ setting: "upstreamProxy", message: `Upstream proxy ${why}` })
  );

/** Value of Proxy-Authorization; null without credentials. */
export const authorizationOf = ({ username, password }: UpstreamProxy): string | null =>
  username === null ? null : `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;

/** Whether plain http is sent to the proxy in absolute form, and it resolves the name again. */
export const forwardsRequests = ({ scheme }: UpstreamProxy): boolean => scheme !== "socks5";

const encrypted = (socket: Socket, { host }: UpstreamProxy): Promise<Socket> =>
  withinConnectTimeout(
    (guardSocket) =>
      new Promise((resolve, reject) => {
        const secure = connectTls({
          socket,
          ALPNProtocols: ["http/1.1"],
          ...(isIP(host) === 0 ? { servername: host } : { host })
        });
        guardSocket(secure);
        secure.once("error", reject);
        secure.once("secureConnect", () => {
          secure.off("error", reject);
          resolve(secure);
        });
      })
  );

/** To the proxy itself, for requests in absolute form; encrypted if it speaks https. Rejects with `ProxyFailed`. */
export const connectUpstream = async (proxy: UpstreamProxy): Promise<Socket> => {
  try {
    const socket = await connectSocket({ host: proxy.host, port: proxy.port });
    if (proxy.scheme !== "https") return socket;
    return await encrypted(socket, proxy).catch((error) => {
      socket.destroy();
      throw error;
    });
  } catch (cause) {
    throw new ProxyFailed("away", "The upstream proxy cannot be reached", cause);
  }
};

/** What the proxy's own response means. */
export const declinedWith = (status: number | undefined): ProxyFailed =>
  new ProxyFailed(status === 407 ? "credentials" : "declined", `The upstream proxy responded with ${status}`);

/** HTTP CONNECT (RFC 9110, 9.3.6). */
const openConnect = (
  socket: Socket,
  proxy: UpstreamProxy,
  { address, port }: { readonly address: string; readonly port: number }
): Promise<Socket> => {
  const authority = `${address.includes(":") ? `[${address}]` : address}:${port}`;
  const authorization = authorizationOf(proxy);
  return new Promise<Socket>((resolve, reject) => {
    const connect = request({
      method: "CONNECT",
      path: authority,
      headers: {
        host: authority,
        ...(authorization === null ? {} : { "proxy-authorization": authorization })
      },
      createConnection: () => socket
    });
    connect.once("error", reject);
    // Every response to CONNECT arrives as this event, whatever its status.
    connect.once("connect", (response: IncomingMessage, _socket, head: Buffer) => {
      if (response.statusCode !== 200) return reject(declinedWith(response.statusCode));
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    connect.end();
  });
};

/** A connection to `address:port` through the proxy. Rejects with `ProxyFailed`. */
export const openTunnel = async (
  proxy: UpstreamProxy,
  target: { readonly address: string; readonly port: number }
): Promise<Socket> => {
  const socket = await connectUpstream(proxy);
  const open = proxy.scheme === "socks5" ? openSocks : openConnect;
  try {
    return await withinConnectTimeout((guardSocket) => {
      guardSocket(socket);
      return open(socket, proxy, target);
    });
  } catch (cause) {
    socket.destroy();
    throw cause instanceof ProxyFailed
      ? cause
      : new ProxyFailed(
          codeOf(cause).startsWith("HPE_") ? "protocol" : "declined",
          "The upstream proxy did not connect",
          cause
        );
  }
};

/** The port of the discard service on the proxy's own machine: whatever it answers, it answers at once. */
const NOWHERE = { address: "127.0.0.1", port: 9 };

/** By the codes of Node and OpenSSL. */
const AWAY: ReadonlyArray<readonly [codes: RegExp, problem: string, remedy: string]> = [
  [/^ECONNREFUSED$/u, "refuses connections", "check that it runs and listens on this port"],
  [/^(?:ECONNRESET|EPIPE)$/u, "closes connections at once", "check its scheme and port"],
  [/^(?:ENOTFOUND|EAI_)/u, "has a name that does not resolve", "check its host"],
  [
    /CERT|ALTNAME|SELF_SIGNED|UNABLE_TO|^ERR_(?:SSL|TLS)|^EPROTO/u,
    "has no TLS certificate that is trusted here, or does not speak TLS",
    "check its scheme and certificate"
  ],
  [/./u, "does not answer", "check its host and port, and firewalls on the way"]
];

/** What is wrong with a proxy; null if it answers. It is asked for no other host. */
export const examineProxy = async (proxy: UpstreamProxy): Promise<Trouble | null> => {
  try {
    (await openTunnel(proxy, NOWHERE)).destroy();
    return null;
  } catch (error) {
    if (!(error instanceof ProxyFailed)) throw error;
    const { code, reason } = error;
    if (reason === "credentials")
      return {
        problem: "refuses the user or the password",
        remedy: "check them, percent-encoded in the URL"
      };
    if (reason === "protocol")
      return { problem: `does not speak ${proxy.scheme}`, remedy: "check its scheme and port" };
    // It took the connection, and then said nothing.
    if (reason === "declined" && code !== "ETIMEDOUT") return null;
    const [, problem = "does not answer", remedy = "check its host and port"] =
      AWAY.find(([codes]) => codes.test(code)) ?? [];
    return { problem, remedy };
  }
};
