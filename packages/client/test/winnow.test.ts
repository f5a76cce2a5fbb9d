import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { assert, describe, it } from "vitest";
import {
  ConflictError,
  ConnectionError,
  ExtractionFailedError,
  InsufficientCreditsError,
  RateLimitedError,
  TimeoutError,
  UnauthorizedError,
  WinnowError,
  ApiError
} from "../src/index.ts";
import { Winnow } from "../src/node.ts";
import { faultyServer, NOWHERE, type FaultyServer, type Step } from "./FaultyServer.ts";

const envelope = (code: string, details?: unknown) => ({
  error: { code, message: `because ${code}`, details }
});
const submitted = {
  id: "ext_1",
  status: "pending",
  url: "https://a.example/",
  creditsDebited: 50,
  createdAt: "2026-01-01T00:00:00Z"
};
const NOW = { "retry-after": "0" };

const client = ({ baseUrl }: FaultyServer, more: { maxRetries?: number; timeoutMs?: number } = {}) =>
  new Winnow({ apiKey: "wnw_test", baseUrl, ...more });

const rejection = async (promise: Promise<unknown>): Promise<unknown> => {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("expected a rejection");
};

const RETRIED: ReadonlyArray<readonly [string, Step]> = [
  ["500", { status: 500, body: envelope("internal_error"), headers: NOW }],
  ["502", { status: 502, body: "<html>", headers: NOW }],
  ["429", { status: 429, body: envelope("rate_limited"), headers: NOW }],
  ["408", { status: 408, headers: NOW }],
  ["a dropped connection", "drop"]
];

describe("a submit", () => {
  for (const [name, step] of RETRIED) {
    it(`is retried after ${name} with the same idempotency key`, async () => {
      await using server = await faultyServer(step, { status: 201, body: submitted });
      assert.strictEqual((await client(server).submit({ url: "https://a.example/" })).id, "ext_1");
      assert.strictEqual(server.seen.length, 2);
      const keys = server.seen.map(({ headers }) => headers["idempotency-key"]);
      assert.isNotEmpty(keys[0]);
      assert.strictEqual(keys[0], keys[1]);
    });
  }

  it("is not retried after 409", async () => {
    await using server = await faultyServer({ status: 409, body: envelope("conflict") });
    assert.instanceOf(await rejection(client(server).submit({ url: "https://a.example/" })), ConflictError);
    assert.strictEqual(server.seen.length, 1);
  });

  it("sends the caller's idempotency key and the API key", async () => {
    await using server = await faultyServer({ status: 201, body: submitted });
    await client(server).submit({ url: "https://a.example/" }, { idempotencyKey: "mine" });
    assert.strictEqual(server.seen[0]?.headers["idempotency-key"], "mine");
    assert.strictEqual(server.seen[0]?.headers.authorization, "Bearer wnw_test");
    assert.deepStrictEqual(JSON.parse(server.seen[0]?.body ?? ""), { url: "https://a.example/" });
  });

  it("rejects after its retries with the error of the last response", async () => {
    await using server = await faultyServer({ status: 429, body: envelope("rate_limited"), headers: NOW });
    const error = await rejection(client(server, { maxRetries: 1 }).submit({ url: "https://a.example/" }));
    assert.instanceOf(error, RateLimitedError);
    assert.strictEqual(server.seen.length, 2);
  });

  it("does not wait for a Retry-After of more than a minute", async () => {
    await using server = await faultyServer({
      status: 429,
      body: envelope("rate_limited"),
      headers: { "retry-after": "3600" }
    });
    const error = await rejection(client(server).submit({ url: "https://a.example/" }));
    assert.strictEqual((error as RateLimitedError).retryAfterSeconds, 3_600);
    assert.strictEqual(server.seen.length, 1);
  });
});

describe("an error response", () => {
  it("becomes an instance of its code's class with details and request id", async () => {
    await using server = await faultyServer({
      status: 402,
      body: envelope("insufficient_credits", { balance: 3, cost: 50 }),
      headers: { "x-request-id": "req_9" }
    });
    const error = (await rejection(
      client(server).submit({ url: "https://a.example/" })
    )) as InsufficientCreditsError;
    assert.instanceOf(error, InsufficientCreditsError);
    assert.deepStrictEqual(error.details, { balance: 3, cost: 50 });
    assert.strictEqual(error.requestId, "req_9");
    assert.strictEqual(error.message, "because insufficient_credits");
  });

  it("with an unknown code is a plain ApiError", async () => {
    await using server = await faultyServer({ status: 418, body: envelope("constructor") });
    const error = await rejection(client(server).extractions.get("x"));
    assert.strictEqual(Object.getPrototypeOf(error), ApiError.prototype);
  });

  it("401 is UnauthorizedError and is not retried", async () => {
    await using server = await faultyServer({ status: 401, body: envelope("unauthorized") });
    assert.instanceOf(await rejection(client(server).extractions.get("x")), UnauthorizedError);
    assert.strictEqual(server.seen.length, 1);
  });
});

describe("a server that cannot be reached", () => {
  it("is a ConnectionError that names the URL", async () => {
    const winnow = new Winnow({ apiKey: "wnw_test", baseUrl: NOWHERE, maxRetries: 0 });
    const error = await rejection(winnow.extractions.get("x"));
    assert.instanceOf(error, ConnectionError);
    assert.include((error as Error).message, NOWHERE);
    assert.strictEqual(
      (error as { cause: { cause: NodeJS.ErrnoException } }).cause.cause.code,
      "ECONNREFUSED"
    );
  });
});

describe("waiting", () => {
  const pending: Step = { status: 202, body: { status: "processing" } };
  const complete: Step = { status: 200, body: { id: "ext_1", status: "complete" } };

  it("polls until the result is final and reports each poll", async () => {
    await using server = await faultyServer({ status: 202, body: { status: "queued" } }, pending, complete);
    const told: Array<string> = [];
    const result = await client(server).extractions.wait("ext_1", {
      onProgress: ({ status }) => told.push(status)
    });
    assert.strictEqual(result.status, "complete");
    assert.deepStrictEqual(told, ["queued", "processing"]);
  });

  it("that times out names the extraction", async () => {
    await using server = await faultyServer(pending);
    const error = await rejection(client(server).extractions.wait("ext_1", { timeoutMs: 200 }));
    assert.instanceOf(error, TimeoutError);
    assert.strictEqual((error as TimeoutError).extractionId, "ext_1");
  });

  it("stops when its signal aborts and cancels nothing", async () => {
    await using server = await faultyServer(pending);
    const abort = new AbortController();
    const waiting = client(server).extractions.wait("ext_1", {
      signal: abort.signal,
      onProgress: () => abort.abort(new Error("enough"))
    });
    assert.strictEqual(((await rejection(waiting)) as Error).message, "enough");
    assert.isTrue(server.seen.every(({ method }) => method === "GET"));
  });

  it("by extract for a failed run throws with reason and hint", async () => {
    const failed = {
      id: "ext_1",
      status: "failed",
      error: "The video is private.",
      failure: { reason: "private", retryable: false, hint: "Use a public one." }
    };
    await using server = await faultyServer({ status: 201, body: submitted }, { status: 200, body: failed });
    const error = (await rejection(
      client(server).extract({ url: "https://a.example/" })
    )) as ExtractionFailedError;
    assert.instanceOf(error, ExtractionFailedError);
    assert.strictEqual(error.reason, "private");
    assert.strictEqual(error.extractionId, "ext_1");
  });
});

describe("a list", () => {
  it("continues with the next page by cursor", async () => {
    await using server = await faultyServer(
      { status: 200, body: { data: [{ id: "b" }], has_more: true, next_cursor: "c=1" } },
      { status: 200, body: { data: [{ id: "a" }], has_more: false, next_cursor: null } }
    );
    const ids: Array<string> = [];
    for await (const { id } of client(server).extractions.list({ limit: 1 })) ids.push(id);
    assert.deepStrictEqual(ids, ["b", "a"]);
    assert.strictEqual(server.seen[1]?.url, "/v1/extractions?limit=1&cursor=c%3D1");
  });
});

describe("files", () => {
  it("accept a byte range", async () => {
    await using server = await faultyServer({ status: 206, body: Buffer.from("cd") });
    const response = await client(server).files.get("ext_1", "video.mp4", { range: { start: 2, end: 3 } });
    assert.strictEqual(await response.text(), "cd");
    assert.strictEqual(server.seen[0]?.headers.range, "bytes=2-3");
  });

  it("also accept a range as a header", async () => {
    await using server = await faultyServer({ status: 206, body: Buffer.from("cd") });
    await client(server).files.get("ext_1", "video.mp4", { range: "bytes=-2" });
    assert.strictEqual(server.seen[0]?.headers.range, "bytes=-2");
  });

  it("are complete after two concurrent saves, with any transfer encoding", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "winnow-client-"));
    const text = Buffer.from("line\n".repeat(10_000));
    const packed = gzipSync(text);
    const begun = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    const slow = (response: ServerResponse): void => {
      response
        .writeHead(200, { "content-length": text.length })
        .write(text.subarray(0, 9), () => begun.resolve());
      void gone.promise.then(() => response.end(text.subarray(9)));
    };
    const compressed = (response: ServerResponse): void => {
      const headers = { "content-encoding": "gzip", "content-length": packed.length };
      response.writeHead(200, headers).end(packed);
    };
    try {
      await using server = await faultyServer(slow, compressed);
      const { files } = client(server);
      const place = path.join(folder, "t.txt");
      const first = files.save("ext_1", "transcript.txt", place);
      await begun.promise;
      assert.strictEqual(await files.save("ext_1", "transcript.txt", place), text.length);
      assert.isTrue(text.equals(await readFile(place)));
      gone.resolve();
      assert.strictEqual(await first, text.length);
      assert.isTrue(text.equals(await readFile(place)));
      assert.deepStrictEqual(await readdir(folder), ["t.txt"]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("that cannot be saved leave nothing behind, and the error says why", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "winnow-client-"));
    const stopped = new AbortController();
    const half = (then: (response: ServerResponse) => void) => (response: ServerResponse) =>
      void response.writeHead(200, { "content-length": 9 }).write("half", () => then(response));
    try {
      await using server = await faultyServer(
        half((response) => response.destroy()),
        half(() => stopped.abort(new Error("enough"))),
        { status: 200, body: Buffer.from("whole") }
      );
      const { files } = client(server);
      const place = path.join(folder, "v.mp4");
      assert.instanceOf(await rejection(files.save("ext_1", "v.mp4", place)), ConnectionError);
      const aborted = files.save("ext_1", "v.mp4", place, { signal: stopped.signal });
      assert.strictEqual(((await rejection(aborted)) as Error).message, "enough");
      const lost = await rejection(files.save("ext_1", "v.mp4", path.join(folder, "none", "v.mp4")));
      assert.strictEqual((lost as NodeJS.ErrnoException).code, "ENOENT");
      assert.deepStrictEqual(await readdir(folder), []);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("are saved under their name", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "winnow-client-"));
    try {
      const bytes = Buffer.alloc(300_000, 7);
      await using server = await faultyServer({ status: 200, body: bytes });
      const size = await client(server).files.save("ext_1", "video.mp4", path.join(folder, "v.mp4"));
      assert.strictEqual(size, bytes.length);
      assert.isTrue(bytes.equals(await readFile(path.join(folder, "v.mp4"))));
      assert.deepStrictEqual(await readdir(folder), ["v.mp4"]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe("the limits of a client", () => {
  it("must be numbers", () => {
    const apiKey = "wnw_1";
    for (const maxRetries of [Number.NaN, -1]) {
      assert.throws(() => new Winnow({ apiKey, maxRetries }), WinnowError, "maxRetries is");
    }
    for (const timeoutMs of [Number.NaN, 0, -1]) {
      assert.throws(() => new Winnow({ apiKey, timeoutMs }), WinnowError, "timeoutMs is");
    }
  });
});

describe("the API key", () => {
  it("must not be empty", () => {
    assert.throws(() => new Winnow({ apiKey: "" }), WinnowError, "apiKey is empty");
  });

  it("must be valid in a header", () => {
    for (const apiKey of ["wnw_1\n", "wnw_ü"]) {
      assert.throws(() => new Winnow({ apiKey }), WinnowError, "contains invalid characters");
    }
  });
});
