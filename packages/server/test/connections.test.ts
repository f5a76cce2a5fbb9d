// @module-tag long
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import type { Readable } from "node:stream";
import { assert, describe, it } from "@effect/vitest";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as HttpRouter from "effect/http/HttpRouter";
import * as HttpServer from "effect/http/HttpServer";
import * as HttpServerRequest from "effect/http/HttpServerRequest";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import * as Layer from "effect/Layer";
import * as Stream from "effect/Stream";
import * as HttpListener from "../src/http/HttpListener.ts";

const CHUNK = Buffer.alloc(512 * 1_024, "x");
/** More than the kernel buffers for a client that does not read. */
const CHUNKS = 32;
const BODY_BYTES = CHUNKS * CHUNK.length;

/** Open bodies of `/large`, which a client that disconnects or stalls must not keep. */
class OpenBodies {
  count = 0;
  readonly stream = Stream.unwrap(
    Effect.acquireRelease(
      Effect.sync(() => this.count++),
      () => Effect.sync(() => this.count--)
    ).pipe(Effect.as(Stream.fromIterable(Array.from({ length: CHUNKS }, () => CHUNK))))
  );
}

const serving = (limits: Partial<HttpListener.ConnectionLimits>) =>
  Effect.gen(function* () {
    const bodies = new OpenBodies();
    const large = HttpServerResponse.stream(bodies.stream, { contentLength: BODY_BYTES });
    const json = HttpServerResponse.text("y".repeat(BODY_BYTES));
    const echo = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ text }) =>
      Effect.map(text, (body) => HttpServerResponse.text(body))
    );
    const routes = Layer.mergeAll(
      HttpRouter.add("GET", "/small", HttpServerResponse.text("small")),
      HttpRouter.add(
        "GET",
        "/late",
        Effect.delay(Effect.succeed(HttpServerResponse.text("late")), "300 millis")
      ),
      HttpRouter.add("GET", "/large", large),
      HttpRouter.add("GET", "/json", json),
      HttpRouter.add("POST", "/echo", echo),
      HttpRouter.add("POST", "/early", HttpServerResponse.text("early"))
    );
    const context = yield* Layer.build(
      HttpRouter.serve(routes, { disableLogger: true, disableListenLog: true }).pipe(
        Layer.provideMerge(HttpListener.layer("127.0.0.1", 0, limits))
      )
    );
    const { address } = Context.get(context, HttpServer.HttpServer);
    if (!("port" in address)) return yield* Effect.die(new Error("no TCP address"));
    return { port: address.port, bodies };
  });

const PATIENT = { requestTimeoutMs: 30_000, sendTimeoutMs: 60_000, checkIntervalMs: 5_000 };
const HASTY = { requestTimeoutMs: 30_000, sendTimeoutMs: 2_000, checkIntervalMs: 20 };

const opened = async (port: number, bytes: string): Promise<Socket> => {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.write(bytes, "latin1");
  return socket;
};

/** Everything received until the server closes; the client keeps its half open. */
const answerTo = async (port: number, bytes: string): Promise<string> => {
  const socket = await opened(port, bytes);
  let received = "";
  socket.setEncoding("latin1").on("data", (text: string) => (received += text));
  await Promise.race([once(socket, "end"), once(socket, "close")]);
  // The server has given up the connection when a write is answered with a reset.
  while (!socket.destroyed) {
    socket.write("x");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return received;
};

const statuses = (received: string): ReadonlyArray<string> =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3})/gu)].map(([, status]) => status ?? "");

describe("a request that breaks off", () => {
  it.live("is answered once, and its connection closed although the client keeps its half open", () =>
    Effect.gen(function* () {
      const { port } = yield* serving(PATIENT);
      const broken = [
        ["\0\0garbage\r\n\r\n", "400"],
        ["CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", "400"],
        [`GET /small HTTP/1.1\r\nHost: x\r\nX-A: ${"a".repeat(20_000)}\r\n\r\n`, "431"],
        ["POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n", "400"],
        ["POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\nzz\r\n", "400"]
      ] as const;
      for (const [bytes, status] of broken) {
        const received = yield* Effect.promise(() => answerTo(port, bytes));
        assert.deepStrictEqual(statuses(received), [status], bytes.slice(0, 80));
        assert.include(received, '"code":"invalid_request"');
      }
    }).pipe(Effect.scoped)
  );

  it.live("is not answered again if its body breaks off after its answer", () =>
    Effect.gen(function* () {
      const { port } = yield* serving(PATIENT);
      const received = yield* Effect.promise(async () => {
        const socket = await opened(
          port,
          "POST /early HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
        );
        let text = "";
        const closed = Promise.race([once(socket, "end"), once(socket, "close")]);
        socket.setEncoding("latin1").on("data", (some: string) => (text += some));
        await once(socket, "data");
        socket.write("zz\r\n");
        await closed;
        socket.destroy();
        return text;
      });
      assert.deepStrictEqual(statuses(received), ["200"]);
    }).pipe(Effect.scoped)
  );

  it.live("is never answered within the bytes of an earlier answer", () =>
    Effect.gen(function* () {
      const { port, bodies } = yield* serving(PATIENT);
      const received = yield* Effect.promise(async () => {
        const socket = await opened(port, "GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
        await once(socket, "readable");
        socket.write("\0\0garbage\r\n\r\n");
        const closed = Promise.race([once(socket, "end"), once(socket, "close")]);
        let text = "";
        socket.setEncoding("latin1").on("data", (some: string) => (text += some));
        await closed;
        socket.destroy();
        return text;
      });
      assert.deepStrictEqual(statuses(received), ["200"]);
      assert.isBelow(received.length, BODY_BYTES);
      yield* Effect.sync(() => bodies.count).pipe(
        Effect.repeat({ until: (count) => count === 0 }),
        Effect.timeout("20 seconds")
      );
    }).pipe(Effect.scoped)
  );
});

/** Number of bytes of an answer whose reader pauses for `pauseMs` after each chunk. */
const readSlowly = async (answer: Readable, pauseMs: number): Promise<number> => {
  let count = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    count += chunk.length;
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return count;
};

const ask = (port: number, path: string, headers: Record<string, string>): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request({ port, host: "127.0.0.1", path, headers, agent: false }, resolve).on("error", reject).end();
  });

describe("a client that does not finish its request", () => {
  it.live.each<readonly [what: string, start: string]>([
    ["headers", "GET /small HTTP/1.1\r\nHost: x\r\nX-Slow: "],
    ["body", "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n"]
  ])("loses its connection after a time, however steadily it sends its %s", ([, start]) =>
    Effect.gen(function* () {
      const { port } = yield* serving({ ...HASTY, requestTimeoutMs: 1_000 });
      const received = yield* Effect.promise(async () => {
        const socket = await opened(port, start);
        let text = "";
        socket.setEncoding("latin1").on("data", (chunk: string) => (text += chunk));
        while (!socket.destroyed) {
          socket.write("x");
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
        return text;
      });
      assert.deepStrictEqual(statuses(received), ["408"]);
    }).pipe(Effect.scoped)
  );
});

/** The server's side of the next connection that a request arrives on. */
const nextServed = (): Promise<Socket> =>
  new Promise((resolve) => {
    const seen = (message: unknown): void => {
      unsubscribe("http.server.request.start", seen);
      resolve((message as { readonly socket: Socket }).socket);
    };
    subscribe("http.server.request.start", seen);
  });

describe("a client that does not read", () => {
  it.live(
    "loses its connection when no byte could be sent for a time, whatever it asks for and still sends",
    () =>
      Effect.gen(function* () {
        const { port, bodies } = yield* serving({ ...HASTY, checkIntervalMs: HASTY.sendTimeoutMs / 4 });
        const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
        const received = yield* Effect.promise(async () => {
          const stalled: Array<{ socket: Socket; more: string; closed: Promise<unknown> }> = [];
          for (const path of ["/large", "/json"])
            for (const more of ["", "\r\n", get("/small"), get("/late")]) {
              const served = nextServed();
              const socket = await opened(port, get(path));
              socket.pause();
              stalled.push({ socket, more, closed: once(await served, "close") });
            }
          const sending = setInterval(() => {
            for (const { socket, more } of stalled) socket.write(more);
          }, HASTY.sendTimeoutMs / 10);
          await Promise.all(stalled.map(({ closed }) => closed));
          clearInterval(sending);
          return Promise.all(stalled.map(({ socket }) => readSlowly(socket, 0).catch(() => 0)));
        });
        for (const count of received) assert.isBelow(count, BODY_BYTES);
        assert.strictEqual(bodies.count, 0);
      }).pipe(Effect.scoped)
  );

  it.live("keeps its connection while it reads, however slowly, or while nothing waits for it", () =>
    Effect.gen(function* () {
      const { port } = yield* serving(HASTY);
      for (const path of ["/large", "/json"]) {
        const count = yield* Effect.promise(async () => readSlowly(await ask(port, path, {}), 12));
        assert.strictEqual(count, BODY_BYTES);
      }
      const kept = yield* Effect.promise(async () => {
        const socket = await opened(port, "GET /small HTTP/1.1\r\nHost: x\r\n\r\n");
        await once(socket, "data");
        await new Promise((resolve) => setTimeout(resolve, HASTY.sendTimeoutMs * 2));
        socket.write("GET /small HTTP/1.1\r\nHost: x\r\n\r\n");
        const [text] = (await once(socket, "data")) as [Buffer];
        socket.destroy();
        return text.toString("latin1");
      });
      assert.deepStrictEqual(statuses(kept), ["200"]);
    }).pipe(Effect.scoped)
  );
});

describe("a client that offers another protocol", () => {
  const UPGRADES = [
    { connection: "Upgrade, HTTP2-Settings", upgrade: "h2c", "http2-settings": "AAMAAABkAAQAoAAAAAIAAAAA" },
    {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "eA=="
    }
  ];

  it.live("gets its answer over HTTP/1.1, to the last byte", () =>
    Effect.gen(function* () {
      const { port, bodies } = yield* serving(PATIENT);
      for (const headers of UPGRADES) {
        const answer = yield* Effect.promise(() => ask(port, "/large", headers));
        assert.strictEqual(answer.statusCode, 200);
        assert.strictEqual(yield* Effect.promise(() => readSlowly(answer, 0)), BODY_BYTES);
      }
      assert.strictEqual(bodies.count, 0);
    }).pipe(Effect.scoped)
  );

  it.live("may send a chunked body", () =>
    Effect.gen(function* () {
      const { port } = yield* serving(PATIENT);
      const bytes =
        "POST /echo HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\n" +
        "HTTP2-Settings: AAMAAABk\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
      assert.match(yield* Effect.promise(() => answerTo(port, bytes)), /^HTTP\/1\.1 200 [^]*abc$/u);
    }).pipe(Effect.scoped)
  );
});
