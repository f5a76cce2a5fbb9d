import { assert, describe, it as plain, layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import { clearSessionCookie, setSessionCookie } from "../../../src/routes/sign-in/signInCookies.ts";
import { returnPath } from "../../../src/routes/sign-in/signInRedirect.ts";
import { cookieOf, openLink, SAME_ORIGIN, signedIn, signInPath, signOutEverywhere } from "../../SignedIn.ts";
import { ADMIN_TOKEN, TestApp } from "../../TestApp.ts";

layer(TestApp.layerUnlimited, { excludeTestServices: true })("sign-in links", (it) => {
  it.effect("a link signs in once and redirects to the web app", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const me = yield* account(0);
      const { path, expiresAt } = yield* signInPath(me.id);
      const leftMs = Date.parse(expiresAt) - Date.now();
      assert.isTrue(leftMs > 14 * 60_000 && leftMs <= 15 * 60_000, expiresAt);
      const opened = yield* openLink(path);
      assert.strictEqual(opened.status, 303);
      assert.strictEqual(opened.headers.get("location"), "/");
      assert.strictEqual(opened.headers.get("cache-control"), "no-store");
      assert.strictEqual(opened.headers.get("referrer-policy"), "no-referrer");
      const seen = yield* call("/v1/account", { headers: { cookie: cookieOf(opened.headers) } });
      assert.strictEqual(seen.status, 200);
      assert.strictEqual(seen.json.id, me.id);
      for (const again of [yield* call(path), yield* openLink(path)]) {
        assert.strictEqual(again.status, 401);
        assert.strictEqual(again.json.error.code, "unauthorized");
        assert.include(again.json.error.message, "already been used");
        assert.isNull(again.headers.get("set-cookie"));
      }
    })
  );

  it.effect("the web app is served to a signed-in person", () =>
    Effect.gen(function* () {
      const { url } = yield* TestApp;
      const response = yield* Effect.promise(() => fetch(`${url}/`));
      assert.strictEqual(response.status, 200);
      assert.match(response.headers.get("content-type") ?? "", /^text\/html/u);
      yield* Effect.promise(() => response.text());
    })
  );

  it.effect("the cookie is inaccessible to scripts and other sites, and lasts 30 days", () =>
    Effect.gen(function* () {
      const { account } = yield* TestApp;
      const { path } = yield* signInPath((yield* account(0)).id);
      const [cookie = "", ...more] = (yield* openLink(path)).headers.getSetCookie();
      assert.deepStrictEqual(more, []);
      const [pair = "", ...attributes] = cookie.split("; ");
      assert.match(pair, /^winnow_session=wns_[0-9A-Za-z]{46}$/u);
      assert.sameMembers(attributes, ["HttpOnly", "SameSite=Lax", "Path=/", "Secure", "Max-Age=2592000"]);
    })
  );

  it.effect("a link redirects to the requested path on this server only", () =>
    Effect.gen(function* () {
      const { account } = yield* TestApp;
      const me = yield* account(0);
      for (const [to, location] of [
        ["/app/runs/ext_1", "/app/runs/ext_1"],
        ["//evil.example", "/"]
      ] as const) {
        const { path } = yield* signInPath(me.id);
        const opened = yield* openLink(`${path}&to=${encodeURIComponent(to)}`);
        assert.strictEqual(opened.status, 303);
        assert.strictEqual(opened.headers.get("location"), location);
      }
    })
  );

  it.effect("a person can list their sessions and sign out everywhere", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const [me, other] = [yield* account(0), yield* account(0)];
      const [laptop, phone, theirs] = [
        yield* signedIn(me.id),
        yield* signedIn(me.id),
        yield* signedIn(other.id)
      ];
      const unused = yield* signInPath(me.id);
      const { json } = yield* laptop.ask("/v1/sessions");
      assert.lengthOf(json.data, 2);
      assert.lengthOf(
        json.data.filter(({ current }: { current: boolean }) => current),
        1
      );
      assert.hasAllKeys(json.data[0], ["id", "current", "userAgent", "createdAt", "expiresAt"]);
      const ended = yield* laptop.ask("/v1/sessions", { method: "DELETE" });
      assert.strictEqual(ended.status, 204);
      assert.match(ended.headers.get("set-cookie") ?? "", /^winnow_session=;.*Max-Age=0/u);
      for (const each of [laptop, phone]) {
        assert.strictEqual((yield* each.ask("/v1/account")).status, 401);
      }
      assert.strictEqual((yield* call(unused.path)).status, 401);
      assert.strictEqual((yield* theirs.ask("/v1/account")).status, 200);
    })
  );

  it.effect("a browser that opens a used link sees a page, unless it is signed in", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { path } = yield* signInPath((yield* account(0)).id);
      const html = { accept: "text/html,application/xhtml+xml" };
      const cookie = cookieOf((yield* openLink(path, html)).headers);
      const spent = yield* call(path, { headers: html });
      assert.strictEqual(spent.status, 401);
      assert.match(spent.headers.get("content-type") ?? "", /^text\/html/u);
      assert.match(spent.headers.get("content-security-policy") ?? "", /default-src 'none'/u);
      assert.include(spent.text, "This sign-in link has already been used");
      assert.notInclude(spent.text, path.slice("/sign-in?token=".length));
      const again = yield* call(`${path}&to=/app/new`, { headers: { ...html, cookie } });
      assert.strictEqual(again.status, 303);
      assert.strictEqual(again.headers.get("location"), "/app/new");
      assert.lengthOf(again.headers.getSetCookie(), 0);
      const hostile = yield* call(`/sign-in?to=${encodeURIComponent('"><script>')}`, { headers: html });
      assert.strictEqual(hostile.status, 200);
      assert.notInclude(hostile.text, "<script>");
    })
  );

  it.effect("a link does not replace the session of another account without asking", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const [mine, other] = [yield* account(0), yield* account(0)];
      const { cookie } = yield* signedIn(mine.id);
      const { path } = yield* signInPath(other.id);
      for (const headers of [{ cookie }, { cookie, accept: "text/html" }]) {
        const asked = yield* call(`${path}&to=/app/keys`, { headers });
        assert.strictEqual(asked.status, 200);
        assert.lengthOf(asked.headers.getSetCookie(), 0);
        assert.include(asked.text, other.id);
        assert.match(asked.headers.get("content-security-policy") ?? "", /form-action 'self'/u);
        // With `no-referrer`, the form would send `Origin: null`; with another policy, the token.
        assert.strictEqual(asked.headers.get("referrer-policy"), "strict-origin");
      }
      const token = path.slice("/sign-in?token=".length);
      const form = { cookie, "content-type": "application/x-www-form-urlencoded" };
      const body = `token=${token}&to=%2Fapp%2Fkeys`;
      const crossSite = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
      for (const foreign of [{}, crossSite]) {
        const refused = yield* call("/sign-in", { body, headers: { ...form, ...foreign } });
        assert.strictEqual(refused.status, 401);
        assert.strictEqual(refused.json.error.details.reason, "cross_origin");
        assert.lengthOf(refused.headers.getSetCookie(), 0);
      }
      const switched = yield* call("/sign-in", { body, headers: { ...form, ...SAME_ORIGIN } });
      assert.strictEqual(switched.status, 303);
      assert.strictEqual(switched.headers.get("location"), "/app/keys");
      const seen = yield* call("/v1/account", { headers: { cookie: cookieOf(switched.headers) } });
      assert.strictEqual(seen.json.id, other.id);
      const again = yield* call("/sign-in", { body, headers: { ...form, ...SAME_ORIGIN } });
      assert.strictEqual(again.status, 401);
      assert.strictEqual(again.json.error.details.reason, "link_spent");
    })
  );

  it.effect(
    "a link of the account that the browser is signed in to, or after its session, asks for no switch",
    () =>
      Effect.gen(function* () {
        const { account, call } = yield* TestApp;
        const [mine, other] = [yield* account(0), yield* account(0)];
        const { cookie } = yield* signedIn(mine.id);
        const again = yield* signInPath(mine.id);
        assert.notInclude((yield* call(again.path, { headers: { cookie } })).text, "Switch");
        assert.strictEqual((yield* openLink(again.path, { cookie })).status, 303);
        const link = yield* signInPath(other.id);
        yield* signOutEverywhere(mine.id);
        assert.notInclude((yield* call(link.path, { headers: { cookie } })).text, "Switch");
        assert.strictEqual((yield* openLink(link.path, { cookie })).status, 303);
      })
  );

  it.effect("previews, scanners, HEAD and a browser's prefetch do not redeem it", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { path } = yield* signInPath((yield* account(0)).id);
      for (const look of [
        { method: "HEAD" },
        { headers: { "sec-purpose": "prefetch;prerender" } },
        { headers: { "sec-purpose": "Prefetch;anonymous-client-ip" } },
        { headers: { purpose: "prefetch" } },
        { headers: { "x-moz": "prefetch" } },
        { headers: { "x-purpose": "preview" } }
      ]) {
        const answer = yield* call(path, look);
        assert.strictEqual(answer.status, 204);
        assert.isNull(answer.headers.get("set-cookie"));
      }
      const preview = {
        accept: "text/html",
        "user-agent": "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)"
      };
      for (const headers of [{}, preview, { accept: "*/*" }]) {
        const page = yield* call(`${path}&to=/app/keys`, { headers });
        assert.strictEqual(page.status, 200);
        assert.match(page.headers.get("content-type") ?? "", /^text\/html/u);
        assert.isNull(page.headers.get("set-cookie"));
        assert.match(page.text, /<form method="post" action="\/sign-in">/u);
        assert.match(page.text, /<button[^>]*>Sign in<\/button>/u);
        const fields = [...page.text.matchAll(/name="(\w+)" value="([^"]*)"/gu)];
        const body = new URLSearchParams(
          fields.map(([, name = "", value = ""]): [string, string] => [name, value])
        );
        assert.strictEqual(`/sign-in?${body}`, `${path}&to=%2Fapp%2Fkeys`);
      }
      assert.strictEqual((yield* openLink(path)).status, 303);
    })
  );

  it.effect("an invalid link is 401 with a message", () =>
    Effect.gen(function* () {
      const { call } = yield* TestApp;
      const never = `wnl_${"a".repeat(46)}`;
      for (const query of ["", "?token=", "?token=x", `?token=${never}`, "?token=%00"]) {
        const { status, json } = yield* call(`/sign-in${query}`);
        assert.strictEqual(status, 401, query);
        assert.strictEqual(json.error.details.reason, "link_spent");
      }
      assert.strictEqual((yield* call("/sign-in?token=a&token=b")).status, 400);
      assert.strictEqual((yield* call("/sign-in", { method: "PUT" })).status, 405);
    })
  );

  it.effect("only the operator creates links, and only for existing accounts", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const me = yield* account(0);
      const { ask } = yield* signedIn(me.id);
      const path = `/admin/v1/accounts/${me.id}/sign-in-links`;
      assert.strictEqual((yield* call(path, { method: "POST", key: me.key })).status, 401);
      assert.strictEqual((yield* ask(path, { method: "POST" })).status, 401);
      const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
      for (const [method, unknown] of [
        ["POST", "/admin/v1/accounts/acc_none/sign-in-links"],
        ["DELETE", "/admin/v1/accounts/acc_none/sessions"]
      ] as const) {
        const answer = yield* call(unknown, { method, headers });
        assert.strictEqual(answer.status, 404);
        assert.strictEqual(answer.json.error.message, "There is no such account.");
      }
    })
  );

  it.effect("the operator signs an account out everywhere, at once", () =>
    Effect.gen(function* () {
      const { account } = yield* TestApp;
      const [me, other] = [yield* account(0), yield* account(0)];
      const [laptop, phone, theirs] = [
        yield* signedIn(me.id),
        yield* signedIn(me.id),
        yield* signedIn(other.id)
      ];
      const unused = yield* signInPath(me.id);
      assert.strictEqual((yield* laptop.ask("/v1/account")).status, 200);
      assert.strictEqual((yield* signOutEverywhere(me.id)).status, 204);
      assert.strictEqual((yield* laptop.ask("/v1/account")).status, 401);
      assert.strictEqual((yield* phone.ask("/v1/account")).status, 401);
      assert.strictEqual((yield* laptop.ask(unused.path)).status, 401);
      assert.strictEqual((yield* theirs.ask("/v1/account")).status, 200);
    })
  );
});

describe("where a sign-in redirects to", () => {
  const ROOT = "https://winnow.example";
  const BELOW = "https://host.example/winnow";

  plain("is a path of the server, under its own path", () => {
    assert.strictEqual(returnPath("/app/runs/ext_1?tab=files#top", ROOT), "/app/runs/ext_1?tab=files#top");
    assert.strictEqual(returnPath("/app/", BELOW), "/winnow/app/");
    assert.strictEqual(returnPath("/winnow/app/", BELOW), "/winnow/app/");
    assert.strictEqual(returnPath("/winnowing", BELOW), "/winnow/winnowing");
  });

  plain("is the home page for anything else, especially other hosts", () => {
    const others = [
      undefined,
      "",
      "app/",
      "//evil.example",
      "/\\evil.example",
      "\\\\evil.example",
      "https://evil.example/app/",
      "https:evil.example",
      "javascript:alert(1)",
      "/\t/evil.example",
      "/app\r\nset-cookie: a=b",
      "/app/\u00e4",
      ` //evil.example`,
      `/${"a".repeat(3_000)}`
    ];
    for (const to of others) {
      assert.strictEqual(returnPath(to, ROOT), "/", JSON.stringify(to));
      assert.strictEqual(returnPath(to, BELOW), "/winnow/", JSON.stringify(to));
    }
  });

  plain("stays on the host", () => {
    for (const to of ["/.//evil.example", "/a/..//evil.example", "/%2f/evil.example", "/@evil.example"]) {
      for (const publicUrl of [ROOT, BELOW]) {
        assert.strictEqual(new URL(returnPath(to, publicUrl), publicUrl).origin, new URL(publicUrl).origin);
      }
    }
  });
});

describe("the session cookie", () => {
  const lineOf = (publicUrl: string, change: typeof clearSessionCookie = clearSessionCookie) => {
    const response = change(HttpServerResponse.empty(), publicUrl);
    return HttpServerResponse.toWeb(response).headers.getSetCookie()[0]?.split("; ") ?? [];
  };

  plain("is Secure only if the server is reached over https", () => {
    const set = (publicUrl: string) =>
      lineOf(publicUrl, (response, url) => setSessionCookie(response, "wns_x", url));
    assert.include(set("https://winnow.example"), "Secure");
    assert.notInclude(set("http://127.0.0.1:8787"), "Secure");
    assert.include(set("http://127.0.0.1:8787"), "HttpOnly");
  });

  plain("is limited to the path of the server: two servers on one host do not sign each other out", () => {
    assert.include(lineOf("https://host.example/winnow"), "Path=/winnow");
    assert.include(lineOf("https://host.example"), "Path=/");
  });

  plain("is cleared with the attributes that it was set with", () => {
    const expected = ["winnow_session=", "Max-Age=0", "HttpOnly", "SameSite=Lax", "Path=/"];
    assert.sameMembers([...lineOf("http://127.0.0.1:8787")], expected);
  });
});
