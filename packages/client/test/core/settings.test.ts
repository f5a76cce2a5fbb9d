import { afterEach, assert, beforeEach, describe, it, onTestFinished, vi } from "vitest";
import { NotFoundError, NotWinnowError, Winnow, WinnowError, type LogEntry } from "../../src/index.ts";
import { Winnow as NodeWinnow } from "../../src/node.ts";
import { faultyServer, NOWHERE } from "../FaultyServer.ts";

const NAMES = ["WINNOW_API_KEY", "WINNOW_URL"] as const;

let before: ReadonlyArray<string | undefined>;
beforeEach(() => {
  before = NAMES.map((name) => process.env[name]);
  for (const name of NAMES) delete process.env[name];
});
afterEach(() => {
  for (const [index, name] of NAMES.entries()) {
    const value = before[index];
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

const rejection = async (promise: Promise<unknown>): Promise<any> => {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("it did not reject");
};

describe("new Winnow()", () => {
  it("reads key and URL from the environment", async () => {
    await using server = await faultyServer({ status: 200, body: { id: "acc_1" } });
    process.env["WINNOW_API_KEY"] = "wnw_env";
    process.env["WINNOW_URL"] = `${server.baseUrl}/`;
    for (const winnow of [new Winnow(), new NodeWinnow()]) await winnow.account();
    assert.deepStrictEqual(
      server.seen.map(({ headers }) => headers.authorization),
      ["Bearer wnw_env", "Bearer wnw_env"]
    );
  });

  it("prefers its options", async () => {
    await using server = await faultyServer({ status: 200, body: {} });
    process.env["WINNOW_API_KEY"] = "wnw_env";
    process.env["WINNOW_URL"] = NOWHERE;
    await new Winnow({ apiKey: "wnw_given", baseUrl: server.baseUrl }).account();
    assert.strictEqual(server.seen[0]?.headers.authorization, "Bearer wnw_given");
  });

  it("without a key says where to get one; an empty variable counts as missing", () => {
    process.env["WINNOW_API_KEY"] = "";
    assert.throws(() => new Winnow(), WinnowError, "set WINNOW_API_KEY");
  });

  it("names the invalid variable", () => {
    process.env["WINNOW_API_KEY"] = "wnw_1\n";
    assert.throws(() => new Winnow(), WinnowError, "WINNOW_API_KEY contains invalid characters");
    process.env["WINNOW_API_KEY"] = "wnw_1";
    process.env["WINNOW_URL"] = "winnow.example";
    assert.throws(() => new Winnow(), WinnowError, "WINNOW_URL is not a URL");
  });
});

describe("a baseUrl", () => {
  const BAD = [
    ["", "is not a URL"],
    ["winnow.example", "is not a URL"],
    ["localhost:8787", "does not begin with http"],
    ["ftp://a.example", "does not begin with http"],
    ["https://user:secret@a.example", "contains a user name or password"],
    ["https://a.example/?a=b", "has a query"],
    ["https://a.example/#a", "has a query or a fragment"],
    ["https://a.example/v1", "ends in /v1"],
    ["https://a.example/winnow/v1/", "ends in /v1"],
    [7 as never, "is not a URL"]
  ] as const;

  it.each(BAD)("%j is rejected: it %s", (baseUrl, fault) => {
    const make = () => new Winnow({ apiKey: "k", baseUrl });
    assert.throws(make, WinnowError, `baseUrl ${fault}`);
    assert.throws(make, WinnowError, "such as https://");
  });

  it("with a password in it is not repeated", () => {
    try {
      new Winnow({ apiKey: "k", baseUrl: "https://user:secret@a.example" });
      assert.fail("it was taken");
    } catch (error) {
      assert.notInclude((error as Error).message, "secret");
    }
  });
});

describe("an invalid id", () => {
  const ODD = ["", " ", ".", "..", "a/b", "../account", "a b", "ext_1?x", "ext_1\n", "é", "x".repeat(257)];

  it("is rejected before a request", async () => {
    await using server = await faultyServer({ status: 200, body: {} });
    const winnow = new NodeWinnow({ apiKey: "k", baseUrl: server.baseUrl });
    for (const id of [...ODD, undefined as never, null as never, 7 as never]) {
      const calls: ReadonlyArray<Promise<unknown>> = [
        winnow.extractions.get(id),
        winnow.extractions.result(id),
        winnow.extractions.wait(id),
        winnow.extractions.events(id).next(),
        winnow.extractions.cancel(id),
        winnow.extractions.delete(id),
        winnow.extractions.request(id),
        winnow.files.get(id, "video.mp4"),
        winnow.files.saveAll(id, "/nowhere"),
        winnow.schemas.get(id),
        winnow.schemas.delete(id),
        winnow.webhookEndpoints.delete(id),
        winnow.webhookEndpoints.rotateSecret(id),
        winnow.webhookDeliveries.redeliver(id),
        winnow.apiKeys.revoke(id)
      ];
      for (const call of calls) {
        const error = await rejection(call);
        assert.instanceOf(error, WinnowError, String(id));
        assert.include(error.message, "No request was sent.");
      }
    }
    for (const name of ["", "..", "a/b", "a\\b", "a\0b"]) {
      assert.include((await rejection(winnow.files.get("ext_1", name))).message, "name of the file");
    }
    assert.strictEqual(server.seen.length, 0);
  });
});

describe("a server that cannot be reached", () => {
  it("is reported with host, port and the system's error code", async () => {
    const winnow = new Winnow({ apiKey: "k", baseUrl: `${NOWHERE}/winnow`, maxRetries: 0 });
    const error = await rejection(winnow.account());
    assert.strictEqual(
      error.message,
      `${NOWHERE} could not be reached, or the connection was lost (ECONNREFUSED).`
    );
    assert.strictEqual(error.code, "ECONNREFUSED");
  });

  it("is reported with the default port of its scheme", async () => {
    const fetch = () => Promise.reject(new TypeError("fetch failed"));
    const winnow = new Winnow({ apiKey: "k", baseUrl: "https://a.example", maxRetries: 0, fetch });
    const error = await rejection(winnow.account());
    assert.strictEqual(
      error.message,
      "https://a.example:443 could not be reached, or the connection was lost."
    );
    assert.isNull(error.code);
  });
});

describe("a 404", () => {
  it("of the service is a NotFoundError", async () => {
    const body = { error: { code: "not_found", message: "There is no such extraction." } };
    await using server = await faultyServer({ status: 404, body });
    const winnow = new Winnow({ apiKey: "k", baseUrl: server.baseUrl });
    assert.instanceOf(await rejection(winnow.extractions.get("ext_1")), NotFoundError);
  });

  it.each([
    ["a web site", { status: 404, headers: { "content-type": "text/html" } }],
    ["another API", { status: 404, body: { detail: "Not Found" } }]
  ])("of %s says that the address is wrong", async (_, step) => {
    await using server = await faultyServer(step);
    const winnow = new Winnow({ apiKey: "k", baseUrl: server.baseUrl });
    const error = await rejection(winnow.extractions.get("ext_1"));
    assert.instanceOf(error, NotWinnowError);
    assert.notInstanceOf(error, NotFoundError);
    assert.include(error.message, `${server.baseUrl}/v1/extractions/ext_1 responded with 404`);
    assert.include(error.message, "check baseUrl");
  });
});

describe("a logger", () => {
  it("gets responses and retries, and no secrets", async () => {
    const told: Array<LogEntry> = [];
    const taken = { status: 201, body: { id: "ext_1" }, headers: { "x-request-id": "req_1" } };
    await using server = await faultyServer({ status: 503, headers: { "retry-after": "0" } }, taken);
    const logger = (entry: LogEntry) => told.push(entry);
    const winnow = new Winnow({ apiKey: "wnw_secret", baseUrl: server.baseUrl, logger });
    await winnow.submit({ url: "https://private.example/", prompt: "my prompt" });
    assert.deepStrictEqual(
      told.map(({ level, fields }) => [level, fields.method, fields.path, fields.status]),
      [
        ["debug", "POST", "/v1/extractions", 503],
        ["warn", "POST", "/v1/extractions", undefined],
        ["debug", "POST", "/v1/extractions", 201]
      ]
    );
    assert.strictEqual(told[1]?.fields.delayMs, 0);
    assert.strictEqual(told[2]?.fields.requestId, "req_1");
    for (const secret of ["wnw_secret", "private.example", "my prompt"]) {
      assert.notInclude(JSON.stringify(told), secret);
    }
  });

  it("is not needed to hear of a long wait, which is told once", async () => {
    await using server = await faultyServer(
      { status: 429, headers: { "retry-after": "9" } },
      { status: 429, headers: { "retry-after": "55" } }
    );
    let abort = new AbortController();
    const told: Array<unknown> = [];
    const warn = vi.spyOn(console, "warn").mockImplementation((text: unknown) => void told.push(text));
    onTestFinished(() => warn.mockRestore());
    const winnow = new Winnow({ apiKey: "wnw_secret", baseUrl: server.baseUrl });
    for (const answers of [1, 2, 3]) {
      abort = new AbortController();
      const call = winnow.account({ signal: abort.signal }).catch(() => undefined);
      while (server.seen.length < answers) await new Promise((resolve) => setTimeout(resolve, 5));
      // It waits by now: a turn of the loop after the answer.
      await new Promise((resolve) => setTimeout(resolve, 20));
      abort.abort();
      await call;
      assert.lengthOf(told, answers === 1 ? 0 : 1);
    }
    assert.include(told[0], "GET /v1/account failed, retrying in 55000 ms");
  });

  it("that throws does not fail a request", async () => {
    await using server = await faultyServer({ status: 200, body: { id: "acc_1" } });
    const logger = () => {
      throw new Error("mine");
    };
    const { id } = await new Winnow({ apiKey: "k", baseUrl: server.baseUrl, logger }).account();
    assert.strictEqual(id, "acc_1");
  });
});

describe("arguments that only JavaScript accepts", () => {
  const anything = (value: unknown): any => value;

  it("are refused before a request: a body that is no object", async () => {
    await using server = await faultyServer({ status: 200, body: {} });
    const winnow = new Winnow({ apiKey: "wnw_given", baseUrl: server.baseUrl });
    for (const body of [undefined, null, "https://example.com/", ["https://example.com/"]]) {
      for (const call of [winnow.submit, winnow.probe, winnow.extract]) {
        const error = await rejection(Reflect.apply(call, winnow, [anything(body)]));
        assert.instanceOf(error, WinnowError);
        assert.include(error.message, "must be an object, such as { url }");
      }
    }
    assert.isEmpty(server.seen);
  });

  it("are refused before credits are debited: a timeout that is not a number", async () => {
    await using server = await faultyServer({ status: 200, body: {} });
    const winnow = new Winnow({ apiKey: "wnw_given", baseUrl: server.baseUrl });
    const options = { timeoutMs: Number.NaN };
    for (const promise of [
      winnow.extract({ url: "https://example.com/" }, options),
      winnow.extractions.wait("ext_1", options)
    ]) {
      const error = await rejection(promise);
      assert.strictEqual(error.message, "timeoutMs is NaN, but must be a number of 0 or more.");
    }
    assert.isEmpty(server.seen);
  });

  it("are refused by the constructor: a fetch that is not a function", () => {
    assert.throws(
      () => new Winnow({ apiKey: "wnw_given", fetch: anything(5) }),
      WinnowError,
      "fetch must be a function"
    );
  });
});
