/**
 * A proxy between the guard and the internet: http, https or SOCKS 5. The operator chose it, so it may be in a private
 * network. It gets vetted addresses instead of names, so that it cannot resolve them differently.
 */
import { type IncomingMessage, request } from "node:http";
import { isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { type ProxyAddress, readProxyAddress } from "@winnow/core/domain/route/ProxyAddress";
import * as Result from "effect/Result";
import { connectSocket, withinConnectTimeout } from "./ConnectTimeout.ts";
import { ProxyFailed } from "./EgressFailed.ts";
import { InvalidEgressSetting } from "./Guard.ts";
import { openSocks } from "./socks.ts";

export type UpstreamProxy = ProxyAddress;

/** The setting `upstreamProxy`; the error has no credentials. */
export const parseUpstreamProxy = (text: string): Result.Result<UpstreamProxy, InvalidEgressSetting> =>
  Result.mapError(
    readProxyAddress(text),
    (why) =>
      new InvalidEgressSetting({
        setting: "upstreamProxy",
        entry: /"([^"]*)"/u.exec(why)?.[1] ?? "(unreadable)",
        message: `Upstream proxy ${why}`
      })
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

/**
 * To the proxy itself, for requests in absolute form; encrypted if it speaks https. `onSocket` gets the TCP connection.
 * Rejects with `ProxyFailed`.
 */
export const connectUpstream = async (
  proxy: UpstreamProxy,
  onSocket: (socket: Socket) => void = () => {}
): Promise<Socket> => {
  try {
    const socket = await connectSocket({ host: proxy.host, port: proxy.port });
    onSocket(socket);
    if (proxy.scheme !== "https") return socket;
    return await encrypted(socket, proxy).catch((error) => {
      socket.destroy();
      throw error;
    });
  } catch (cause) {
    throw new ProxyFailed("The upstream proxy cannot be reached", { isProxy: true, cause });
  }
};

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
      if (response.statusCode !== 200) {
        const isProxy = response.statusCode === 407;
        return reject(
          new ProxyFailed(`The upstream proxy responded with ${response.statusCode}`, { isProxy })
        );
      }
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    connect.end();
  });
};

/** A connection to `address:port` through the proxy. Rejects with `ProxyFailed`. */
export const openTunnel = async (
  proxy: UpstreamProxy,
  target: { readonly address: string; readonly port: number },
  onSocket?: (socket: Socket) => void
): Promise<Socket> => {
  const socket = await connectUpstream(proxy, onSocket);
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
      : new ProxyFailed("The upstream proxy did not connect", { isProxy: false, cause });
  }
};
