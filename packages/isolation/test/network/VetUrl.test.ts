import { readFileSync } from "node:fs";
import { assert, describe, it } from "@effect/vitest";
import { vetUrl, type VetUrlOptions } from "../../src/network/index.ts";

interface SsrfCase {
  readonly input: string;
  readonly expected_page: "public" | "blocked";
  readonly expected_webhook: "public" | "blocked";
  readonly why: string;
  readonly dns?: ReadonlyArray<string>;
}

const { cases } = JSON.parse(readFileSync(new URL("./ssrf-cases.json", import.meta.url), "utf8")) as {
  readonly cases: ReadonlyArray<SsrfCase>;
};

const PUBLIC = "93.184.215.14";
const answering =
  (...addresses: ReadonlyArray<string>) =>
  async () =>
    addresses;
const vet = (input: string, options: VetUrlOptions = {}) =>
  vetUrl(input, { resolve: answering(PUBLIC), ...options });
const reasonFor = async (input: string, options?: VetUrlOptions) => {
  const verdict = await vet(input, options);
  return verdict.ok ? "ok" : verdict.reason;
};

describe("the collected cases", () => {
  it.each(cases)("$input ($why)", async ({ input, dns, expected_page, expected_webhook }) => {
    const resolve = answering(...(dns ?? []));
    assert.strictEqual((await vetUrl(input, { profile: "page", resolve })).ok, expected_page === "public");
    assert.strictEqual(
      (await vetUrl(input, { profile: "webhook", resolve })).ok,
      expected_webhook === "public"
    );
  });
});

describe("spellings of a host", () => {
  it.each([
    ["http://１２７.０.０.１/", "address"],
    ["http://①②⑦.⓪.⓪.①/", "address"],
    ["http://127。0。0。1/", "address"],
    ["http://0x7f.1/", "address"],
    ["http://127.0.0.1%2e/", "address"],
    ["http://[::ffff:127.0.0.1]/", "address"],
    ["http://[fe80::1%25eth0]/", "invalid_url"],
    ["http://loc\u200balhost/", "host_name"],
    ["http://localhost./", "host_name"],
    ["http://LOCALHOST/", "host_name"],
    ["http://foo.localhost./", "host_name"],
    ["http://localhost.localdomain/", "host_name"],
    ["http://example.org../", "host_name"],
    ["http://.example.org/", "host_name"],
    ["http://exa..mple.org/", "host_name"],
    ["http://*.example.org/", "host_name"],
    ["http://example.org%00.evil.net/", "invalid_url"],
    ["http://user@example.org/", "credentials"],
    ["http://:pw@example.org/", "credentials"],
    ["http://example.org@127.0.0.1/", "credentials"],
    ["http://example.org:0/", "port"],
    ["http://example.org:65536/", "invalid_url"],
    ["http://example.org:22/", "port"],
    ["http://127.0.0.1:22/", "address"],
    ["http://ex\tample.org/", "invalid_url"],
    ["http://example.org/a b", "invalid_url"],
    ["//example.org/", "invalid_url"],
    ["file:///etc/passwd", "invalid_url"],
    ["file://example.org/etc/passwd", "scheme"],
    ["data:text/html,x", "invalid_url"],
    [`https://example.org/${"a".repeat(2048)}`, "invalid_url"],
    ["https://example.org./", "ok"],
    ["https://example.org:443/", "ok"],
    ["http://example.org:8080/", "ok"]
  ])("%j: %s", async (input, expected) => assert.strictEqual(await reasonFor(input), expected));

  it("is not a string", async () => {
    for (const input of [null, undefined, 1, {}, ["https://example.org/"]]) {
      assert.strictEqual(await reasonFor(input as unknown as string), "invalid_url");
    }
  });
});

describe("results of the resolver", () => {
  it.each([
    ["one private among public ones", [PUBLIC, "10.0.0.5"], "address"],
    ["a name made of its private address", ["127.0.0.1"], "address"],
    ["IPv4-mapped", ["::ffff:10.0.0.1"], "address"],
    ["no answer", [], "unresolvable"],
    ["an answer that is not an address", ["example.net"], "address"],
    ["public, both families", [PUBLIC, "2606:4700:4700::1111"], "ok"]
  ] as const)("%s", async (_why, addresses, expected) => {
    assert.strictEqual(
      await reasonFor("https://a.example.org/", { resolve: answering(...addresses) }),
      expected
    );
  });

  it("are requested once and returned to the caller", async () => {
    let lookups = 0;
    const resolve = async () => [lookups++ === 0 ? PUBLIC : "127.0.0.1"];
    assert.deepStrictEqual(await vet("https://Example.org/x", { resolve }), {
      ok: true,
      url: "https://example.org/x",
      addresses: [PUBLIC]
    });
    assert.strictEqual(lookups, 1);
  });

  it("may be objects like those of node:dns, and an error means none", async () => {
    const resolve = async () => [{ address: PUBLIC, family: 4 }];
    assert.strictEqual(await reasonFor("https://example.org/", { resolve }), "ok");
    const failing = () => Promise.reject(new Error("SERVFAIL"));
    assert.strictEqual(await reasonFor("https://example.org/", { resolve: failing }), "unresolvable");
  });

  it("are not requested if the URL decides", async () => {
    const resolve = () => assert.fail("resolved");
    for (const input of [
      "http://localhost/",
      "http://a.internal/",
      "http://example.org:25/",
      "http://10.0.0.1/"
    ]) {
      assert.notStrictEqual(await reasonFor(input, { resolve }), "ok");
    }
  });
});

describe("the allow-list", () => {
  const LOOPBACK = answering("127.0.0.1");

  it.each([
    ["http://127.0.0.1:4000/", ["127.0.0.1:4000"], "ok"],
    ["http://127.0.0.1:4001/", ["127.0.0.1:4000"], "address"],
    ["http://127.0.0.2:4000/", ["127.0.0.1:4000"], "address"],
    ["http://2130706433:4000/", ["127.0.0.1:4000"], "ok"],
    ["http://[::ffff:7f00:1]:4000/", ["127.0.0.1:4000"], "address"],
    ["http://127.9.9.9:4000/", ["127.0.0.0/8"], "ok"],
    ["http://[::1]:4000/", ["[::1]:4000"], "ok"],
    ["http://localhost:4000/", ["localhost:4000"], "ok"],
    ["http://localhost:4001/", ["localhost:4000"], "host_name"],
    ["http://localhost.:4000/", ["localhost:4000"], "ok"],
    ["http://wiki.corp/", ["127.0.0.0/8"], "ok"],
    ["http://wiki.corp/", ["10.0.0.0/8"], "host_name"],
    ["http://other.corp/", ["wiki.corp"], "host_name"],
    ["http://a.example.org:4000/", ["127.0.0.1:4000"], "ok"],
    ["http://a.example.org/", ["127.0.0.1:4000"], "address"],
    ["http://user@127.0.0.1:4000/", ["127.0.0.1:4000"], "credentials"],
    ["ftp://127.0.0.1:4000/", ["127.0.0.1:4000"], "scheme"]
  ] as const)("%s with %j: %s", async (input, allow, expected) => {
    assert.strictEqual(await reasonFor(input, { allow, resolve: LOOPBACK }), expected);
  });

  it("opens no further port of a public address", async () => {
    assert.strictEqual(await reasonFor("http://a.example.org:25/", { allow: ["10.0.0.0/8"] }), "port");
  });

  it("does not exempt webhooks from https", async () => {
    const allow = ["127.0.0.1:4000"];
    assert.strictEqual(await reasonFor("http://127.0.0.1:4000/", { allow, profile: "webhook" }), "scheme");
    assert.strictEqual(await reasonFor("https://127.0.0.1:4000/", { allow, profile: "webhook" }), "ok");
    assert.strictEqual(await reasonFor("https://example.org:8080/", { profile: "webhook" }), "port");
  });

  it("with an invalid entry rejects it by name", async () => {
    const error = await vet("https://example.org/", { allow: ["10.0.0.0/99"] }).catch(
      (cause: unknown) => cause
    );
    assert.include(String((error as Error).message), "10.0.0.0/99");
  });
});
