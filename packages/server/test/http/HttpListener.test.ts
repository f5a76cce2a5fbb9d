import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { assert, describe, it } from "@effect/vitest";
import * as Context from "effect/Context";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Fiber from "effect/Fiber";
import * as HttpRouter from "effect/http/HttpRouter";
import * as HttpServer from "effect/http/HttpServer";
import * as HttpServerRequest from "effect/http/HttpServerRequest";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import * as Layer from "effect/Layer";
import * as Scope from "effect/Scope";
import { vi } from "vitest";
import * as HttpListener from "../../src/http/HttpListener.ts";
import { ownPort } from "../OwnPort.ts";

/**
 * The clock is paused, so the grace period for responses in progress never ends: a server that waits for it
 * never closes. The timeout is below the 65 s keep-alive timeout of idle connections, so that waiting for them
 * fails too.
 */
vi.setConfig({ testTimeout: 50_000 });

/** Waits until the server refuses connections, as it does once it has begun to stop. */
const refused = (port: number) =>
  Effect.promise(async () => {
    for (;;) {
      const socket = connect(port, "127.0.0.1");
      const isTaken = await once(socket, "connect").then(
        () => true,
        () => false
      );
      socket.destroy();
      if (!isTaken) return;
    }
  });

/**
 * A server whose only response waits for `released`; `stop` stops it, and `stopping` waits until it has begun
 * to.
 */
const openServer = Effect.fnUntraced(function* (limits: Partial<HttpListener.ConnectionLimits> = {}) {
  const asked = yield* Deferred.make<void>();
  const released = yield* Deferred.make<void>();
  const answer = Deferred.succeed(asked, undefined).pipe(
    Effect.andThen(Deferred.await(released)),
    Effect.as(HttpServerResponse.text("done"))
  );
  const scope = yield* Scope.make();
  const context = yield* HttpRouter.serve(HttpRouter.add("GET", "/", answer), { disableLogger: true }).pipe(
    // A dedicated port, on which nothing else listens after it is closed.
    Layer.provideMerge(HttpListener.layer("127.0.0.1", yield* Effect.promise(ownPort), limits)),
    Layer.buildWithScope(scope)
  );
  const { address } = yield* HttpServer.HttpServer.pipe(Effect.provideContext(context));
  if (!("port" in address)) return yield* Effect.die(new Error("no TCP address"));
  const socket = yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const opened = connect(address.port, "127.0.0.1");
      await once(opened, "connect");
      return opened;
    }),
    (opened) => Effect.sync(() => opened.destroy())
  );
  const stopping = refused(address.port);
  return { asked, port: address.port, released, socket, stop: Scope.close(scope, Exit.void), stopping };
});

const listens = (port: number): Promise<string> =>
  new Promise((resolve) => {
    const other = createServer().once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? ""));
    other.listen(port, "127.0.0.1", () => other.close(() => resolve("it may")));
  });

describe("a reserved port", () => {
  it.effect("cannot be taken by others until its server listens on it", () =>
    Effect.gen(function* () {
      const held = yield* HttpListener.reservePort("127.0.0.1");
      const other = Effect.promise(() => listens(held.port));
      assert.strictEqual(yield* other, "EADDRINUSE");
      const { address } = yield* Layer.build(HttpListener.layer("127.0.0.1", held)).pipe(
        Effect.map(Context.get(HttpServer.HttpServer))
      );
      assert.deepInclude(address, { port: held.port });
      assert.strictEqual(yield* other, "EADDRINUSE");
    }).pipe(Effect.scoped)
  );
});

describe("a body that breaks off", () => {
  it.effect.each([
    ["its client left", "Content-Length: 9", "half", true],
    ["it is malformed", "Transfer-Encoding: chunked", "4\r\nhalf\r\nx\r\n", false]
  ] as const)("gives back what its request held: %s", ([, length, bytes, isEnded]) =>
    Effect.gen(function* () {
      const reading = yield* Deferred.make<void>();
      const released = yield* Deferred.make<void>();
      const answer = Effect.gen(function* () {
        yield* Effect.addFinalizer(() => Deferred.succeed(released, undefined));
        yield* Deferred.succeed(reading, undefined);
        yield* (yield* HttpServerRequest.HttpServerRequest).arrayBuffer;
        return HttpServerResponse.empty();
      });
      const port = yield* Effect.promise(ownPort);
      yield* HttpRouter.serve(HttpRouter.add("POST", "/", answer), { disableLogger: true }).pipe(
        Layer.provide(HttpListener.layer("127.0.0.1", port)),
        Layer.build
      );
      const socket = connect(port, "127.0.0.1").resume();
      socket.write(`POST / HTTP/1.1\r\nHost: test\r\n${length}\r\n\r\n`);
      yield* Deferred.await(reading);
      socket.write(bytes);
      if (isEnded) socket.end();
      yield* Deferred.await(released);
    }).pipe(Effect.scoped)
  );
});

describe("a server that stops", () => {
  it.effect("does not wait for a connection without a request", () =>
    Effect.gen(function* () {
      const { stop } = yield* openServer();
      yield* stop;
    }).pipe(Effect.scoped)
  );

  it.effect("finishes the answer in progress, and does not wait for its connection afterwards", () =>
    Effect.gen(function* () {
      const { asked, released, socket, stop, stopping } = yield* openServer();
      let received = "";
      socket.setEncoding("utf8").on("data", (text: string) => (received += text));
      const ended = once(socket, "close");
      socket.write("GET / HTTP/1.1\r\nHost: test\r\n\r\n");
      yield* Deferred.await(asked);
      const stopped = yield* Effect.forkChild(stop);
      yield* stopping;
      yield* Deferred.succeed(released, undefined);
      yield* Effect.promise(() => ended);
      assert.match(received, /^HTTP\/1\.1 200 .*done$/su);
      yield* Fiber.join(stopped);
    }).pipe(Effect.scoped)
  );

  it.effect("answers on connections that it has not taken yet", () =>
    Effect.gen(function* () {
      const { port, released, stop } = yield* openServer();
      yield* Deferred.succeed(released, undefined);
      const answers = yield* Effect.forkChild(
        Effect.forEach(
          Array.from({ length: 20 }),
          () =>
            Effect.promise(async () => {
              const socket = connect(port, "127.0.0.1").on("error", () => undefined);
              socket.write("GET / HTTP/1.1\r\nHost: test\r\n\r\n");
              return Promise.race([once(socket, "data").then(String), once(socket, "close").then(() => "")]);
            }),
          { concurrency: "unbounded" }
        ),
        { startImmediately: true }
      );
      // The kernel has connected them, and no turn of the event loop has passed.
      yield* Effect.promise(() => Promise.resolve());
      yield* stop;
      for (const answer of yield* Fiber.join(answers)) assert.match(answer, /^HTTP\/1\.1 200 /u);
    }).pipe(Effect.scoped)
  );

  it("answers on idle connections for longer than the proxy of docs/deploy keeps them", () => {
    const config = readFileSync(new URL("../../../../docs/deploy/nginx.conf", import.meta.url), "utf8");
    const [, keptMs] = /^ *keepalive_timeout (\d+)ms;$/mu.exec(config) ?? [];
    assert.isAtLeast(HttpListener.CONNECTION_LIMITS.closeIdleIntervalMs, 2 * Number(keptMs));
  });

  it.effect("answers what a proxy sends on an idle connection meanwhile, and says that it ends", () =>
    Effect.gen(function* () {
      const { released, socket, stop, stopping } = yield* openServer({ closeIdleIntervalMs: 30_000 });
      yield* Deferred.succeed(released, undefined);
      const received: Array<string> = [];
      const ask = Effect.promise(async () => {
        socket.write("GET / HTTP/1.1\r\nHost: test\r\n\r\n");
        received.push(String(await once(socket, "data")));
      });
      yield* ask;
      const stopped = yield* Effect.forkChild(stop);
      yield* stopping;
      yield* ask;
      yield* Fiber.join(stopped);
      assert.match(received[0] ?? "", /^HTTP\/1\.1 200 .*^Connection: keep-alive\r$/msu);
      assert.match(received[1] ?? "", /^HTTP\/1\.1 200 .*^Connection: close\r$/msu);
    }).pipe(Effect.scoped)
  );
});
