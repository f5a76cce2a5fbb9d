// @module-tag long
/** Waiting by events, over streams that fail in every way. The result always arrives. */
import type { ServerResponse } from "node:http";
import { afterEach, assert, beforeEach, describe, it, onTestFinished, vi } from "vitest";
import {
  ConnectionError,
  NotFoundError,
  RateLimitedError,
  TimeoutError,
  Winnow,
  type WaitProgress
} from "../../src/index.ts";
import { STREAM_TIMEOUTS, readStream } from "../../src/resources/events.ts";
import { NOWHERE } from "../FaultyServer.ts";
import { beginEndless, fetchNoting, holdTimers, type HeldTimers } from "../HeldTimers.ts";
import {
  begin,
  progress,
  RESULT,
  result,
  streamServer,
  type Script,
  type StreamServer
} from "../StreamServer.ts";

/** Timeouts of the first byte of a stream, which expire when a test says so. */
let timeouts: HeldTimers;
beforeEach(() => {
  timeouts = holdTimers(STREAM_TIMEOUTS.firstMs);
});
afterEach(() => timeouts[Symbol.dispose]());

const losePatience = (): void => timeouts.advance(STREAM_TIMEOUTS.firstMs);

const client = ({ baseUrl }: Pick<StreamServer, "baseUrl">, maxRetries = 2): Winnow =>
  new Winnow({ apiKey: "key", baseUrl, maxRetries, fetch: fetchNoting(losePatience) });

const rejection = async (promise: Promise<unknown>): Promise<unknown> => {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("it did not reject");
};

const collect = async <T>(items: AsyncIterable<T>): Promise<Array<T>> => {
  const all: Array<T> = [];
  for await (const item of items) all.push(item);
  return all;
};

const whole: Script = (response) => {
  begin(response).write("retry: 2000\n\n: \n\n");
  response.write(progress(10, 50));
  response.end(progress(20, 100) + result);
};

describe("waiting by events", () => {
  it("takes one request, reports steps, and reads nothing more", async () => {
    await using server = await streamServer(whole);
    const told: Array<WaitProgress> = [];
    const done = await client(server).extractions.wait("ext_1", { onProgress: (each) => told.push(each) });
    assert.deepStrictEqual(done as unknown, RESULT);
    assert.deepStrictEqual([server.streams(), server.reads()], [1, 0]);
    assert.deepStrictEqual(
      told.map(({ id, status, phase, step, percent, bytes, rung }) => [
        id,
        status,
        phase,
        step,
        percent,
        bytes,
        rung
      ]),
      [
        ["ext_1", "processing", "processing", "fetching", 50, 10, null],
        ["ext_1", "processing", "processing", "fetching", 100, 20, null]
      ]
    );
  });

  it("opens an interrupted stream again", async () => {
    await using server = await streamServer(
      (response) => void begin(response).write(progress(70), () => response.destroy()),
      (response) => void begin(response).end(progress(80) + result)
    );
    const told: Array<number> = [];
    await client(server).extractions.wait("ext_1", { onProgress: ({ bytes }) => told.push(bytes) });
    assert.strictEqual(server.streams(), 2);
    assert.deepStrictEqual(
      told.filter((bytes) => bytes > 0),
      [70, 80]
    );
  });

  const broken: Readonly<Record<string, Script>> = {
    "404": (response) => void response.writeHead(404).end("{}"),
    "405": (response) => void response.writeHead(405).end(),
    "501": (response) => void response.writeHead(501).end("<html>"),
    "429": (response) => void response.writeHead(429, { "retry-after": "30" }).end("{}"),
    "204": (response) => void response.writeHead(204).end(),
    "a page of a proxy": (response) =>
      void response.writeHead(200, { "content-type": "text/html" }).end("<p>"),
    garbage: (response) =>
      void begin(response).end("\0\xff<html>\n\ndata: {\n\nevent: progress\ndata: nonsense\n\n"),
    "events of another shape": (response) => void begin(response).end("event: result\ndata: {}\n\n"),
    "half an event": (response) => void begin(response).end(result.slice(0, -1)),
    "nothing at all": (response) => void begin(response).end(),
    "a cut connection": (response) => void response.destroy(),
    "a refusal that never ends": (response) => beginEndless(response, 500)
  };
  for (const [what, script] of Object.entries(broken)) {
    it(`polls if the stream is ${what}`, async () => {
      await using server = await streamServer(script, whole);
      server.finish();
      assert.deepStrictEqual((await client(server).extractions.wait("ext_1")) as unknown, RESULT);
      assert.deepStrictEqual([server.streams(), server.reads()], [1, 1]);
    });
  }

  it("polls if a proxy buffers the stream", async () => {
    const left = Promise.withResolvers<void>();
    await using server = await streamServer((response) => {
      response.on("close", () => left.resolve());
      losePatience();
    });
    server.finish();
    assert.deepStrictEqual((await client(server).extractions.wait("ext_1")) as unknown, RESULT);
    await left.promise;
  });

  it("survives a restart of the server", async () => {
    await using server = await streamServer(
      (response) => void begin(response).write(progress(30)),
      (response) => void begin(response).write(progress(50)),
      (response) => void begin(response).end(result)
    );
    let restarted: Promise<void> | null = null;
    const done = await client(server, 0).extractions.wait("ext_1", {
      onProgress: ({ bytes }) => {
        if (bytes === 30) restarted ??= server.restart(800);
        if (bytes === 50) void server.restart(0);
      }
    });
    assert.deepStrictEqual(done as unknown, RESULT);
    assert.strictEqual(server.streams(), 3);
  });

  it("survives a restart after minutes without progress", async () => {
    await using server = await streamServer(
      (response) => void begin(response).write(progress(30)),
      (response) => void begin(response).end(result)
    );
    const now = performance.now.bind(performance);
    let laterMs = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + laterMs);
    try {
      const done = await client(server, 0).extractions.wait("ext_1", {
        onProgress: () => {
          if (laterMs > 0) return;
          laterMs = 600_000;
          void server.restart(800);
        }
      });
      assert.deepStrictEqual(done as unknown, RESULT);
    } finally {
      clock.mockRestore();
    }
  });

  it("returns to events after a lost connection, but not at every poll", async () => {
    await using server = await streamServer((response) => void response.destroy(), whole);
    const now = performance.now.bind(performance);
    let laterMs = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + laterMs);
    try {
      const done = await client(server).extractions.wait("ext_1", {
        onProgress: () => {
          if (server.reads() === 1) assert.strictEqual(server.streams(), 1);
          laterMs = server.reads() < 2 ? 0 : 30_000;
        }
      });
      assert.deepStrictEqual(done as unknown, RESULT);
      assert.deepStrictEqual([server.streams(), server.reads()], [2, 2]);
    } finally {
      clock.mockRestore();
    }
  });

  it("has no timeout by default", async () => {
    await using server = await streamServer(async (response) => {
      begin(response).write(progress(10));
      await new Promise((resolve) => setTimeout(resolve, 50));
      response.end(result);
    });
    const { baseUrl } = server;
    const patient = new Winnow({ apiKey: "key", baseUrl, timeoutMs: Infinity });
    const done = await patient.extractions.wait("ext_1", { timeoutMs: Infinity });
    assert.deepStrictEqual(done as unknown, RESULT);
    assert.strictEqual((await patient.extractions.result("ext_1")).status, "processing");
  });

  it("ends at its timeout or when aborted, and closes the stream", async () => {
    const left: Array<Promise<void>> = [];
    const open: Script = (response) => {
      begin(response).write(progress(10));
      left.push(new Promise((resolve) => response.on("close", resolve)));
    };
    await using server = await streamServer(open, open);
    const timeoutMs = 100;
    using time = holdTimers(timeoutMs);
    const onProgress = () => time.advance(timeoutMs);
    const late = await rejection(client(server).extractions.wait("ext_1", { timeoutMs, onProgress }));
    assert.instanceOf(late, TimeoutError);
    assert.strictEqual((late as TimeoutError).extractionId, "ext_1");
    assert.include((late as Error).message, "processing");
    const abort = new AbortController();
    const aborted = client(server).extractions.wait("ext_1", {
      signal: abort.signal,
      onProgress: () => abort.abort(new Error("enough"))
    });
    assert.strictEqual(((await rejection(aborted)) as Error).message, "enough");
    await Promise.all(left);
    assert.strictEqual(server.reads(), 0);
  });

  it("throws what its caller throws", async () => {
    await using server = await streamServer(whole);
    const onProgress = (): void => {
      throw new Error("the caller's");
    };
    const error = await rejection(client(server).extractions.wait("ext_1", { onProgress }));
    assert.strictEqual((error as Error).message, "the caller's");
  });

  it("ten concurrent waits whose streams are refused stay within the burst of reads", async () => {
    await using server = await streamServer();
    const timeoutMs = 30_000;
    using time = holdTimers(timeoutMs);
    const startMs = performance.now();
    const { extractions } = client(server);
    const waits = Array.from({ length: 10 }, () => rejection(extractions.wait("ext_1", { timeoutMs })));
    while (server.streams() < 10 || server.reads() < 12) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    time.advance(timeoutMs);
    for (const error of await Promise.all(waits)) assert.instanceOf(error, TimeoutError);
    assert.isAtMost(server.reads(), 10 + Math.ceil((performance.now() - startMs) / 1_250));
    assert.strictEqual(server.streams(), 10);
  });
});

describe("events", () => {
  it("are all progress and the result, over any number of streams", async () => {
    await using server = await streamServer(
      (response) => void begin(response).write(progress(10) + progress(20), () => response.destroy()),
      (response) => void response.writeHead(503).end(),
      (response) => void begin(response).end(progress(30) + result)
    );
    const events = await collect(client(server).extractions.events("ext_1"));
    assert.deepStrictEqual(
      events.map(({ event, data }) => (event === "progress" ? data.bytes : event)),
      [10, 20, 30, "result"]
    );
    assert.strictEqual(server.streams(), 3);
  });

  it("of an unknown extraction throw at once, of an unreachable server after the retries", async () => {
    const body = JSON.stringify({ error: { code: "not_found", message: "There is no such extraction." } });
    await using server = await streamServer((response) => void response.writeHead(404).end(body));
    assert.instanceOf(await rejection(collect(client(server, 1).extractions.events("ext_1"))), NotFoundError);
    assert.strictEqual(server.streams(), 1);
    const absent = client({ baseUrl: NOWHERE }, 1);
    assert.instanceOf(await rejection(collect(absent.extractions.events("ext_1"))), ConnectionError);
  });

  it("do not wait for a Retry-After of more than a minute", async () => {
    const tomorrow = { "retry-after": "86400" };
    await using server = await streamServer((response) => void response.writeHead(429, tomorrow).end("{}"));
    const error = await rejection(collect(client(server).extractions.events("ext_1")));
    assert.instanceOf(error, RateLimitedError);
    assert.strictEqual(server.streams(), 1);
  });

  it("may be abandoned at any time, which closes the stream", async () => {
    const left = Promise.withResolvers<void>();
    await using server = await streamServer((response) => {
      begin(response).write(progress(10));
      response.on("close", () => left.resolve());
    });
    for await (const event of client(server).extractions.events("ext_1")) {
      assert.strictEqual(event.event, "progress");
      break;
    }
    await left.promise;
  });
});

describe("one stream", () => {
  it("without data counts as interrupted, unless there are heartbeats", async () => {
    const timeouts = { firstMs: 2_000, silenceMs: 300 };
    using time = holdTimers(timeouts.firstMs, timeouts.silenceMs);
    const stream = Promise.withResolvers<ServerResponse>();
    await using server = await streamServer((response) => stream.resolve(begin(response)));
    const transport = {
      baseUrl: server.baseUrl,
      apiKey: "key",
      maxRetries: 0,
      timeoutMs: 5_000,
      fetch: globalThis.fetch
    };
    /** Chunks of the stream, as the client decodes them. */
    const decoded = vi.spyOn(TextDecoder.prototype, "decode");
    onTestFinished(() => decoded.mockRestore());
    const seen: Array<number> = [];
    const reading = async (): Promise<void> => {
      const path = "/v1/extractions/ext_1/events";
      for await (const { data } of readStream(transport, { path, signal: undefined, timeouts }))
        seen.push("bytes" in data ? data.bytes : Number.NaN);
    };
    const cut = rejection(reading());
    for (const [index, text] of [progress(10), ": \n\n", ": \n\n", ": \n\n", progress(20)].entries()) {
      (await stream.promise).write(text);
      while (decoded.mock.calls.length <= index) await new Promise((resolve) => setTimeout(resolve, 5));
      time.advance(timeouts.silenceMs - 1);
    }
    time.advance(1);
    assert.instanceOf(await cut, ConnectionError);
    assert.deepStrictEqual(seen, [10, 20]);
  });
});
