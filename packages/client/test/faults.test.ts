// @module-tag long
/** How a submit handles every way in which a server, or a network in between, can fail. */
import type { ServerResponse } from "node:http";
import { afterEach, assert, beforeEach, describe, it, vi } from "vitest";
import {
  ApiError,
  ConflictError,
  ConnectionError,
  InternalError,
  NotFoundError,
  NotWinnowError,
  RateLimitedError,
  TimeoutError,
  UnauthorizedError,
  Winnow,
  type WinnowOptions
} from "../src/index.ts";
import { faultyServer, type FaultyServer, type Step } from "./FaultyServer.ts";
import { beginEndless, fetchNoting, holdTimers, type HeldTimers } from "./HeldTimers.ts";

const BODY = { url: "https://a.example/" };
const TAKEN = { id: "ext_1", status: "pending", url: BODY.url, creditsDebited: 50, createdAt: "2026-01-01" };
const OK: Step = { status: 201, body: TAKEN };
const NOW = { "retry-after": "0" };

/** Timeout of an attempt, which expires when one of the steps below says so. */
const LIMIT_MS = 250;

let limit: HeldTimers;
beforeEach(() => {
  limit = holdTimers(LIMIT_MS);
});
afterEach(() => limit[Symbol.dispose]());

const timeUp = (): void => limit.advance(LIMIT_MS);

const client = ({ baseUrl }: FaultyServer, more: Partial<WinnowOptions> = {}) =>
  new Winnow({ apiKey: "wnw_test", baseUrl, fetch: fetchNoting(timeUp), ...more });

const rejection = async (promise: Promise<unknown>): Promise<any> => {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("it did not reject");
};

const keysOf = ({ seen }: FaultyServer) => new Set(seen.map(({ headers }) => headers["idempotency-key"]));

const half = (response: ServerResponse): void => {
  const text = JSON.stringify(TAKEN);
  response.writeHead(201, { "content-type": "application/json", "content-length": text.length });
  response.write(text.slice(0, 20), () => response.destroy());
};

const halfChunked = (response: ServerResponse): void => {
  response.writeHead(201, { "content-type": "application/json" });
  response.write(JSON.stringify(TAKEN).slice(0, 20), () => response.destroy());
};

const html =
  (status: number): ((response: ServerResponse) => void) =>
  (response) => {
    response.writeHead(status, { "content-type": "text/html", ...NOW });
    response.end(`<html>\n<h1>${status}</h1> nginx </html>`);
  };

/** Lets the timeout expire once the request has arrived, without a response. */
const silent = (): void => timeUp();

/** Lets the timeout expire after the response has started. */
const slow = (response: ServerResponse): void => beginEndless(response, 201);

const OVERCOME: Readonly<Record<string, Step>> = {
  "429 with Retry-After": { status: 429, body: {}, headers: NOW },
  "500": { status: 500, body: {}, headers: NOW },
  "503 of a proxy, in HTML": html(503),
  "a dropped connection": "drop",
  "half a body of a known length": half,
  "half a body in chunks": halfChunked,
  "200 that is not JSON": html(200),
  "an answer that never begins": silent,
  "an answer that never ends": slow
};

describe("a submit survives", () => {
  for (const [name, step] of Object.entries(OVERCOME)) {
    it(`${name}, with one key`, async () => {
      await using server = await faultyServer(step, OK);
      const { id } = await client(server, { timeoutMs: LIMIT_MS }).submit(BODY);
      assert.strictEqual(id, "ext_1");
      assert.strictEqual(server.seen.length, 2);
      assert.strictEqual(keysOf(server).size, 1);
    });
  }

  it("a connection that drops after the server accepted it: it is submitted once", async () => {
    const taken = new Set<unknown>();
    const commit = (response: ServerResponse): void => {
      taken.add(response.req.headers["idempotency-key"]);
      response.destroy();
    };
    const replay = (response: ServerResponse): void => {
      taken.add(response.req.headers["idempotency-key"]);
      response.writeHead(200, { "idempotent-replayed": "true" }).end(JSON.stringify(TAKEN));
    };
    await using server = await faultyServer(commit, replay);
    const { data, response } = await client(server).submit(BODY).withResponse();
    assert.deepStrictEqual(data as unknown, TAKEN);
    assert.strictEqual(response.headers.get("idempotent-replayed"), "true");
    assert.strictEqual(taken.size, 1);
  });

  it("429 after the requested time, not earlier", async () => {
    await using server = await faultyServer({ status: 429, headers: { "retry-after": "7" } }, OK);
    using wait = holdTimers(7_000);
    const submitted = client(server).submit(BODY);
    await vi.waitUntil(() => wait.count() === 1);
    wait.advance(6_999);
    assert.strictEqual(wait.count(), 1);
    wait.advance(1);
    await submitted;
    assert.lengthOf(server.seen, 2);
  });
});

type ErrorClass = new (...args: Array<any>) => any;

const FATAL: ReadonlyArray<readonly [string, Step, ErrorClass, Readonly<Record<string, unknown>>]> = [
  [
    "409",
    { status: 409, body: { error: { code: "conflict", message: "m" } } },
    ConflictError,
    { status: 409 }
  ],
  ["429", { status: 429, headers: NOW }, RateLimitedError, { status: 429, retryAfterSeconds: 0 }],
  ["500", { status: 500, headers: NOW }, InternalError, { status: 500, details: {} }],
  ["503 in HTML", html(503), InternalError, { status: 503, code: "internal_error" }],
  ["401 in HTML", html(401), UnauthorizedError, { status: 401 }],
  ["404 in HTML", html(404), NotWinnowError, { status: 404, code: "not_winnow" }],
  ["403 in HTML", html(403), ApiError, { status: 403, code: "unknown" }],
  ["200 in HTML", html(200), ApiError, { status: 200, code: "invalid_response" }],
  ["a dropped connection", "drop", ConnectionError, {}],
  ["half a body", half, ConnectionError, {}],
  ["silence", silent, TimeoutError, { extractionId: null }]
];

describe("a persistent fault is an error:", () => {
  for (const [name, step, expected, fields] of FATAL) {
    it(`${name}`, async () => {
      await using server = await faultyServer(step);
      const error = await rejection(client(server, { maxRetries: 0, timeoutMs: LIMIT_MS }).submit(BODY));
      assert.instanceOf(error, expected);
      for (const [field, value] of Object.entries(fields)) assert.deepStrictEqual(error[field], value, field);
      assert.strictEqual(server.seen.length, 1);
    });
  }

  it("the message about a response of another server describes it", async () => {
    await using server = await faultyServer(html(403));
    const error = await rejection(client(server).submit(BODY));
    assert.strictEqual(error.message, "The server responded with 403: <html> <h1>403</h1> nginx </html>");
  });

  it("details that are not an object are ignored", async () => {
    const body = { error: { code: "invalid_request", message: "m", details: "text" } };
    await using server = await faultyServer({ status: 400, body });
    assert.deepStrictEqual((await rejection(client(server).submit(BODY))).details, {});
  });
});

describe("a caller's mistake is reported, and no request is sent:", () => {
  it("an idempotency key that is invalid in a header", async () => {
    await using server = await faultyServer(OK);
    for (const idempotencyKey of ["", "ü", "a\nb", "x".repeat(256)]) {
      const error = await rejection(client(server).submit(BODY, { idempotencyKey }));
      assert.include(error.message, "1 to 255 printable ASCII");
    }
    assert.strictEqual(server.seen.length, 0);
  });

  it("a body that is not JSON", async () => {
    await using server = await faultyServer(OK);
    const error = await rejection(client(server).submit({ ...BODY, schema: { big: 1n } }));
    assert.instanceOf(error, TypeError);
    assert.strictEqual(server.seen.length, 0);
  });
});

describe("aborting", () => {
  const reason = new Error("enough");

  for (const [name, step] of Object.entries({
    "before the answer begins": silent,
    "while the answer comes": slow,
    "while it waits to try again": { status: 429, headers: { "retry-after": "30" } }
  } satisfies Record<string, Step>)) {
    it(`${name} rejects with the signal's reason at once`, async () => {
      await using server = await faultyServer(step);
      const abort = new AbortController();
      const call = rejection(client(server).submit(BODY, { signal: abort.signal }));
      while (server.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      abort.abort(reason);
      assert.strictEqual(await call, reason);
    });
  }

  it("beforehand sends nothing", async () => {
    await using server = await faultyServer(OK);
    const signal = AbortSignal.abort(reason);
    const winnow = client(server);
    const calls: ReadonlyArray<Promise<unknown>> = [
      winnow.submit(BODY, { signal }),
      winnow.probe(BODY, { signal }),
      winnow.account({ signal }),
      winnow.extract(BODY, { signal }),
      winnow.extractions.get("e", { signal }),
      winnow.extractions.result("e", { signal }),
      winnow.extractions.wait("e", { signal }),
      winnow.extractions.cancel("e", { signal }),
      winnow.extractions.delete("e", { signal }),
      winnow.extractions.page({ signal }),
      winnow.extractions.list({ signal }).next(),
      winnow.extractions.events("e", { signal }).next(),
      winnow.files.get("e", "f", { signal }),
      winnow.ledger.page({ signal }),
      winnow.schemas.save({ name: "n", schema: {} }, { signal }),
      winnow.schemas.get("s", { signal }),
      winnow.webhookEndpoints.create(BODY, { signal }),
      winnow.webhookDeliveries.get("d", { signal })
    ];
    for (const call of calls) assert.strictEqual(await rejection(call), reason);
    assert.strictEqual(server.seen.length, 0);
  });
});

describe("withResponse", () => {
  it("returns data, response and request id of a single request", async () => {
    await using server = await faultyServer({ ...OK, headers: { "x-request-id": "req_1" } });
    const call = client(server).submit(BODY);
    const { data, response, requestId } = await call.withResponse();
    assert.strictEqual(data, await call);
    assert.deepStrictEqual([response.status, requestId], [201, "req_1"]);
    assert.strictEqual(server.seen.length, 1);
  });

  it("exists on every call that is a single request", async () => {
    await using server = await faultyServer({ status: 200, body: { data: [] } });
    const winnow = client(server);
    const calls = [
      winnow.probe(BODY),
      winnow.account(),
      winnow.extractions.get("e"),
      winnow.extractions.result("e"),
      winnow.extractions.cancel("e"),
      winnow.extractions.delete("e"),
      winnow.extractions.page(),
      winnow.ledger.page(),
      winnow.schemas.save({ name: "n", schema: {} }),
      winnow.schemas.get("s"),
      winnow.schemas.delete("s"),
      winnow.schemas.page(),
      winnow.webhookEndpoints.create(BODY),
      winnow.webhookEndpoints.page(),
      winnow.webhookEndpoints.delete("w"),
      winnow.webhookEndpoints.test("w"),
      winnow.webhookEndpoints.rotateSecret("w"),
      winnow.webhookEndpoints.enable("w"),
      winnow.webhookDeliveries.page(),
      winnow.webhookDeliveries.get("d"),
      winnow.webhookDeliveries.redeliver("d"),
      winnow.webhookDeliveries.redeliverFailed({ since: new Date(0) })
    ];
    for (const call of calls) assert.strictEqual((await call.withResponse()).response.status, 200);
    assert.strictEqual(server.seen.length, calls.length);
  });

  it("of a failed call rejects with its error, without other unhandled rejections", async () => {
    await using server = await faultyServer({
      status: 404,
      body: { error: { code: "not_found", message: "" } }
    });
    const unhandled: Array<unknown> = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on("unhandledRejection", note);
    try {
      assert.instanceOf(await rejection(client(server).account().withResponse()), NotFoundError);
      await new Promise((resolve) => setImmediate(resolve));
      assert.deepStrictEqual(unhandled, []);
    } finally {
      process.off("unhandledRejection", note);
    }
  });
});
