/** How often a request reads what it needs, and what it does not wait for. */
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Stream from "effect/Stream";
import * as TestClock from "effect/testing/TestClock";
import * as BatchesModule from "../../../src/engine/batches/Batches.ts";
import * as FakeAnalyst from "@winnow/testing/fakes/FakeAnalyst";
import { Store } from "../../../src/ports/Store.ts";
import { WebhookTransport } from "../../../src/ports/WebhookTransport.ts";
import { ARTICLE, engine, openAccount, ports, probe, runToEnd, SOURCES, submit } from "../World.ts";

const SLOW_HOOK = "https://slow.example/hook";
const HOOK = "https://hook.example/done";

const ITEMS = Array.from({ length: 20 }, (_, index) => ({ url: `${ARTICLE}/${index}`, webhookUrl: HOOK }));

/** What was asked since the last {@link counted}. */
const makeCounts = () => {
  const counts = { accounts: 0, extractions: 0, hooks: 0 };
  const counted = () => {
    const before = { ...counts };
    Object.assign(counts, { accounts: 0, extractions: 0, hooks: 0 });
    return before;
  };
  const store = Layer.effect(
    Store,
    Effect.map(Store, (real) =>
      Store.of({
        ...real,
        getAccount: (id) => Effect.suspend(() => ((counts.accounts += 1), real.getAccount(id))),
        getExtraction: (...given) =>
          Effect.suspend(() => ((counts.extractions += 1), real.getExtraction(...given)))
      })
    )
  );
  const transport = Layer.effect(
    WebhookTransport,
    Effect.map(WebhookTransport, (real) =>
      WebhookTransport.of({
        ...real,
        vet: (url) =>
          Effect.suspend(() => {
            counts.hooks += 1;
            return url === SLOW_HOOK ? Effect.never : real.vet(url);
          })
      })
    )
  );
  const sources = Object.fromEntries(ITEMS.map(({ url }) => [url, SOURCES[ARTICLE]]));
  const counting = Layer.provideMerge(
    Layer.merge(store, transport),
    ports({ sources: { ...SOURCES, ...sources }, analyst: FakeAnalyst.layer() })
  );
  return { counted, layer: Layer.provideMerge(BatchesModule.layer, Layer.provideMerge(engine(), counting)) };
};

describe("the account", () => {
  it.effect("is read once by a submit, a probe, a quote and a batch, however many items they have", () => {
    const { counted, layer } = makeCounts();
    return Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { quote, create } = yield* BatchesModule.Batches;
      counted();
      yield* submit(accountId, { url: ARTICLE });
      assert.strictEqual(counted().accounts, 1, "submit");
      yield* probe(accountId, { url: ARTICLE });
      assert.strictEqual(counted().accounts, 1, "probe");
      yield* Effect.flatMap(quote(accountId, { items: ITEMS }), Stream.runDrain);
      assert.strictEqual(counted().accounts, 1, "quote");
      yield* create(accountId, { items: ITEMS }, null);
      assert.strictEqual(counted().accounts, 1, "batch");
    }).pipe(Effect.provide(layer));
  });
});

describe("an extraction that is read again", () => {
  it.effect("is loaded once by a submit and by a probe", () => {
    const { counted, layer } = makeCounts();
    return Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { id } = yield* runToEnd(accountId, { url: ARTICLE });
      const body = { fromExtraction: id, schema: { type: "object", minProperties: 1 } };
      counted();
      yield* submit(accountId, body);
      assert.strictEqual(counted().extractions, 1, "submit");
      yield* probe(accountId, body);
      assert.strictEqual(counted().extractions, 1, "probe");
    }).pipe(Effect.provide(layer));
  });
});

describe("a quote of a batch", () => {
  it.effect("vets a webhook URL that its items share once, and begins before the last item is read", () => {
    const { counted, layer } = makeCounts();
    return Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { quote } = yield* BatchesModule.Batches;
      counted();
      const items = [...ITEMS, { url: ARTICLE, webhookUrl: SLOW_HOOK }];
      const lines = yield* quote(accountId, { items });
      const first = yield* Stream.runHead(lines);
      assert.strictEqual(Option.getOrThrow(first).credits, 50);
      assert.strictEqual(counted().hooks, 1);
      const all = yield* Effect.forkChild(Effect.flatMap(quote(accountId, { items }), Stream.runCollect));
      yield* Effect.replicateEffect(TestClock.adjust("1 second"), 60);
      const refused = (yield* Fiber.join(all)).filter(({ run }) => !("request" in run));
      assert.deepStrictEqual(
        refused.map(({ index }) => index),
        [20]
      );
      assert.strictEqual(counted().hooks, 2);
    }).pipe(Effect.provide(layer));
  });
});
