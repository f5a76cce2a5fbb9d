// @module-tag long
/**
 * An upstream proxy that lies instead of connecting: nothing internal is requested, no answer in the name of a
 * site is believed, and the proxy's password is sent to no one else.
 */
import { createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import * as tls from "node:tls";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { Egress } from "../../src/network/index.ts";
import { serve, SITE_PEM } from "./LoopbackServer.ts";
import { quietEgress } from "./QuietEgress.ts";

const PUBLIC = "93.184.215.14";
const LIMITS = { maxBytes: 10_000, timeoutMs: 2_000 };
const FLOOD_EVERY_MS = 5;

/** Called with the head of each request. */
type Lie = (socket: Socket, head: string) => void;

const lyingProxy = (lie: Lie) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const sockets = new Set<Socket>();
      const heads: Array<string> = [];
      const server = createServer((socket) => {
        sockets.add(socket);
        socket.on("error", () => {});
        socket.once("data", (bytes) => {
          heads.push(bytes.toString("latin1"));
          lie(socket, heads.at(-1) ?? "");
        });
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return { server, sockets, heads, port: (server.address() as AddressInfo).port };
    }),
    ({ server, sockets }) =>
      Effect.sync(() => {
        for (const socket of sockets) socket.destroy();
        server.close();
      })
  );

const says =
  (...lines: ReadonlyArray<string>): Lie =>
  (socket) =>
    void socket.write(`${lines.join("\r\n")}\r\n\r\n`);

const floods =
  (head: string, line: string): Lie =>
  (socket) => {
    socket.write(head);
    const timer = setInterval(() => {
      if (socket.writable && !socket.writableNeedDrain) socket.write(line.repeat(100));
    }, FLOOD_EVERY_MS);
    socket.once("close", () => clearInterval(timer));
  };

/** Impersonates the site with a certificate of its own. */
const plays: Lie = (socket) => {
  socket.write("HTTP/1.1 200 OK\r\n\r\n");
  const site = new tls.TLSSocket(socket, { isServer: true, key: SITE_PEM, cert: SITE_PEM });
  site.on("error", () => {});
  site.on("data", () => site.end("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nplayed"));
};

type Case = readonly [what: string, url: string, lie: (inside: string) => Lie];

const CASES: ReadonlyArray<Case> = [
  [
    "redirects a tunnel to the inside",
    "https",
    (inside) => says("HTTP/1.1 302 F", `Location: ${inside}`, "Content-Length: 0")
  ],
  ["plays the site", "https", () => plays],
  [
    "answers for the site in plain text",
    "https",
    () => says("HTTP/1.1 200 OK", "Content-Length: 2", "", "hi")
  ],
  ["asks for another password", "https", () => says("HTTP/1.1 407 P", "Proxy-Authenticate: Basic realm=x")],
  ["says nothing", "https", () => () => {}],
  [
    "has headers without end",
    "https",
    () => floods("HTTP/1.1 200 OK\r\n", "X-A: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n")
  ],
  ["sends interim answers without end", "https", () => floods("", "HTTP/1.1 100 Continue\r\n\r\n")],
  ["closes at once", "https", () => (socket) => socket.destroy()],
  ["speaks no HTTP", "https", () => says("SOCKS")],
  [
    "redirects a page to the inside",
    "http",
    (inside) => says("HTTP/1.1 302 F", `Location: ${inside}`, "Content-Length: 0")
  ],
  [
    "redirects a page to a name inside",
    "http",
    () => says("HTTP/1.1 302 F", "Location: http://inside.example.org/", "Content-Length: 0")
  ],
  [
    "redirects a page to a file",
    "http",
    () => says("HTTP/1.1 302 F", "Location: file:///etc/passwd", "Content-Length: 0")
  ],
  ["sends a page without end", "http", () => floods("HTTP/1.1 200 OK\r\n\r\n", "x".repeat(1_000))],
  [
    "switches a page to another protocol",
    "http",
    () => says("HTTP/1.1 101 S", "Connection: Upgrade", "Upgrade: x")
  ]
];

describe("an upstream proxy that", () => {
  it.live.each(CASES)("%s gains nothing", ([_what, scheme, lie]) =>
    Effect.gen(function* () {
      const inside = yield* serve((_request, response) => response.end("secret"));
      const proxy = yield* lyingProxy(lie(inside.url));
      const resolve = async (host: string) => [host.startsWith("inside.") ? "127.0.0.1" : PUBLIC];
      const upstreamProxy = `http://user:s3cret@127.0.0.1:${proxy.port}`;
      const error = yield* Egress.use(({ fetch }) =>
        Effect.flip(fetch(`${scheme}://site.example.net/`, LIMITS))
      ).pipe(Effect.provide(quietEgress({ upstreamProxy, resolve })));
      assert.notMatch(error.message + JSON.stringify(error), /secret|s3cret|127\.0\.0\.1|played/u);
      assert.strictEqual(inside.connections(), 0);
      // It was asked only for checked addresses.
      for (const head of proxy.heads)
        assert.match(
          head,
          /^(?:CONNECT 93\.184\.215\.14:443|GET http:\/\/site\.example\.net\/) HTTP\/1\.1\r\n/u
        );
      assert.isNotEmpty(proxy.heads);
    })
  );

  it.live("responds itself is believed, as in plain http, but does not reveal its password", () =>
    Effect.gen(function* () {
      const proxy = yield* lyingProxy((socket) =>
        socket.end("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlies")
      );
      const upstreamProxy = `http://user:s3cret@127.0.0.1:${proxy.port}`;
      const { body, headers } = yield* Egress.use(({ fetch }) =>
        fetch("http://site.example.net/", LIMITS)
      ).pipe(Effect.provide(quietEgress({ upstreamProxy, resolve: async () => [PUBLIC] })));
      assert.strictEqual(Buffer.from(body).toString(), "lies");
      assert.notInclude(JSON.stringify(headers), "s3cret");
    })
  );
});
