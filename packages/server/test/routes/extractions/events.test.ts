// @module-tag long
import { assert, layer } from "@effect/vitest";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Scope from "effect/Scope";
import { sampleFacts } from "@winnow/testing/samples/samples";
import { STREAMS_MAX } from "../../../src/http/limits/EventStreams.ts";
import { assertContract } from "../../Contract.ts";
import { readEvents } from "../../EventReader.ts";
import { ARTICLE, PRIVATE, STUCK, TestApp } from "../../TestApp.ts";
import { lookUntil } from "../../lookUntil.ts";

const GATED = "https://example.com/gated";
const gate = Deferred.makeUnsafe<void>();
const gated = { [GATED]: { facts: sampleFacts({}), beforeFetch: Deferred.await(gate) } };

const pathOf = (id: string) => `/v1/extractions/${id}/events`;

const open = Effect.fnUntraced(function* (key: string, id: string, lastEventId?: string) {
  const { url } = yield* TestApp;
  const path = pathOf(id);
  const resumed = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
  const reader = yield* readEvents(`${url}${path}`, { "x-api-key": key, ...resumed });
  const { status, headers } = reader;
  if (status < 300) assertContract({ method: "GET", path, status, headers, text: "" });
  return reader;
});

const submit = (key: string, url: string) =>
  TestApp.use(({ call }) =>
    Effect.map(call("/v1/extractions", { key, body: { url } }), ({ json }) => json.id as string)
  );

layer(TestApp.with({ sources: gated }), { excludeTestServices: true })("events of an extraction", (it) => {
  it.effect("are its progress, then its result as at the result endpoint, and the end", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { key } = yield* account(10_000);
      const id = yield* submit(key, GATED);
      const stream = yield* open(key, id);
      assert.strictEqual(stream.status, 200);
      assert.match(stream.headers.get("content-type") ?? "", /^text\/event-stream/u);
      assert.strictEqual(stream.headers.get("cache-control"), "no-store, no-transform");
      assert.strictEqual(stream.headers.get("x-accel-buffering"), "no");
      const first = yield* stream.next;
      assert.deepInclude(first, { event: "progress" });
      assert.hasAllKeys(first?.data, ["phase", "step", "percent", "bytes", "rung"]);
      assert.strictEqual(first?.data.phase, "processing");
      yield* Deferred.succeed(gate, undefined);
      const rest = yield* stream.rest;
      const { json: result } = yield* call(`/v1/extractions/${id}/result`, { key });
      assert.deepStrictEqual(rest.at(-1)?.data, result);
      assert.strictEqual(rest.at(-1)?.event, "result");
      assert.lengthOf(
        rest.filter(({ event }) => event === "result"),
        1
      );
      assert.match(stream.text(), /^retry: \d+\n\n/u);
    }).pipe(Effect.scoped)
  );

  for (const [url, status] of [
    [ARTICLE, "complete"],
    [PRIVATE, "failed"]
  ] as const) {
    it.effect(`that is ${status} are only its result, at once`, () =>
      Effect.gen(function* () {
        const app = yield* TestApp;
        const me = yield* app.account(10_000);
        const id = yield* app.finished(me, { url });
        const events = yield* (yield* open(me.key, id)).rest;
        const { json: result } = yield* app.call(`/v1/extractions/${id}/result`, { key: me.key });
        assert.deepStrictEqual(
          events.map(({ event, data }) => [event, data]),
          [["result", result]]
        );
        assert.strictEqual(result.status, status);
      }).pipe(Effect.scoped)
    );
  }

  it.effect(
    "begin again with the present step after a reconnect, whatever the Last-Event-ID, and have no ids",
    () =>
      Effect.gen(function* () {
        const { account, call } = yield* TestApp;
        const { key } = yield* account(10_000);
        const id = yield* submit(key, STUCK);
        const scope = yield* Scope.make();
        const before = yield* Scope.provide(open(key, id), scope);
        let last = yield* before.next;
        while (last !== null && last.data.step !== "fetching") last = yield* before.next;
        yield* Scope.close(scope, Exit.void);
        const after = yield* open(key, id, "9000000");
        assert.deepStrictEqual(yield* after.next, last);
        yield* call(`/v1/extractions/${id}/cancel`, { key, method: "POST" });
        assert.strictEqual((yield* after.rest).at(-1)?.event, "result");
        assert.notMatch(after.text(), /^id:/mu);
      }).pipe(Effect.scoped)
  );

  it.effect("end at once if it is cancelled, and without a result if it is deleted", () =>
    Effect.gen(function* () {
      const app = yield* TestApp;
      const { key } = yield* app.account(10_000);
      for (const [method, suffix, ended] of [
        ["POST", "/cancel", ["result"]],
        ["DELETE", "", []]
      ] as const) {
        const id = yield* submit(key, STUCK);
        const stream = yield* open(key, id);
        yield* stream.next;
        yield* app.call(`/v1/extractions/${id}${suffix}`, { key, method });
        const rest = yield* stream.rest;
        assert.deepStrictEqual(
          rest.map(({ event }) => event).filter((event) => event === "result"),
          [...ended]
        );
      }
    }).pipe(Effect.scoped)
  );

  it.effect("of another or unknown account are 404, and require a key", () =>
    Effect.gen(function* () {
      const app = yield* TestApp;
      const me = yield* app.account(10_000);
      const { key: stranger } = yield* app.account(0);
      const id = yield* app.finished(me, { url: ARTICLE });
      const foreign = yield* app.call(pathOf(id), { key: stranger });
      const unknown = yield* app.call(pathOf("ext_unknown"), { key: me.key });
      assert.deepStrictEqual([foreign.status, unknown.status], [404, 404]);
      assert.deepStrictEqual(foreign.json, unknown.json);
      assert.strictEqual((yield* app.call(pathOf(id))).status, 401);
    })
  );

  it.effect("have their own rate limit", () =>
    Effect.gen(function* () {
      const app = yield* TestApp;
      const me = yield* app.account(10_000);
      const id = yield* app.finished(me, { url: ARTICLE });
      yield* app.call(`/v1/extractions/${id}`, { key: me.key });
      const { headers } = yield* app.call(pathOf(id), { key: me.key });
      assert.strictEqual(headers.get("x-ratelimit-limit"), "60");
      assert.strictEqual(headers.get("x-ratelimit-remaining"), "59");
    })
  );

  it.effect(`are limited to ${STREAMS_MAX} streams per account, and a closed one frees its place`, () =>
    Effect.gen(function* () {
      const app = yield* TestApp;
      const [me, other] = [yield* app.account(10_000), yield* app.account(10_000)];
      const id = yield* submit(me.key, STUCK);
      const scope = yield* Scope.make();
      yield* Effect.forEach(Array.from({ length: STREAMS_MAX }), () =>
        Scope.provide(open(me.key, id), scope)
      );
      const refused = yield* app.call(pathOf(id), { key: me.key });
      assert.strictEqual(refused.status, 429);
      assert.strictEqual(refused.json.error.details.reason, "too_many_streams");
      const theirs = yield* app.finished(other, { url: ARTICLE });
      assert.strictEqual((yield* app.call(pathOf(theirs), { key: other.key })).status, 200);
      yield* Scope.close(scope, Exit.void);
      yield* lookUntil(app.streams.count, (count) => count === 0);
      const again = yield* open(me.key, id);
      assert.strictEqual(again.status, 200);
      yield* again.next;
    }).pipe(Effect.scoped, Effect.timeout("50 seconds"))
  );

  it.effect("HEAD leaves no stream open", () =>
    Effect.gen(function* () {
      const app = yield* TestApp;
      const { key } = yield* app.account(10_000);
      const id = yield* submit(key, STUCK);
      const { status, text } = yield* app.call(pathOf(id), { key, method: "HEAD" });
      assert.deepStrictEqual([status, text], [200, ""]);
      yield* lookUntil(app.streams.count, (count) => count === 0);
    }).pipe(Effect.timeout("50 seconds"))
  );
});

layer(TestApp.layer, { excludeTestServices: true })("a server that stops", (it) => {
  it.effect("ends its streams cleanly, without waiting for them", () =>
    Effect.gen(function* () {
      const app = yield* TestApp;
      const { key } = yield* app.account(10_000);
      const stream = yield* open(key, yield* submit(key, STUCK));
      yield* stream.next;
      yield* app.streams.end;
      assert.isEmpty((yield* stream.rest).filter(({ event }) => event === "result"));
      assert.strictEqual(yield* app.streams.count, 0);
    }).pipe(Effect.scoped)
  );
});
