import { once } from "node:events";
import { connect } from "node:net";
import { assert, describe, it } from "@effect/vitest";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Fiber from "effect/Fiber";
import * as HttpRouter from "effect/http/HttpRouter";
import * as HttpServer from "effect/http/HttpServer";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import * as Layer from "effect/Layer";
import * as Scope from "effect/Scope";
import * as HttpListener from "../src/HttpListener.ts";

/** Well below the grace that answers in progress have: whoever waits for that has not closed promptly. */
const PROMPT = "4 seconds";

/** A server whose one answer waits to be released, and the way to stop it. */
const openServer = Effect.gen(function* () {
  const asked = yield* Deferred.make<void>();
  const released = yield* Deferred.make<void>();
  const answer = Deferred.succeed(asked, undefined).pipe(
    Effect.andThen(Deferred.await(released)),
    Effect.as(HttpServerResponse.text("done"))
  );
  const scope = yield* Scope.make();
  const context = yield* HttpRouter.serve(HttpRouter.add("GET", "/", answer), { disableLogger: true }).pipe(
    Layer.provideMerge(HttpListener.layer("127.0.0.1", 0)),
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
  return { asked, released, socket, stop: Effect.timeout(Scope.close(scope, Exit.void), PROMPT) };
});

describe("a server that stops", () => {
  it.live("does not wait for a connection that never asked for anything", () =>
    Effect.gen(function* () {
      const { stop } = yield* openServer;
      yield* stop;
    }).pipe(Effect.scoped)
  );

  it.live("finishes the answer in progress, and does not wait for its connection afterwards", () =>
    Effect.gen(function* () {
      const { asked, released, socket, stop } = yield* openServer;
      let received = "";
      socket.setEncoding("utf8").on("data", (text: string) => (received += text));
      const ended = once(socket, "close");
      socket.write("GET / HTTP/1.1\r\nHost: test\r\n\r\n");
      yield* Deferred.await(asked);
      const stopping = yield* Effect.forkChild(stop);
      yield* Deferred.succeed(released, undefined);
      yield* Effect.promise(() => ended);
      assert.match(received, /^HTTP\/1\.1 200 .*done$/su);
      yield* Fiber.join(stopping);
    }).pipe(Effect.scoped)
  );
});
