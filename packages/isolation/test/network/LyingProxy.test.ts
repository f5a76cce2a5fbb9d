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

/** What a SOCKS proxy says, step by step, whatever it is asked. */
const answers =
  (...steps: ReadonlyArray<string | readonly number[]>): Lie =>
  (socket) => {
    const say = (at: number): void => {
      const step = steps[at];
      if (step !== undefined) socket.write(typeof step === "string" ? step : Buffer.from(step));
    };
    say(0);
    let at = 0;
    socket.on("data", () => say((at += 1)));
  };

const SOCKS_CONNECTED = [5, 0, 0, 1, 10, 0, 0, 1, 0, 80] as const;

type Case = readonly [what: string, url: string, lie: (inside: string) => Lie];

/** Of a SOCKS proxy, for an https URL. */
const SOCKS_CASES: ReadonlyArray<readonly [what: string, lie: Lie]> = [
  ["says nothing", () => {}],
  ["speaks HTTP", says("HTTP/1.1 400 Bad Request", "Connection: close")],
  ["speaks SOCKS 4", answers([0, 90], [0, 90])],
  ["wants another way to sign in", answers([5, 1])],
  [
    "answers for a private address, in plain text",
    answers([5, 2], [1, 0], SOCKS_CONNECTED, "HTTP/1.1 200 OK\r\n\r\n")
  ],
  ["ends in the middle of its answer", (socket) => void socket.end(Buffer.from([5]))],
  [
    "plays the site",
    (socket) => {
      socket.write(Buffer.from([5, 0]));
      socket.once("data", () => {
        socket.write(Buffer.from(SOCKS_CONNECTED));
        const site = new tls.TLSSocket(socket, { isServer: true, key: SITE_PEM, cert: SITE_PEM });
        site.on("error", () => {});
        site.on("data", () => site.end("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nplayed"));
      });
    }
  ]
];

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
  ["says nothing", "https", () => () => {}],
  [
    "has headers without end",
    "https",
    () => floods("HTTP/1.1 200 OK\r\n", "X-A: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n")
  ],
  ["sends interim answers without end", "https", () => floods("", "HTTP/1.1 100 Continue\r\n\r\n")],
  ["speaks no HTTP", "https", () => says("SOCKS")],
  [
    "redirects a page to the inside",
    "http",
    (inside) => says("HTTP/1.1 302 F", `Location: ${inside}`, "Content-Length: 0")
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

  it.live.each(SOCKS_CASES)("speaks SOCKS, and %s, gains nothing", ([_what, lie]) =>
    Effect.gen(function* () {
      const proxy = yield* lyingProxy(lie);
      const upstreamProxy = `socks5://user:s3cret@127.0.0.1:${proxy.port}`;
      const error = yield* Egress.use(({ fetch }) =>
        Effect.flip(fetch("https://site.example.net/", LIMITS))
      ).pipe(Effect.provide(quietEgress({ upstreamProxy, resolve: async () => [PUBLIC] })));
      assert.include(["unreachable", "timeout"], error.reason);
      assert.notMatch(error.message + JSON.stringify(error), /s3cret|10\.0\.0\.1|127\.0\.0\.1|played/u);
    })
  );

  it.live("speaks SOCKS is asked for no private address, and for no name", () =>
    Effect.gen(function* () {
      const proxy = yield* lyingProxy(answers([5, 0], SOCKS_CONNECTED));
      const upstreamProxy = `socks5://127.0.0.1:${proxy.port}`;
      const resolve = async () => ["127.0.0.1"];
      const error = yield* Egress.use(({ fetch }) =>
        Effect.flip(fetch("http://inside.example.net/", LIMITS))
      ).pipe(Effect.provide(quietEgress({ upstreamProxy, resolve })));
      assert.strictEqual(error.reason, "host_not_public");
      assert.isEmpty(proxy.heads);
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
