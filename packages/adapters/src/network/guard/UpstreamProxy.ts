/**
 * The upstream proxy of the guard (setting WINNOW_UPSTREAM_PROXY): parses the setting and opens tunnels. The
 * operator chose it, so it may be in a private network.
 */
import { type IncomingMessage, request } from "node:http";
import type { Socket } from "node:net";
import * as Result from "effect/Result";
import { connectSocket, withinConnectTimeout } from "./ConnectedSocket.ts";
import { InvalidEgressSetting } from "./AllowList.ts";

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
export const openTunnel = async (proxy: UpstreamProxy, address: string, port: number): Promise<Socket> => {
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
