import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import { Egress, type EgressSettings, type FetchOptions } from "../../src/network/index.ts";
import { redirectTo, routes, serve, SITE_PEM } from "./LoopbackServer.ts";
import { quietEgress } from "./QuietEgress.ts";
import { trust } from "./TestAuthority.ts";

/** Longer than anything here takes on a busy machine. */
const LIMITS: FetchOptions = { maxBytes: 1_000_000, timeoutMs: 30_000 };

/** One fetch through a new guard. */
const get = (url: string, settings: Partial<EgressSettings> = {}, options: Partial<FetchOptions> = {}) =>
  Effect.gen(function* () {
    const egress = yield* Egress;
    return yield* egress.fetch(url, { ...LIMITS, ...options });
  }).pipe(Effect.provide(quietEgress(settings)));

const text = (body: Uint8Array) => Buffer.from(body).toString("utf8");
const hello = routes({ "/": (_request, response) => response.end("hello") });

describe("a fetch", () => {
  it.live("hands out status, headers and body, of errors too", () =>
    Effect.gen(function* () {
      const site = yield* serve((_request, response) => {
        response.writeHead(404, { "X-Kind": "gone", "set-cookie": ["a=1", "b=2"] }).end("not here");
      });
      const answer = yield* get(`${site.url}/x?y=1`, { allow: [site.authority], userAgent: "Test/1" });
      assert.strictEqual(answer.status, 404);
      assert.strictEqual(answer.url, `${site.url}/x?y=1`);
      assert.strictEqual(answer.headers["x-kind"], "gone");
      assert.strictEqual(answer.headers["set-cookie"], "a=1, b=2");
      assert.strictEqual(text(answer.body), "not here");
      assert.strictEqual(site.requests[0]?.headers["user-agent"], "Test/1");
    })
  );

  it.live("reaches only public addresses", () =>
    Effect.gen(function* () {
      const site = yield* serve(hello);
      for (const url of [
        site.url,
        `http://localhost:${site.port}/`,
        `http://[::ffff:7f00:1]:${site.port}/`
      ]) {
        const error = yield* Effect.flip(get(url));
        assert.strictEqual(error.reason, "host_not_public");
      }
      assert.strictEqual(site.connections(), 0);
    })
  );

  it.live("does not reveal the addresses behind a name", () =>
    Effect.gen(function* () {
      const site = yield* serve(hello);
      const refused = get("http://intern.example.org/", { allow: [], resolve: () => ["10.1.2.3"] });
      // A port without a listener: the system's error would contain the address.
      const closed = get("http://a.example.org:1/", { allow: ["127.0.0.1:1"], resolve: () => ["127.0.0.1"] });
      const unresolved = get("http://b.example.org/", { resolve: () => [] });
      const reasons = [];
      for (const attempt of [refused, closed, unresolved]) {
        const error = yield* Effect.flip(attempt);
        reasons.push(error.reason);
        assert.notMatch(JSON.stringify(error) + String(error), /10\.1\.2\.3|127\.0\.0\.1|ECONN/u);
      }
      assert.deepStrictEqual(reasons, ["host_not_public", "unreachable", "unreachable"]);
      assert.strictEqual(site.connections(), 0);
    })
  );

  it.live("uses a connection again", () =>
    Effect.gen(function* () {
      const site = yield* serve(hello);
      yield* Effect.gen(function* () {
        const { fetch } = yield* Egress;
        for (let i = 0; i < 20; i++) yield* fetch(site.url, LIMITS);
      }).pipe(Effect.provide(quietEgress({ allow: [site.authority] })));
      assert.strictEqual(site.requests.length, 20);
      // undici may open a second connection while the first is being returned to the pool.
      assert.isAtMost(site.connections(), 2);
    })
  );

  it.live("does not wait for other responses of the same site, however many never end", () =>
    Effect.gen(function* () {
      const slowCount = 32;
      const { promise: allBegun, resolve: begun } = Promise.withResolvers<void>();
      let open = 0;
      const site = yield* serve((request, response) => {
        if (request.url !== "/slow") return void response.end("hello");
        response.write("...");
        open += 1;
        if (open === slowCount) begun();
      });
      yield* Effect.gen(function* () {
        const { fetch } = yield* Egress;
        const slow = Array.from({ length: slowCount }, () => fetch(`${site.url}/slow`, LIMITS));
        yield* Effect.forkChild(Effect.all(slow, { concurrency: "unbounded" }));
        yield* Effect.promise(() => allBegun);
        assert.strictEqual(text((yield* fetch(`${site.url}/page`, LIMITS)).body), "hello");
      }).pipe(Effect.provide(quietEgress({ allow: [site.authority] })));
    })
  );

  it.live("uses the name of the site for TLS", () =>
    Effect.gen(function* () {
      const distrust = trust(SITE_PEM);
      yield* Effect.addFinalizer(() => Effect.sync(distrust));
      const site = yield* serve(hello, { secure: true });
      const settings = { allow: [site.authority], resolve: () => ["127.0.0.1"] };
      const answer = yield* get(`https://site.example.org.:${site.port}/`, settings);
      assert.strictEqual(text(answer.body), "hello");
      assert.propertyVal(site.requests[0]?.socket, "servername", "site.example.org");
      const other = yield* Effect.flip(get(`https://other.example.org:${site.port}/`, settings));
      assert.deepStrictEqual([other.reason, /certificate/u.test(other.message)], ["unreachable", true]);
    })
  );
});

describe("a redirect", () => {
  it.live.each([301, 302, 303, 307, 308])("of status %i is followed", (status) =>
    Effect.gen(function* () {
      const site = yield* serve(
        routes({ "/a": redirectTo("/b?c#d", status), "/b": (_q, r) => r.end("there") })
      );
      const answer = yield* get(`${site.url}/a`, { allow: [site.authority] });
      assert.deepStrictEqual([text(answer.body), answer.url], ["there", `${site.url}/b?c#d`]);
    })
  );

  it.live("is vetted like a first URL", () =>
    Effect.gen(function* () {
      const internal = yield* serve(hello);
      const { port } = internal;
      const locations = [
        `http://127.0.0.1:${port}/`,
        `//127.0.0.1:${port}/`,
        `http://[::ffff:7f00:1]:${port}/`,
        `http://2130706433:${port}/`,
        `http://localhost:${port}/`,
        "http://inside.example.org/",
        "http://user:pw@site.example.org/",
        "file:///etc/passwd",
        "ftp://site.example.org/",
        "http://169.254.169.254/latest/meta-data/"
      ];
      const site = yield* serve((request, response) => {
        redirectTo(locations[Number(request.url?.slice(1))] ?? "/")(request, response);
      });
      const settings = { allow: [site.authority], resolve: () => ["127.0.0.1"] };
      for (const [i, location] of locations.entries()) {
        const error = yield* Effect.flip(get(`${site.url}/${i}`, settings));
        assert.strictEqual(error.reason, "blocked_address", location);
      }
      assert.strictEqual(internal.connections(), 0);
    })
  );

  it.live("in a circle ends after the limit", () =>
    Effect.gen(function* () {
      const site = yield* serve(redirectTo("/again"));
      const settings = { allow: [site.authority] };
      assert.strictEqual((yield* Effect.flip(get(site.url, settings))).reason, "redirect_loop");
      assert.strictEqual(site.requests.length, 6);
      assert.strictEqual(
        (yield* Effect.flip(get(site.url, settings, { maxRedirects: 0 }))).reason,
        "redirect_loop"
      );
      assert.strictEqual(site.requests.length, 7);
    })
  );

  it.live("sends no credentials to another origin, and returns none", () =>
    Effect.gen(function* () {
      const home = yield* serve(routes({ "/back": (_q, r) => r.end("back"), "/same": redirectTo("/out") }));
      const away = yield* serve(redirectTo(`${home.url}/back`));
      const start = yield* serve(routes({ "/": redirectTo("/same"), "/same": redirectTo(away.url) }));
      const headers = {
        Authorization: "Bearer x",
        Cookie: "s=1",
        "X-Api-Key": "k",
        "Accept-Language": "de",
        Host: "evil"
      };
      const allow = [home.authority, away.authority, start.authority];
      yield* get(start.url, { allow }, { headers });
      const sent = [...start.requests, ...away.requests, ...home.requests].map(({ headers: at }) => [
        at.authorization,
        at.cookie,
        at["x-api-key"],
        at["accept-language"]
      ]);
      const all = ["Bearer x", "s=1", "k", "de"];
      const none = [undefined, undefined, undefined, "de"];
      assert.deepStrictEqual(sent, [all, all, none, none]);
      assert.strictEqual(start.requests[0]?.headers.host, start.authority);
    })
  );

  it.live("to a raw UTF-8 address is understood, without Location it is the answer", () =>
    Effect.gen(function* () {
      const site = yield* serve((request, response) => {
        if (request.url === "/") redirectTo(Buffer.from("/grüße").toString("latin1"))(request, response);
        else response.writeHead(302).end(request.url);
      });
      const answer = yield* get(site.url, { allow: [site.authority] });
      assert.deepStrictEqual([answer.status, text(answer.body)], [302, "/gr%C3%BC%C3%9Fe"]);
    })
  );
});

describe("a fetch in time", () => {
  /** The failure by the limit of 300 ms, with a message that no other limit uses. */
  const OVER = ["timeout", "The response did not arrive within 0.3 s."];

  it.live("stops a body that arrives byte by byte", () =>
    Effect.gen(function* () {
      const { promise: hungUp, resolve } = Promise.withResolvers<void>();
      const site = yield* serve((_request, response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write("."), 20);
        response.once("close", () => (clearInterval(timer), resolve()));
      });
      const error = yield* Effect.flip(get(site.url, { allow: [site.authority] }, { timeoutMs: 300 }));
      assert.deepStrictEqual([error.reason, error.message], OVER);
      yield* Effect.promise(() => hungUp);
    })
  );

  it.live("stops redirects that arrive byte by byte, silent servers and silent resolvers", () =>
    Effect.gen(function* () {
      const site = yield* serve((request, response) => {
        if (request.url === "/silent") return;
        response.writeHead(302, { location: "/r" });
        const timer = setInterval(() => response.write("."), 20);
        response.once("close", () => clearInterval(timer));
      });
      const allow = [site.authority];
      const limit = { timeoutMs: 300, maxRedirects: 1_000_000 };
      const slow = yield* Effect.flip(get(`${site.url}/r`, { allow }, limit));
      const silent = yield* Effect.flip(get(`${site.url}/silent`, { allow }, limit));
      const resolve = () => new Promise<never>(() => {});
      const unresolved = yield* Effect.flip(get("http://a.example.org/", { resolve }, limit));
      for (const { reason, message } of [slow, silent, unresolved]) {
        assert.deepStrictEqual([reason, message], OVER);
      }
    })
  );

  it.live("hangs up when interrupted", () =>
    Effect.gen(function* () {
      const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
      const { promise: hungUp, resolve: hangUp } = Promise.withResolvers<void>();
      const site = yield* serve((_request, response) => {
        response.once("close", hangUp);
        response.write("x");
        ask();
      });
      const fiber = yield* Effect.forkChild(get(site.url, { allow: [site.authority] }));
      yield* Effect.promise(() => asked);
      yield* Fiber.interrupt(fiber);
      yield* Effect.promise(() => hungUp);
    })
  );
});

describe("a body", () => {
  it.live("may be as large as the limit and not a byte larger", () =>
    Effect.gen(function* () {
      const site = yield* serve((request, response) => {
        const body = Buffer.alloc(Number(request.url?.split("/").at(-1)), "x");
        // Without a content length, the limit is exceeded during the transfer; with one, before it.
        if (request.url?.startsWith("/chunked")) response.write(body.subarray(0, 10));
        else response.setHeader("content-length", body.length);
        response.end(request.url?.startsWith("/chunked") ? body.subarray(10) : body);
      });
      const limited = (path: string) => get(site.url + path, { allow: [site.authority] }, { maxBytes: 1000 });
      for (const kind of ["chunked", "sized"]) {
        assert.strictEqual((yield* limited(`/${kind}/1000`)).body.length, 1000);
        assert.strictEqual((yield* Effect.flip(limited(`/${kind}/1001`))).reason, "too_large");
      }
    })
  );

  it.live("without end is cut", () =>
    Effect.gen(function* () {
      const { promise: hungUp, resolve } = Promise.withResolvers<void>();
      const site = yield* serve((_request, response) => {
        const chunk = Buffer.alloc(65_536);
        const write = () => {
          while (!response.destroyed && response.write(chunk));
        };
        response.on("drain", write).once("close", resolve);
        write();
      });
      const error = yield* Effect.flip(get(site.url, { allow: [site.authority] }));
      assert.strictEqual(error.reason, "too_large");
      yield* Effect.promise(() => hungUp);
    })
  );

  it.live("cut off by the server is not an answer", () =>
    Effect.gen(function* () {
      const site = yield* serve((_request, response) => {
        response.writeHead(200, { "content-length": 1000 });
        response.write("half", () => response.destroy());
      });
      assert.strictEqual(
        (yield* Effect.flip(get(site.url, { allow: [site.authority] }))).reason,
        "unreachable"
      );
    })
  );

  it.live("with a header beyond measure is not an answer", () =>
    Effect.gen(function* () {
      const site = yield* serve((_request, response) => {
        response.writeHead(200, { "x-long": "x".repeat(100_000) }).end();
      });
      assert.strictEqual(
        (yield* Effect.flip(get(site.url, { allow: [site.authority] }))).reason,
        "bad_response"
      );
    })
  );

  it.live("on a kept-alive connection that the server just closed is requested again", () =>
    Effect.gen(function* () {
      const site = yield* serve((request, response) => {
        if (site.requests.length === 2) request.socket.destroy();
        else response.end("x");
      });
      yield* Effect.gen(function* () {
        const egress = yield* Egress;
        yield* egress.fetch(site.url, LIMITS);
        assert.strictEqual((yield* egress.fetch(site.url, LIMITS)).status, 200);
      }).pipe(Effect.provide(quietEgress({ allow: [site.authority] })));
      assert.strictEqual(site.requests.length, 3);
    })
  );
});
