import { assert, layer } from "@effect/vitest";
import { makeProxyHeader } from "@winnow/adapters/accounts/ProxyHeader";
import { type SignInMethod, SignInRefused } from "@winnow/core/ports/SignInMethod";
import * as Effect from "effect/Effect";
import { choicePage, chooseOnly, invite } from "../../Invitations.ts";
import { cookieOf, SAME_ORIGIN } from "../../SignedIn.ts";
import { PUBLIC_URL, TestApp } from "../../TestApp.ts";

const HEADER = "X-Forwarded-Email";

const FAY = { issuer: "https://login.example", subject: "1", email: "fay@example.com", name: null };

/** Beside it, as a rule, is a method whose people stay who they are. */
const OTHER: SignInMethod = {
  name: "other",
  label: "another",
  issuer: FAY.issuer,
  isAutomatic: false,
  begin: () => Effect.succeed({ _tag: "Known", identity: FAY }),
  finish: () => Effect.never,
  isStill: () => true
};

/** A method at another site; it takes any answer that the browser began here. */
const away = (name: string): SignInMethod => ({
  ...OTHER,
  name,
  begin: () => Effect.succeed({ _tag: "Away", url: "https://login.example/", pending: name }),
  finish: (_answerUrl, pending) =>
    pending === ""
      ? Effect.fail(new SignInRefused({ reason: "answer_refused", message: "Nothing was begun." }))
      : Effect.succeed(FAY)
});

const behind = (...trustedProxies: ReadonlyArray<string>) =>
  TestApp.with({
    signIn: [makeProxyHeader({ header: HEADER, trustedProxies }), OTHER, away("one"), away("two")]
  });

/** As the proxy sends it: with the host that the browser asked for. */
const named = (person: string) => ({ "x-forwarded-email": person, host: new URL(PUBLIC_URL).host });

/** A new account with a member; returns its id. */
const addMember = Effect.fnUntraced(function* (email: string) {
  const { account } = yield* TestApp;
  const { id } = yield* account(0);
  yield* invite(id, email);
  const { headers } = yield* TestApp.use(({ call }) => call("/sign-in/proxy", { headers: named(email) }));
  yield* chooseOnly(cookieOf(headers), "accept", named(email));
  return id;
});

layer(behind("127.0.0.0/8", "::1"), { excludeTestServices: true })("behind a proxy that signs in", (it) => {
  it.effect("a member is signed in automatically, on any page", () =>
    Effect.gen(function* () {
      const { call } = yield* TestApp;
      const id = yield* addMember("Ada@Example.com");
      for (const path of ["/sign-in?to=/app/keys", "/sign-in/proxy?to=/app/keys"]) {
        const { status, headers } = yield* call(path, { headers: named("ADA@example.com") });
        assert.strictEqual(status, 303);
        assert.strictEqual(headers.get("location"), "/app/keys");
        const { json } = yield* call("/v1/account", { headers: { cookie: cookieOf(headers) } });
        assert.strictEqual(json.id, id);
      }
    })
  );

  it.effect("people who are not members, a missing header and a repeated one are rejected", () =>
    Effect.gen(function* () {
      const { call } = yield* TestApp;
      const cases = [
        [named("mallory@example.com"), "not_a_member"],
        [{ host: new URL(PUBLIC_URL).host }, "nobody_named"],
        [named(" "), "nobody_named"],
        [named("ada@example.com, mallory@example.com"), "nobody_named"]
      ] as const;
      for (const [headers, reason] of cases) {
        const { status, json, headers: answered } = yield* call("/sign-in/proxy", { headers });
        assert.strictEqual(status, 401);
        assert.strictEqual(json.error.details.reason, reason);
        assert.lengthOf(answered.getSetCookie(), 0);
      }
    })
  );

  it.effect("a session belongs to that person: the proxy's next user does not get it", () =>
    Effect.gen(function* () {
      const { call } = yield* TestApp;
      yield* addMember("bob@example.com");
      const { headers } = yield* call("/sign-in/proxy", { headers: named("bob@example.com") });
      const cookie = cookieOf(headers);
      const ask = (more: Record<string, string>) => call("/v1/account", { headers: { cookie, ...more } });
      assert.strictEqual((yield* ask(named("bob@example.com"))).status, 200);
      assert.strictEqual((yield* ask({})).status, 200);
      const other = yield* ask(named("carol@example.com"));
      assert.strictEqual(other.status, 401);
      assert.strictEqual(other.json.error.details.reason, "signed_out");
      const end = { method: "DELETE", headers: { cookie, ...SAME_ORIGIN, ...named("carol@example.com") } };
      assert.strictEqual((yield* call("/v1/session", end)).status, 401);
    })
  );

  it.effect("so does a choice, whatever other methods there are", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      yield* invite((yield* account(0)).id, "eve@example.com");
      const { headers } = yield* call("/sign-in/proxy", { headers: named("eve@example.com") });
      const cookie = cookieOf(headers);
      assert.strictEqual((yield* choicePage(cookie, named("eve@example.com"))).status, 200);
      const { status, json } = yield* choicePage(cookie, named("carol@example.com"));
      assert.deepStrictEqual([status, json.error.details.reason], [401, "choice_expired"]);
    })
  );

  it.effect("a session of another method goes on, whomever the proxy names", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { id } = yield* account(0);
      yield* invite(id, FAY.email);
      const begun = yield* call("/sign-in/other");
      const { headers } = yield* chooseOnly(cookieOf(begun.headers), "accept");
      const cookie = cookieOf(headers);
      const { json } = yield* call("/v1/account", { headers: { cookie, ...named("carol@example.com") } });
      assert.strictEqual(json.id, id);
    })
  );

  it.effect("an answer counts for the method that was begun, and none for the proxy", () =>
    Effect.gen(function* () {
      const { call } = yield* TestApp;
      const cookie = cookieOf((yield* call("/sign-in/one")).headers);
      const answered = (name: string) => call(`/sign-in/${name}/callback?code=1`, { headers: { cookie } });
      assert.strictEqual((yield* answered("two")).json.error.details.reason, "answer_refused");
      assert.strictEqual((yield* answered("proxy")).json.error.details.reason, "unknown_method");
      assert.strictEqual((yield* answered("one")).status, 303);
    })
  );

  it.effect("the header counts only under the host of the public URL", () =>
    Effect.gen(function* () {
      const { call, port } = yield* TestApp;
      const id = yield* addMember("grace@example.com");
      const grace = named("grace@example.com");
      const { host } = grace;
      for (const right of [host, host.toUpperCase(), `${host}:443`]) {
        const { status } = yield* call("/sign-in/proxy", { headers: { ...grace, host: right } });
        assert.strictEqual(status, 303, right);
      }
      const wrong = [
        { host: "evil.example" },
        { host: `127.0.0.1:${port}` },
        { host: `${host}.evil.example` },
        { host: `${host}:8443` },
        { host: `x.${host}` },
        { "x-forwarded-host": "evil.example" },
        { host: "evil.example", "x-forwarded-host": host }
      ];
      for (const other of wrong) {
        for (const path of ["/sign-in", "/sign-in/proxy"]) {
          const { status, json, headers } = yield* call(path, { headers: { ...grace, ...other } });
          assert.strictEqual(status, 400, JSON.stringify(other));
          assert.strictEqual(json.error.details.reason, "wrong_host");
          assert.include(json.error.message, "WINNOW_PUBLIC_URL");
          assert.lengthOf(headers.getSetCookie(), 0);
        }
      }
      const { headers } = yield* call("/sign-in/proxy", { headers: grace });
      const cookie = cookieOf(headers);
      const ask = (more: Record<string, string>) =>
        call("/v1/account", { headers: { cookie, ...grace, ...more } });
      assert.strictEqual((yield* ask({})).json.id, id);
      assert.strictEqual((yield* ask({ host: "evil.example" })).status, 401);
    })
  );

  it.effect("the API itself ignores the header", () =>
    Effect.gen(function* () {
      const { call } = yield* TestApp;
      yield* addMember("dora@example.com");
      assert.strictEqual((yield* call("/v1/account", { headers: named("dora@example.com") })).status, 401);
    })
  );
});

layer(behind("10.0.0.0/8", "fd00::/8", "192.0.2.7"), { excludeTestServices: true })(
  "a request that came around the proxy",
  (it) => {
    it.effect("is rejected with the header, whatever address it claims", () =>
      Effect.gen(function* () {
        const { call } = yield* TestApp;
        const claims = { "x-forwarded-for": "10.0.0.1", forwarded: "for=10.0.0.1", "x-real-ip": "10.0.0.1" };
        for (const path of ["/sign-in", "/sign-in/proxy"]) {
          const { status, json, headers } = yield* call(path, {
            headers: { ...named("ada@example.com"), ...claims }
          });
          assert.strictEqual(status, 400);
          assert.strictEqual(json.error.details.reason, "untrusted_proxy");
          assert.lengthOf(headers.getSetCookie(), 0);
        }
        const page = yield* call("/sign-in/proxy", { headers: { accept: "text/html" } });
        assert.strictEqual(page.status, 400);
        assert.include(page.text, "WINNOW_TRUSTED_PROXIES");
      })
    );
  }
);
