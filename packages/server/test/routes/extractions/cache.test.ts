/** Reuse of recent identical runs, and the effect of a key whose extraction was deleted. */
import { assert, layer } from "@effect/vitest";
import * as FakeAnalyst from "@winnow/testing/fakes/FakeAnalyst";
import * as FakeDownloader from "@winnow/testing/fakes/FakeDownloader";
import { sampleFacts } from "@winnow/testing/samples/samples";
import * as Effect from "effect/Effect";
import { ARTICLE, TestApp, type TestAccount, unlimited, VIDEO } from "../../TestApp.ts";

const SCHEMA = { type: "object", properties: { topic: { type: "string" } } };
const VANISHING = "https://example.com/vanishing";

let vanished = false;

const sources = {
  [VANISHING]: {
    facts: sampleFacts({ webpageUrl: VANISHING, durationSeconds: 100 }),
    beforeInspect: Effect.suspend(() =>
      vanished ? Effect.fail(FakeDownloader.refuses("private")) : Effect.void
    )
  }
};

const app = TestApp.with({ rateLimits: unlimited, analyst: FakeAnalyst.layer(), sources });

const probe = Effect.fnUntraced(function* ({ key }: TestAccount, body: object) {
  const { call } = yield* TestApp;
  return yield* call("/v1/probe", { key, body });
});

const submit = Effect.fnUntraced(function* ({ key }: TestAccount, body: object, idempotencyKey?: string) {
  const { call } = yield* TestApp;
  const headers = idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey };
  return yield* call("/v1/extractions", { key, body, headers });
});

const balance = Effect.fnUntraced(function* ({ key }: TestAccount) {
  const { call } = yield* TestApp;
  return (yield* call("/v1/account", { key })).json.balance as number;
});

const remove = Effect.fnUntraced(function* ({ key }: TestAccount, id: string) {
  const { call } = yield* TestApp;
  assert.strictEqual((yield* call(`/v1/extractions/${id}`, { key, method: "DELETE" })).status, 204);
});

layer(app, { excludeTestServices: true })("a result that can be served again", (it) => {
  const bodies: ReadonlyArray<readonly [body: object, fresh: number]> = [
    [{ url: VIDEO }, 230],
    [{ url: VIDEO, schema: SCHEMA }, 187],
    [{ url: ARTICLE, schema: SCHEMA }, 100]
  ];
  for (const [body, fresh] of bodies) {
    it.effect(`is quoted and debited at 0, with the ${fresh} credits of a fresh run`, () =>
      Effect.gen(function* () {
        const { account, call, finished } = yield* TestApp;
        const me = yield* account(1_000);
        const { price } = (yield* probe(me, body)).json;
        assert.deepStrictEqual([price.credits, price.freshCredits], [fresh, fresh]);
        assert.isTrue((yield* call("/v1/account", { key: me.key })).json.aiConfigured);
        const id = yield* finished(me, body);
        const { json } = yield* probe(me, body);
        assert.deepStrictEqual([json.cached, json.extractionId], [true, id]);
        assert.deepStrictEqual(json.price, {
          mode: price.mode,
          credits: 0,
          usd: 0,
          baseUsd: 0,
          downloadUsd: 0,
          downloadBreakdown: Object.fromEntries(
            Object.keys(price.downloadBreakdown).map((part) => [part, 0])
          ),
          breakdown: { text: 0, audio: 0, video: 0 },
          freshCredits: fresh
        });
        const reused = (yield* submit(me, body)).json;
        assert.strictEqual(reused.creditsDebited, 0);
        const { json: read } = yield* call(`/v1/extractions/${reused.id}`, { key: me.key });
        assert.deepStrictEqual([read.cached, read.price], [true, json.price]);
        const forced = (yield* probe(me, { ...body, force: true })).json;
        assert.deepStrictEqual([forced.cached, forced.extractionId, forced.price], [false, null, price]);
        const others = (yield* probe(yield* account(1_000), body)).json;
        assert.deepStrictEqual([others.cached, others.extractionId], [false, null]);
      })
    );
  }

  it.effect("is quoted and served although a fresh auto run would exceed its limit", () =>
    Effect.gen(function* () {
      const { account, finished } = yield* TestApp;
      const me = yield* account(1_000);
      yield* finished(me, { url: VIDEO, schema: SCHEMA });
      const body = { url: VIDEO, schema: SCHEMA, auto: true, maxSpendCredits: 1 };
      const { json } = yield* probe(me, body);
      assert.deepStrictEqual([json.cached, json.price.credits, json.price.freshCredits], [true, 0, 187]);
      assert.strictEqual((yield* submit(me, body)).json.creditsDebited, 0);
      assert.strictEqual((yield* probe(me, { ...body, force: true })).status, 400);
    })
  );

  it.effect("is quoted although its source is unavailable", () =>
    Effect.gen(function* () {
      const { account, finished } = yield* TestApp;
      const me = yield* account(1_000);
      yield* finished(me, { url: VANISHING });
      vanished = true;
      const { status, json } = yield* probe(me, { url: VANISHING });
      assert.deepStrictEqual(
        [status, json.cached, json.price.credits, json.durationSec],
        [200, true, 0, 100]
      );
      assert.strictEqual((yield* submit(me, { url: VANISHING })).status, 201);
      assert.strictEqual((yield* probe(me, { url: VANISHING, force: true })).status, 422);
    })
  );

  it.effect("is not used if it is older than maxAgeSeconds", () =>
    Effect.gen(function* () {
      const { account, finished } = yield* TestApp;
      const me = yield* account(1_000);
      const body = { url: ARTICLE, schema: SCHEMA };
      yield* finished(me, body);
      for (const [maxAgeSeconds, cached] of [
        [3_600, true],
        [Number.MAX_SAFE_INTEGER, true],
        [0, false]
      ] as const) {
        const asked = { ...body, maxAgeSeconds };
        const quote = (yield* probe(me, asked)).json;
        assert.deepStrictEqual([quote.cached, quote.price.credits], [cached, cached ? 0 : 100]);
        assert.strictEqual((yield* submit(me, asked)).json.creditsDebited, quote.price.credits);
      }
      for (const maxAgeSeconds of [-1, 1.5, "60"]) {
        const { status, json } = yield* submit(me, { ...body, maxAgeSeconds });
        assert.deepStrictEqual([status, json.error.details.param], [400, "maxAgeSeconds"]);
      }
    })
  );

  it.effect("does not serve more inputs than it read, even after it was reused", () =>
    Effect.gen(function* () {
      const { account, finished } = yield* TestApp;
      const me = yield* account(1_000);
      yield* finished(me, { url: VIDEO, schema: SCHEMA, inputs: ["transcript"] });
      const auto = { url: VIDEO, schema: SCHEMA, auto: true, maxSpendCredits: 500 };
      assert.strictEqual((yield* submit(me, auto)).json.creditsDebited, 0);
      assert.isTrue((yield* probe(me, auto)).json.cached);
      assert.isFalse((yield* probe(me, { url: VIDEO, schema: SCHEMA })).json.cached);
    })
  );

  it.effect("is the same without a prompt and with an empty one", () =>
    Effect.gen(function* () {
      const { account, finished } = yield* TestApp;
      const me = yield* account(1_000);
      yield* finished(me, { url: ARTICLE, schema: SCHEMA, prompt: "" });
      for (const prompt of [undefined, "", " \n"]) {
        const { json } = yield* submit(me, { url: ARTICLE, schema: SCHEMA, prompt });
        assert.strictEqual(json.creditsDebited, 0);
      }
      const asked = yield* submit(me, { url: ARTICLE, schema: SCHEMA, prompt: "The topic only." });
      assert.strictEqual(asked.json.creditsDebited, 100);
    })
  );
});

layer(app, { excludeTestServices: true })("a limit on the price of one run", (it) => {
  it.effect("rejects a more expensive run before any debit, in quote and submit", () =>
    Effect.gen(function* () {
      const { account } = yield* TestApp;
      const me = yield* account(1_000);
      const cases: ReadonlyArray<readonly [body: object, credits: number]> = [
        [{ url: VIDEO }, 230],
        [{ url: VIDEO, schema: SCHEMA, inputs: ["audio"] }, 306],
        [{ url: VIDEO, schema: SCHEMA, auto: true, maxSpendCredits: 200 }, 187]
      ];
      const before = yield* balance(me);
      for (const [body, credits] of cases) {
        const dear = { ...body, maxCredits: credits - 1 };
        const refused = yield* submit(me, dear);
        assert.strictEqual(refused.status, 400);
        const { code, details } = refused.json.error;
        assert.strictEqual(code, "invalid_request");
        const reason = "price_above_limit";
        assert.deepStrictEqual(details, { param: "maxCredits", reason, credits, maxCredits: credits - 1 });
        assert.deepStrictEqual((yield* probe(me, dear)).json, refused.json);
        assert.strictEqual((yield* probe(me, { ...body, maxCredits: credits })).json.price.credits, credits);
      }
      assert.strictEqual(yield* balance(me), before);
      assert.strictEqual((yield* submit(me, { url: VIDEO, maxCredits: 230 })).json.creditsDebited, 230);
      for (const maxCredits of [-1, 0.5, "9", null]) {
        const { status, json } = yield* submit(me, { url: VIDEO, maxCredits });
        assert.deepStrictEqual([status, json.error.details.param], [400, "maxCredits"]);
      }
    })
  );

  it.effect("never rejects a free result, and does not change the cache key", () =>
    Effect.gen(function* () {
      const { account, finished } = yield* TestApp;
      const me = yield* account(1_000);
      yield* finished(me, { url: VIDEO, maxCredits: 500 });
      assert.strictEqual((yield* probe(me, { url: VIDEO, maxCredits: 0 })).json.price.credits, 0);
      assert.strictEqual((yield* submit(me, { url: VIDEO, maxCredits: 0 })).json.creditsDebited, 0);
    })
  );
});

layer(app, { excludeTestServices: true })("a key whose extraction was deleted", (it) => {
  it.effect("neither creates nor charges anything again", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const me = yield* account(1_000);
      const body = { url: VIDEO, parts: ["transcript"] };
      const made = (yield* submit(me, body, "order 7")).json;
      yield* call(`/v1/extractions/${made.id}/cancel`, { key: me.key, method: "POST" });
      yield* remove(me, made.id);
      const before = yield* balance(me);
      for (const path of ["/v1/extractions", "/v1/extract"]) {
        const headers = { "idempotency-key": "order 7" };
        const { status, json } = yield* call(path, { key: me.key, body, headers });
        assert.deepStrictEqual([status, json.error.code], [409, "conflict"]);
        assert.strictEqual(json.error.details.reason, "extraction_deleted");
      }
      const other = yield* submit(me, { url: ARTICLE }, "order 7");
      assert.strictEqual(other.status, 409);
      assert.isUndefined(other.json.error.details.reason);
      assert.strictEqual(yield* balance(me), before);
      assert.deepStrictEqual((yield* call("/v1/extractions", { key: me.key })).json.data, []);
      assert.strictEqual((yield* submit(me, body, "order 8")).status, 201);
    })
  );
});

layer(TestApp.layerUnlimited, { excludeTestServices: true })("a server without a language model", (it) => {
  it.effect("says so when asked for a price", () =>
    Effect.gen(function* () {
      const { account } = yield* TestApp;
      const me = yield* account(1_000);
      assert.isFalse((yield* probe(me, { url: VIDEO, schema: SCHEMA })).json.aiConfigured);
      assert.isFalse((yield* probe(me, { url: VIDEO })).json.aiConfigured);
      const { call } = yield* TestApp;
      assert.isFalse((yield* call("/v1/account", { key: me.key })).json.aiConfigured);
    })
  );
});
