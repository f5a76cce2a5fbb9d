/** A stretch of a video, from its quote to its result, single and as items of a batch. */
import { assert, layer } from "@effect/vitest";
import * as FakeAnalyst from "@winnow/testing/fakes/FakeAnalyst";
import { refuses } from "@winnow/testing/fakes/FakeDownloader";
import { sampleFacts } from "@winnow/testing/samples/samples";
import * as Effect from "effect/Effect";
import { lookUntil } from "../../lookUntil.ts";
import { ARTICLE, TestApp, unlimited, VIDEO } from "../../TestApp.ts";

const SCHEMA = { type: "object", properties: { topic: { type: "string" } } };
const FLAKY = "https://example.com/flaky";

let isAway = true;

const sources = {
  [FLAKY]: {
    facts: sampleFacts({ durationSeconds: 213 }),
    beforeFetch: Effect.suspend(() => (isAway ? Effect.fail(refuses("unreachable")) : Effect.void))
  }
};

const setup = Effect.gen(function* () {
  const { account, call, finished } = yield* TestApp;
  const me = yield* account(10_000);
  const { key } = me;
  const send = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    call(`/v1/${path}`, { key, body, headers });
  const get = (path: string) => Effect.map(call(`/v1/extractions/${path}`, { key }), ({ json }) => json);
  const ended = (id: string) => lookUntil(get(id), ({ status }) => ["complete", "failed"].includes(status));
  const rows = Effect.map(call("/v1/results", { key }), ({ json }) => json.data);
  const balance = Effect.map(call("/v1/account", { key }), ({ json }) => json.balance as number);
  const post = (path: string) => call(`/v1/${path}`, { key, method: "POST" });
  const counts = (id: string) => Effect.map(call(`/v1/batches/${id}`, { key }), ({ json }) => json.counts);
  return { send, post, get, ended, rows, balance, counts, finished: (body: object) => finished(me, body) };
});

layer(TestApp.with({ rateLimits: unlimited, analyst: FakeAnalyst.layer(), sources }), {
  excludeTestServices: true
})("a stretch of a video", (it) => {
  for (const [fields, range, seconds, credits] of [
    [{ schema: SCHEMA }, { startSec: 65, endSec: 150 }, 85, 123],
    [{ schema: SCHEMA, inputs: ["audio", "video"] }, { endSec: 85 }, 85, 280],
    [{}, { startSec: 65.25 }, 147.75, 184],
    [{ parts: ["audio"] }, { startSec: 200, endSec: 10_000 }, 13, 53]
  ] as const) {
    it.effect(`costs what it was quoted, and its answers say which it is: ${JSON.stringify(range)}`, () =>
      Effect.gen(function* () {
        const { send, get, finished, rows } = yield* setup;
        const body = { url: VIDEO, ...fields, range };
        const { json: quote } = yield* send("probe", body);
        assert.deepStrictEqual([quote.price.credits, quote.durationSec], [credits, 213]);
        const id = yield* finished(body);
        const told = { startSec: 0, ...range };
        const detail = yield* get(id);
        assert.deepInclude(detail, {
          range: told,
          durationSec: seconds,
          creditsDebited: credits,
          creditsRefunded: 0
        });
        const result = yield* get(`${id}/result`);
        assert.deepInclude(result, { status: "complete", range: told });
        assert.deepInclude(result.summary, { duration: 213, durationSeconds: seconds });
        assert.deepStrictEqual(yield* get(`${id}/request`), body);
        const read: ReadonlyArray<{ readonly range: unknown }> = yield* rows;
        assert.deepStrictEqual(
          read.map((row) => row.range),
          "schema" in fields ? [told] : []
        );
      })
    );
  }

  it.effect("is another one than the next, and from the beginning without an end it is the whole", () =>
    Effect.gen(function* () {
      const { send, get, finished } = yield* setup;
      const body = { url: VIDEO, parts: ["audio"] };
      const whole = yield* finished(body);
      assert.notProperty(yield* get(whole), "range");
      assert.notProperty(yield* get(`${whole}/result`), "range");
      yield* finished({ ...body, range: { startSec: 1 } });
      for (const [range, isCached] of [
        [{ startSec: 1 }, true],
        [{ startSec: 0 }, true],
        [{ startSec: 2 }, false],
        [{ startSec: 1, endSec: 9 }, false]
      ] as const) {
        assert.strictEqual(
          (yield* send("probe", { ...body, range })).json.cached,
          isCached,
          JSON.stringify(range)
        );
      }
    })
  );

  it.effect(
    "of which only the transcript is asked is cut from the whole for nothing, single and in a batch",
    () =>
      Effect.gen(function* () {
        const { send, get, ended, finished, balance, counts } = yield* setup;
        const whole = { url: VIDEO, parts: ["transcript"] };
        const id = yield* finished(whole);
        const before = yield* balance;
        const body = { ...whole, range: { endSec: 2 } };
        const { json: quote } = yield* send("probe", body);
        assert.deepInclude(quote, { cached: true, extractionId: id });
        assert.deepInclude(quote.price, { credits: 0, freshCredits: 60 });
        const { status, json: made } = yield* send("extractions", body);
        assert.deepStrictEqual([status, made.creditsDebited], [201, 0]);
        yield* ended(made.id);
        const detail = yield* get(made.id);
        assert.notProperty(detail, "fromExtraction");
        assert.deepInclude(detail, {
          status: "complete",
          cached: true,

          price: quote.price,
          creditsRefunded: 0
        });
        const { summary, range } = yield* get(`${made.id}/result`);
        assert.deepStrictEqual(range, { startSec: 0, endSec: 2 });
        assert.deepInclude(summary, { duration: 213, durationSeconds: 2, transcriptFile: "transcript.txt" });
        assert.deepStrictEqual(yield* get(`${made.id}/request`), body);
        const items = [
          { ...whole, range: { endSec: 1 } },
          { ...whole, range: { startSec: 1 } }
        ];
        const { json: batch } = yield* send("batches", { items, maxCredits: 0 });
        for (const item of batch.items) assert.strictEqual((yield* ended(item.id)).status, "complete");
        assert.deepInclude(yield* counts(batch.id), { complete: 2, reused: 2 });
        assert.strictEqual(yield* balance, before);
      })
  );

  it.effect("repeated with its key is the same, and with another range a conflict", () =>
    Effect.gen(function* () {
      const { send } = yield* setup;
      const key = { "idempotency-key": "stretch" };
      const of = (endSec: number) => send("extractions", { url: VIDEO, range: { startSec: 1, endSec } }, key);
      const [first, again, other] = [yield* of(9), yield* of(9), yield* of(10)];
      assert.deepStrictEqual([first.status, again.status, other.status], [201, 200, 409]);
      assert.strictEqual(again.json.id, first.json.id);
    })
  );

  for (const [url, range, reason] of [
    [VIDEO, {}, "empty"],
    [VIDEO, { startSec: 9, endSec: 8 }, "empty"],
    [VIDEO, { startSec: 213 }, "beyond_end"],
    [ARTICLE, { endSec: 8 }, "not_a_video"],
    [VIDEO, { startSec: 0.0001 }, undefined]
  ] as const) {
    it.effect(`is refused by name everywhere: ${JSON.stringify(range)} of ${url}`, () =>
      Effect.gen(function* () {
        const { send } = yield* setup;
        const details = { param: "range", ...(reason === undefined ? {} : { reason }) };
        for (const path of ["probe", "extractions"]) {
          const { status, json } = yield* send(path, { url, range });
          assert.deepStrictEqual(
            [status, json.error.code, json.error.details],
            [400, "invalid_request", details]
          );
        }
        const { json: batch } = yield* send("batches", { items: [{ url, range }, { url }] });
        assert.deepStrictEqual(batch.items[0].error.details, details);
        assert.isNull(batch.items[1].error);
      })
    );
  }

  it.effect(
    "is an item of a batch, beside another one of the same video, and keeps its range when it is retried",
    () =>
      Effect.gen(function* () {
        const { send, post, get, ended } = yield* setup;
        const ranges = [{ endSec: 10 }, { startSec: 10, endSec: 30 }];
        const items = ranges.map((range) => ({ url: FLAKY, parts: ["audio"], range }));
        const { json: made } = yield* send("batches", { items });
        assert.deepStrictEqual(
          made.items.map(({ creditsDebited }: { creditsDebited: number }) => creditsDebited),
          [52, 54]
        );
        assert.deepStrictEqual(
          made.items.map(({ range }: { range: object }) => range),
          [{ startSec: 0, endSec: 10 }, ranges[1]]
        );
        for (const { id } of made.items) yield* ended(id);
        isAway = false;
        const { json: again } = yield* post(`batches/${made.id}/retry-failed`);
        for (const [index, { id }] of again.items.entries()) {
          yield* ended(id);
          assert.deepInclude((yield* get(`${id}/result`)).range, ranges[index]);
        }
        const shared = { urls: [FLAKY, VIDEO], parts: ["audio"], range: { startSec: 100, endSec: 110 } };
        assert.strictEqual((yield* send("batches", shared)).json.creditsDebited, 2 * 52);
      })
  );
});
