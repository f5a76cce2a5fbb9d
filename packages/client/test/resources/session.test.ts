import { assert, describe, it } from "vitest";
import { Winnow, WinnowError } from "../../src/index.ts";
import { faultyServer } from "../FaultyServer.ts";

/** A `fetch` that records its requests and returns empty responses. */
const recorder = () => {
  const seen: Array<{ readonly url: string; readonly init: RequestInit }> = [];
  const fetch = (url: unknown, init: RequestInit = {}) => {
    seen.push({ url: String(url), init });
    return Promise.resolve(new Response("{}", { status: 200 }));
  };
  return { seen, fetch: fetch as typeof globalThis.fetch };
};

describe("a client in a web session", () => {
  it("requests paths, with the page's cookie and without a key", async () => {
    for (const [baseUrl, url] of [
      [undefined, "/v1/account"],
      ["/winnow/", "/winnow/v1/account"]
    ] as const) {
      const { seen, fetch } = recorder();
      await new Winnow({ session: true, baseUrl, fetch }).account();
      assert.strictEqual(seen[0]?.url, url);
      assert.strictEqual(seen[0]?.init.credentials, "same-origin");
      assert.notProperty(seen[0]?.init.headers, "authorization");
    }
  });

  it("sends no cookie if it has a key", async () => {
    const { seen, fetch } = recorder();
    await new Winnow({ apiKey: "wnw_test", fetch }).account();
    assert.notProperty(seen[0]?.init, "credentials");
  });

  it("cannot have a key as well", () => {
    assert.throws(() => new Winnow({ session: true, apiKey: "wnw_test" }), WinnowError, "mutually exclusive");
    assert.throws(() => new Winnow({}), WinnowError, "apiKey");
  });

  it("invites and removes members, with what they made or without it", async () => {
    await using server = await faultyServer({ status: 200, body: { data: [] } });
    const { members } = new Winnow({ session: true, baseUrl: server.baseUrl });
    await members.list();
    await members.add({ email: "ada@example.com" });
    await members.remove("mem_1");
    await members.remove("mem_1", { revoke: false });
    await members.remove("mem_1", { revoke: true });
    assert.deepStrictEqual(
      server.seen.map(({ method, url }) => `${method} ${url}`),
      [
        "GET /v1/members",
        "POST /v1/members",
        "DELETE /v1/members/mem_1",
        "DELETE /v1/members/mem_1",
        "DELETE /v1/members/mem_1?revoke=true"
      ]
    );
  });

  it("creates, lists and revokes keys, and signs out", async () => {
    await using server = await faultyServer({ status: 200, body: { data: [] } });
    const winnow = new Winnow({ session: true, baseUrl: server.baseUrl });
    await winnow.apiKeys.list();
    await winnow.apiKeys.create({ name: "Laptop" });
    await winnow.apiKeys.revoke("key_1");
    await winnow.session.list();
    await winnow.session.signOutEverywhere();
    await winnow.session.signOut();
    assert.deepStrictEqual(
      server.seen.map(({ method, url }) => `${method} ${url}`),
      [
        "GET /v1/api-keys",
        "POST /v1/api-keys",
        "DELETE /v1/api-keys/key_1",
        "GET /v1/sessions",
        "DELETE /v1/sessions",
        "DELETE /v1/session"
      ]
    );
  });

  it("creates one key per call, in spite of connection errors", async () => {
    await using server = await faultyServer("drop", { status: 201, body: {} });
    const winnow = new Winnow({ session: true, baseUrl: server.baseUrl });
    await winnow.apiKeys.create().then(
      () => assert.fail("it was made twice"),
      () => undefined
    );
    assert.strictEqual(server.seen.length, 1);
  });
});

describe("files", () => {
  it("can be linked by name, and downloaded as one archive", async () => {
    const link = { url: "https://winnow.example/v1/x", expiresAt: "2026-01-01T00:15:00Z" };
    await using server = await faultyServer(
      { status: 201, body: link },
      { status: 200, body: Buffer.from("PK") }
    );
    const { files } = new Winnow({ apiKey: "wnw_test", baseUrl: server.baseUrl });
    assert.deepStrictEqual(await files.link("ext_1", "a b.mp4"), link);
    assert.strictEqual(await (await files.zip("ext_1")).text(), "PK");
    assert.deepStrictEqual(
      server.seen.map(({ method, url }) => `${method} ${url}`),
      ["POST /v1/extractions/ext_1/files/a%20b.mp4/links", "GET /v1/extractions/ext_1/files.zip"]
    );
  });
});

describe("reads of the account", () => {
  it("send filters with every page", async () => {
    const page = (next_cursor: string | null) => ({ data: [], has_more: next_cursor !== null, next_cursor });
    await using server = await faultyServer(
      { status: 200, body: page("c") },
      { status: 200, body: page(null) }
    );
    const { extractions } = new Winnow({ apiKey: "wnw_test", baseUrl: server.baseUrl });
    const since = new Date(Date.UTC(2026, 0, 2));
    const filter = { status: "failed", kind: "video", since, q: "a b", outcome: undefined } as const;
    for await (const _ of extractions.list({ limit: 5, ...filter })) assert.fail("there are none");
    const query = "status=failed&kind=video&since=2026-01-02T00%3A00%3A00.000Z&q=a+b&limit=5";
    assert.deepStrictEqual(
      server.seen.map(({ url }) => url),
      [`/v1/extractions?${query}`, `/v1/extractions?${query}&cursor=c`]
    );
  });

  it("return the request of an extraction, and the usage", async () => {
    await using server = await faultyServer({ status: 200, body: { data: [] } });
    const winnow = new Winnow({ apiKey: "wnw_test", baseUrl: server.baseUrl });
    await winnow.extractions.request("ext_1");
    await winnow.usage();
    await winnow.usage({ days: 7 });
    assert.deepStrictEqual(
      server.seen.map(({ url }) => url),
      ["/v1/extractions/ext_1/request", "/v1/usage", "/v1/usage?days=7"]
    );
  });
});
