/** Which extraction a repeated submit gets, and whose result. */
import { assert, describe, it } from "@effect/vitest";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { Runs } from "../../../src/engine/runs/Runs.ts";
import { Store } from "../../../src/ports/Store.ts";
import * as TestClock from "effect/testing/TestClock";
import { keyOfOtherBody } from "../../../src/domain/request/Idempotency.ts";
import { Extractions } from "../../../src/engine/extractions/Extractions.ts";
import * as FakeAnalyst from "@winnow/testing/fakes/FakeAnalyst";
import { sampleFacts } from "@winnow/testing/samples/samples";
import {
  ARTICLE,
  assertLaws,
  engine,
  execute,
  openAccount,
  runToEnd,
  submit,
  VIDEO,
  world
} from "../World.ts";

describe("idempotency and reuse", () => {
  it.effect("the same key and body return the current state of the first extraction", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const first = yield* submit(accountId, { url: ARTICLE, parts: ["comments", "audio"] }, "key");
      yield* execute(first.extraction);
      const again = yield* submit(accountId, { parts: ["comments", "audio"], url: ARTICLE }, "key");
      assert.isTrue(again.replayed);
      assert.strictEqual(again.extraction.id, first.extraction.id);
      assert.strictEqual(again.extraction.status, "complete");
      assert.strictEqual(again.extraction.creditsDebited, 50);
      assert.strictEqual((yield* assertLaws(accountId)).extractions.length, 1);
    }).pipe(Effect.provide(world()))
  );

  it.effect("a key knows when its extraction was submitted, for its own account only", () =>
    Effect.gen(function* () {
      const [accountId, other] = [yield* openAccount(), yield* openAccount()];
      const { submittedAtMs } = yield* Extractions;
      assert.isNull(yield* submittedAtMs(accountId, "key"));
      const { extraction } = yield* submit(accountId, { url: ARTICLE }, "key");
      assert.strictEqual(yield* submittedAtMs(accountId, "key"), extraction.createdAtMs);
      assert.isNull(yield* submittedAtMs(other, "key"));
    }).pipe(Effect.provide(world()))
  );

  it.effect("a replay is answered even if this server would refuse the body by now", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const body = { url: ARTICLE, schema: { type: "object", minProperties: 1 } };
      const withModel = Layer.fresh(Layer.provide(engine(), FakeAnalyst.layer()));
      const first = yield* Effect.provide(submit(accountId, body, "key"), withModel, { local: true });
      const again = yield* submit(accountId, body, "key");
      assert.deepStrictEqual([again.replayed, again.extraction.id], [true, first.extraction.id]);
      const other = yield* Effect.flip(submit(accountId, { ...body, nonsense: 1 }, "key"));
      assert.strictEqual(other._tag, "Conflict");
      const fresh = yield* Effect.flip(submit(accountId, body, "other"));
      assert.deepInclude(fresh, { details: { param: "schema", reason: "ai_not_configured" } });
    }).pipe(Effect.provide(world()))
  );

  it.effect("a result that is deleted at that moment gives way to an older one that can be reused", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const runs = yield* Runs;
      const older = yield* runToEnd(accountId, { url: ARTICLE, force: true });
      yield* TestClock.adjust(1);
      const newer = yield* runToEnd(accountId, { url: ARTICLE, force: true });
      const store = yield* Store;
      const remove = yield* Effect.cached(Effect.ignore(runs.remove(accountId, newer.id)));
      const racing = Store.of({
        ...store,
        transact: (id, decider) => Effect.andThen(remove, store.transact(id, decider))
      });
      const engineOf = Layer.fresh(Layer.provide(engine(), Layer.succeed(Store, racing)));
      const submitted = Effect.provide(submit(accountId, { url: ARTICLE }), engineOf, { local: true });
      assert.strictEqual((yield* submitted).extraction.cachedFrom, older.id);
    }).pipe(Effect.provide(world()))
  );

  it.effect("a replay does not inspect the source again", () => {
    let looks = 0;
    const count = Effect.sync(() => {
      looks += 1;
    });
    const sources = { [VIDEO]: { facts: sampleFacts(), beforeInspect: count } };
    return Effect.gen(function* () {
      const accountId = yield* openAccount();
      yield* submit(accountId, { url: VIDEO }, "key");
      yield* submit(accountId, { url: VIDEO }, "key");
      assert.strictEqual(looks, 1);
    }).pipe(Effect.provide(world({ sources })));
  });

  it.effect("the same key with another body is a conflict, a default spelled out included", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      yield* submit(accountId, { url: ARTICLE }, "key");
      for (const body of [{ url: VIDEO }, { url: ARTICLE, force: false }]) {
        const failure = yield* Effect.flip(submit(accountId, body, "key"));
        assert.deepStrictEqual(failure, keyOfOtherBody());
      }
    }).pipe(Effect.provide(world()))
  );

  it.effect("a refused request does not use its key up", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount(0);
      yield* Effect.flip(submit(accountId, { url: VIDEO, partz: [] }, "key"));
      yield* Effect.flip(submit(accountId, { url: VIDEO }, "key"));
      const rich = yield* openAccount();
      const { replayed } = yield* submit(rich, { url: VIDEO }, "key");
      assert.isFalse(replayed);
    }).pipe(Effect.provide(world()))
  );

  it.effect("two concurrent submits with one key are one extraction", () => {
    const arrived = Deferred.makeUnsafe<void>();
    let looks = 0;
    // Blocks every inspection until both submits have looked for a replay.
    const beforeInspect = Effect.suspend(() => {
      looks += 1;
      return looks === 2 ? Deferred.succeed(arrived, undefined) : Deferred.await(arrived);
    });
    return Effect.gen(function* () {
      const accountId = yield* openAccount();
      const both = yield* Effect.all(
        [submit(accountId, { url: VIDEO }, "key"), submit(accountId, { url: VIDEO }, "key")],
        { concurrency: 2 }
      );
      assert.sameMembers(
        both.map(({ replayed }) => replayed),
        [true, false]
      );
      assert.strictEqual((yield* assertLaws(accountId)).extractions.length, 1);
    }).pipe(Effect.provide(world({ sources: { [VIDEO]: { facts: sampleFacts(), beforeInspect } } })));
  });

  it.effect("a key that is empty, too long or not printable is refused", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      for (const key of [" ", "x".repeat(256), "ä", "a\u0007"]) {
        const failure = yield* Effect.flip(submit(accountId, { url: ARTICLE }, key));
        assert.deepInclude(failure, { _tag: "InvalidRequest", details: { param: "Idempotency-Key" } });
      }
    }).pipe(Effect.provide(world()))
  );
});
