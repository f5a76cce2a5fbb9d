/** Proxies on loopback ports, of every kind, which connect to 127.0.0.1 whatever address is asked for. */
import { createServer, request as httpRequest, type IncomingMessage, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { connect, createServer as createTcpServer, type AddressInfo, type Socket } from "node:net";
import * as Effect from "effect/Effect";
import { testAuthority, trust } from "./TestAuthority.ts";

export const USER = "user";
export const PASSWORD = "p@ss/w:rd";
const AUTHORIZATION = `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString("base64")}`;

export interface LoopbackProxy {
  /** With the credentials, if it wants any. */
  readonly url: string;
  /** With other credentials. */
  readonly wrongUrl: string;
  readonly port: number;
  /** `CONNECT address:port`, or a request in absolute form, in order; those it admitted. */
  readonly asked: ReadonlyArray<string>;
}

export type ProxyKind = "http" | "http without credentials" | "https" | "socks5";

export const PROXY_KINDS: ReadonlyArray<ProxyKind> = ["http", "http without credentials", "https", "socks5"];

const joined = (child: Socket, port: number, onConnect: () => void): void => {
  const socket = connect(port, "127.0.0.1", () => {
    onConnect();
    child.pipe(socket).pipe(child);
  });
  socket.on("error", () => child.destroy());
  child.on("error", () => socket.destroy()).on("close", () => socket.destroy());
};

const serveHttp = (server: Server, asked: Array<string>, wantsCredentials: boolean) => {
  const admits = ({ headers }: IncomingMessage) =>
    !wantsCredentials || headers["proxy-authorization"] === AUTHORIZATION;
  server.on("request", (request, response) => {
    if (!admits(request)) return void response.writeHead(407).end();
    asked.push(`${request.method} ${request.url}`);
    const { port, pathname, search } = new URL(request.url ?? "");
    const { "proxy-authorization": _credentials, ...headers } = request.headers;
    const forwarded = httpRequest(
      { host: "127.0.0.1", port, path: pathname + search, headers, method: request.method },
      (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      }
    );
    forwarded.on("error", () => response.destroy());
    request.pipe(forwarded);
  });
  server.on("connect", (request, stream) => {
    const child = stream as Socket;
    child.on("error", () => child.destroy());
    if (!admits(request)) return void child.end("HTTP/1.1 407 No\r\n\r\n");
    asked.push(`CONNECT ${request.url}`);
    joined(child, Number(request.url?.split(":").at(-1)), () => child.write("HTTP/1.1 200 OK\r\n\r\n"));
  });
};

/** RFC 1928 and 1929, as far as a client asks for connections to addresses. */
const serveSocks = (child: Socket, asked: Array<string>): void => {
  let state: "greeting" | "credentials" | "request" = "greeting";
  child.on("error", () => child.destroy());
  child.on("data", (bytes) => {
    if (bytes[0] !== (state === "credentials" ? 1 : 5)) return void child.destroy();
    if (state === "greeting") {
      const takesCredentials = bytes.subarray(2, 2 + (bytes[1] ?? 0)).includes(2);
      state = "credentials";
      return void (takesCredentials ? child.write(Buffer.from([5, 2])) : child.end(Buffer.from([5, 255])));
    }
    if (state === "credentials") {
      const userLength = bytes[1] ?? 0;
      const user = bytes.subarray(2, 2 + userLength).toString();
      const password = bytes.subarray(3 + userLength).toString();
      state = "request";
      const isRight = user === USER && password === PASSWORD;
      return void (isRight ? child.write(Buffer.from([1, 0])) : child.end(Buffer.from([1, 1])));
    }
    child.removeAllListeners("data");
    child.pause();
    const isIPv4 = bytes[3] === 1;
    const address = isIPv4
      ? [...bytes.subarray(4, 8)].join(".")
      : `[${bytes.subarray(4, 20).toString("hex")}]`;
    const port = bytes.readUInt16BE(isIPv4 ? 8 : 20);
    asked.push(`CONNECT ${address}:${port}`);
    joined(child, port, () => child.write(Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 1])));
  });
};

const listening = (server: Server | ReturnType<typeof createTcpServer>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const sockets = new Set<Socket>();
      server.on("connection", (socket: Socket) => sockets.add(socket));
      server.listen(0, "127.0.0.1");
      await new Promise((resolve) => server.once("listening", resolve));
      return { port: (server.address() as AddressInfo).port, sockets };
    }),
    ({ sockets }) =>
      Effect.promise(async () => {
        for (const socket of sockets) socket.destroy();
        await new Promise((resolve) => server.close(resolve));
      })
  );

/** The certificate of an https proxy is trusted while the scope is open. */
export const openProxyOf = Effect.fnUntraced(function* (kind: ProxyKind) {
  const asked: Array<string> = [];
  const shown = (port: number, credentials: string, scheme: string = kind): string =>
    `${scheme}://${credentials}127.0.0.1:${port}`;
  const own = `${encodeURIComponent(USER)}:${encodeURIComponent(PASSWORD)}@`;
  if (kind === "socks5") {
    const { port } = yield* listening(createTcpServer((child) => serveSocks(child, asked)));
    return { url: shown(port, own), wrongUrl: shown(port, "user:wrong@"), port, asked };
  }
  if (kind === "https") {
    const authority = yield* Effect.promise(testAuthority);
    const distrust = trust(authority.cert);
    yield* Effect.addFinalizer(() => Effect.sync(distrust));
    const certificate = yield* Effect.promise(() => authority.issue(["127.0.0.1"]));
    const server = createSecureServer(certificate);
    serveHttp(server, asked, true);
    const { port } = yield* listening(server);
    return { url: shown(port, own), wrongUrl: shown(port, "user:wrong@"), port, asked };
  }
  const server = createServer();
  serveHttp(server, asked, kind === "http");
  const { port } = yield* listening(server);
  const url = shown(port, kind === "http" ? own : "", "http");
  return { url, wrongUrl: shown(port, "user:wrong@", "http"), port, asked } satisfies LoopbackProxy;
});
