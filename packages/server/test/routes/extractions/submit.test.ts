import { assert, layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { ARTICLE, BROKEN, PRIVATE, AWAY, SLOW_HOST, STUCK, TestApp, VIDEO } from "../../TestApp.ts";

const PARTS = { url: VIDEO, parts: ["transcript"] };

layer(TestApp.layer, { excludeTestServices: true })("submit", (it) => {
  it.effect("returns 201 with the extraction and the debit", () =>
    Effect.gen(function* () {
      const { account, call, accounts } = yield* TestApp;
      const { id, key } = yield* account(1_000);
      const { status, json } = yield* call("/v1/extractions", { key, body: { url: VIDEO } });
      assert.strictEqual(status, 201);
      assert.sameMembers(Object.keys(json), ["id", "status", "url", "creditsDebited", "createdAt"]);
      assert.strictEqual(json.url, VIDEO);
      assert.strictEqual(json.creditsDebited, 230);
      assert.strictEqual(json.status, "pending");
      assert.strictEqual(new Date(json.createdAt).toISOString(), json.createdAt);
      assert.strictEqual((yield* Effect.orDie(accounts.get(id))).balance, 2_000 - 230);
    })
  );

  it.effect("the alias is the same endpoint: one rate limit, shared keys", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { key } = yield* account(1_000);
      const headers = { "idempotency-key": "one" };
      const first = yield* call("/v1/extract", { key, body: PARTS, headers });
      const again = yield* call("/v1/extractions", { key, body: PARTS, headers });
      assert.strictEqual(first.status, 201);
      assert.isNull(first.headers.get("idempotent-replayed"));
      assert.strictEqual(again.status, 200);
      assert.strictEqual(again.headers.get("idempotent-replayed"), "true");
      assert.strictEqual(again.json.id, first.json.id);
      assert.strictEqual(again.json.creditsDebited, first.json.creditsDebited);
      assert.strictEqual(again.headers.get("x-ratelimit-remaining"), "4");
    })
  );

  it.effect("a key with another body is a conflict, and key order is not another body", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { key } = yield* account(1_000);
      const headers = { "idempotency-key": "one" };
      const send = (body: string) => call("/v1/extractions", { key, headers, body });
      yield* send(`{"url":"${VIDEO}","parts":["transcript"]}`);
      assert.strictEqual((yield* send(`{ "parts":["transcript"], "url":"${VIDEO}" }`)).status, 200);
      const other = yield* send(`{"url":"${ARTICLE}"}`);
      assert.strictEqual(other.status, 409);
      assert.strictEqual(other.json.error.code, "conflict");
      assert.isNull(other.headers.get("idempotent-replayed"));
    })
  );

  it.effect("a refused request does not use up its key", () =>
    Effect.gen(function* () {
      const { account, accounts, call } = yield* TestApp;
      const { id, key } = yield* account(0);
      const send = call("/v1/extractions", { key, body: PARTS, headers: { "idempotency-key": "k" } });
      const refused = yield* send;
      assert.strictEqual(refused.status, 402);
      assert.deepStrictEqual(refused.json.error.details, { balance: 0, cost: 60 });
      yield* Effect.orDie(accounts.topUp(id, 100));
      assert.strictEqual((yield* send).status, 201);
    })
  );

  it.effect("an empty or invalid idempotency key is rejected", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { key } = yield* account(1_000);
      for (const idempotencyKey of ["", "a".repeat(256), "caf\u00e9"]) {
        const answer = yield* call("/v1/extractions", {
          key,
          body: PARTS,
          headers: { "idempotency-key": idempotencyKey }
        });
        assert.strictEqual(answer.status, 400, idempotencyKey);
        assert.strictEqual(answer.json.error.details.param, "Idempotency-Key");
      }
    })
  );

  it.effect("a body that is not an object, and an unknown field, are rejected by name", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { key } = yield* account(1_000);
      const typo = yield* call("/v1/extractions", { key, body: { url: VIDEO, part: ["video"] } });
      assert.strictEqual(typo.status, 400);
      assert.strictEqual(typo.json.error.code, "invalid_request");
      assert.strictEqual(typo.json.error.details.param, "part");
      assert.include(typo.json.error.message, "part");
      for (const body of ["[]", "null", '"x"', "1"]) {
        assert.strictEqual((yield* call("/v1/extractions", { key, body })).status, 400, body);
      }
    })
  );

  it.effect("each refusal has its code", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const refused = Effect.fnUntraced(function* (body: unknown) {
        const { key } = yield* account(1_000);
        const { status, json } = yield* call("/v1/extractions", { key, body });
        return [status, json.error.code, json.error.details] as const;
      });
      assert.deepStrictEqual((yield* refused({ url: "not a url" })).slice(0, 2), [400, "invalid_url"]);
      const [status, code] = yield* refused({ url: "https://www.youtube.com/playlist?list=PL1" });
      assert.deepStrictEqual([status, code], [400, "unsupported_url"]);
      assert.deepStrictEqual(yield* refused({ url: VIDEO, inputs: ["video"] }), [
        400,
        "invalid_request",
        { param: "inputs", reason: "requires_schema" }
      ]);
      const ai = yield* refused({ url: VIDEO, schema: { type: "object" } });
      assert.strictEqual(ai[2].reason, "ai_not_configured");
    })
  );

  it.effect("content that cannot be inspected is accepted, and its run fails with a full refund", () =>
    Effect.gen(function* () {
      const app = yield* TestApp;
      const me = yield* app.account(1_000);
      const id = yield* app.finished(me, { url: PRIVATE });
      const { json } = yield* app.call(`/v1/extractions/${id}`, { key: me.key });
      assert.strictEqual(json.status, "failed");
      assert.strictEqual(json.phase, "failed");
      assert.strictEqual(json.creditsRefunded, json.creditsDebited);
      assert.isString(json.error);
      assert.isString(json.completedAt);
      const result = yield* app.call(`/v1/extractions/${id}/result`, { key: me.key });
      assert.strictEqual(result.status, 200);
      assert.deepStrictEqual(Object.keys(result.json), [
        "id",
        "status",
        "error",
        "failure",
        "creditsDebited",
        "creditsRefunded"
      ]);
      assert.deepInclude(result.json.failure, { reason: "private", retryable: false });
    })
  );

  it.effect("a third extraction waits, and each result has its phase with 202", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { key } = yield* account(10_000);
      const submit = Effect.map(call("/v1/extractions", { key, body: { url: STUCK } }), ({ json }) => json);
      const first = yield* submit;
      yield* submit;
      const third = yield* submit;
      assert.strictEqual(third.status, "queued");
      const result = (id: string) => call(`/v1/extractions/${id}/result`, { key });
      const processing = yield* result(first.id);
      assert.strictEqual(processing.status, 202);
      assert.deepStrictEqual(processing.json, { status: "processing" });
      assert.deepStrictEqual((yield* result(third.id)).json, { status: "queued" });
      const file = yield* call(`/v1/extractions/${first.id}/files/video.mp4`, { key });
      assert.strictEqual(file.status, 404);
    })
  );

  it.effect("tells its place in the queue, in lists and by itself, until it starts", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { key } = yield* account(10_000);
      const submit = Effect.map(
        call("/v1/extractions", { key, body: { url: STUCK } }),
        ({ json }) => json.id
      );
      const ids: ReadonlyArray<string> = yield* Effect.all(Array.from({ length: 5 }, () => submit));
      const places = Effect.fnUntraced(function* () {
        const { data } = (yield* call("/v1/extractions", { key })).json;
        const listed = data.map(({ queuePosition = null }) => queuePosition).toReversed();
        const read = yield* Effect.forEach(ids, (id) => call(`/v1/extractions/${id}`, { key }));
        assert.deepStrictEqual(
          read.map(({ json }) => json.queuePosition ?? null),
          listed
        );
        return listed;
      });
      assert.deepStrictEqual(yield* places(), [null, null, 1, 2, 3]);
      const cancel = (id: string | undefined) =>
        call(`/v1/extractions/${id}/cancel`, { key, method: "POST" });
      yield* cancel(ids[3]);
      assert.deepStrictEqual(yield* places(), [null, null, 1, null, 2]);
      yield* cancel(ids[0]);
      assert.deepStrictEqual(yield* places(), [null, null, null, null, 1]);
      // Others need the workers.
      yield* Effect.forEach(ids, cancel);
    })
  );

  it.effect("an internal defect is a 500 without internal details", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { key } = yield* account(1_000);
      const answer = yield* call("/v1/extractions", { key, body: { url: BROKEN } });
      assert.strictEqual(answer.status, 500);
      assert.strictEqual(answer.json.error.code, "internal_error");
      assert.notInclude(answer.text, "secret");
      assert.isString(answer.headers.get("x-request-id"));
      assert.strictEqual(answer.headers.get("x-ratelimit-limit"), "6");
    })
  );
});

layer(TestApp.layer, { excludeTestServices: true })("probe", (it) => {
  it.effect("returns what the source has and the price, with the address of its picture", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { key } = yield* account(0);
      const { json } = yield* call("/v1/probe", { key, body: PARTS });
      assert.deepStrictEqual(json, {
        url: VIDEO,
        kind: "video",
        durationSec: 213,
        title: "A talk",
        hasSubtitles: true,
        hasComments: true,
        imageCount: 0,
        captionLanguages: [],
        chapters: 0,
        thumbnail: `/v1/probe/thumbnail?url=${encodeURIComponent(VIDEO)}`,
        price: {
          mode: "download",
          credits: 60,
          usd: 0.006,
          baseUsd: 0.005,
          downloadUsd: 0.001,
          downloadBreakdown: { transcript: 0.001 },
          breakdown: { text: 0, audio: 0, video: 0 },
          freshCredits: 60
        },
        cached: false,
        extractionId: null,
        unavailable: [],
        aiConfigured: false,
        speechConfigured: false
      });
    })
  );

  it.effect("private content is 422, an unresponsive source 502, each with its reason", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { key } = yield* account(0);
      const gone = yield* call("/v1/probe", { key, body: { url: PRIVATE } });
      assert.strictEqual(gone.status, 422);
      assert.strictEqual(gone.json.error.code, "content_unavailable");
      assert.strictEqual(gone.json.error.details.reason, "private");
      const slow = yield* call("/v1/probe", { key, body: { url: SLOW_HOST } });
      assert.strictEqual(slow.status, 502);
      assert.strictEqual(slow.json.error.code, "internal_error");
      assert.strictEqual(slow.json.error.details.reason, "timeout");
      const away = yield* call("/v1/probe", { key, body: { url: AWAY } });
      assert.deepStrictEqual([away.status, away.json.error.details.reason], [502, "unreachable"]);
    })
  );
});
