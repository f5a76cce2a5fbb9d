import { assert, describe, it } from "vitest";
import { ConnectionError, InvalidRequestError, Winnow } from "../../src/index.ts";
import { faultyServer, type FaultyServer } from "../FaultyServer.ts";

const client = ({ baseUrl }: FaultyServer) => new Winnow({ apiKey: "wnw_test", baseUrl });
const calls = ({ seen }: FaultyServer) => seen.map(({ method, url }) => `${method} ${url}`);
const rejection = (promise: Promise<unknown>) => promise.then(() => null).catch((error: unknown) => error);

const endpoint = {
  id: "whe_1",
  url: "https://example.com/hook",
  createdAt: "2026-01-01T00:00:00Z",
  failingSince: null,
  disabledAt: null,
  notice: null,
  createdBy: null
};
const delivery = { id: "whd_1", event: "test", status: "pending" } as const;

describe("webhook endpoints", () => {
  it("are created, listed, tested, enabled, rotated and deleted", async () => {
    const secret = "whsec_new";
    await using server = await faultyServer(
      { status: 201, body: { ...endpoint, secret } },
      { status: 200, body: { data: [endpoint] } },
      { status: 202, body: delivery },
      { status: 200, body: endpoint },
      { status: 200, body: { ...endpoint, secret } },
      { status: 204 }
    );
    const { webhookEndpoints } = client(server);
    assert.deepStrictEqual(await webhookEndpoints.create({ url: endpoint.url }), { ...endpoint, secret });
    for await (const each of webhookEndpoints.list()) assert.deepStrictEqual(each, endpoint);
    assert.deepInclude(await webhookEndpoints.test("whe_1"), delivery);
    assert.deepStrictEqual(await webhookEndpoints.enable("whe_1"), endpoint);
    assert.strictEqual((await webhookEndpoints.rotateSecret("whe_1")).secret, secret);
    assert.isUndefined(await webhookEndpoints.delete("whe_1"));
    assert.deepStrictEqual(calls(server), [
      "POST /v1/webhook-endpoints",
      "GET /v1/webhook-endpoints",
      "POST /v1/webhook-endpoints/whe_1/test",
      "POST /v1/webhook-endpoints/whe_1/enable",
      "POST /v1/webhook-endpoints/whe_1/rotate-secret",
      "DELETE /v1/webhook-endpoints/whe_1"
    ]);
    assert.deepStrictEqual(JSON.parse(server.seen[0]?.body ?? ""), { url: endpoint.url });
  });

  it("are created once, and a retry returns the secret", async () => {
    await using server = await faultyServer("drop", {
      status: 201,
      body: { ...endpoint, secret: "whsec_1" }
    });
    const made = await client(server).webhookEndpoints.create({ url: endpoint.url });
    assert.strictEqual(made.secret, "whsec_1");
    const [first, second] = server.seen.map(({ headers }) => headers["idempotency-key"]);
    assert.match(String(first), /^[\da-f]{32}$/u);
    assert.strictEqual(second, first);
  });

  it("are rotated at most once: a second one would end the secret in use", async () => {
    await using server = await faultyServer("drop", { status: 200, body: endpoint });
    const error = await rejection(client(server).webhookEndpoints.rotateSecret("whe_1"));
    assert.instanceOf(error, ConnectionError);
    assert.strictEqual(server.seen.length, 1);
  });
});

describe("webhook deliveries", () => {
  it("are listed by status page by page, shown, and sent again", async () => {
    const page = (id: string, cursor: string | null) => ({
      status: 200,
      body: { data: [{ ...delivery, id }], has_more: cursor !== null, next_cursor: cursor }
    });
    await using server = await faultyServer(
      page("whd_2", "c"),
      page("whd_1", null),
      { status: 200, body: { ...delivery, attempts: [] } },
      { status: 202, body: delivery },
      { status: 202, body: { redelivered: 2 } }
    );
    const { webhookDeliveries } = client(server);
    const ids: Array<string> = [];
    for await (const { id } of webhookDeliveries.list({ status: "failed", limit: 1 })) ids.push(id);
    assert.deepStrictEqual(ids, ["whd_2", "whd_1"]);
    assert.deepStrictEqual((await webhookDeliveries.get("whd_1")).attempts, []);
    assert.deepInclude(await webhookDeliveries.redeliver("whd_1"), delivery);
    const since = new Date(0);
    assert.deepStrictEqual(await webhookDeliveries.redeliverFailed({ since }), { redelivered: 2 });
    assert.deepStrictEqual(calls(server), [
      "GET /v1/webhook-deliveries?status=failed&limit=1",
      "GET /v1/webhook-deliveries?status=failed&limit=1&cursor=c",
      "GET /v1/webhook-deliveries/whd_1",
      "POST /v1/webhook-deliveries/whd_1/redeliver",
      "POST /v1/webhook-deliveries/redeliver"
    ]);
    assert.deepStrictEqual(JSON.parse(server.seen[4]?.body ?? ""), { since: "1970-01-01T00:00:00.000Z" });
  });

  it("that cannot be sent again reject with the class of their error", async () => {
    const body = { error: { code: "invalid_request", message: "because" } };
    await using server = await faultyServer({ status: 400, body });
    assert.instanceOf(
      await rejection(client(server).webhookDeliveries.redeliver("whd_1")),
      InvalidRequestError
    );
  });
});
