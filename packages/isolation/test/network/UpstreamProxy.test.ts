// @module-tag long
import { type AddressInfo, createServer } from "node:net";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Result from "effect/Result";
import { Egress, parseUpstreamProxy, type ProxyFailed } from "../../src/network/index.ts";
import { examineProxy } from "../../src/network/guard/UpstreamProxy.ts";
import { troubleText } from "../../src/runtime/Trouble.ts";
import { openProxyOf, PROXY_KINDS, type ProxyKind } from "./LoopbackProxy.ts";
import { serve, SITE_PEM } from "./LoopbackServer.ts";
import { connectVia, viaProxy } from "./ProxyClient.ts";
import { quietEgress } from "./QuietEgress.ts";
import { trust } from "./TestAuthority.ts";

const LIMITS = { maxBytes: 100_000, timeoutMs: 30_000 };

const trustSite = Effect.acquireRelease(
  Effect.sync(() => trust(SITE_PEM)),
  (distrust) => Effect.sync(distrust)
);

describe("with an upstream proxy, the guard", () => {
  it.live.each(PROXY_KINDS)(
    "sends https, and through SOCKS http too, to the vetted address under its name: %s",
    (kind) =>
      Effect.gen(function* () {
        yield* trustSite;
        const proxy = yield* openProxyOf(kind);
        const plain = yield* serve((_request, response) => response.end("plain"));
        const secure = yield* serve((_request, response) => response.end("secure"), { secure: true });
        yield* Effect.gen(function* () {
          const egress = yield* Egress;
          const answer = yield* egress.fetch(`http://site.example.org:${plain.port}/a?b`, LIMITS);
          assert.strictEqual(Buffer.from(answer.body).toString(), "plain");
          assert.strictEqual(plain.requests[0]?.headers.host, `site.example.org:${plain.port}`);
          assert.strictEqual(plain.requests[0]?.url, "/a?b");
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
          kind === "socks5"
            ? `CONNECT 127.0.0.1:${plain.port}`
            : `GET http://site.example.org:${plain.port}/a?b`,
          `CONNECT 127.0.0.1:${secure.port}`
        ]);
      })
  );

  it.live.each(PROXY_KINDS)("still checks every name, and child programs use the same proxy: %s", (kind) =>
    Effect.gen(function* () {
      const proxy = yield* openProxyOf(kind);
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
      const first = kind === "socks5" ? `CONNECT ${site.authority}` : `GET ${site.url}/`;
      assert.deepStrictEqual(proxy.asked, [first, `CONNECT ${site.authority}`]);
    })
  );

  it.live("does not believe a certificate that the proxy, or the site behind it, does not have", () =>
    Effect.gen(function* () {
      const secure = yield* serve((_request, response) => response.end("secure"), { secure: true });
      for (const kind of ["http", "https", "socks5"] satisfies ReadonlyArray<ProxyKind>) {
        const proxy = yield* openProxyOf(kind);
        const error = yield* Egress.use(({ fetch }) =>
          Effect.flip(fetch(`https://site.example.org:${secure.port}/`, LIMITS))
        ).pipe(
          Effect.provide(
            quietEgress({ allow: ["127.0.0.1"], upstreamProxy: proxy.url, resolve: () => ["127.0.0.1"] })
          )
        );
        assert.deepInclude(error, { reason: "unreachable", unreachableCause: "tls" }, kind);
      }
      const stranger = yield* serve(() => {}, { secure: true });
      const error = yield* Egress.use(({ fetch }) =>
        Effect.flip(fetch("https://93.184.215.14/", LIMITS))
      ).pipe(Effect.provide(quietEgress({ upstreamProxy: stranger.url })));
      assert.strictEqual(error.reason, "unreachable");
      assert.lengthOf(stranger.requests, 0);
    })
  );

  it.live("reports a proxy that declines or is not there, without its address or password", () =>
    Effect.gen(function* () {
      const fetchThrough = (upstreamProxy: string, scheme = "https") =>
        Effect.gen(function* () {
          const egress = yield* Egress;
          return yield* egress.fetch(`${scheme}://93.184.215.14/`, LIMITS);
        }).pipe(Effect.provide(quietEgress({ upstreamProxy })), Effect.flip);
      for (const kind of ["http", "https", "socks5"] satisfies ReadonlyArray<ProxyKind>) {
        const proxy = yield* openProxyOf(kind);
        for (const scheme of ["http", "https"]) {
          const refused = yield* fetchThrough(proxy.wrongUrl, scheme);
          assert.strictEqual(refused.reason, "unreachable", `${scheme} by ${kind}`);
        }
        assert.lengthOf(proxy.asked, 0);
        const missing = yield* fetchThrough(`${kind}://user:secret@127.0.0.1:1`);
        assert.strictEqual(missing.reason, "unreachable");
        assert.notMatch(String(missing) + JSON.stringify(missing), /secret|127\.0\.0\.1/u);
      }
    })
  );
});

describe("a way through another proxy", () => {
  it.live.each(PROXY_KINDS)("is taken instead of the settings', and tells of failures: %s", (kind) =>
    Effect.gen(function* () {
      yield* trustSite;
      const proxy = yield* openProxyOf(kind);
      const body = "x".repeat(50_000);
      const site = yield* serve((_request, response) => response.end(body), { secure: true });
      const url = `https://site.example.org:${site.port}/`;
      const failures: Array<ProxyFailed> = [];
      yield* Effect.gen(function* () {
        const egress = yield* Egress;
        const through = (text: string) =>
          egress.through({
            name: "office",
            upstream: Result.getOrThrow(parseUpstreamProxy(text)),
            onProxyFailed: (failure) => failures.push(failure)
          });
        const right = through(proxy.url);
        assert.strictEqual((yield* right.fetch(url, LIMITS)).body.length, body.length);
        assert.lengthOf(failures, 0);
        if (kind === "http without credentials") return;
        const wrong = through(proxy.wrongUrl);
        const plain = `http://site.example.org:${site.port}/`;
        for (const each of [url, plain]) {
          assert.strictEqual((yield* Effect.flip(wrong.fetch(each, LIMITS))).reason, "unreachable");
        }
        const { url: childProxy } = yield* wrong.openProxy({ budgetBytes: 1_000_000 });
        assert.strictEqual((yield* Effect.promise(() => viaProxy(childProxy, plain))).status, 502);
        assert.deepStrictEqual(
          failures.map(({ reason }) => reason),
          ["credentials", "credentials", "credentials"]
        );
      }).pipe(
        Effect.provide(
          quietEgress({
            allow: ["127.0.0.1"],
            resolve: () => ["127.0.0.1"],
            upstreamProxy: "http://127.0.0.1:1"
          })
        ),
        Effect.scoped
      );
    })
  );
});

describe("examining a proxy", () => {
  const examine = (text: string) =>
    Effect.promise(async () => {
      const trouble = await examineProxy(Result.getOrThrow(parseUpstreamProxy(text)));
      return trouble === null ? null : troubleText(trouble);
    });

  it.live.each(PROXY_KINDS)("finds nothing wrong with one that works: %s", (kind) =>
    Effect.gen(function* () {
      const { url } = yield* openProxyOf(kind);
      assert.isNull(yield* examine(url));
    })
  );

  it.live.each<ProxyKind>(["http", "https", "socks5"])("says that the password is wrong: %s", (kind) =>
    Effect.gen(function* () {
      const { wrongUrl } = yield* openProxyOf(kind);
      assert.match((yield* examine(wrongUrl)) ?? "", /^refuses the user or the password: check them/u);
    })
  );

  it.live("says that nothing listens, that nothing answers, and that it is another kind of server", () =>
    Effect.gen(function* () {
      assert.match((yield* examine("socks5://127.0.0.1:1")) ?? "", /^refuses connections: check/u);
      const silent = yield* Effect.acquireRelease(
        Effect.promise(async () => {
          const server = createServer(() => {});
          await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
          return server;
        }),
        (server) => Effect.sync(() => server.close())
      );
      const { port } = silent.address() as AddressInfo;
      assert.match((yield* examine(`http://127.0.0.1:${port}`)) ?? "", /^does not answer: check/u);
      const http = yield* openProxyOf("http");
      const socks = yield* openProxyOf("socks5");
      assert.match(
        (yield* examine(`socks5://127.0.0.1:${http.port}`)) ?? "",
        /^does not speak socks5: check/u
      );
      assert.match((yield* examine(`https://127.0.0.1:${http.port}`)) ?? "", /^has no TLS certificate/u);
      assert.match((yield* examine(`https://127.0.0.1:${socks.port}`)) ?? "", /^closes connections at once/u);
    })
  );
});

describe("the setting of an upstream proxy", () => {
  it("is a host, a port and credentials", () => {
    assert.deepStrictEqual(Result.getOrThrow(parseUpstreamProxy("http://user:p%40ss@[fd00::1]:3128")), {
      scheme: "http",
      host: "fd00::1",
      port: 3128,
      username: "user",
      password: "p@ss"
    });
    const unnamed = { username: null, password: null };
    for (const [text, port] of [
      ["http://proxy", 80],
      ["https://proxy/", 443],
      ["socks5://proxy", 1080]
    ] as const)
      assert.deepInclude(Result.getOrThrow(parseUpstreamProxy(text)), { ...unnamed, host: "proxy", port });
    const token = { username: "token", password: "" };
    assert.deepInclude(Result.getOrThrow(parseUpstreamProxy("http://token@proxy:3128")), token);
  });

  it.each(["", "proxy:3128", "ftp://user:secret@proxy", "http://user:secret@proxy/path"])(
    "refuses %j without telling the password",
    (text) => {
      const error = Result.getOrThrow(Result.flip(parseUpstreamProxy(text)));
      assert.strictEqual(error.setting, "upstreamProxy");
      assert.notInclude(JSON.stringify(error) + error.message, "secret");
    }
  );
});
