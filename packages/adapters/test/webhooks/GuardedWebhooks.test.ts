import { createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import {
  WebhookTransport,
  type WebhookNotSent,
  type WebhookPost,
  type WebhookUrlRefused
} from "@winnow/core/ports/WebhookTransport";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import type { RouteSettings } from "@winnow/isolation/network/guard/EgressRoute";
import * as GuardedWebhooks from "../../src/webhooks/GuardedWebhooks.ts";
import { receiver } from "./Receiver.ts";
import {
  testAuthority,
  trust,
  type KeyAndCertificate,
  type TestAuthority
} from "@winnow/isolation/test/network/TestAuthority";
import { DAY_MS } from "@winnow/core/domain/Durations";

/** Longer than anything here takes on a busy machine. */
const ATTEMPT_WAIT_MS = 30_000;

const HOST = "hooks.example.org";
const LOOPBACK = "127.0.0.1";

let authority: TestAuthority;
let identity: KeyAndCertificate;
let distrust: () => void;

beforeAll(async () => {
  authority = await testAuthority();
  distrust = trust(authority.cert);
  identity = await authority.issue([HOST, "other.example.org"]);
});

afterAll(() => distrust());

const transport = (settings: Partial<RouteSettings>) =>
  Layer.fresh(GuardedWebhooks.layer({ allow: [], resolve: () => [LOOPBACK], ...settings })).pipe(
    Layer.orDie,
    Layer.provide(Logger.layer([]))
  );

const post = (url: string, settings: Partial<RouteSettings> = {}, options: Partial<WebhookPost> = {}) =>
  Effect.gen(function* () {
    const webhooks = yield* WebhookTransport;
    const body = Buffer.from('{"event":"test"}');
    return yield* webhooks.post({
      url,
      headers: { "x-service-event": "test" },
      body,
      answerMaxBytes: 1024,
      ...options
    });
  }).pipe(Effect.provide(transport(settings)));

const vet = (url: string, settings: Partial<RouteSettings> = {}) =>
  Effect.gen(function* () {
    const webhooks = yield* WebhookTransport;
    return yield* webhooks.vet(url);
  }).pipe(Effect.provide(transport(settings)));

const tellsNothing = (error: WebhookNotSent | WebhookUrlRefused) =>
  assert.notMatch(error.message, /127\.0\.0|10\.1\.2\.3|localhost|ECONN|Error/u);

describe("a delivery", () => {
  it.live("arrives as it was written, on the vetted address, under the name of the host", () =>
    Effect.gen(function* () {
      const site = yield* receiver(identity, (_request, response) =>
        response.writeHead(201).end("thank you")
      );
      const allow = [`${LOOPBACK}:${site.port}`];
      const answer = yield* post(`https://HOOKS.example.org:${site.port}/a?b=1#c`, { allow });
      assert.deepStrictEqual(answer, { status: 201, body: "thank you" });
      const [request] = site.received;
      assert.deepInclude(request, { method: "POST", path: "/a?b=1", body: '{"event":"test"}' });
      assert.strictEqual(request?.serverName, HOST);
      assert.deepInclude(request?.headers, {
        host: `${HOST}:${site.port}`,
        "content-type": "application/json",
        "content-length": "16",
        "x-service-event": "test"
      });
    }).pipe(Effect.scoped)
  );

  it.live("accepts any status as a response and follows no redirect", () =>
    Effect.gen(function* () {
      let status = 200;
      const site = yield* receiver(identity, (_request, response) => {
        response.writeHead(status, { location: "/elsewhere" }).end("here");
      });
      for (status of [200, 302, 307, 410, 500]) {
        const answer = yield* post(`https://${HOST}:${site.port}/`, { allow: [LOOPBACK] });
        assert.deepStrictEqual(answer, { status, body: "here" });
      }
      assert.deepStrictEqual(new Set(site.received.map(({ path }) => path)), new Set(["/"]));
    }).pipe(Effect.scoped)
  );

  it.live("resolves and connects again each time, so a changed address is checked and used", () =>
    Effect.gen(function* () {
      const first = yield* receiver(identity);
      const answers: Array<string> = [LOOPBACK, "127.0.0.3", "10.1.2.3"];
      const settings = { allow: ["127.0.0.0/8"], resolve: () => [answers.shift() ?? ""] };
      yield* Effect.gen(function* () {
        const webhooks = yield* WebhookTransport;
        const request = {
          url: `https://${HOST}:${first.port}/`,
          headers: {},
          body: Buffer.from("{}"),
          answerMaxBytes: 1024
        };
        assert.strictEqual((yield* webhooks.post(request)).status, 204);
        // Nothing listens there; a kept-alive connection would have answered.
        const moved = yield* Effect.flip(webhooks.post(request));
        assert.deepInclude(moved, { _tag: "WebhookNotSent", message: "The server refused the connection." });
        const internal = yield* Effect.flip(webhooks.post(request));
        assert.strictEqual(internal._tag, "WebhookUrlRefused");
        tellsNothing(internal);
      }).pipe(Effect.provide(transport(settings)));
      assert.strictEqual(first.connections(), 1);
    }).pipe(Effect.scoped)
  );

  it.live("is refused when one of several addresses is not public, without a connection", () =>
    Effect.gen(function* () {
      const site = yield* receiver(identity);
      const error = yield* Effect.flip(
        post(`https://${HOST}:8443/`, { resolve: () => ["93.184.216.34", LOOPBACK] })
      );
      assert.deepInclude(error, { _tag: "WebhookUrlRefused", reason: "host_not_public" });
      tellsNothing(error);
      assert.strictEqual(site.connections(), 0);
    }).pipe(Effect.scoped)
  );
});

describe("the answer", () => {
  it.live("is read up to the limit, and the connection closed", () =>
    Effect.gen(function* () {
      const site = yield* receiver(identity, (_request, response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write("é".repeat(600)), 1);
        response.once("close", () => clearInterval(timer));
      });
      const answer = yield* post(
        `https://${HOST}:${site.port}/`,
        { allow: [LOOPBACK] },
        { answerMaxBytes: 1023 }
      );
      assert.deepStrictEqual(answer, { status: 200, body: "é".repeat(511) });
      const closed = Effect.promise(site.openConnections).pipe(
        Effect.repeat({ until: (open) => open === 0 }),
        Effect.timeout(ATTEMPT_WAIT_MS)
      );
      assert.strictEqual(yield* closed, 0);
    }).pipe(Effect.scoped)
  );

  it.live("is valid text for a database, whatever its bytes", () =>
    Effect.gen(function* () {
      const site = yield* receiver(identity, (_request, response) =>
        response.end(Buffer.from([0x61, 0x00, 0xff, 0x62]))
      );
      const { body } = yield* post(`https://${HOST}:${site.port}/`, { allow: [LOOPBACK] });
      assert.strictEqual(body, "a\uFFFD\uFFFDb");
    }).pipe(Effect.scoped)
  );

  it.live("that drips is not read on after an interruption, and its connection is closed", () =>
    Effect.gen(function* () {
      const dripping = Promise.withResolvers<void>();
      const site = yield* receiver(identity, (_request, response) => {
        response.writeHead(200);
        response.write(".", () => dripping.resolve());
        const timer = setInterval(() => response.write("."), 20);
        response.once("close", () => clearInterval(timer));
      });
      const sending = yield* Effect.forkChild(post(`https://${HOST}:${site.port}/`, { allow: [LOOPBACK] }));
      yield* Effect.promise(() => dripping.promise);
      yield* Fiber.interrupt(sending);
      const closed = Effect.promise(site.openConnections).pipe(
        Effect.repeat({ until: (open) => open === 0 }),
        Effect.timeout(ATTEMPT_WAIT_MS)
      );
      assert.strictEqual(yield* closed, 0);
    }).pipe(Effect.scoped)
  );

  it.live("is not waited for after an interruption", () =>
    Effect.gen(function* () {
      const asked = Promise.withResolvers<void>();
      const ended = Promise.withResolvers<void>();
      const site = yield* receiver(identity, (request) => {
        request.socket.once("close", () => ended.resolve());
        asked.resolve();
      });
      const sending = yield* Effect.forkChild(post(`https://${HOST}:${site.port}/`, { allow: [LOOPBACK] }));
      yield* Effect.promise(() => asked.promise);
      yield* Fiber.interrupt(sending);
      yield* Effect.promise(() => ended.promise).pipe(Effect.timeout(ATTEMPT_WAIT_MS / 2));
    }).pipe(Effect.scoped)
  );
});

/** A receiver on plain TCP, which can misbehave as an https server cannot. */
const tcp = (onSocket: (socket: Socket) => void) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer((socket) => {
        socket.on("error", () => {});
        onSocket(socket);
      });
      await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
      return { server, port: (server.address() as AddressInfo).port };
    }),
    ({ server }) => Effect.sync(() => server.close())
  );

describe("errors have clear messages", () => {
  const certificates: ReadonlyArray<readonly [string, () => Promise<KeyAndCertificate>, RegExp]> = [
    [
      "an expired certificate",
      () =>
        authority.issue([HOST], {
          from: new Date(Date.now() - 2 * DAY_MS),
          to: new Date(Date.now() - DAY_MS)
        }),
      /certificate has expired/u
    ],
    [
      "a certificate of the future",
      () =>
        authority.issue([HOST], {
          from: new Date(Date.now() + DAY_MS),
          to: new Date(Date.now() + 2 * DAY_MS)
        }),
      /certificate is not valid yet/u
    ],
    ["another host's certificate", () => authority.issue(["else.example.org"]), /is for another host/u],
    ["an unknown authority", async () => (await testAuthority()).issue([HOST]), /unknown authority/u],
    ["a self-signed certificate", selfSigned, /certificate is self-signed/u]
  ];

  it.live.each(certificates)("%s", ([, make, words]) =>
    Effect.gen(function* () {
      const site = yield* receiver(yield* Effect.promise(make));
      const error = yield* Effect.flip(post(`https://${HOST}:${site.port}/`, { allow: [LOOPBACK] }));
      assert.strictEqual(error._tag, "WebhookNotSent");
      assert.match(error.message, words);
      tellsNothing(error);
      assert.strictEqual(site.received.length, 0);
    }).pipe(Effect.scoped)
  );

  it.live("a name that does not resolve, a refusal, a reset, no TLS, no HTTP", () =>
    Effect.gen(function* () {
      const reset = yield* tcp((socket) => socket.resetAndDestroy());
      const plain = yield* tcp((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n"));
      const cut = yield* receiver(identity, (request) => request.socket.destroy());
      const noHttp = yield* receiver(identity, (request) => request.socket.end("SMTP ready\r\n\r\n"));
      const cases: ReadonlyArray<readonly [number, RegExp, Partial<RouteSettings>?]> = [
        [443, /does not exist or does not resolve/u, { resolve: () => [] }],
        [1, /refused the connection/u],
        [reset.port, /closed the connection early/u],
        [plain.port, /TLS handshake with the server failed/u],
        [cut.port, /closed the connection early/u],
        [noHttp.port, /response is malformed/u]
      ];
      for (const [port, words, settings = {}] of cases) {
        const error = yield* Effect.flip(
          post(`https://${HOST}:${port}/`, { allow: [LOOPBACK], ...settings })
        );
        assert.match(error.message, words);
        assert.strictEqual(error._tag, "WebhookNotSent");
        tellsNothing(error);
      }
    }).pipe(Effect.scoped)
  );
});

describe("an address", () => {
  it.live("is returned in the normalized form used to detect duplicates", () =>
    Effect.gen(function* () {
      for (const [url, normal] of [
        ["https://HOOKS.Example.org", "https://hooks.example.org/"],
        ["https://hooks.example.org.:443/a/../b#x", "https://hooks.example.org/b"],
        ["https://hooks.example.org:8443/?q=%7e", "https://hooks.example.org:8443/?q=%7e"]
      ] as const) {
        assert.strictEqual(yield* vet(url, { resolve: () => ["93.184.216.34"] }), normal);
      }
    })
  );

  it.live("that is not https, not public or not there is refused for that reason", () =>
    Effect.gen(function* () {
      for (const [url, reason, answers = ["93.184.216.34"]] of [
        ["http://hooks.example.org/", "not_https"],
        ["ftp://hooks.example.org/", "not_https"],
        ["hooks.example.org", "invalid_url"],
        ["https://user:secret@hooks.example.org/", "invalid_url"],
        ["https://hooks.example.org:22/", "invalid_url"],
        ["https://localhost/", "host_not_public"],
        ["https://127.0.0.1/", "host_not_public"],
        ["https://[::ffff:10.0.0.1]/", "host_not_public"],
        ["https://0x7f.1/", "host_not_public"],
        ["https://hooks.example.org/", "host_not_public", ["10.1.2.3"]],
        ["https://hooks.example.org/", "host_not_public", ["93.184.216.34", "10.1.2.3"]],
        ["https://hooks.example.org/", "unresolvable", []]
      ] as ReadonlyArray<readonly [string, string, ReadonlyArray<string>?]>) {
        const error = yield* Effect.flip(vet(url, { resolve: () => answers }));
        assert.strictEqual(error.reason, reason, url);
        assert.notInclude(error.message, "secret");
        tellsNothing(error);
      }
    })
  );

  it.live("that the operator opened still has to be https", () =>
    Effect.gen(function* () {
      const allow = ["hooks.corp", "127.0.0.0/8"];
      assert.strictEqual(yield* vet("https://hooks.corp:9000/x", { allow }), "https://hooks.corp:9000/x");
      assert.strictEqual(
        (yield* Effect.flip(vet("http://hooks.corp:9000/x", { allow }))).reason,
        "not_https"
      );
    })
  );
});

async function selfSigned(): Promise<KeyAndCertificate> {
  const { default: selfsigned } = await import("selfsigned");
  const made = await selfsigned.generate([{ name: "commonName", value: HOST }], {
    keyType: "ec",
    algorithm: "sha256"
  });
  return { key: made.private, cert: made.cert };
}
