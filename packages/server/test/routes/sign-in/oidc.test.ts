import { assert, layer } from "@effect/vitest";
import { makeOidc } from "@winnow/adapters/accounts/Oidc";
import { NAME_CHARS_MAX } from "@winnow/core/domain/text/NameText";
import * as Effect from "effect/Effect";
import { signInAt, UNVERIFIED } from "../../Issuer.ts";
import {
  accountOf,
  addMember,
  app,
  assertRefused,
  begin,
  comeBack,
  cookieNamed,
  forged,
  invited,
  Issuers,
  signIn
} from "../../OidcBrowser.ts";
import { PUBLIC_URL, TestApp } from "../../TestApp.ts";

layer(app(false), { excludeTestServices: true })("signing in with OpenID Connect", (it) => {
  it.effect("a member is redirected to the issuer and back to their destination, signed in", () =>
    Effect.gen(function* () {
      const { accountId } = yield* addMember("ada@example.com");
      const { url, cookie } = yield* begin("/app/runs/ext_1");
      const asked = new URL(url).searchParams;
      assert.strictEqual(asked.get("code_challenge_method"), "S256");
      assert.strictEqual(asked.get("redirect_uri"), `${PUBLIC_URL}/sign-in/oidc/callback`);
      for (const name of ["state", "nonce", "code_challenge"]) {
        assert.isAtLeast(asked.get(name)?.length ?? 0, 32, name);
      }
      const { status, headers } = yield* comeBack(yield* signInAt(url, "ada"), cookie);
      assert.strictEqual(status, 303);
      assert.strictEqual(headers.get("location"), "/app/runs/ext_1");
      assert.match(headers.getSetCookie()[0] ?? "", /HttpOnly; Secure; SameSite=Lax/u);
      assert.strictEqual(yield* accountOf(headers), accountId);
      // The second time, the member is identified by the issuer's subject.
      assert.strictEqual(yield* accountOf((yield* signIn("ada")).headers), accountId);
    })
  );

  it.effect("people who are not members are rejected, and so are unverified addresses", () =>
    Effect.gen(function* () {
      assertRefused(yield* signIn("mallory"), "not_a_member");
      yield* invited(`${UNVERIFIED}@example.com`);
      assertRefused(yield* signIn(UNVERIFIED), "not_a_member");
    })
  );

  it.effect("a removed member is signed out at once and cannot sign in again", () =>
    Effect.gen(function* () {
      const owner = yield* addMember("eve@example.com");
      const { headers } = yield* signIn("eve");
      assert.strictEqual(yield* accountOf(headers), owner.accountId);
      const { json } = yield* owner.ask("/v1/members");
      assert.deepInclude(json.data[0], { id: owner.memberId, email: "eve@example.com", name: "eve" });
      yield* owner.ask(`/v1/members/${owner.memberId}`, { method: "DELETE" });
      assert.isUndefined(yield* accountOf(headers));
      assertRefused(yield* signIn("eve"), "not_a_member");
    })
  );

  it.effect("a response counts once, in the browser that started it, with unmodified state", () =>
    Effect.gen(function* () {
      yield* addMember("bob@example.com");
      const { url, cookie } = yield* begin();
      const answer = yield* signInAt(url, "bob");
      // As if sent to another person's browser, to sign them in as Bob.
      assertRefused(yield* comeBack(answer, ""), "answer_refused");
      assertRefused(yield* comeBack(answer, (yield* begin()).cookie), "answer_refused");
      const changed = new URL(answer);
      changed.searchParams.set("state", "another");
      assertRefused(yield* comeBack(changed, cookie), "answer_refused");
      const first = yield* comeBack(answer, cookie);
      assert.strictEqual(first.status, 303);
      assert.match(first.headers.getSetCookie().join("\n"), /winnow_sign_in=;[^\n]*Max-Age=0/u);
      assertRefused(yield* comeBack(answer, cookie), "answer_refused");
    })
  );

  it.effect("a token for another nonce and a code for another verifier are refused", () =>
    Effect.gen(function* () {
      yield* addMember("carol@example.com");
      for (const over of [{ nonce: "n".repeat(43) }, { codeVerifier: "v".repeat(43) }]) {
        const { url, cookie } = yield* begin();
        const answer = yield* signInAt(url, "carol");
        assertRefused(yield* comeBack(answer, forged(cookie, over)), "answer_refused");
      }
    })
  );

  it.effect("responses of another issuer are rejected, with or without its name", () =>
    Effect.gen(function* () {
      const { own, other } = yield* Issuers;
      yield* addMember("dora@example.com");
      const { url, cookie } = yield* begin();
      const answer = yield* signInAt(url.replace(own, other), "dora");
      assert.strictEqual(answer.searchParams.get("iss"), other);
      assertRefused(yield* comeBack(answer, cookie), "answer_refused");
      const unnamed = new URL(answer);
      unnamed.searchParams.delete("iss");
      assertRefused(yield* comeBack(unnamed, cookie), "answer_refused");
      const renamed = new URL(answer);
      renamed.searchParams.set("iss", own);
      assertRefused(yield* comeBack(renamed, cookie), "answer_refused");
    })
  );

  it.effect("a session is always new: an existing cookie is not adopted", () =>
    Effect.gen(function* () {
      const { call } = yield* TestApp;
      yield* addMember("frank@example.com");
      const planted = `winnow_session=wns_${"A".repeat(43)}`;
      const { url, cookie } = yield* begin();
      const answer = yield* signInAt(url, "frank");
      const { headers } = yield* comeBack(answer, `${planted}; ${cookie}`);
      assert.notStrictEqual(cookieNamed(headers, "winnow_session"), planted);
      assert.strictEqual((yield* call("/v1/account", { headers: { cookie: planted } })).status, 401);
    })
  );

  it.effect("the return path never leads to another host", () =>
    Effect.gen(function* () {
      yield* addMember("grace@example.com");
      for (const to of [
        "//evil.example",
        "https://evil.example/",
        "/\\evil.example",
        "javascript:alert(1)"
      ]) {
        assert.strictEqual((yield* signIn("grace", to)).headers.get("location"), "/", to);
      }
    })
  );

  it.effect("a declined sign-in, and an unknown method, get a page in a browser", () =>
    Effect.gen(function* () {
      const { call } = yield* TestApp;
      const { url, cookie } = yield* begin();
      const state = new URL(url).searchParams.get("state");
      const { own } = yield* Issuers;
      const denied = new URL(
        `${PUBLIC_URL}/sign-in/oidc/callback?error=access_denied&state=${state}&iss=${own}`
      );
      const html = { accept: "text/html" };
      const no = yield* comeBack(denied, cookie, html);
      assert.strictEqual(no.status, 401);
      assert.include(no.text, "You did not allow the sign-in.");
      assert.include(no.text, `href="/sign-in/oidc"`);
      const unknown = yield* call("/sign-in/passkeys", { headers: html });
      assert.strictEqual(unknown.status, 400);
      assert.include(unknown.headers.get("content-type") ?? "", "text/html");
      assert.strictEqual((yield* call("/sign-in/passkeys/callback")).status, 400);
    })
  );

  it.effect("the methods are listed for signed-out people", () =>
    Effect.gen(function* () {
      const { call } = yield* TestApp;
      const { json } = yield* call("/sign-in/methods");
      const { own } = yield* Issuers;
      assert.deepStrictEqual(json, {
        data: [{ name: "oidc", label: new URL(own).host, isAutomatic: false }],
        ownSignIn: false,
        signInUrl: null
      });
      const page = yield* call("/sign-in?to=/app/new", { headers: { accept: "text/html" } });
      assert.strictEqual(page.status, 200);
      assert.include(page.text, `href="/sign-in/oidc?to=%2Fapp%2Fnew"`);
    })
  );
});

layer(app(true), { excludeTestServices: true })("where sign-up is open", (it) => {
  it.effect("new people get their own account, and the same one later", () =>
    Effect.gen(function* () {
      const { call } = yield* TestApp;
      const first = yield* signIn("henry");
      assert.strictEqual(first.status, 303);
      const id = yield* accountOf(first.headers);
      assert.match(id ?? "", /^acc_/u);
      assert.strictEqual(yield* accountOf((yield* signIn("henry")).headers), id);
      assert.notStrictEqual(yield* accountOf((yield* signIn("irene")).headers), id);
      const cookie = cookieNamed(first.headers, "winnow_session") ?? "";
      const { json } = yield* call("/v1/account", { headers: { cookie } });
      assert.deepInclude(json, { name: "Name of henry", balance: 0 });
    })
  );

  it.effect("a name that is too long for lists is cut", () =>
    Effect.gen(function* () {
      const { call } = yield* TestApp;
      const { headers } = yield* signIn("j".repeat(255));
      const cookie = cookieNamed(headers, "winnow_session") ?? "";
      const { json } = yield* call("/v1/account", { headers: { cookie } });
      assert.lengthOf(json.name, NAME_CHARS_MAX);
    })
  );

  it.effect("a subject that cannot be stored, or is longer than the standard allows, is refused", () =>
    Effect.gen(function* () {
      for (const subject of ["a\0b", "a".repeat(256)])
        assertRefused(yield* signIn(subject), "answer_refused");
    })
  );
});

layer(
  TestApp.with({ signIn: [makeOidc({ issuer: "http://127.0.0.1:9", clientId: "x", clientSecret: null })] }),
  {
    excludeTestServices: true
  }
)("an issuer that is away", (it) => {
  it.effect("is reported, with the advice to try again", () =>
    Effect.gen(function* () {
      const { call } = yield* TestApp;
      const { status, json } = yield* call("/sign-in/oidc");
      assert.strictEqual(status, 503);
      assert.strictEqual(json.error.details.reason, "issuer_unreachable");
    })
  );
});
