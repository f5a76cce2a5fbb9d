import { afterEach, assert, describe, it, vi } from "vitest";
import { AdminClient } from "../src/admin.ts";
import { ApiError, ConnectionError, Winnow, WinnowError } from "../src/index.ts";
import { faultyServer } from "./FaultyServer.ts";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

const rejection = (promise: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(promise).then(
    () => assert.fail("it did not reject"),
    (error: unknown) => error
  );

describe("an AdminClient", () => {
  it("reads token and URL from the environment", async () => {
    await using server = await faultyServer({ status: 200, body: { data: [], next_cursor: null } });
    vi.stubEnv("WINNOW_ADMIN_TOKEN", "secret");
    vi.stubEnv("WINNOW_URL", server.baseUrl);
    await new AdminClient().accounts.page({ q: "a b" });
    assert.strictEqual(server.seen[0]?.url, "/admin/v1/accounts?q=a+b");
    assert.strictEqual(server.seen[0]?.headers.authorization, "Bearer secret");
  });

  it("without a token says where it is", () => {
    vi.stubEnv("WINNOW_ADMIN_TOKEN", "");
    assert.throws(() => new AdminClient(), WinnowError, "set WINNOW_ADMIN_TOKEN");
    assert.throws(() => new AdminClient({ token: "a\n" }), WinnowError, "token contains invalid characters");
  });

  it("sends what must not be done twice once, and a top-up again with its key", async () => {
    await using dropping = await faultyServer("drop");
    const admin = new AdminClient({ token: "t", baseUrl: dropping.baseUrl });
    assert.instanceOf(await rejection(admin.accounts.create({ name: "Ada" })), ConnectionError);
    assert.instanceOf(await rejection(admin.apiKeys.create("acc_1")), ConnectionError);
    assert.strictEqual(dropping.seen.length, 2);
    await using server = await faultyServer("drop", { status: 201, body: { balance: 5 } });
    await new AdminClient({ token: "t", baseUrl: server.baseUrl }).topUps.create("acc_1", { credits: 5 });
    const [first, second] = server.seen.map(({ headers }) => headers["idempotency-key"]);
    assert.isString(first);
    assert.strictEqual(first, second);
  });

  it("reports at once why the server is not ready", async () => {
    const error = { code: "internal_error", message: "The database does not respond." };
    await using server = await faultyServer({ status: 503, body: { error } });
    const refused = await rejection(new AdminClient({ token: "t", baseUrl: server.baseUrl }).health());
    assert.instanceOf(refused, ApiError);
    assert.strictEqual((refused as Error).message, error.message);
    assert.strictEqual(server.seen.length, 1);
  });

  it("names the account in a header", async () => {
    await using server = await faultyServer({ status: 200, body: { data: [] } });
    const admin = new AdminClient({ token: "t", baseUrl: server.baseUrl });
    await admin.client("acc_1").account();
    await admin.apiKeys.list("acc_2");
    await new Winnow({ apiKey: "t", account: "acc_3", baseUrl: server.baseUrl }).account();
    assert.deepStrictEqual(
      server.seen.map(({ headers }) => headers["x-winnow-account"]),
      ["acc_1", "acc_2", "acc_3"]
    );
    assert.throws(() => admin.client(""), WinnowError, "accountId is empty");
    assert.throws(() => new Winnow({ apiKey: "t", account: "a b" }), WinnowError, "account contains");
    assert.throws(() => new Winnow({ session: true, account: "acc_1" }), WinnowError, "mutually exclusive");
  });

  it.each([
    [undefined, "https://page.example"],
    ["/winnow/", "https://page.example/winnow"],
    ["https://other.example/w", "https://other.example/w"]
  ])("in a web page with baseUrl %s requests %s", async (baseUrl, base) => {
    vi.stubGlobal("window", globalThis);
    vi.stubGlobal("document", {});
    vi.stubGlobal("location", { origin: "https://page.example" });
    const seen: Array<string> = [];
    const fetch = (url: unknown) => {
      seen.push(String(url));
      return Promise.resolve(Response.json({}));
    };
    const admin = new AdminClient({ token: "t", baseUrl, fetch: fetch as typeof globalThis.fetch });
    await admin.accounts.get("acc_1");
    await admin.client("acc_1").account();
    assert.deepStrictEqual(seen, [`${base}/admin/v1/accounts/acc_1`, `${base}/v1/account`]);
  });
});
