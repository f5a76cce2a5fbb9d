import { assert, describe, it as plain, layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { openApiDocument } from "../../../src/routes/Api.ts";
import { isSameOrigin } from "../../../src/http/authentication/webSession.ts";
import { SAME_ORIGIN, signedIn } from "../../SignedIn.ts";
import { ARTICLE, PUBLIC_URL, TestApp, VIDEO } from "../../TestApp.ts";

type Table = ReadonlyArray<readonly [what: string, headers: Record<string, string>, allowed: boolean]>;

/** Headers of a request that makes a change, as browsers send them, and whether it is accepted. */
const ORIGINS: Table = [
  ["a page of the server", SAME_ORIGIN, true],
  ["a page of the server, by fetch metadata alone", { "sec-fetch-site": "same-origin" }, true],
  ["a page of the server, by an older browser", { origin: PUBLIC_URL }, true],
  ["nothing that tells", {}, false],
  ["another site", { "sec-fetch-site": "cross-site", origin: "https://evil.example" }, false],
  ["another site that hides its origin", { "sec-fetch-site": "cross-site", origin: "null" }, false],
  ["a sandboxed frame", { origin: "null" }, false],
  ["a sister domain", { "sec-fetch-site": "same-site", origin: "https://a.winnow.example" }, false],
  ["another site, by an older browser", { origin: "https://evil.example" }, false],
  ["another port", { origin: `${PUBLIC_URL}:8443` }, false],
  ["another scheme", { origin: PUBLIC_URL.replace("https", "http") }, false],
  ["a name that begins alike", { origin: `${PUBLIC_URL}.evil.example` }, false],
  ["the address bar", { "sec-fetch-site": "none" }, false],
  ["two that differ", { "sec-fetch-site": "same-origin", origin: "https://evil.example" }, false],
  ["an origin that is allowed by CORS", { origin: "https://app.example" }, false]
];

/** Every operation that makes changes and requires authentication. */
const CHANGES = Object.entries<Record<string, any>>(openApiDocument().paths)
  .flatMap(([path, item]) => Object.entries(item).map(([method, of]) => ({ path, method, of })))
  .filter(({ method, of }) => method !== "get" && of["security"].length > 0);

describe("same origin", () => {
  for (const [what, headers, allowed] of ORIGINS) {
    plain(`${what} ${allowed ? "may" : "may not"} make changes`, () => {
      for (const method of ["POST", "DELETE", "PUT", "PATCH"]) {
        assert.strictEqual(isSameOrigin({ method, headers }, PUBLIC_URL), allowed);
      }
      for (const method of ["GET", "HEAD"]) {
        assert.isTrue(isSameOrigin({ method, headers }, PUBLIC_URL), "reading changes nothing");
      }
    });
  }

  plain("a path of the public URL is not part of its origin", () => {
    const headers = { origin: "https://host.example" };
    assert.isTrue(isSameOrigin({ method: "POST", headers }, "https://host.example/winnow"));
  });
});

layer(TestApp.layerUnlimited, { excludeTestServices: true })("web sessions", (it) => {
  it.effect("the cookie alone cannot make changes, except from a page of the server", () =>
    Effect.gen(function* () {
      const { account, call, store } = yield* TestApp;
      const me = yield* account(100_000);
      const { cookie } = yield* signedIn(me.id);
      const before = yield* store.getAccount(me.id);
      for (const [what, headers, allowed] of ORIGINS.filter(([, , isAllowed]) => !isAllowed)) {
        for (const [path, method, body] of [
          ["/v1/extractions", "POST", { url: ARTICLE }],
          ["/v1/probe", "POST", { url: ARTICLE }],
          ["/v1/api-keys", "POST", {}],
          ["/v1/session", "DELETE", undefined]
        ] as const) {
          const answer = yield* call(path, { method, body, headers: { cookie, ...headers } });
          assert.strictEqual(answer.status, allowed ? 201 : 401, `${what} ${path}`);
          assert.strictEqual(answer.json.error.details.reason, "cross_origin");
          assert.include(answer.json.error.message, PUBLIC_URL);
        }
      }
      assert.deepStrictEqual(yield* store.getAccount(me.id), before);
      assert.strictEqual((yield* store.listApiKeys(me.id)).length, 1);
      assert.strictEqual((yield* call("/v1/account", { headers: { cookie } })).status, 200);
    })
  );

  it.effect("no endpoint accepts a change from another origin, with any origin headers", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const me = yield* account(100_000);
      const { ask, cookie } = yield* signedIn(me.id);
      const read = [
        "account",
        "ledger",
        "extractions",
        "api-keys",
        "members",
        "sessions",
        "webhook-endpoints"
      ];
      const belongings = Effect.forEach(read, (kind) =>
        // `lastSeenAt` changes with the session's own requests.
        Effect.map(ask(`/v1/${kind}`), ({ text }) => text.replaceAll(/"lastSeenAt":"[^"]*"/gu, ""))
      );
      const before = yield* belongings;
      let refused = 0;
      for (const { path, method, of } of CHANGES) {
        for (const [what, headers, isAllowed] of ORIGINS) {
          if (isAllowed) continue;
          const name = `${method} ${path}, ${what}`;
          const answer = yield* call(path.replaceAll(/\{\w+\}/gu, "some"), {
            method: method.toUpperCase(),
            headers: { cookie, ...headers },
            ...(of["requestBody"] === undefined ? {} : { body: {} })
          });
          assert.strictEqual(answer.status, 401, name);
          // Endpoints of the operator ignore cookies, and require the admin token.
          const reason = path.startsWith("/v1/") ? "cross_origin" : undefined;
          assert.strictEqual(answer.json.error.details?.reason, reason, name);
          refused += 1;
        }
      }
      assert.isAtLeast(refused, 221);
      assert.deepStrictEqual(yield* belongings, before);
    })
  );

  it.effect("changes from a page of the server are accepted", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const me = yield* account(100_000);
      const { cookie } = yield* signedIn(me.id);
      for (const [what, headers] of ORIGINS.filter(([, , isAllowed]) => isAllowed)) {
        const body = { url: ARTICLE, force: true };
        const answer = yield* call("/v1/extractions", { headers: { cookie, ...headers }, body });
        assert.strictEqual(answer.status, 201, what);
      }
    })
  );

  it.effect("a session can submit, read, list and open files like a key of the account", () =>
    Effect.gen(function* () {
      const app = yield* TestApp;
      const [me, other] = [yield* app.account(100_000), yield* app.account(0)];
      const id = yield* app.finished(me, { url: VIDEO });
      const { cookie, ask } = yield* signedIn(me.id);
      const stranger = yield* signedIn(other.id);
      const file = `/v1/extractions/${id}/files/video.mp4`;
      for (const path of [`/v1/extractions/${id}`, `/v1/extractions/${id}/result`, file]) {
        const withKey = yield* app.call(path, { key: me.key });
        assert.strictEqual(withKey.status, 200);
        // Headers that a browser sends for a typed URL, and for a link on another site.
        for (const site of ["none", "cross-site"]) {
          const inTab = yield* app.call(path, { headers: { cookie, "sec-fetch-site": site } });
          assert.deepStrictEqual([inTab.status, inTab.text], [200, withKey.text], path);
        }
        assert.strictEqual((yield* stranger.ask(path)).status, 404);
      }
      assert.strictEqual((yield* app.call(file, { method: "HEAD", headers: { cookie } })).status, 200);
      const { json } = yield* ask("/v1/extractions");
      assert.deepStrictEqual(
        json.data.map((item: { readonly id: string }) => item.id),
        [id]
      );
    })
  );

  it.effect("a key takes precedence, and a cookie does not replace a rejected key", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const [me, other] = [yield* account(0), yield* account(0)];
      const { cookie, ask } = yield* signedIn(me.id);
      assert.strictEqual((yield* ask("/v1/account", { key: other.key })).json.id, other.id);
      for (const headers of [
        { "x-api-key": "wnw_wrong" },
        { authorization: "Bearer wnw_wrong" },
        { "x-api-key": me.key, authorization: `Bearer ${other.key}` }
      ]) {
        const headersWithCookie = { cookie, ...(headers as Record<string, string>) };
        assert.strictEqual((yield* call("/v1/account", { headers: headersWithCookie })).status, 401);
      }
    })
  );

  it.effect("signing out ends this session at once, and no other", () =>
    Effect.gen(function* () {
      const { account } = yield* TestApp;
      const me = yield* account(0);
      const [laptop, phone] = [yield* signedIn(me.id), yield* signedIn(me.id)];
      const out = yield* laptop.ask("/v1/session", { method: "DELETE" });
      assert.strictEqual(out.status, 204);
      assert.match(out.headers.getSetCookie()[0] ?? "", /^winnow_session=; Max-Age=0;/u);
      const after = yield* laptop.ask("/v1/account");
      assert.strictEqual(after.status, 401);
      assert.strictEqual(after.json.error.details.reason, "signed_out");
      assert.strictEqual((yield* laptop.ask("/v1/session", { method: "DELETE" })).status, 401);
      assert.strictEqual((yield* phone.ask("/v1/account")).status, 200);
    })
  );

  it.effect("an invalid or missing session is 401", () =>
    Effect.gen(function* () {
      const { call } = yield* TestApp;
      for (const cookie of [
        "",
        "winnow_session=",
        "winnow_session=x",
        `winnow_session=wns_${"a".repeat(46)}`
      ]) {
        for (const path of ["/v1/account", "/v1/api-keys"]) {
          const { status, json, headers } = yield* call(path, { headers: { cookie } });
          assert.strictEqual(status, 401);
          assert.strictEqual(json.error.code, "unauthorized");
          assert.isNull(headers.get("x-ratelimit-limit"));
        }
      }
    })
  );
});
