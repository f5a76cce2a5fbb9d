/** Quoting and creating batches, with in-memory ports. */
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Layer from "effect/Layer";
import * as Stream from "effect/Stream";
import * as TestClock from "effect/testing/TestClock";
import { refuses } from "@winnow/testing/fakes/FakeDownloader";
import * as BatchesModule from "../../../src/engine/batches/Batches.ts";
import { QUOTES_AT_ONCE } from "../../../src/engine/batches/BatchQuotes.ts";
import type { DownloadFailed } from "../../../src/ports/Downloader.ts";
import { balanceOf, engine, openAccount, ports, SOURCES, VIDEO } from "../World.ts";

const ITEMS = 60;

/** Sources that take a second to inspect, and how often that was begun. */
const slowSources = (failures: Readonly<Record<string, DownloadFailed>> = {}) => {
  const seen = { looks: 0, now: 0, most: 0 };
  const items = Array.from({ length: ITEMS }, (_, index) => ({ url: `https://example.com/${index}` }));
  const sources = Object.fromEntries(
    items.map(({ url }) => {
      const beforeInspect = Effect.suspend(() => {
        seen.looks += 1;
        seen.now += 1;
        seen.most = Math.max(seen.most, seen.now);
        return Effect.sleep("1 second").pipe(
          Effect.andThen(failures[url] ?? Effect.void),
          Effect.ensuring(Effect.sync(() => (seen.now -= 1)))
        );
      });
      return [url, { ...SOURCES[VIDEO], beforeInspect }];
    })
  );
  const layer = Layer.provideMerge(BatchesModule.layer, Layer.provideMerge(engine(), ports({ sources })));
  return { items, layer, seen };
};

/** Long enough for all items, one after the other. */
const passTime = Effect.replicateEffect(TestClock.adjust("1 second"), ITEMS, { discard: true });

describe("a batch", () => {
  it.effect("is not inspected again after its quote, even minutes later", () => {
    const { items, layer, seen } = slowSources();
    return Effect.gen(function* () {
      const accountId = yield* openAccount(100_000);
      const batches = yield* BatchesModule.Batches;
      const quote = yield* Effect.forkChild(
        Effect.flatMap(batches.quote(accountId, { items }), Stream.runCollect)
      );
      yield* passTime;
      const credits = (yield* Fiber.join(quote)).reduce((sum, line) => sum + (line.credits ?? 0), 0);
      yield* TestClock.adjust("20 minutes");
      const before = yield* balanceOf(accountId);
      yield* batches.create(accountId, { items }, null);
      assert.strictEqual(seen.looks, ITEMS);
      assert.strictEqual(before - (yield* balanceOf(accountId)), credits);
    }).pipe(Effect.provide(layer));
  });

  it.effect("is inspected again where its quote failed for the moment, and nowhere else", () => {
    const { items, layer, seen } = slowSources({
      "https://example.com/1": refuses("timeout"),
      "https://example.com/2": refuses("removed")
    });
    return Effect.gen(function* () {
      const accountId = yield* openAccount(100_000);
      const { quote } = yield* BatchesModule.Batches;
      const quoted = { items: items.slice(0, 3) };
      const looks = Effect.gen(function* () {
        const before = seen.looks;
        const fiber = yield* Effect.forkChild(Effect.flatMap(quote(accountId, quoted), Stream.runCollect));
        yield* passTime;
        const lines = (yield* Fiber.join(fiber)).toSorted((a, b) => a.index - b.index);
        const credits = lines.map((line) => line.credits);
        return { credits, looks: seen.looks - before };
      });
      const credits = [230, 290, null];
      assert.deepStrictEqual(yield* looks, { credits, looks: 3 });
      assert.deepStrictEqual(yield* looks, { credits, looks: 1 });
    }).pipe(Effect.provide(layer));
  });

  it.effect("whose client left goes on where it was when the request is repeated", () => {
    const { items, layer, seen } = slowSources();
    return Effect.gen(function* () {
      const accountId = yield* openAccount(100_000);
      const { create, list } = yield* BatchesModule.Batches;
      const cut = yield* Effect.forkChild(create(accountId, { items }, "key"));
      yield* TestClock.adjust("5 seconds");
      yield* Fiber.interrupt(cut);
      assert.isBelow(seen.looks, ITEMS);
      const again = yield* Effect.forkChild(create(accountId, { items }, "key"));
      yield* passTime;
      const { id, replayed } = yield* Fiber.join(again);
      assert.isFalse(replayed);
      assert.isAtMost(seen.looks, ITEMS + QUOTES_AT_ONCE);
      const { batches } = yield* list(accountId, { limit: 10, cursor: null });
      assert.deepStrictEqual(
        batches.map((batch) => batch.id),
        [id]
      );
    }).pipe(Effect.provide(layer));
  });

  it.effect("leaves its account inspections for single submits, however many are quoted", () => {
    const { items, layer, seen } = slowSources();
    return Effect.gen(function* () {
      const batches = yield* BatchesModule.Batches;
      const mostOf = Effect.fnUntraced(function* (accountIds: ReadonlyArray<string>) {
        seen.most = 0;
        const quotes = accountIds.map((accountId, index) =>
          Effect.flatMap(
            batches.quote(accountId, { items: items.slice(index * 20, index * 20 + 20) }),
            Stream.runCollect
          )
        );
        const fiber = yield* Effect.forkChild(Effect.all(quotes, { concurrency: "unbounded" }));
        yield* passTime;
        yield* Fiber.join(fiber);
        return seen.most;
      });
      const [one, other] = [yield* openAccount(100_000), yield* openAccount(100_000)];
      assert.strictEqual(yield* mostOf([one, one, one]), QUOTES_AT_ONCE);
      assert.strictEqual(yield* mostOf([yield* openAccount(100_000), other]), 2 * QUOTES_AT_ONCE);
    }).pipe(Effect.provide(layer));
  });

  it.effect("tries failed items again with a new look", () => {
    const { items, layer, seen } = slowSources();
    return Effect.gen(function* () {
      const accountId = yield* openAccount(100_000);
      const batches = yield* BatchesModule.Batches;
      const made = yield* Effect.forkChild(batches.create(accountId, { items: items.slice(0, 1) }, null));
      yield* passTime;
      const { id } = yield* Fiber.join(made);
      yield* batches.cancel(accountId, id);
      const retried = yield* Effect.forkChild(batches.retryFailed(accountId, id));
      yield* passTime;
      yield* Fiber.join(retried);
      assert.strictEqual(seen.looks, 2);
    }).pipe(Effect.provide(layer));
  });
});
