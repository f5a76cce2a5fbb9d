import { Agent } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import { redirectTo, routes, serve } from "./LoopbackServer.ts";
import { ask, breaks, tunnelTo, withProxy } from "./OpenedProxy.ts";
import { authorizationOf, viaProxy, writeRaw } from "./ProxyClient.ts";

const hello = routes({ "/": (_request, response) => response.end("hello") });

describe("the proxy", () => {
  it.live("does nothing without a run's credentials", () =>
    Effect.gen(function* () {
      const site = yield* serve(hello);
      yield* withProxy(site, ({ url, denials }) =>
        Effect.gen(function* () {
          const { origin } = new URL(url);
          const wrong = Object.assign(new URL(url), { password: "0".repeat(32) }).href;
          const other = Object.assign(new URL(url), { username: "0".repeat(32) }).href;
          for (const proxyUrl of [origin, wrong, other]) {
            const answer = yield* ask(proxyUrl, site.url);
            assert.deepStrictEqual(
              [answer.status, answer.headers["proxy-authenticate"]],
              [407, 'Basic realm="winnow"']
            );
            assert.strictEqual((yield* tunnelTo(proxyUrl, site.authority)).status, 407);
          }
          assert.strictEqual(site.connections(), 0);
          assert.deepStrictEqual(yield* denials, []);
        })
      );
    })
  );

  it.live("serves runs although strangers, who show no credentials, open more connections than it has", () =>
    Effect.gen(function* () {
      const site = yield* serve(hello);
      yield* withProxy(site, ({ url }) =>
        Effect.gen(function* () {
          const { hostname, port } = new URL(url);
          const strangers = yield* Effect.acquireRelease(
            Effect.promise(() =>
              Promise.all(
                Array.from(
                  { length: 1_100 },
                  () =>
                    new Promise<Socket>((resolve) => {
                      const socket = connect(Number(port), hostname, () => resolve(socket));
                      socket.on("error", () => resolve(socket));
                    })
                )
              )
            ),
            (sockets) => Effect.sync(() => sockets.forEach((socket) => socket.destroy()))
          );
          assert.lengthOf(strangers, 1_100);
          assert.strictEqual((yield* ask(url, site.url)).body, "hello");
          const { socket, status } = yield* tunnelTo(url, site.authority);
          assert.strictEqual(status, 200);
          socket.destroy();
        }).pipe(Effect.scoped)
      );
    })
  );

  it.live("reports the next connection of its run, not those of strangers", () =>
    Effect.gen(function* () {
      const site = yield* serve(hello);
      yield* withProxy(site, ({ nextConnection, url }) =>
        Effect.gen(function* () {
          const next = yield* Effect.forkChild(nextConnection, { startImmediately: true });
          yield* ask(new URL(url).origin, site.url);
          assert.isUndefined(next.pollUnsafe());
          yield* ask(url, site.url);
          yield* Fiber.join(next);
        })
      );
    })
  );

  it.live("forwards end-to-end headers and bodies unchanged", () =>
    Effect.gen(function* () {
      const zipped = gzipSync("zipped");
      const site = yield* serve((request, response) => {
        response.writeHead(201, "Made", {
          "Set-Cookie": ["a=1", "b=2"],
          "Content-Encoding": "gzip",
          Connection: "X-Hop",
          "X-Hop": "1",
          "Proxy-Authenticate": "Basic"
        });
        request.resume().once("end", () => response.end(zipped));
      });
      yield* withProxy(site, ({ url }) =>
        Effect.gen(function* () {
          // A signed path must arrive unchanged, not normalized by a URL parser.
          const path = "/a/%7Eb/c|d/../e?sig=a%2fb'()&x=1";
          const answer = yield* ask(url, `http://${site.authority}${path}#frag`, {
            method: "POST",
            body: "payload",
            headers: {
              Host: "evil.example.org",
              Connection: "X-Mine",
              "X-Mine": "1",
              TE: "trailers",
              "X-Kept": "2"
            }
          });
          const request = site.requests[0];
          assert.strictEqual(request?.url, path);
          assert.strictEqual(request?.headers.host, site.authority);
          assert.deepInclude(request?.headers, { "x-kept": "2", "content-length": "7" });
          for (const name of ["x-mine", "te", "proxy-authorization"])
            assert.notProperty(request?.headers, name);
          assert.strictEqual(answer.status, 201);
          assert.deepStrictEqual(answer.headers["set-cookie"], ["a=1", "b=2"]);
          assert.strictEqual(answer.headers["content-encoding"], "gzip");
          for (const name of ["x-hop", "proxy-authenticate"]) assert.notProperty(answer.headers, name);
        })
      );
    })
  );

  it.live("keeps connections alive on both sides", () =>
    Effect.gen(function* () {
      const site = yield* serve(hello);
      yield* withProxy(site, ({ url }) =>
        Effect.gen(function* () {
          const agent = new Agent({ keepAlive: true, maxSockets: 1 });
          yield* Effect.addFinalizer(() => Effect.sync(() => agent.destroy()));
          for (let i = 0; i < 20; i++)
            assert.strictEqual((yield* ask(url, site.url, { agent })).body, "hello");
          assert.isAtMost(site.connections(), 2);
          assert.strictEqual((yield* ask(url, site.url, { agent, method: "HEAD" })).body, "");
        })
      );
    })
  );

  it.live(
    "asks again on a new connection if the server closes the one in use, unless that could act twice",
    () =>
      Effect.gen(function* () {
        const hungUp = new Set<string>();
        const site = yield* serve((request, response) => {
          const path = request.url ?? "";
          if (hungUp.has(path)) return void response.end("hello");
          hungUp.add(path);
          request.socket.destroy();
        });
        yield* withProxy(site, ({ url }) =>
          Effect.gen(function* () {
            const times = (path: string) => site.requests.filter((request) => request.url === path).length;
            for (const [path, request, status, requests] of [
              ["/get", {}, 200, 2],
              ["/head", { method: "HEAD" }, 200, 2],
              ["/post", { method: "POST", body: "order" }, 502, 1],
              ["/post-nothing", { method: "POST", headers: { "content-length": "0" } }, 502, 1],
              ["/delete", { method: "DELETE" }, 502, 1],
              ["/get-with-body", { body: "order", headers: { "content-length": "5" } }, 502, 1]
            ] as const) {
              const answer = yield* ask(url, `${site.url}${path}`, request);
              assert.deepStrictEqual([answer.status, times(path)], [status, requests], path);
            }
          })
        );
      })
  );

  it.live("tunnels to allowed addresses", () =>
    Effect.gen(function* () {
      const site = yield* serve(hello);
      yield* withProxy(site, ({ url }) =>
        Effect.gen(function* () {
          const { status, socket } = yield* tunnelTo(url, site.authority);
          assert.strictEqual(status, 200);
          socket.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
          assert.match(yield* Effect.promise(() => text(socket)), /^HTTP\/1\.1 200 OK[^]*hello/u);
        })
      );
    })
  );

  it.live("checks every request and tunnel, and records denials", () =>
    Effect.gen(function* () {
      const site = yield* serve(hello);
      const internal = yield* serve(hello);
      const resolve = () => ["127.0.0.1"];
      const denied = [
        [`127.0.0.1:${internal.port}`, "127.0.0.1"],
        [`localhost:${internal.port}`, "localhost"],
        [`[::ffff:7f00:1]:${internal.port}`, "::ffff:7f00:1"],
        ["inside.example.org:443", "inside.example.org"],
        ["169.254.169.254:80", "169.254.169.254"],
        ["93.184.215.14:25", "93.184.215.14"]
      ] as const;
      yield* withProxy(
        site,
        ({ url, denials }) =>
          Effect.gen(function* () {
            for (const [authority] of denied) {
              assert.strictEqual((yield* tunnelTo(url, authority)).status, 403, authority);
              assert.strictEqual((yield* ask(url, `http://${authority}/x`)).status, 403, authority);
            }
            const log = yield* denials;
            assert.deepStrictEqual(
              log.map(({ host }) => host),
              denied.flatMap(([, host]) => [host, host])
            );
            // The host as requested; the resolved address is not reported.
            assert.notInclude(
              JSON.stringify(log.filter(({ host }) => host === "inside.example.org")),
              "127.0.0.1"
            );
          }),
        { resolve }
      );
      assert.strictEqual(internal.connections(), 0);
    })
  );

  it.live("passes redirects to the child, whose next request is checked", () =>
    Effect.gen(function* () {
      const site = yield* serve(redirectTo("http://127.0.0.1:1/"));
      yield* withProxy(site, ({ url, denials }) =>
        Effect.gen(function* () {
          const answer = yield* ask(url, site.url);
          assert.deepStrictEqual([answer.status, answer.headers.location], [302, "http://127.0.0.1:1/"]);
          assert.strictEqual((yield* ask(url, answer.headers.location ?? "")).status, 403);
          assert.deepStrictEqual((yield* denials).length, 1);
        })
      );
    })
  );

  it.live("reports server errors", () =>
    Effect.gen(function* () {
      const site = yield* serve(
        routes({
          "/broken": (_request, response) => {
            response.writeHead(200, { "content-length": 100 });
            response.write("half", () => response.destroy());
          },
          "/hangup": (request) => request.socket.destroy()
        })
      );
      yield* withProxy(
        site,
        ({ url }) =>
          Effect.gen(function* () {
            assert.isTrue(yield* breaks(viaProxy(url, `${site.url}/broken`)));
            assert.strictEqual((yield* ask(url, `${site.url}/hangup`)).status, 502);
            const closed = yield* ask(url, "http://127.0.0.1:1/");
            assert.deepStrictEqual([closed.status, closed.body.includes("127.0.0.1")], [502, false]);
            assert.strictEqual((yield* tunnelTo(url, "127.0.0.1:1")).status, 502);
            assert.strictEqual((yield* ask(url, "http://nowhere.example.org/")).status, 502);
          }),
        { allow: [site.authority, "127.0.0.1:1"], resolve: () => [] }
      );
    })
  );

  it.live("rejects ambiguous requests", () =>
    Effect.gen(function* () {
      const site = yield* serve(hello);
      yield* withProxy(site, ({ url }) =>
        Effect.gen(function* () {
          const head = (line: string, ...headers: ReadonlyArray<string>) =>
            [
              line,
              `Host: ${site.authority}`,
              `Proxy-Authorization: ${authorizationOf(url)}`,
              ...headers,
              "Connection: close",
              "",
              ""
            ].join("\r\n");
          const raw = (bytes: string) => Effect.promise(() => writeRaw(url, bytes));
          const post = `POST ${site.url}/ HTTP/1.1`;
          const smuggled = head(`GET http://127.0.0.1:1/ HTTP/1.1`);
          const requests = [
            head(post, "Content-Length: 4", "Transfer-Encoding: chunked") + "0\r\n\r\n" + smuggled,
            head(post, "Content-Length: 4", "Content-Length: 5") + "abcde",
            head(post, "Transfer-Encoding: chunked, identity") + "0\r\n\r\n",
            head(post, "Transfer-Encoding : chunked") + "0\r\n\r\n",
            head("GET /relative HTTP/1.1"),
            head(`GET https://${site.authority}/ HTTP/1.1`),
            head(`GET http://${site.authority}\\@127.0.0.1:1/ HTTP/1.1`),
            head(`GET http://user:pw@${site.authority}/ HTTP/1.1`),
            head(`CONNECT ${site.authority}/x HTTP/1.1`),
            head("CONNECT 127.0.0.1 HTTP/1.1"),
            head(`GET ${site.url}/ HTTP/1.1`, `X-Long: ${"x".repeat(40_000)}`)
          ];
          for (const bytes of requests) assert.notInclude(yield* raw(bytes), "hello", bytes.slice(0, 200));
          assert.strictEqual(site.requests.length, 0);
          const get = head(`GET ${site.url}/ HTTP/1.1`);
          const pipelined = get.replace("Connection: close\r\n", "") + get;
          assert.strictEqual((yield* raw(pipelined)).split("hello").length, 3);
        })
      );
    })
  );
});
