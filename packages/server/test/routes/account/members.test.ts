import { assert, layer } from "@effect/vitest";
import { makeProxyHeader } from "@winnow/adapters/accounts/ProxyHeader";
import * as Effect from "effect/Effect";
import type { CallOptions } from "../../ApiCall.ts";
import { chooseOnly, invite } from "../../Invitations.ts";
import { cookieOf, SAME_ORIGIN, signedIn } from "../../SignedIn.ts";
import { PUBLIC_URL, TestApp, unlimited } from "../../TestApp.ts";

const app = TestApp.with({
  rateLimits: unlimited,
  signIn: [makeProxyHeader({ header: "x-person", trustedProxies: ["127.0.0.0/8", "::1"] })]
});

/** The requests of a person who accepted their only invitation. */
const accepted = Effect.fnUntraced(function* (email: string) {
  const { call } = yield* TestApp;
  const proxied = { "x-person": email, host: new URL(PUBLIC_URL).host };
  const arrived = yield* call("/sign-in/proxy", { headers: proxied });
  const { headers } = yield* chooseOnly(cookieOf(arrived.headers), "accept", proxied);
  return (path: string, options: CallOptions = {}) =>
    call(path, { ...options, headers: { ...SAME_ORIGIN, cookie: cookieOf(headers), ...options.headers } });
});

/** A member who accepted an invitation of the account. */
const joined = Effect.fnUntraced(function* (accountId: string, email: string) {
  const { member } = yield* invite(accountId, email);
  return { id: member.id as string, ask: yield* accepted(email) };
});

/** The member makes a key, an endpoint with their session, one with that key, and an invitation. */
const makeThings = Effect.fnUntraced(function* ({ ask }: Effect.Success<ReturnType<typeof joined>>) {
  const { call } = yield* TestApp;
  const { json: apiKey } = yield* ask("/v1/api-keys", { body: { name: "Ada's" } });
  yield* ask("/v1/webhook-endpoints", { body: { url: "https://example.com/a" } });
  yield* call("/v1/webhook-endpoints", { key: apiKey.key, body: { url: "https://example.com/b" } });
  const { json: invitation } = yield* ask("/v1/members", { body: { email: "guest@example.com" } });
  return { key: apiKey.key as string, apiKey, invitation };
});

layer(app, { excludeTestServices: true })("members", (it) => {
  it.effect("are recorded as the makers of keys, webhook endpoints and invitations", () =>
    Effect.gen(function* () {
      const { account } = yield* TestApp;
      const { id } = yield* account(0);
      const ada = yield* joined(id, "ada@example.com");
      const { apiKey, invitation } = yield* makeThings(ada);
      assert.strictEqual(apiKey.createdBy, ada.id);
      assert.strictEqual(invitation.invitedBy, ada.id);
      const endpoints = (yield* ada.ask("/v1/webhook-endpoints")).json.data;
      assert.deepStrictEqual(
        endpoints.map(({ createdBy }: any) => createdBy),
        [ada.id, ada.id]
      );
      // The account's first key is the operator's.
      const keys = (yield* ada.ask("/v1/api-keys")).json.data;
      assert.sameMembers(
        keys.map(({ createdBy }: any) => createdBy),
        [null, ada.id]
      );
    })
  );

  it.effect("leave what they made when they are removed, unless it is to be revoked", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      for (const revoke of ["", "?revoke=false", "?revoke=true"]) {
        const me = yield* account(0);
        const owner = yield* signedIn(me.id);
        yield* owner.ask("/v1/webhook-endpoints", { body: { url: "https://example.com/ours" } });
        const ada = yield* joined(me.id, `ada${revoke.length}@example.com`);
        const { key } = yield* makeThings(ada);
        yield* ada.ask("/v1/members", { body: { email: `gus${revoke.length}@example.com` } });
        const askOfGus = yield* accepted(`gus${revoke.length}@example.com`);
        const removed = yield* owner.ask(`/v1/members/${ada.id}${revoke}`, { method: "DELETE" });
        assert.strictEqual(removed.status, 204);
        assert.strictEqual((yield* ada.ask("/v1/account")).status, 401);
        assert.strictEqual((yield* askOfGus("/v1/account")).status, 200);
        const isRevoked = revoke === "?revoke=true";
        assert.strictEqual((yield* call("/v1/account", { key })).status, isRevoked ? 401 : 200);
        assert.strictEqual((yield* call("/v1/account", { key: me.key })).status, 200);
        const endpoints = (yield* owner.ask("/v1/webhook-endpoints")).json.data;
        assert.lengthOf(endpoints, isRevoked ? 1 : 3);
        assert.strictEqual(endpoints[0].url, "https://example.com/ours");
        assert.lengthOf((yield* owner.ask("/v1/members")).json.data, isRevoked ? 1 : 2);
      }
    })
  );

  it.effect("are removed by an account of their own only, with a valid query", () =>
    Effect.gen(function* () {
      const { account } = yield* TestApp;
      const [me, other] = [yield* account(0), yield* account(0)];
      const ada = yield* joined(me.id, "eve@example.com");
      const { key } = yield* makeThings(ada);
      const theirs = yield* signedIn(other.id);
      const foreign = yield* theirs.ask(`/v1/members/${ada.id}?revoke=true`, { method: "DELETE" });
      assert.strictEqual(foreign.status, 404);
      const { call } = yield* TestApp;
      assert.strictEqual((yield* call("/v1/account", { key })).status, 200);
    })
  );

  it.effect("an account can have a hundred members and invitations, and extend one of them", () =>
    Effect.gen(function* () {
      const { account } = yield* TestApp;
      const owner = yield* signedIn((yield* account(0)).id);
      const add = (email: string) => owner.ask("/v1/members", { body: { email } });
      for (let count = 0; count < 100; count++) yield* add(`p${count}@example.com`);
      const refused = yield* add("one-more@example.com");
      assert.strictEqual(refused.status, 400);
      assert.strictEqual(refused.json.error.details.reason, "too_many_members");
      const again = yield* add("P99@example.com");
      assert.strictEqual(again.status, 201);
      assert.strictEqual(again.json.email, "p99@example.com");
    })
  );
});
