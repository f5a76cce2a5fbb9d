import { assert, describe, it } from "vitest";
import { InvalidRequestError, UnauthorizedError, Winnow } from "../../src/index.ts";
import { faultyServer, type FaultyServer } from "../FaultyServer.ts";

const client = ({ baseUrl }: FaultyServer) => new Winnow({ apiKey: "wnw_test", baseUrl });

const entry = (id: string, credits: number) => ({
  id,
  kind: credits < 0 ? "debit" : "top_up",
  credits,
  balanceAfter: 1_000,
  extractionId: credits < 0 ? "ext_1" : null,
  createdAt: "2026-01-01T00:00:00Z",
  note: ""
});

describe("the account", () => {
  it("is returned as the service sends it", async () => {
    const account = { id: "acc_1", name: "Ada", balance: 5, runningExtractions: 2, queuedExtractions: 1 };
    await using server = await faultyServer({ status: 200, body: account });
    assert.deepStrictEqual(await client(server).account(), account);
    const [seen] = server.seen;
    assert.deepStrictEqual([seen?.method, seen?.url], ["GET", "/v1/account"]);
    assert.strictEqual(seen?.headers.authorization, "Bearer wnw_test");
  });

  it("of a revoked key is an UnauthorizedError", async () => {
    const body = { error: { code: "unauthorized", message: "revoked" } };
    await using server = await faultyServer({ status: 401, body });
    const error = await client(server)
      .account()
      .catch((refused: unknown) => refused);
    assert.instanceOf(error, UnauthorizedError);
  });

  it("is requested again if the connection drops, and not after the caller aborts", async () => {
    await using server = await faultyServer("drop", { status: 200, body: { id: "acc_1" } });
    assert.strictEqual((await client(server).account()).id, "acc_1");
    assert.strictEqual(server.seen.length, 2);
    const signal = AbortSignal.abort(new Error("enough"));
    const error = await client(server)
      .account({ signal })
      .catch((reason: unknown) => reason);
    assert.strictEqual((error as Error).message, "enough");
  });
});

describe("the ledger", () => {
  it("continues with the next page by cursor", async () => {
    await using server = await faultyServer(
      { status: 200, body: { data: [entry("3", -50)], has_more: true, next_cursor: "c=1" } },
      { status: 200, body: { data: [entry("2", 10), entry("1", 5)], has_more: false, next_cursor: null } }
    );
    const seen: Array<readonly [string, number]> = [];
    for await (const { id, credits } of client(server).ledger.list({ limit: 2 })) seen.push([id, credits]);
    assert.deepStrictEqual(seen, [
      ["3", -50],
      ["2", 10],
      ["1", 5]
    ]);
    assert.deepStrictEqual(
      server.seen.map(({ url }) => url),
      ["/v1/ledger?limit=2", "/v1/ledger?limit=2&cursor=c%3D1"]
    );
  });

  it("requests only pages that are read", async () => {
    await using server = await faultyServer({
      status: 200,
      body: { data: [entry("3", -50)], has_more: true, next_cursor: "c" }
    });
    for await (const { kind, extractionId } of client(server).ledger.list()) {
      assert.deepStrictEqual([kind, extractionId], ["debit", "ext_1"]);
      break;
    }
    assert.strictEqual(server.seen.length, 1);
  });

  it("can be read one page at a time, and an invalid cursor is an InvalidRequestError", async () => {
    const page = { data: [entry("1", 5)], has_more: false, next_cursor: null };
    const error = { code: "invalid_request", message: "cursor", details: { param: "cursor" } };
    await using server = await faultyServer({ status: 200, body: page }, { status: 400, body: { error } });
    assert.deepStrictEqual(await client(server).ledger.page(), page as never);
    const refused = await client(server)
      .ledger.page({ cursor: "x" })
      .catch((reason: unknown) => reason);
    assert.instanceOf(refused, InvalidRequestError);
  });
});
