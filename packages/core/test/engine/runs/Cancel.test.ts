/** Ending runs early, from this process and from another. */
import { assert, describe, it } from "@effect/vitest";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as TestClock from "effect/testing/TestClock";
import { decideCancel, decideStart } from "../../../src/domain/result/Settlement.ts";
import { sweepRemovals } from "../../../src/engine/extractions/Removal.ts";
import { Runs } from "../../../src/engine/runs/Runs.ts";
import { CLAIM_POLL_INTERVAL_MS } from "../../../src/engine/runs/Worker.ts";
import * as MemoryRunFeed from "../../../src/memory/MemoryRunFeed.ts";
import { ArtifactStore } from "../../../src/ports/ArtifactStore.ts";
import { Store } from "../../../src/ports/Store.ts";
import type { FakeSource } from "@winnow/testing/fakes/FakeDownloader";
import {
  ARTICLE,
  assertLaws,
  balanceOf,
  engine,
  execute,
  openAccount,
  OPENING_BALANCE,
  ports,
  read,
  runToEnd,
  SOURCES,
  submit,
  world
} from "../World.ts";

const cancel = (accountId: string, id: string) => Runs.use((runs) => runs.cancel(accountId, id));

/** A source whose fetch never ends, and signals its start and its interruption. */
const stuck = () => {
  const begun = Deferred.makeUnsafe<void>();
  const stopped = Deferred.makeUnsafe<void>();
  const beforeFetch = Deferred.succeed(begun, undefined).pipe(
    Effect.andThen(Effect.never),
    Effect.onInterrupt(() => Deferred.succeed(stopped, undefined))
  );
  const sources: Record<string, FakeSource> = { [ARTICLE]: { ...SOURCES[ARTICLE], beforeFetch } };
  return {
    sources,
    begun: Deferred.await(begun),
    stopped: Deferred.await(stopped),
    isStopped: Deferred.isDone(stopped)
  };
};

describe("a cancelled extraction", () => {
  it.effect(
    "that is waiting or pending fails as cancelled with a full refund, and the next one gets its slot",
    () =>
      Effect.gen(function* () {
        const accountId = yield* openAccount();
        const submitted = yield* Effect.forEach([1, 2, 3, 4], () => submit(accountId, { url: ARTICLE }));
        const [pending = "", , queued = "", next = ""] = submitted.map(({ extraction }) => extraction.id);
        for (const id of [queued, pending]) {
          const cancelled = yield* cancel(accountId, id);
          assert.deepInclude(cancelled, { status: "failed", creditsDebited: 50, creditsRefunded: 50 });
          assert.strictEqual(cancelled.failure?.reason, "cancelled");
          yield* execute(cancelled);
          assert.deepStrictEqual(yield* read(accountId, id), cancelled);
        }
        assert.strictEqual((yield* read(accountId, next)).status, "pending");
        assert.strictEqual(yield* balanceOf(accountId), OPENING_BALANCE - 100);
        yield* assertLaws(accountId);
      }).pipe(Effect.provide(world()))
  );

  it.effect("that is running stops at once in this process, and its files are removed", () => {
    const source = stuck();
    return Effect.gen(function* () {
      const artifacts = yield* ArtifactStore;
      const accountId = yield* openAccount();
      const { extraction } = yield* submit(accountId, { url: ARTICLE });
      const key = { extractionId: extraction.id, attempt: 1, name: "early.txt" };
      yield* artifacts.put(key, { _tag: "Bytes", bytes: new Uint8Array(3) });
      const worker = yield* Effect.forkChild(execute(extraction));
      yield* source.begun;
      // It has polled several times and still listens.
      yield* TestClock.adjust(3.5 * CLAIM_POLL_INTERVAL_MS);
      const cancelled = yield* cancel(accountId, extraction.id);
      yield* Fiber.join(worker);
      assert.isTrue(yield* source.isStopped);
      yield* sweepRemovals();
      assert.deepStrictEqual(yield* artifacts.size(key), Option.none());
      assert.deepStrictEqual(yield* read(accountId, extraction.id), cancelled);
      assert.strictEqual(yield* balanceOf(accountId), OPENING_BALANCE);
      yield* assertLaws(accountId);
    }).pipe(Effect.provide(world({ sources: source.sources })));
  });

  for (const [heard, delayMs] of [
    ["at once when the feed tells it", 0],
    ["within seconds when the feed does not", CLAIM_POLL_INTERVAL_MS]
  ] as const) {
    it.effect(`that is running in another process stops there ${heard}, and is not requeued`, () => {
      const source = stuck();
      return Effect.gen(function* () {
        const accountId = yield* openAccount();
        const { extraction } = yield* submit(accountId, { url: ARTICLE });
        const worker = yield* Effect.forkChild(execute(extraction));
        yield* source.begun;
        const other = delayMs === 0 ? engine() : Layer.provide(engine(), MemoryRunFeed.layer);
        const elsewhere = Effect.provide(cancel(accountId, extraction.id), Layer.fresh(other), {
          local: true
        });
        const cancelled = yield* elsewhere;
        if (delayMs > 0) {
          yield* TestClock.adjust(delayMs - 1);
          assert.isFalse(yield* source.isStopped);
          yield* TestClock.adjust(1);
        }
        yield* Fiber.join(worker);
        assert.isTrue(yield* source.isStopped);
        assert.deepStrictEqual(yield* read(accountId, extraction.id), cancelled);
        yield* assertLaws(accountId);
      }).pipe(Effect.provide(world({ sources: source.sources })));
    });
  }

  it.effect("that is running lets its attempt clean up before the worker takes the next job", () => {
    const begun = Deferred.makeUnsafe<void>();
    const beforeFetch = Deferred.succeed(begun, undefined).pipe(
      Effect.andThen(Effect.never),
      Effect.onInterrupt(() => Effect.sleep(1_000))
    );
    return Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { extraction } = yield* submit(accountId, { url: ARTICLE });
      const worker = yield* Effect.forkChild(execute(extraction));
      yield* Deferred.await(begun);
      yield* cancel(accountId, extraction.id);
      yield* TestClock.adjust(999);
      assert.isUndefined(worker.pollUnsafe());
      yield* TestClock.adjust(1);
      yield* Fiber.join(worker);
    }).pipe(Effect.provide(world({ sources: { [ARTICLE]: { ...SOURCES[ARTICLE], beforeFetch } } })));
  });

  it.effect("that has ended does not change", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const { id } = yield* runToEnd(accountId, { url: ARTICLE });
      const done = yield* read(accountId, id);
      assert.deepStrictEqual(yield* cancel(accountId, id), done);
      const { extraction } = yield* submit(accountId, { url: ARTICLE, force: true });
      const once = yield* cancel(accountId, extraction.id);
      yield* TestClock.adjust(5_000);
      assert.deepStrictEqual(yield* cancel(accountId, extraction.id), once);
      assert.strictEqual(yield* balanceOf(accountId), OPENING_BALANCE - 50);
    }).pipe(Effect.provide(world()))
  );

  it.effect("of another account, or with an invalid id, is not found", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const stranger = yield* openAccount();
      const { extraction } = yield* submit(accountId, { url: ARTICLE });
      for (const id of [extraction.id, "ext_unknown", "", "\u0000", "ext_\u0000"]) {
        assert.strictEqual(
          (yield* Effect.flip(cancel(stranger, id))).message,
          "There is no such extraction."
        );
      }
      assert.strictEqual((yield* read(accountId, extraction.id)).status, "pending");
    }).pipe(Effect.provide(world()))
  );
});

describe("an attempt", () => {
  it.effect("continues while the store does not respond to the claim check", () => {
    const source = stuck();
    return Effect.gen(function* () {
      const real = yield* Store;
      const accountId = yield* openAccount();
      const { extraction } = yield* submit(accountId, { url: ARTICLE });
      let isDown = false;
      const flaky = Store.of({
        ...real,
        getExtraction: (account, id) =>
          isDown ? Effect.die(new Error("connection lost")) : real.getExtraction(account, id)
      });
      const flakyEngine = Layer.provideMerge(Layer.fresh(engine()), Layer.succeed(Store, flaky));
      const worker = yield* Effect.forkChild(
        Effect.provide(execute(extraction), flakyEngine, { local: true })
      );
      yield* source.begun;
      isDown = true;
      yield* TestClock.adjust(3 * CLAIM_POLL_INTERVAL_MS);
      assert.isFalse(yield* source.isStopped);
      isDown = false;
      yield* real.transact(accountId, decideCancel(extraction.id, 1));
      yield* TestClock.adjust(CLAIM_POLL_INTERVAL_MS);
      yield* Fiber.join(worker);
      assert.isTrue(yield* source.isStopped);
    }).pipe(Effect.provide(Layer.provideMerge(engine(), ports({ sources: source.sources }))));
  });

  it.effect("that was overtaken by another stops without touching the run", () => {
    const source = stuck();
    return Effect.gen(function* () {
      const store = yield* Store;
      const accountId = yield* openAccount();
      const { extraction } = yield* submit(accountId, { url: ARTICLE });
      const worker = yield* Effect.forkChild(execute(extraction));
      yield* source.begun;
      yield* store.transact(accountId, decideStart(extraction.id, 1));
      yield* TestClock.adjust(CLAIM_POLL_INTERVAL_MS);
      yield* Fiber.join(worker);
      assert.isTrue(yield* source.isStopped);
      assert.deepInclude(yield* read(accountId, extraction.id), { status: "running", attempt: 2 });
    }).pipe(Effect.provide(world({ sources: source.sources })));
  });
});
