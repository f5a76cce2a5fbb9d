/**
 * Plans over HTTP: how they are assigned, their limits, and that a raised limit applies from the next request.
 */
import { assert, layer } from "@effect/vitest";
import { DEFAULT_LIMITS, plansFrom, type PlansGiven } from "@winnow/core/domain/money/Plan";
import { Plans, replaceablePlans } from "@winnow/core/ports/Plans";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { ADMIN_TOKEN, ARTICLE, STUCK, TestApp } from "../../TestApp.ts";

const GIVEN: PlansGiven = {
  studio: { runningMax: 4, waitingMax: 1, submitsPerMinute: 30, webhookEndpointsMax: 1 },
  busy: { submitsPerMinute: 30, othersPerMinute: 100_000 },
  brief: { maxDurationSec: 5 },
  trial: { prices: "free" },
  dear: { prices: { baseCredits: 70 } },
  dearer: { prices: { baseCredits: 90 } }
};
const replaceable = replaceablePlans(plansFrom(GIVEN));
const plans = Layer.succeed(Plans, replaceable);

layer(TestApp.layer.pipe(Layer.provide(plans)), { excludeTestServices: true })("plans", (it) => {
  const operator = Effect.gen(function* () {
    const app = yield* TestApp;
    const ask = (method: string, path: string, body?: unknown) =>
      app.call(`/admin/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
        ...(body === undefined ? {} : { body })
      });
    const member = Effect.fnUntraced(function* (plan: string, credits = 10_000) {
      const { id, key } = yield* app.account(credits);
      yield* ask("PATCH", `/accounts/${id}`, { plan });
      return { id, key };
    });
    return { ...app, ask, member };
  });

  it.effect("an account is created with a plan, which operator and account see with its limits", () =>
    Effect.gen(function* () {
      const { ask, call } = yield* operator;
      const made = yield* ask("POST", "/accounts", { name: "Studio", plan: "studio" });
      assert.strictEqual(made.status, 201);
      assert.strictEqual(made.json.plan, "studio");
      const limits = {
        ...DEFAULT_LIMITS,
        runningMax: 4,
        waitingMax: 1,
        submitsPerMinute: 30,
        webhookEndpointsMax: 1
      };
      assert.deepStrictEqual(made.json.limits, limits);
      const { json: key } = yield* ask("POST", `/accounts/${made.json.id}/api-keys`, {});
      const own = yield* call("/v1/account", { key: key.key });
      assert.deepInclude(own.json, { plan: "studio", limits });
      const { json: page } = yield* ask("GET", `/accounts?q=${made.json.id}`);
      assert.deepInclude(page.data[0], { plan: "studio", limits });
    })
  );

  it.effect("an unknown plan is rejected with the known ones, and nothing is created or changed", () =>
    Effect.gen(function* () {
      const { account, ask } = yield* operator;
      const { id } = yield* account(0);
      for (const refused of [
        yield* ask("POST", "/accounts", { name: "Nowhere", plan: "gold" }),
        yield* ask("PATCH", `/accounts/${id}`, { name: "Nowhere", plan: "gold" })
      ]) {
        assert.strictEqual(refused.status, 400);
        assert.deepInclude(refused.json.error.details, { param: "plan", reason: "unknown_plan" });
        assert.sameMembers(refused.json.error.details.plans, [
          "default",
          "studio",
          "busy",
          "brief",
          "trial",
          "dear",
          "dearer"
        ]);
      }
      assert.deepStrictEqual((yield* ask("GET", "/accounts?q=Nowhere")).json.data, []);
    })
  );

  it.effect("limits out of range are rejected by name", () =>
    Effect.gen(function* () {
      const { account, ask } = yield* operator;
      const { id } = yield* account(0);
      const refused = yield* ask("PATCH", `/accounts/${id}`, { limits: { runningMax: 0 } });
      assert.strictEqual(refused.status, 400);
      assert.include(refused.json.error.message, "runningMax");
    })
  );

  it.effect("a raised limit starts waiting runs, and applies to the next submit", () =>
    Effect.gen(function* () {
      const { ask, call, member } = yield* operator;
      const { id, key } = yield* member("busy", 100_000);
      const submit = () => call("/v1/extractions", { key, body: { url: STUCK } });
      const made = yield* Effect.all(Array.from({ length: 10 }, submit));
      assert.deepStrictEqual(
        made.map(({ json }) => json.status),
        [...Array<string>(2).fill("pending"), ...Array<string>(8).fill("queued")]
      );
      const changed = yield* ask("PATCH", `/accounts/${id}`, { limits: { runningMax: 11 } });
      assert.strictEqual(changed.json.limits.runningMax, 11);
      assert.deepInclude((yield* call("/v1/account", { key })).json, {
        runningExtractions: 10,
        queuedExtractions: 0
      });
      assert.strictEqual((yield* submit()).json.status, "pending");
      assert.strictEqual((yield* submit()).json.status, "queued");
    })
  );

  it.effect("new plans with a raised limit start waiting runs without a request of the account", () =>
    Effect.gen(function* () {
      const { call, member } = yield* operator;
      const { key } = yield* member("busy", 100_000);
      const made = yield* Effect.all(
        Array.from({ length: 8 }, () => call("/v1/extractions", { key, body: { url: STUCK } }))
      );
      assert.strictEqual(made.filter(({ json }) => json.status === "queued").length, 6);
      replaceable.replace(plansFrom({ ...GIVEN, busy: { ...GIVEN["busy"], runningMax: 7 } }), 0);
      const { json } = yield* Effect.repeat(call("/v1/account", { key }), {
        until: (found) => found.json.runningExtractions === 7
      });
      assert.strictEqual(json.queuedExtractions, 1);
      replaceable.replace(plansFrom(GIVEN), 0);
    })
  );

  it.effect("rate limits come from the account, otherwise from the plan", () =>
    Effect.gen(function* () {
      const { ask, call, member } = yield* operator;
      const { id, key } = yield* member("studio");
      const limit = () =>
        Effect.map(call("/v1/extractions", { key, body: { url: ARTICLE } }), ({ headers }) =>
          headers.get("x-ratelimit-limit")
        );
      assert.strictEqual(yield* limit(), "30");
      yield* ask("PATCH", `/accounts/${id}`, { limits: { submitsPerMinute: 90 } });
      assert.strictEqual(yield* limit(), "90");
      yield* ask("PATCH", `/accounts/${id}`, { plan: "default", limits: { submitsPerMinute: null } });
      assert.strictEqual(yield* limit(), "6");
    })
  );

  it.effect("a free plan quotes and debits nothing", () =>
    Effect.gen(function* () {
      const { call, member } = yield* operator;
      const { key } = yield* member("trial", 0);
      const quoted = yield* call("/v1/probe", { key, body: { url: ARTICLE } });
      assert.strictEqual(quoted.json.price.credits, 0);
      const submitted = yield* call("/v1/extractions", { key, body: { url: ARTICLE } });
      assert.deepStrictEqual([submitted.status, submitted.json.creditsDebited], [201, 0]);
    })
  );

  it.effect("a quoted price holds for a submit after the plan was changed, even twice", () =>
    Effect.gen(function* () {
      const { ask, call, member } = yield* operator;
      const { id, key } = yield* member("default");
      const quoted = yield* call("/v1/probe", { key, body: { url: ARTICLE } });
      assert.strictEqual(quoted.json.price.credits, 50);
      yield* ask("PATCH", `/accounts/${id}`, { plan: "dear" });
      yield* ask("PATCH", `/accounts/${id}`, { plan: "dearer" });
      const later = yield* call("/v1/probe", { key, body: { url: ARTICLE } });
      assert.strictEqual(later.json.price.credits, 90);
      const submitted = yield* call("/v1/extractions", { key, body: { url: ARTICLE } });
      assert.deepStrictEqual([submitted.status, submitted.json.creditsDebited], [201, 50]);
    })
  );

  it.effect("a video longer than the plan allows is refused with the plan's limit", () =>
    Effect.gen(function* () {
      const { call, member } = yield* operator;
      const { key } = yield* member("brief");
      const refused = yield* call("/v1/extractions", { key, body: { url: STUCK } });
      assert.strictEqual(refused.status, 400);
      assert.deepInclude(refused.json.error.details, { reason: "duration_exceeded", maxDurationSec: 5 });
    })
  );

  it.effect("webhook endpoints are limited by the plan", () =>
    Effect.gen(function* () {
      const { call, member } = yield* operator;
      const { key } = yield* member("studio");
      const register = (url: string) => call("/v1/webhook-endpoints", { key, body: { url } });
      assert.strictEqual((yield* register("https://hooks.example/one")).status, 201);
      const refused = yield* register("https://hooks.example/two");
      assert.deepInclude(refused.json.error.details, {
        reason: "too_many_endpoints",
        maxWebhookEndpoints: 1
      });
    })
  );
});
