import { createServer, request as httpRequest, type IncomingMessage } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Result from "effect/Result";
import { Egress, parseUpstreamProxy } from "../../src/network/index.ts";
import { serve, SITE_PEM } from "./LoopbackServer.ts";
import { connectVia, viaProxy } from "./ProxyClient.ts";
import { quietEgress } from "./QuietEgress.ts";
import { trust } from "./webhooks/TestAuthority.ts";

const AUTHORIZATION = `Basic ${Buffer.from("user:p@ss").toString("base64")}`;

/** An upstream proxy that always connects to 127.0.0.1. */
const someProxy = Effect.gen(function* () {
  const asked: Array<string> = [];
  const admits = (request: IncomingMessage) => request.headers["proxy-authorization"] === AUTHORIZATION;
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (!admits(request)) return void response.writeHead(407).end();
    const { port, pathname } = new URL(request.url ?? "");
    const { "proxy-authorization": _credentials, ...headers } = request.headers;
    const forwarded = httpRequest({ host: "127.0.0.1", port, path: pathname, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    request.pipe(forwarded);
  });
  server.on("connect", (request, child) => {
    asked.push(`CONNECT ${request.url}`);
    if (!admits(request)) return void child.end("HTTP/1.1 407 No\r\n\r\n");
    const socket = connect(Number(request.url?.split(":").at(-1)), "127.0.0.1", () => {
      child.write("HTTP/1.1 200 OK\r\n\r\n");
      child.pipe(socket).pipe(child);
    });
    socket.on("error", () => child.destroy());
    child.on("error", () => socket.destroy()).on("close", () => socket.destroy());
  });
  server.listen(0, "127.0.0.1");
  yield* Effect.promise(() => new Promise((resolve) => server.once("listening", resolve)));
  yield* Effect.addFinalizer(() => Effect.sync(() => (server.closeAllConnections(), server.close())));
  const { port } = server.address() as AddressInfo;
  return { url: `http://user:p%40ss@127.0.0.1:${port}`, wrong: `http://127.0.0.1:${port}`, asked };
});

const LIMITS = { maxBytes: 10_000, timeoutMs: 30_000 };

describe("with an upstream proxy, the guard", () => {
  it.live("sends http in absolute form and https to the vetted address, under its name", () =>
    Effect.gen(function* () {
      const distrust = trust(SITE_PEM);
      yield* Effect.addFinalizer(() => Effect.sync(distrust));
      const proxy = yield* someProxy;
      const plain = yield* serve((_request, response) => response.end("plain"));
      const secure = yield* serve((_request, response) => response.end("secure"), { secure: true });
      yield* Effect.gen(function* () {
        const egress = yield* Egress;
        const answer = yield* egress.fetch(`http://site.example.org:${plain.port}/a?b`, LIMITS);
        assert.strictEqual(Buffer.from(answer.body).toString(), "plain");
        assert.strictEqual(plain.requests[0]?.headers.host, `site.example.org:${plain.port}`);
        const encrypted = yield* egress.fetch(`https://site.example.org:${secure.port}/`, LIMITS);
        assert.strictEqual(Buffer.from(encrypted.body).toString(), "secure");
      }).pipe(
        Effect.provide(
          quietEgress({
            allow: ["127.0.0.1", "::1"],
            upstreamProxy: proxy.url,
            // Many proxies have no IPv6, so the IPv4 address is used.
            resolve: () => ["::1", "127.0.0.1"]
          })
        )
      );
      assert.deepStrictEqual(proxy.asked, [
        `GET http://site.example.org:${plain.port}/a?b`,
        `CONNECT 127.0.0.1:${secure.port}`
      ]);
    })
  );

  it.live("still checks every name, and child programs use the same proxy", () =>
    Effect.gen(function* () {
      const proxy = yield* someProxy;
      const site = yield* serve((_request, response) => response.end("site"));
      yield* Effect.gen(function* () {
        const egress = yield* Egress;
        for (const url of ["http://inside.example.org/", "https://inside.example.org/", "http://10.0.0.1/"]) {
          const error = yield* Effect.flip(egress.fetch(url, LIMITS));
          assert.strictEqual(error.reason, "host_not_public");
        }
        const { url } = yield* egress.openProxy({ budgetBytes: 1_000_000 });
        const ask = (path: string) => Effect.promise(() => viaProxy(url, path));
        assert.strictEqual((yield* ask("http://inside.example.org/")).status, 403);
        assert.strictEqual((yield* ask(`${site.url}/`)).body, "site");
        const { status, socket } = yield* Effect.promise(() => connectVia(url, site.authority));
        assert.strictEqual(status, 200);
        socket.destroy();
      }).pipe(
        Effect.scoped,
        Effect.provide(
          quietEgress({ allow: [site.authority], upstreamProxy: proxy.url, resolve: () => ["10.9.9.9"] })
        )
      );
      assert.deepStrictEqual(proxy.asked, [`GET ${site.url}/`, `CONNECT ${site.authority}`]);
    })
  );

  it.live("reports a proxy that declines or is not there", () =>
    Effect.gen(function* () {
      const proxy = yield* someProxy;
      const fetchThrough = (upstreamProxy: string) =>
        Effect.gen(function* () {
          const egress = yield* Egress;
          return yield* egress.fetch("https://93.184.215.14/", LIMITS);
        }).pipe(Effect.provide(quietEgress({ upstreamProxy })), Effect.flip);
      assert.strictEqual((yield* fetchThrough(proxy.wrong)).reason, "unreachable");
      const missing = yield* fetchThrough("http://user:secret@127.0.0.1:1");
      assert.strictEqual(missing.reason, "unreachable");
      assert.notMatch(String(missing) + JSON.stringify(missing), /secret|127\.0\.0\.1/u);
    })
  );
});

describe("the setting of an upstream proxy", () => {
  it("is a host, a port and credentials", () => {
    assert.deepStrictEqual(Result.getOrThrow(parseUpstreamProxy("http://user:p%40ss@[fd00::1]:3128")), {
      host: "fd00::1",
      port: 3128,
      authorization: AUTHORIZATION
    });
    assert.deepStrictEqual(Result.getOrThrow(parseUpstreamProxy("http://proxy.corp/")), {
      host: "proxy.corp",
      port: 80,
      authorization: null
    });
  });

  it.each([
    "",
    "proxy:3128",
    "https://user:secret@proxy",
    "socks5://user:secret@proxy",
    "http://user:secret@proxy/path"
  ])("refuses %j without telling the password", (text) => {
    const error = Result.getOrThrow(Result.flip(parseUpstreamProxy(text)));
    assert.strictEqual(error.setting, "upstreamProxy");
    assert.notInclude(JSON.stringify(error) + error.message, "secret");
  });
});
