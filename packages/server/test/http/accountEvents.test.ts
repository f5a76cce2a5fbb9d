import { assert, layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Scope from "effect/Scope";
import { STREAMS_MAX } from "../../src/http/EventStreams.ts";
import { assertContract, validatorAt } from "../Contract.ts";
import { readEvents, type EventReader, type SeenEvent } from "../EventReader.ts";
import { signedIn } from "../SignedIn.ts";
import { ARTICLE, PRIVATE, STUCK, TestApp } from "../TestApp.ts";
import { lookUntil } from "../lookUntil.ts";

const PATH = "/v1/events";

const open = Effect.fnUntraced(function* (headers: Record<string, string>) {
  const { url } = yield* TestApp;
  const reader = yield* readEvents(`${url}${PATH}`, headers);
  const { status } = reader;
  if (status < 300) assertContract({ method: "GET", path: PATH, status, headers: reader.headers, text: "" });
  return reader;
});

const COMPONENTS: Readonly<Record<string, string>> = {
  extraction: "AccountExtractionEvent",
  balance: "AccountBalanceEvent",
  delivery: "WebhookDelivery"
};

/** Reads events up to the first match and returns its data; all of them must match the OpenAPI document. */
const until = Effect.fnUntraced(function* (reader: EventReader, fits: (event: SeenEvent) => boolean) {
  for (;;) {
    const event = yield* reader.next;
    if (event === null) return yield* Effect.die(new Error("the stream ended"));
    const validate = validatorAt("components", "schemas", COMPONENTS[event.event] ?? "");
    assert.isTrue(validate(event.data), JSON.stringify([event, validate.errors]));
    if (fits(event)) return event.data;
  }
});

layer(TestApp.layerUnlimited, { excludeTestServices: true })("events of an account", (it) => {
  it.effect("start with its balance, then everything that happens to its extractions, in any process", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const [me, stranger] = [yield* account(10_000), yield* account(10_000)];
      const { cookie } = yield* signedIn(me.id);
      const stream = yield* open({ cookie });
      assert.match(stream.headers.get("content-type") ?? "", /^text\/event-stream/u);
      assert.strictEqual(stream.headers.get("cache-control"), "no-store, no-transform");
      assert.deepStrictEqual(yield* until(stream, () => true), { balance: 11_000 });
      yield* call("/v1/extractions", { key: stranger.key, body: { url: ARTICLE } });
      const { json } = yield* call("/v1/extractions", { key: me.key, body: { url: ARTICLE } });
      const ended = yield* until(stream, ({ data }) => data.extraction?.status === "complete");
      assert.strictEqual(ended.id, json.id);
      const { json: list } = yield* call("/v1/extractions", { key: me.key });
      assert.deepStrictEqual(ended.extraction, list.data[0]);
      const ofOthers = stream.events().filter(({ data }) => data.id !== undefined && data.id !== json.id);
      assert.deepStrictEqual(ofOthers, []);
      yield* call(`/v1/extractions/${json.id}`, { key: me.key, method: "DELETE" });
      const gone = yield* until(stream, ({ data }) => data.deleted === true);
      assert.deepStrictEqual(gone, { id: json.id, extraction: null, progress: null, deleted: true });
    }).pipe(Effect.scoped)
  );

  it.effect("include refunds, deliveries and progress", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { key } = yield* account(10_000);
      const stream = yield* open({ "x-api-key": key });
      const hook = { url: PRIVATE, webhookUrl: "https://example.org/hook" };
      yield* call("/v1/extractions", { key, body: hook });
      yield* until(stream, ({ event, data }) => event === "delivery" && data.event === "extraction.failed");
      const balances = stream.events().filter(({ event }) => event === "balance");
      assert.deepStrictEqual(balances.at(-1)?.data, { balance: 11_000 });
      yield* call("/v1/extractions", { key, body: { url: STUCK } });
      yield* until(stream, ({ data }) => data.progress?.phase === "processing");
    }).pipe(Effect.scoped)
  );

  it.effect("require authentication, on up to 20 streams", () =>
    Effect.gen(function* () {
      const { account, call, streams } = yield* TestApp;
      assert.strictEqual((yield* call(PATH)).status, 401);
      const { key } = yield* account(0);
      const scope = yield* Scope.make();
      yield* Effect.forEach(Array.from({ length: STREAMS_MAX }), () =>
        Scope.provide(open({ "x-api-key": key }), scope)
      );
      const { status, json } = yield* call(PATH, { key });
      assert.strictEqual(status, 429);
      assert.strictEqual(json.error.details.reason, "too_many_streams");
      yield* Scope.close(scope, Exit.void);
      yield* lookUntil(streams.count, (count) => count === 0);
    })
  );

  it.effect("reach 500 concurrent watchers, without blocking others or leaks", () =>
    Effect.gen(function* () {
      const { account, call, streams } = yield* TestApp;
      const watching = yield* Effect.forEach(Array.from({ length: 500 / STREAMS_MAX }), () =>
        account(10_000)
      );
      const scope = yield* Scope.make();
      const opened = yield* Effect.forEach(
        watching.flatMap(({ key }) => Array.from({ length: STREAMS_MAX }, () => key)),
        (key) => Effect.map(Scope.provide(open({ "x-api-key": key }), scope), (reader) => ({ key, reader })),
        { concurrency: 50 }
      );
      assert.strictEqual(yield* streams.count, 500);
      const other = yield* account(10_000);
      assert.strictEqual((yield* call("/v1/probe", { key: other.key, body: { url: ARTICLE } })).status, 200);
      const ids = new Map<string, string>();
      for (const { key } of watching) {
        const { json } = yield* call("/v1/extractions", { key, body: { url: ARTICLE } });
        ids.set(key, json.id);
      }
      for (const { key, reader } of opened) {
        const ended = yield* until(reader, ({ data }) => data.extraction?.status === "complete");
        assert.strictEqual(ended.id, ids.get(key));
      }
      yield* Scope.close(scope, Exit.void);
      yield* lookUntil(streams.count, (count) => count === 0);
    })
  );

  it.effect("end when the server stops", () =>
    Effect.gen(function* () {
      const { account, streams } = yield* TestApp;
      const { key } = yield* account(0);
      const stream = yield* open({ "x-api-key": key });
      yield* stream.next;
      yield* streams.end;
      yield* stream.rest;
    }).pipe(Effect.scoped)
  );
});
