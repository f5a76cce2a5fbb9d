import { Agent } from "node:http";
import { text } from "node:stream/consumers";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Scope from "effect/Scope";
import { Egress } from "../../src/network/index.ts";
import { routes, serve } from "./LoopbackServer.ts";
import { ask, breaks, BUDGET_BYTES, tunnelTo, withProxy } from "./OpenedProxy.ts";
import { viaProxy } from "./ProxyClient.ts";

const hello = routes({ "/": (_request, response) => response.end("hello") });

describe("a run at the proxy", () => {
  const endless = routes({
    "/": (_request, response) => {
      const chunk = Buffer.alloc(65_536);
      const write = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on("drain", write);
      write();
    }
  });
  const SLACK_BYTES = 1_000_000;

  it.live("ends when its byte budget is used up, for requests and tunnels alike", () =>
    Effect.gen(function* () {
      const site = yield* serve(endless);
      for (const isTunnel of [false, true]) {
        yield* withProxy(
          site,
          (proxy) =>
            Effect.gen(function* () {
              assert.isFalse(yield* proxy.exhausted);
              const idle = yield* tunnelTo(proxy.url, site.authority);
              const idleEnd = new Promise((resolve) => idle.socket.resume().once("close", resolve));
              if (isTunnel) {
                const { socket } = yield* tunnelTo(proxy.url, site.authority);
                socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
                yield* breaks(text(socket));
                assert.isBelow(socket.bytesRead, 2_000_000 + SLACK_BYTES);
              } else {
                assert.isTrue(yield* breaks(viaProxy(proxy.url, site.url)));
              }
              assert.isTrue(yield* proxy.exhausted);
              yield* Effect.promise(() => idleEnd);
              assert.strictEqual((yield* ask(proxy.url, site.url)).status, 403);
              assert.strictEqual((yield* tunnelTo(proxy.url, site.authority)).status, 403);
            }),
          { budgetBytes: 2_000_000 }
        );
      }
    })
  );

  it.live("also pays for the bytes it sends", () =>
    Effect.gen(function* () {
      const site = yield* serve((request, response) =>
        request.resume().once("end", () => response.end("ok"))
      );
      yield* withProxy(
        site,
        (proxy) =>
          Effect.gen(function* () {
            yield* ask(proxy.url, site.url, { method: "POST", body: "x".repeat(500_000) });
            assert.isFalse(yield* proxy.exhausted);
            assert.isTrue(
              yield* breaks(viaProxy(proxy.url, site.url, { method: "POST", body: "x".repeat(900_000) }))
            );
            assert.isTrue(yield* proxy.exhausted);
          }),
        { budgetBytes: 1_000_000 }
      );
    })
  );

  it.live("does not use up the budget of another", () =>
    Effect.gen(function* () {
      const site = yield* serve(hello);
      yield* withProxy(site, (one) =>
        Effect.gen(function* () {
          const egress = yield* Egress;
          const other = yield* egress.openProxy({ budgetBytes: 1 });
          assert.strictEqual(new URL(one.url).host, new URL(other.url).host);
          assert.notStrictEqual(new URL(one.url).username, new URL(other.url).username);
          yield* breaks(viaProxy(other.url, site.url));
          assert.deepStrictEqual([yield* one.exhausted, yield* other.exhausted], [false, true]);
          // A connection belongs to the run that opened it.
          const agent = new Agent({ keepAlive: true, maxSockets: 1 });
          yield* Effect.addFinalizer(() => Effect.sync(() => agent.destroy()));
          const third = yield* egress.openProxy({ budgetBytes: BUDGET_BYTES });
          assert.strictEqual((yield* ask(one.url, site.url, { agent })).status, 200);
          assert.strictEqual((yield* ask(third.url, site.url, { agent })).status, 407);
          assert.strictEqual((yield* ask(third.url, site.url)).status, 200);
        })
      );
    })
  );

  it.live("records a hundred denials of a flood", () =>
    Effect.gen(function* () {
      const site = yield* serve(hello);
      yield* withProxy(site, ({ url, denials }) =>
        Effect.gen(function* () {
          for (let i = 0; i < 130; i++) yield* ask(url, `http://10.0.0.1/${i}`);
          assert.strictEqual((yield* denials).length, 100);
        })
      );
    })
  );

  it.live("has a limited number of connections", () =>
    Effect.gen(function* () {
      const site = yield* serve(hello);
      yield* withProxy(site, ({ url }) =>
        Effect.gen(function* () {
          const tunnels = [];
          for (let i = 0; i < 65; i++) tunnels.push(yield* tunnelTo(url, site.authority));
          assert.deepStrictEqual(
            tunnels.map(({ status }) => status),
            [...Array.from({ length: 64 }, () => 200), 503]
          );
          const { socket } = tunnels[0] ?? assert.fail();
          yield* Effect.promise(() => new Promise((resolve) => socket.once("close", resolve).destroy()));
        })
      );
    })
  );

  it.live("loses its connections and credentials when its scope closes, others keep them", () =>
    Effect.gen(function* () {
      const { promise: asked, resolve: ask1 } = Promise.withResolvers<void>();
      const { promise: hungUp, resolve: hangUp } = Promise.withResolvers<void>();
      const site = yield* serve(
        routes({
          "/": (_request, response) => response.end("hello"),
          "/open": (_request, response) => {
            response.once("close", hangUp);
            response.write("x");
            ask1();
          }
        })
      );
      yield* withProxy(site, (other) =>
        Effect.gen(function* () {
          const egress = yield* Egress;
          const scope = yield* Scope.make();
          const proxy = yield* egress.openProxy({ budgetBytes: BUDGET_BYTES }).pipe(Scope.provide(scope));
          const { socket } = yield* tunnelTo(proxy.url, site.authority);
          const tunnelEnd = new Promise((resolve) => socket.resume().once("close", resolve));
          const request = breaks(viaProxy(proxy.url, `${site.url}/open`));
          const [broken] = yield* Effect.all(
            [request, Effect.promise(() => asked).pipe(Effect.andThen(Scope.close(scope, Exit.void)))],
            { concurrency: "unbounded" }
          );
          assert.isTrue(broken);
          yield* Effect.promise(() => Promise.all([hungUp, tunnelEnd]));
          assert.strictEqual((yield* ask(proxy.url, site.url)).status, 407);
          assert.strictEqual((yield* ask(other.url, site.url)).status, 200);
        })
      );
    })
  );
});
