/** Uses the proxy like a child program, with Node's HTTP client and with plain sockets. */
import { request, type Agent, type IncomingHttpHeaders } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";

export interface ProxiedAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface ProxiedRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly agent?: Agent;
}

export const authorizationOf = (proxyUrl: string): string => {
  const { username, password } = new URL(proxyUrl);
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
};

/** One request in absolute form; rejects if the connection breaks before or during the response. */
export const viaProxy = (
  proxyUrl: string,
  url: string,
  options: ProxiedRequest = {}
): Promise<ProxiedAnswer> => {
  const proxy = new URL(proxyUrl);
  const { method = "GET", headers, body, agent = false } = options;
  return new Promise((resolve, reject) => {
    const sent = request({
      host: proxy.hostname,
      port: proxy.port,
      path: url,
      method,
      agent,
      headers: {
        ...(URL.canParse(url) ? { host: new URL(url).host } : {}),
        ...(proxy.username === "" ? {} : { "proxy-authorization": authorizationOf(proxyUrl) }),
        ...headers
      }
    });
    sent.once("error", reject);
    sent.once("response", (response) => {
      text(response).then(
        (received) =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: received }),
        reject
      );
    });
    sent.end(body);
  });
};

export interface Tunnel {
  readonly status: number;
  readonly socket: Socket;
}

export const connectVia = (proxyUrl: string, authority: string): Promise<Tunnel> => {
  const proxy = new URL(proxyUrl);
  return new Promise((resolve, reject) => {
    const sent = request({
      host: proxy.hostname,
      port: proxy.port,
      path: authority,
      method: "CONNECT",
      headers: proxy.username === "" ? {} : { "proxy-authorization": authorizationOf(proxyUrl) }
    });
    sent.once("error", reject);
    sent.once("connect", (response, socket) =>
      resolve({ status: response.statusCode ?? 0, socket: socket as Socket })
    );
    sent.end();
  });
};

/** Writes raw `bytes` to the proxy and returns everything it sends until it closes. */
export const writeRaw = (proxyUrl: string, bytes: string): Promise<string> => {
  const { hostname, port } = new URL(proxyUrl);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  return text(socket);
};
