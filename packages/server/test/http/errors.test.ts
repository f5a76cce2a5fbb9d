import { assert, layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import type { Answer } from "../ApiCall.ts";
import { ADMIN_TOKEN, TestApp, VIDEO } from "../TestApp.ts";

const ENVELOPE = ["code", "message", "details"];

const assertEnvelope = ({ json, headers }: Answer, code: string): void => {
  assert.strictEqual(json.error.code, code);
  assert.isNotEmpty(json.error.message);
  assert.deepStrictEqual(Object.keys(json), ["error"]);
  assert.includeMembers(ENVELOPE, Object.keys(json.error));
  assert.include(headers.get("content-type"), "application/json");
  assert.isString(headers.get("x-request-id"));
};

layer(TestApp.layer, { excludeTestServices: true })("errors", (it) => {
  it.effect("an unknown path is 404", () =>
    Effect.gen(function* () {
      const { call } = yield* TestApp;
      for (const path of [
        "/v1",
        "/v1/nothing",
        "/V1/extractions",
        "/v1//extractions",
        "/v1/extractions/a/b",
        "/%zz"
      ]) {
        const answer = yield* call(path);
        assert.strictEqual(answer.status, 404, path);
        assertEnvelope(answer, "not_found");
      }
    })
  );

  it.effect("an unsupported method is 405, with the supported ones", () =>
    Effect.gen(function* () {
      const { call } = yield* TestApp;
      const allowed = [
        ["DELETE", "/v1/extractions", "POST, GET, HEAD"],
        ["PUT", "/v1/extract", "POST"],
        ["GET", "/v1/probe?x=1", "POST"],
        ["POST", "/v1/extractions/abc/files/video.mp4", "GET, HEAD"],
        ["PUT", "/admin/v1/accounts/abc", "PATCH, GET, HEAD"],
        ["POST", "/healthz", "GET, HEAD"],
        ["PUT", "/v1/batches/quote", "POST"],
        ["PUT", "/v1/webhook-deliveries/redeliver", "POST"],
        ["PUT", "/v1/extractions/abc/files/video.mp4/links", "POST"]
      ] as const;
      for (const [method, path, methods] of allowed) {
        const answer = yield* call(path, { method });
        assert.strictEqual(answer.status, 405, `${method} ${path}`);
        assert.strictEqual(answer.headers.get("allow"), methods);
        assertEnvelope(answer, "invalid_request");
      }
    })
  );

  it.effect("malformed JSON is 400", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const bodies = ["{", "", "{'url':1}", new Uint8Array([0x22, 0xff, 0x22]), `{"url":"${VIDEO}"} x`];
      for (const body of bodies) {
        const { key } = yield* account(0);
        const answer = yield* call("/v1/extractions", { key, body });
        assert.strictEqual(answer.status, 400);
        assertEnvelope(answer, "invalid_request");
        assert.strictEqual(answer.json.error.details.param, body === "" ? "url" : "body");
      }
    })
  );

  it.effect("a body that is not sent as plain JSON is 415, naming the header", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const types = [
        [{ "content-type": "text/plain" }, "Content-Type"],
        [{ "content-type": "application/x-www-form-urlencoded" }, "Content-Type"],
        [{ "content-type": "application/json; charset=latin1" }, "Content-Type"],
        [{ "content-type": "application/json", "content-encoding": "gzip" }, "Content-Encoding"]
      ] as const;
      for (const [headers, param] of types) {
        const { key } = yield* account(0);
        const answer = yield* call("/v1/probe", { key, body: "{}", headers });
        assert.strictEqual(answer.status, 415);
        assertEnvelope(answer, "invalid_request");
        assert.deepStrictEqual(answer.json.error.details, { param });
        assert.strictEqual(answer.headers.get("x-ratelimit-limit"), "10");
      }
      const { key } = yield* account(0);
      const headers = { "content-type": 'Application/JSON; charset="UTF-8"' };
      assert.strictEqual((yield* call("/v1/probe", { key, body: "{}", headers })).status, 400);
    })
  );

  it.effect("a body over 256 KB is 413, with or without Content-Length", () =>
    Effect.gen(function* () {
      const { account, call, raw } = yield* TestApp;
      const { key } = yield* account(0);
      const answer = yield* call("/v1/extractions", { key, body: `"${"a".repeat(262_143)}"` });
      assert.strictEqual(answer.status, 413);
      assertEnvelope(answer, "invalid_request");
      assert.deepStrictEqual(answer.json.error.details, { param: "body", maxBytes: 262_144 });
      const chunk = `10000\r\n${"a".repeat(65_536)}\r\n`;
      const untold = yield* raw(
        `POST /v1/extractions HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Api-Key: ${key}\r\n` +
          `Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(5)}0\r\n\r\n`
      );
      assert.match(untold, /^HTTP\/1\.1 413 /u);
      assert.include(untold, '"code":"invalid_request"');
      const fits = yield* call("/v1/extractions", { key, body: `"${"a".repeat(262_142)}"` });
      assert.strictEqual(fits.status, 400);
    })
  );

  it.effect("JSON nested up to the size limit is handled", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { key } = yield* account(0);
      const bombs = [
        "[".repeat(200_000),
        `${"[".repeat(100_000)}${"]".repeat(100_000)}`,
        `{"url":${'{"a":'.repeat(40_000)}1${"}".repeat(40_000)}}`,
        `{"url":"${VIDEO}","__proto__":{"force":true}}`
      ];
      for (const body of bombs) {
        const answer = yield* call("/v1/extractions", { key, body });
        assert.strictEqual(answer.status, 400);
        assertEnvelope(answer, "invalid_request");
      }
      assert.strictEqual((yield* call("/healthz")).status, 200);
    })
  );

  it.effect("a request without a valid key is 401, without rate-limit headers", () =>
    Effect.gen(function* () {
      const { account, call, accounts } = yield* TestApp;
      const { id, key } = yield* account(0);
      const refused = [
        {},
        { headers: { authorization: "Bearer nonsense" } },
        { key: `${key.slice(0, -1)}${key.endsWith("x") ? "y" : "x"}` },
        { key, headers: { authorization: "Bearer other" } },
        { headers: { authorization: `Basic ${key}` } }
      ];
      for (const options of refused) {
        const answer = yield* call("/v1/extractions", options);
        assert.strictEqual(answer.status, 401);
        assertEnvelope(answer, "unauthorized");
        assert.isNull(answer.headers.get("x-ratelimit-limit"));
        assert.strictEqual(answer.headers.get("www-authenticate"), "Bearer");
      }
      const accepted = [
        { key },
        { headers: { authorization: `Bearer ${key}` } },
        { key, headers: { authorization: `bearer ${key}` } }
      ];
      for (const options of accepted)
        assert.strictEqual((yield* call("/v1/extractions", options)).status, 200);
      const second = yield* Effect.orDie(accounts.createApiKey(id, "second"));
      yield* Effect.orDie(accounts.revokeApiKey(second.id));
      assert.strictEqual((yield* call("/v1/extractions", { key: second.key })).status, 401);
      assert.strictEqual((yield* call("/v1/extractions", { key: ADMIN_TOKEN })).status, 401);
    })
  );

  it.effect("the key is checked before the body", () =>
    Effect.gen(function* () {
      const { call } = yield* TestApp;
      assert.strictEqual((yield* call("/v1/extractions", { body: "{" })).status, 401);
    })
  );

  it.effect("a valid request id is returned, an invalid one is replaced", () =>
    Effect.gen(function* () {
      const { call } = yield* TestApp;
      const idOf = (sent: string) =>
        Effect.map(call("/healthz", { headers: { "x-request-id": sent } }), ({ headers }) =>
          headers.get("x-request-id")
        );
      assert.strictEqual(yield* idOf("req_1.a:b/c"), "req_1.a:b/c");
      for (const sent of ["has space", "a".repeat(129), "<b>", ""]) {
        assert.match((yield* idOf(sent)) ?? "", /^[\da-f-]{36}$/u);
      }
    })
  );

  it.effect("an invalid HTTP request gets the error envelope too", () =>
    Effect.gen(function* () {
      const { raw } = yield* TestApp;
      const answer = yield* raw("NONSENSE\r\n\r\n");
      assert.match(answer, /^HTTP\/1\.1 400 Bad Request\r\n/u);
      assert.match(answer, /X-Request-Id: /u);
      assert.include(answer, '{"error":{"code":"invalid_request"');
      const flooded = yield* raw(`GET /healthz HTTP/1.1\r\nHost: x\r\nX: ${"a".repeat(20_000)}\r\n\r\n`);
      assert.match(flooded, /^HTTP\/1\.1 431 /u);
    })
  );

  it.effect("a path with an invalid encoding or a very long id is handled like any other", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { key } = yield* account(0);
      const file = yield* call("/v1/extractions/none/files/%zz", { key });
      assert.strictEqual(file.status, 400);
      assert.strictEqual(file.json.error.details.param, "name");
      assert.strictEqual(file.headers.get("x-ratelimit-remaining"), "59");
      for (const id of ["%zz", "%", "%e0%a4", "%00", "a".repeat(8_000)]) {
        const answer = yield* call(`/v1/extractions/${id}`, { key });
        assert.strictEqual(answer.status, 404, id.slice(0, 10));
        assertEnvelope(answer, "not_found");
        assert.isString(answer.headers.get("x-ratelimit-limit"));
        assert.strictEqual((yield* call(`/v1/extractions/${id}`)).status, 401, id.slice(0, 10));
      }
    })
  );

  it.effect("text that the database cannot store is rejected anywhere in the body", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { key } = yield* account(0);
      const cases = [
        [String.raw`{"url":"https://example.com/\u0000"}`, "invalid_url", "url"],
        [String.raw`{"url":"https://example.com/\ud800"}`, "invalid_url", "url"],
        [String.raw`{"url":"${VIDEO}","schema":{"a":["\ud800"]}}`, "invalid_request", "schema"],
        [String.raw`{"url":"${VIDEO}","schema":{"\u0000":1}}`, "invalid_request", "schema"],
        [String.raw`{"url":"${VIDEO}","prompt":"\u0000"}`, "invalid_request", "prompt"]
      ];
      for (const [body, code, param] of cases) {
        const answer = yield* call("/v1/extractions", { key, body });
        assert.strictEqual(answer.status, 400, body);
        assert.deepInclude(answer.json.error, { code }, body);
        assert.strictEqual(answer.json.error.details.param, param);
      }
      const spelt = String.raw`{"url":"${VIDEO}","prompt":"\\u0000 \ud83d\ude00"}`;
      assert.strictEqual((yield* call("/v1/extractions", { key, body: spelt })).status, 402);
      const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
      const named = yield* call("/admin/v1/accounts", { headers, body: String.raw`{"name":"a\u0000"}` });
      assert.strictEqual(named.status, 400);
      assert.strictEqual(named.json.error.details.param, "name");
    })
  );

  it.effect(
    "HTTP/1.1 without a Host or with two is 400, even for CONNECT, and an Expect header changes nothing",
    () =>
      Effect.gen(function* () {
        const { raw } = yield* TestApp;
        const close = "Connection: close\r\n\r\n";
        for (const hosts of ["", "Host: x\r\nHost: y\r\n", "Host: x\r\nhost: x\r\n"]) {
          const answer = yield* raw(`GET /healthz HTTP/1.1\r\n${hosts}${close}`);
          assert.match(answer, /^HTTP\/1\.1 400 [\s\S]*invalid_request/u, hosts);
        }
        assert.match(yield* raw(`GET /healthz HTTP/1.0\r\n${close}`), /^HTTP\/1\.1 200 /u);
        const tunnel = yield* raw(`CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n${close}`);
        assert.match(tunnel, /^HTTP\/1\.1 400 [\s\S]*invalid_request/u);
        const expecting = yield* raw(`GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\n${close}`);
        assert.match(expecting, /^HTTP\/1\.1 200 /u);
      })
  );

  it.effect("every answer tells browsers not to guess its type", () =>
    Effect.gen(function* () {
      const { account, call, raw } = yield* TestApp;
      const { key } = yield* account(0);
      for (const path of [
        "/v1/results",
        "/v1/results?format=jsonl",
        "/v1/account",
        "/v1/nothing",
        "/healthz",
        "/metrics"
      ]) {
        const { headers } = yield* call(path, { key });
        assert.strictEqual(headers.get("x-content-type-options"), "nosniff", path);
      }
      assert.match(yield* raw("NONSENSE\r\n\r\n"), /^x-content-type-options: nosniff\r$/imu);
    })
  );

  it.effect("pages of an allowed origin may use every method and header of the API document", () =>
    Effect.gen(function* () {
      const { call } = yield* TestApp;
      const { json: document } = yield* call("/v1/openapi.json");
      const operations = Object.values<Record<string, any>>(document.paths).flatMap((path) =>
        Object.entries(path)
      );
      const resolved = (node: any): any =>
        node.$ref === undefined
          ? node
          : node.$ref
              .slice(2)
              .split("/")
              .reduce((found: any, name: string) => found[name], document);
      const inHeaders = ({ in: place }: { readonly in: string }): boolean => place === "header";
      const sent = [
        ...operations.flatMap(([, { parameters = [] }]) => parameters.map(resolved)),
        ...Object.values<any>(document.components.securitySchemes)
      ].filter(inHeaders);
      const answered = operations.flatMap(([, { responses }]) =>
        Object.values<any>(responses).flatMap((response) => Object.keys(resolved(response).headers ?? {}))
      );
      const origin = "https://app.example";
      const { headers: preflight } = yield* call("/v1/extractions", {
        method: "OPTIONS",
        headers: { origin, "access-control-request-method": "POST" }
      });
      const { headers: answer } = yield* call("/healthz", { headers: { origin } });
      const named = (headers: Headers, name: string): ReadonlyArray<string> =>
        (headers.get(`access-control-${name}`) ?? "").toLowerCase().split(/, */u);
      assert.includeMembers(
        [...named(preflight, "allow-methods")],
        [...new Set(operations.map(([method]) => method))]
      );
      const names: ReadonlyArray<string> = sent.map(({ name }) => name.toLowerCase());
      assert.includeMembers([...named(preflight, "allow-headers")], [...names, "x-winnow-account"]);
      // Those that scripts may always read, or never need.
      const others =
        /^(?:cache-control|content-security-policy|location|referrer-policy|set-cookie|www-authenticate|x-.*)$/u;
      const read = answered.map((name) => name.toLowerCase()).filter((name) => !others.test(name));
      assert.includeMembers([...named(answer, "expose-headers")], read);
    })
  );

  it.effect("only browser pages of an allowed origin may call", () =>
    Effect.gen(function* () {
      const { call } = yield* TestApp;
      const preflight = yield* call("/v1/extractions", {
        method: "OPTIONS",
        headers: { origin: "https://app.example", "access-control-request-method": "POST" }
      });
      assert.strictEqual(preflight.status, 204);
      assert.strictEqual(preflight.headers.get("access-control-allow-origin"), "https://app.example");
      assert.include(preflight.headers.get("access-control-allow-headers") ?? "", "Idempotency-Key");
      const other = yield* call("/healthz", { headers: { origin: "https://evil.example" } });
      assert.notStrictEqual(other.headers.get("access-control-allow-origin"), "https://evil.example");
      assert.notStrictEqual(other.headers.get("access-control-allow-origin"), "*");
    })
  );
});
