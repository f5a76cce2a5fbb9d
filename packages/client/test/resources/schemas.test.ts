import { assert, describe, it } from "vitest";
import { InvalidRequestError, NotFoundError, Winnow } from "../../src/index.ts";
import { faultyServer, type FaultyServer } from "../FaultyServer.ts";

const client = ({ baseUrl }: FaultyServer) => new Winnow({ apiKey: "wnw_test", baseUrl });

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => {
      throw new Error("expected a rejection");
    },
    (error: unknown) => error
  );

const calls = ({ seen }: FaultyServer) => seen.map(({ method, url }) => `${method} ${url}`);

const body = { name: "Topic", schema: { type: "object" }, prompt: "Be brief." };
const saved = { id: "sch_1", ...body, version: 1, createdAt: "2026-01-01T00:00:00Z" };

describe("schemas", () => {
  it("are saved, read and deleted", async () => {
    await using server = await faultyServer(
      { status: 201, body: saved },
      { status: 200, body: saved },
      { status: 204 }
    );
    const { schemas } = client(server);
    assert.deepStrictEqual(await schemas.save(body), saved);
    assert.deepStrictEqual(await schemas.get("sch_1"), saved);
    assert.isUndefined(await schemas.delete("sch_1"));
    assert.deepStrictEqual(calls(server), [
      "POST /v1/schemas",
      "GET /v1/schemas/sch_1",
      "DELETE /v1/schemas/sch_1"
    ]);
    assert.deepStrictEqual(JSON.parse(server.seen[0]?.body ?? ""), body);
  });

  it("are saved once, even if the request is sent repeatedly", async () => {
    await using server = await faultyServer(
      "drop",
      { status: 201, body: saved },
      { status: 201, body: saved },
      { status: 201, body: saved }
    );
    const { schemas } = client(server);
    await schemas.save(body);
    await schemas.save(body);
    await schemas.save(body, { idempotencyKey: "mine" });
    const keys = server.seen.map(({ headers }) => headers["idempotency-key"]);
    assert.match(String(keys[0]), /^[\da-f]{32}$/u);
    assert.strictEqual(keys[1], keys[0]);
    assert.notStrictEqual(keys[2], keys[0]);
    assert.strictEqual(keys[3], "mine");
    await rejection(schemas.save(body, { idempotencyKey: "\n" }));
    assert.lengthOf(server.seen, 4);
  });

  it("are listed page by page", async () => {
    await using server = await faultyServer(
      { status: 200, body: { data: [saved], has_more: true, next_cursor: "c&1" } },
      { status: 200, body: { data: [{ ...saved, id: "sch_0" }], has_more: false, next_cursor: null } }
    );
    const ids: Array<string> = [];
    for await (const { id } of client(server).schemas.list({ limit: 1 })) ids.push(id);
    assert.deepStrictEqual(ids, ["sch_1", "sch_0"]);
    assert.deepStrictEqual(calls(server), [
      "GET /v1/schemas?limit=1",
      "GET /v1/schemas?limit=1&cursor=c%261"
    ]);
  });

  it("that are refused or missing reject with the class of their error, without a retry", async () => {
    const envelope = (code: string) => ({ error: { code, message: "because" } });
    await using server = await faultyServer(
      { status: 400, body: envelope("invalid_request") },
      { status: 404, body: envelope("not_found") }
    );
    const { schemas } = client(server);
    assert.instanceOf(await rejection(schemas.delete("winnow.predefined.recipe.v1")), InvalidRequestError);
    assert.instanceOf(await rejection(schemas.get("sch_0")), NotFoundError);
    assert.strictEqual(server.seen.length, 2);
    assert.strictEqual(server.seen[1]?.url, "/v1/schemas/sch_0");
  });
});

describe("an extraction", () => {
  it("is cancelled and returned in its new state, even if the first response was lost", async () => {
    const cancelled = { id: "ext_1", status: "failed", phase: "failed" } as const;
    await using server = await faultyServer("drop", { status: 200, body: cancelled });
    const answer = await client(server).extractions.cancel("ext_1");
    assert.deepInclude(answer, cancelled);
    const call = "POST /v1/extractions/ext_1/cancel";
    assert.deepStrictEqual(calls(server), [call, call]);
  });

  it("is deleted, and nothing is returned", async () => {
    await using server = await faultyServer({ status: 204 });
    assert.isUndefined(await client(server).extractions.delete("ext_1"));
    assert.deepStrictEqual(calls(server), ["DELETE /v1/extractions/ext_1"]);
  });
});
