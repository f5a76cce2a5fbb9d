import { assert, layer } from "@effect/vitest";
import { verifyWebhook } from "@winnow/client/webhooks";
import { WebhookTransport, WebhookUrlRefused, type WebhookPost } from "@winnow/core/ports/WebhookTransport";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { SAME_ORIGIN, signedIn } from "../../SignedIn.ts";
import type { CallOptions } from "../../ApiCall.ts";
import { ADMIN_TOKEN, ARTICLE, TestApp, type TestAccount, unlimited } from "../../TestApp.ts";

/** Headers of the operator acting for an account. */
const operatorFor = (accountId: string) => ({
  authorization: `Bearer ${ADMIN_TOKEN}`,
  "x-winnow-account": accountId
});
const HOOK = "https://hooks.example.org/in";

const sent: Array<WebhookPost> = [];

/** By the path of the URL: `/down` responds with 503, and `/private` is not an allowed address. */
const receivers = Layer.succeed(
  WebhookTransport,
  WebhookTransport.of({
    vet: (url) =>
      url.includes("/private")
        ? Effect.fail(new WebhookUrlRefused({ reason: "host_not_public", message: "It is not public." }))
        : Effect.succeed(new URL(url).href),
    post: (request) =>
      Effect.sync(() => {
        sent.push(request);
        return request.url.includes("/down") ? { status: 503, body: "down" } : { status: 204, body: "" };
      })
  })
);

const asOwner = ({ key }: TestAccount) =>
  Effect.map(
    TestApp,
    ({ call }) =>
      (path: string, options: CallOptions = {}) =>
        call(`/v1${path}`, { key, ...options })
  );

const post = { method: "POST" };

/** Without rate limits, because tests poll deliveries. */
const app = TestApp.with({ webhooks: receivers, rateLimits: unlimited });

/** Polls the delivery until it has had this many attempts. */
const attempted = Effect.fnUntraced(function* (owner: TestAccount, id: string, attempts = 1) {
  const { call } = yield* TestApp;
  const { json } = yield* Effect.repeat(call(`/v1/webhook-deliveries/${id}`, { key: owner.key }), {
    until: (answer) => answer.json.attempts.length >= attempts
  });
  return json;
});

/** The event, if one of its signatures was made with the secret. */
const verified = ({ body, headers }: Pick<WebhookPost, "body" | "headers">, secret: string) =>
  Effect.promise(() => verifyWebhook({ payload: body, headers, secret }));

layer(app, { excludeTestServices: true })("webhook endpoints", (it) => {
  it.effect("are registered with a secret that is shown once, and listed in order", () =>
    Effect.gen(function* () {
      const { account } = yield* TestApp;
      const ask = yield* asOwner(yield* account(0));
      const first = yield* ask("/webhook-endpoints", { body: { url: HOOK } });
      assert.strictEqual(first.status, 201);
      assert.match(first.json.secret, /^whsec_[A-Za-z0-9+/]{43}=$/u);
      const { secret: _, ...shown } = first.json;
      assert.deepInclude(shown, { url: HOOK, failingSince: null, disabledAt: null, notice: null });
      const second = yield* ask("/webhook-endpoints", { body: { url: `${HOOK}/2` } });
      assert.notStrictEqual(second.json.secret, first.json.secret);
      const list = yield* ask("/webhook-endpoints");
      assert.deepStrictEqual(list.json.data[0], shown);
      assert.deepStrictEqual(
        list.json.data.map(({ id }: { id: string }) => id),
        [first.json.id, second.json.id]
      );
      const again = yield* ask("/webhook-endpoints", { body: { url: "https://HOOKS.example.org:443/in" } });
      assert.deepStrictEqual([again.status, again.json], [200, shown]);
    })
  );

  it.effect("are registered once per idempotency key, which shows the secret again", () =>
    Effect.gen(function* () {
      const { account } = yield* TestApp;
      const ask = yield* asOwner(yield* account(0));
      const headers = { "idempotency-key": "once" };
      const first = yield* ask("/webhook-endpoints", { body: { url: HOOK }, headers });
      assert.strictEqual(first.status, 201);
      const again = yield* ask("/webhook-endpoints", { body: { url: HOOK }, headers });
      assert.deepStrictEqual([again.status, again.json], [201, first.json]);
      const other = yield* ask("/webhook-endpoints", { body: { url: `${HOOK}/2` }, headers });
      assert.deepStrictEqual([other.status, other.json.error.code], [409, "conflict"]);
    })
  );

  it.effect("are rejected with the field and the reason, and limited to 5", () =>
    Effect.gen(function* () {
      const { account } = yield* TestApp;
      const ask = yield* asOwner(yield* account(0));
      for (const [body, details] of [
        [{}, { param: "url" }],
        [{ url: 1 }, { param: "url" }],
        [{ url: HOOK, secret: "mine" }, { param: "secret" }],
        [{ url: "https://a.example.org/private" }, { param: "url", reason: "host_not_public" }],
        [{ url: `https://a.example.org/${"a".repeat(3000)}` }, { param: "url", reason: "invalid_url" }],
        [[], {}]
      ] as const) {
        const { status, json } = yield* ask("/webhook-endpoints", { body });
        assert.deepStrictEqual([status, json.error.code], [400, "invalid_request"]);
        assert.deepInclude(json.error.details, details);
      }
      for (let n = 0; n < 5; n++) yield* ask("/webhook-endpoints", { body: { url: `${HOOK}/${n}` } });
      const sixth = yield* ask("/webhook-endpoints", { body: { url: `${HOOK}/6` } });
      assert.deepStrictEqual(sixth.status, 400);
      assert.deepInclude(sixth.json.error.details, { reason: "too_many_endpoints" });
      const fifth = yield* ask("/webhook-endpoints", { body: { url: `${HOOK}/4` } });
      assert.strictEqual(fifth.status, 200);
    })
  );

  it.effect("get every end of a run, signed, and the log has their responses", () =>
    Effect.gen(function* () {
      const { account, finished } = yield* TestApp;
      const owner = yield* account(10_000);
      const ask = yield* asOwner(owner);
      const { json: endpoint } = yield* ask("/webhook-endpoints", { body: { url: `${HOOK}/log` } });
      const extractionId = yield* finished(owner, { url: ARTICLE });
      const { json: list } = yield* ask("/webhook-deliveries");
      assert.lengthOf(list.data, 1);
      const delivery = yield* attempted(owner, list.data[0].id);
      assert.deepInclude(delivery, {
        event: "extraction.completed",
        extractionId,
        endpointId: endpoint.id,
        url: `${HOOK}/log`,
        status: "delivered",
        attemptCount: 1,
        nextAttemptAt: null
      });
      assert.deepInclude(delivery.attempts[0], { status: 204, error: null, responseSnippet: "" });
      const request = sent.find(({ url }) => url === `${HOOK}/log`);
      assert.isDefined(request);
      const event = yield* verified(request, endpoint.secret);
      assert.deepStrictEqual(event.data, (yield* ask(`/extractions/${extractionId}/result`)).json);
      // What the log shows verifies as what was sent does.
      const logged = {
        body: new TextEncoder().encode(delivery.body),
        headers: delivery.attempts[0].requestHeaders
      };
      assert.deepStrictEqual(yield* verified(logged, endpoint.secret), event);
    })
  );

  it.effect("are tested, and the test can be sent again", () =>
    Effect.gen(function* () {
      const { account } = yield* TestApp;
      const owner = yield* account(0);
      const ask = yield* asOwner(owner);
      const { json: endpoint } = yield* ask("/webhook-endpoints", { body: { url: `${HOOK}/test` } });
      const test = yield* ask(`/webhook-endpoints/${endpoint.id}/test`, post);
      assert.strictEqual(test.status, 202);
      assert.deepInclude(test.json, { event: "test", extractionId: null, status: "pending" });
      assert.strictEqual((yield* attempted(owner, test.json.id)).status, "delivered");
      const again = yield* ask(`/webhook-deliveries/${test.json.id}/redeliver`, post);
      assert.deepStrictEqual([again.status, again.json.status], [202, "pending"]);
      assert.strictEqual((yield* attempted(owner, test.json.id, 2)).attemptCount, 2);
      const bodies = sent.filter(({ url }) => url === `${HOOK}/test`).map(({ body }) => String(body));
      assert.lengthOf(bodies, 2);
      assert.strictEqual(bodies[0], bodies[1]);
    })
  );

  it.effect("sign with both secrets after a rotation, and get nothing once removed", () =>
    Effect.gen(function* () {
      const { account } = yield* TestApp;
      const owner = yield* account(0);
      const ask = yield* asOwner(owner);
      const url = `${HOOK}/rotated`;
      const { json: endpoint } = yield* ask("/webhook-endpoints", { body: { url } });
      const rotated = yield* ask(`/webhook-endpoints/${endpoint.id}/rotate-secret`, post);
      assert.strictEqual(rotated.status, 200);
      assert.notStrictEqual(rotated.json.secret, endpoint.secret);
      const hours = (Date.parse(rotated.json.previousSecretExpiresAt) - Date.now()) / 3_600_000;
      assert.approximately(hours, 24, 0.1);
      const { json: test } = yield* ask(`/webhook-endpoints/${endpoint.id}/test`, post);
      yield* attempted(owner, test.id);
      const request = sent.find((each) => each.url === url);
      assert.isDefined(request);
      for (const secret of [endpoint.secret, rotated.json.secret]) yield* verified(request, secret);
      assert.strictEqual((yield* ask(`/webhook-endpoints/${endpoint.id}/enable`, post)).status, 200);
      const remove = { method: "DELETE" };
      assert.strictEqual((yield* ask(`/webhook-endpoints/${endpoint.id}`, remove)).status, 204);
      assert.strictEqual((yield* ask(`/webhook-endpoints/${endpoint.id}`, remove)).status, 404);
      const resent = yield* ask(`/webhook-deliveries/${test.id}/redeliver`, post);
      assert.deepStrictEqual([resent.status, resent.json.error.details.reason], [400, "not_sendable"]);
    })
  );
});

layer(app, { excludeTestServices: true })("webhook deliveries", (it) => {
  it.effect("are listed page by page and by status", () =>
    Effect.gen(function* () {
      const { account } = yield* TestApp;
      const owner = yield* account(0);
      const ask = yield* asOwner(owner);
      const { json: up } = yield* ask("/webhook-endpoints", { body: { url: `${HOOK}/up` } });
      const { json: down } = yield* ask("/webhook-endpoints", { body: { url: `${HOOK}/down` } });
      const ids: Array<string> = [];
      for (const { id } of [up, down, up]) {
        const { json } = yield* ask(`/webhook-endpoints/${id}/test`, post);
        yield* attempted(owner, json.id);
        ids.unshift(json.id);
      }
      const first = yield* ask("/webhook-deliveries?limit=2");
      assert.isTrue(first.json.has_more);
      const second = yield* ask(`/webhook-deliveries?limit=2&cursor=${first.json.next_cursor}`);
      assert.deepInclude(second.json, { has_more: false, next_cursor: null });
      const listed = [...first.json.data, ...second.json.data].map(({ id, lastStatus }) => [id, lastStatus]);
      assert.sameDeepMembers(
        listed,
        ids.map((id, index) => [id, index === 1 ? 503 : 204])
      );
      const pending = yield* ask("/webhook-deliveries?status=pending");
      assert.deepStrictEqual(
        pending.json.data.map((each: { id: string; endpointId: string }) => [each.id, each.endpointId]),
        [[ids[1], down.id]]
      );
      const detail = yield* attempted(owner, ids[1] ?? "");
      assert.deepInclude(detail.attempts[0], { status: 503, responseSnippet: "down" });
      assert.match(detail.attempts[0].error, /503/u);
      assert.isAbove(Date.parse(detail.nextAttemptAt), Date.parse(detail.attempts[0].at) + 20_000);
      assert.isNotNull((yield* ask("/webhook-endpoints")).json.data[1].failingSince);
    })
  );

  it.effect("that failed since a time are redelivered; an invalid time is rejected", () =>
    Effect.gen(function* () {
      const { account } = yield* TestApp;
      const ask = yield* asOwner(yield* account(0));
      const { json: endpoint } = yield* ask("/webhook-endpoints", { body: { url: `${HOOK}/down/2` } });
      yield* ask(`/webhook-endpoints/${endpoint.id}/test`, post);
      const since = (body: unknown) => ask("/webhook-deliveries/redeliver", { body });
      const none = yield* since({ since: "2020-01-01T00:00:00Z" });
      assert.deepStrictEqual([none.status, none.json], [202, { redelivered: 0 }]);
      assert.strictEqual((yield* since({ since: "0001-01-01T00:00:00+01:00" })).status, 202);
      for (const body of [{}, { since: "yesterday" }, { since: "2021-02-29T00:00:00Z" }, { since: 1 }]) {
        const { status, json } = yield* since(body);
        assert.deepStrictEqual([status, json.error.details.param], [400, "since"]);
      }
      const unknown = yield* since({ since: "2020-01-01T00:00:00Z", until: "x" });
      assert.deepStrictEqual(unknown.json.error.details.param, "until");
    })
  );

  it.effect("of another account are not found, and neither are its endpoints", () =>
    Effect.gen(function* () {
      const { account } = yield* TestApp;
      const owner = yield* account(0);
      const ask = yield* asOwner(owner);
      const { json: endpoint } = yield* ask("/webhook-endpoints", { body: { url: `${HOOK}/mine` } });
      const { json: test } = yield* ask(`/webhook-endpoints/${endpoint.id}/test`, post);
      const stranger = yield* asOwner(yield* account(0));
      for (const [path, id, options] of [
        ["/webhook-endpoints/ID", endpoint.id, { method: "DELETE" }],
        ["/webhook-endpoints/ID/test", endpoint.id, post],
        ["/webhook-endpoints/ID/rotate-secret", endpoint.id, post],
        ["/webhook-endpoints/ID/enable", endpoint.id, post],
        ["/webhook-deliveries/ID", test.id, {}],
        ["/webhook-deliveries/ID/redeliver", test.id, post]
      ] as const) {
        const theirs = yield* stranger(path.replace("ID", id), options);
        const unknown = yield* stranger(path.replace("ID", "nothing"), options);
        assert.deepStrictEqual([theirs.status, theirs.json], [404, unknown.json], path);
      }
      assert.lengthOf((yield* stranger("/webhook-endpoints")).json.data, 0);
      assert.lengthOf((yield* stranger("/webhook-deliveries")).json.data, 0);
      assert.lengthOf((yield* ask("/webhook-endpoints")).json.data, 1);
    })
  );

  it.effect("can be read with a web session, and changed only from a page of the server", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { cookie } = yield* signedIn((yield* account(0)).id);
      const body = { url: `${HOOK}/session` };
      const foreign = yield* call("/v1/webhook-endpoints", { body, headers: { cookie } });
      assert.strictEqual(foreign.status, 401);
      const own = yield* call("/v1/webhook-endpoints", { body, headers: { cookie, ...SAME_ORIGIN } });
      assert.strictEqual(own.status, 201);
      assert.strictEqual((yield* call("/v1/webhook-deliveries", { headers: { cookie } })).status, 200);
      assert.strictEqual((yield* call("/v1/webhook-deliveries")).status, 401);
    })
  );
});

layer(TestApp.with({ webhooks: receivers }), { excludeTestServices: true })("webhook limits", (it) => {
  it.effect("have a limit of 60 a minute at each endpoint of the API", () =>
    Effect.gen(function* () {
      const { account } = yield* TestApp;
      const ask = yield* asOwner(yield* account(0));
      const statuses = yield* Effect.forEach(Array.from({ length: 61 }), () =>
        Effect.map(ask("/webhook-deliveries/x/redeliver", post), ({ status }) => status)
      );
      assert.deepStrictEqual(statuses.slice(-2), [404, 429]);
      assert.strictEqual((yield* ask("/webhook-deliveries/x")).status, 404);
      assert.strictEqual((yield* ask("/webhook-endpoints")).headers.get("x-ratelimit-limit"), "60");
    })
  );
});

layer(app, { excludeTestServices: true })("the operator", (it) => {
  it.effect("can do what the account can, for any account", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const owner = yield* account(0);
      const ask = yield* asOwner(owner);
      const admin = (path: string, options: CallOptions = {}) =>
        call(`/v1${path}`, { headers: operatorFor(owner.id), ...options });
      const made = yield* admin("/webhook-endpoints", { body: { url: `${HOOK}/admin` } });
      assert.strictEqual(made.status, 201);
      const { id } = made.json;
      assert.deepStrictEqual(
        (yield* admin("/webhook-endpoints")).json,
        (yield* ask("/webhook-endpoints")).json
      );
      const test = yield* admin(`/webhook-endpoints/${id}/test`, post);
      assert.strictEqual(test.status, 202);
      yield* attempted(owner, test.json.id);
      const paths = ["/webhook-deliveries", `/webhook-deliveries/${test.json.id}`];
      for (const path of paths) assert.deepStrictEqual((yield* admin(path)).json, (yield* ask(path)).json);
      assert.strictEqual((yield* admin(`/webhook-deliveries/${test.json.id}/redeliver`, post)).status, 202);
      const since = { body: { since: "2020-01-01T00:00:00Z" } };
      assert.strictEqual((yield* admin("/webhook-deliveries/redeliver", since)).status, 202);
      assert.strictEqual((yield* admin(`/webhook-endpoints/${id}/rotate-secret`, post)).status, 200);
      assert.strictEqual((yield* admin(`/webhook-endpoints/${id}/enable`, post)).status, 200);
      assert.strictEqual((yield* admin(`/webhook-endpoints/${id}`, { method: "DELETE" })).status, 204);
      const nobody = yield* call("/v1/webhook-endpoints", { headers: operatorFor("acc_none") });
      assert.deepStrictEqual([nobody.status, nobody.json.error.details.reason], [401, "unknown_account"]);
      assert.strictEqual((yield* admin("/webhook-endpoints", { headers: {} })).status, 401);
    })
  );
});
