/**
 * Part of StoreSuite: the two slots of an account, and the jobs that go with them.
 */
import { assert } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Result from "effect/Result";
import { SLOTS_MAX } from "@winnow/core/domain/money/Plan";
import { NO_CHANGES } from "@winnow/core/domain/run/Decision";
import { isTerminal } from "@winnow/core/domain/run/Transition";
import { Store } from "@winnow/core/ports/Store";
import { sampleSubmit, uniqueId } from "../../samples/samples.ts";
import {
  decide,
  COST,
  liveIds,
  openAccount,
  readAll,
  runThrough,
  SLOW_MS,
  submit,
  TakenJobs,
  type StoreTests
} from "../../samples/StoreSteps.ts";

const submitMany = (accountId: string, count: number) =>
  Effect.forEach(Array.from({ length: count }), () =>
    Effect.map(submit(accountId, sampleSubmit(accountId)), ({ extraction }) => extraction.id)
  );

export const slots = (it: StoreTests): void => {
  it.effect(
    "concurrent submits, starts and settlements never use a third slot",
    () =>
      Effect.gen(function* () {
        const accountId = yield* openAccount({ balance: 1_000_000 });
        let most = 0;
        const runOne = Effect.gen(function* () {
          const { account, extractions } = yield* readAll(accountId);
          const live = liveIds(extractions);
          most = Math.max(most, live.length, account.slotsUsed);
          yield* Effect.forEach(live, (id) => runThrough(accountId, id), { concurrency: SLOTS_MAX });
          return live.length;
        });
        const submitAndRun = Effect.andThen(
          Effect.suspend(() => submit(accountId, sampleSubmit(accountId))),
          runOne
        );
        yield* Effect.forEach(Array.from({ length: 30 }), () => submitAndRun, { concurrency: 8 });
        yield* Effect.repeat(runOne, { until: (count) => count === 0 });
        assert.isAtMost(most, SLOTS_MAX);
        const { account, extractions } = yield* readAll(accountId);
        assert.strictEqual(extractions.length, 30);
        assert.isTrue(extractions.every(({ status }) => isTerminal(status)));
        assert.strictEqual(account.slotsUsed, 0);
      }),
    SLOW_MS
  );

  it.effect("an account is read together with the number of its waiting extractions", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const accountId = yield* openAccount({ balance: 1_000_000 });
      yield* submitMany(accountId, SLOTS_MAX + 3);
      const { account } = yield* readAll(accountId);
      assert.deepStrictEqual(yield* store.getActivity(accountId), Option.some({ account, waitingCount: 3 }));
      assert.strictEqual(account.slotsUsed, SLOTS_MAX);
      assert.deepStrictEqual(yield* store.getActivity(uniqueId("acc")), Option.none());
    })
  );

  it.effect(
    "waiting extractions get slots in submission order",
    () =>
      Effect.gen(function* () {
        const accountId = yield* openAccount({ balance: 1_000_000 });
        // All have the same millisecond and unordered ids, so only the order of submission counts.
        const ids = yield* submitMany(accountId, 8);
        for (const [turn, id] of ids.entries()) {
          const { extractions } = yield* readAll(accountId);
          assert.sameMembers([...liveIds(extractions)], ids.slice(turn, turn + SLOTS_MAX));
          assert.isTrue(yield* runThrough(accountId, id));
        }
      }),
    SLOW_MS
  );

  it.effect("the view has the number of waiting extractions and the oldest of them", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount({ balance: 1_000_000 });
      const ids = yield* submitMany(accountId, 7);
      const last = ids.at(-1) ?? "";
      const view = yield* decide(accountId, { extractionId: last }, (seen) =>
        Result.succeed({ value: seen, changes: NO_CHANGES })
      );
      assert.strictEqual(view.waitingCount, 5);
      assert.deepStrictEqual(
        view.waiting.map(({ id }) => id),
        ids.slice(SLOTS_MAX, 2 * SLOTS_MAX + 1)
      );
      assert.strictEqual(view.extraction?.id, last);
      assert.deepStrictEqual([view.idempotency, view.replayed], [null, null]);
    })
  );
};

export const jobs = (it: StoreTests): void => {
  it.effect(
    "a run with a slot reaches a worker; a waiting one only when it gets a slot",
    () =>
      Effect.gen(function* () {
        const taken = yield* TakenJobs;
        const accountId = yield* openAccount({ balance: COST * 3 });
        const [first = "", second = "", waiting = ""] = yield* submitMany(accountId, 3);
        yield* taken.await(first);
        yield* taken.await(second);
        assert.isFalse(yield* taken.has(waiting));
        yield* runThrough(accountId, first);
        yield* taken.await(waiting);
      }),
    SLOW_MS
  );

  it.effect(
    "a refused submit enqueues no job",
    () =>
      Effect.gen(function* () {
        const taken = yield* TakenJobs;
        const accountId = yield* openAccount({ balance: COST });
        const refused = sampleSubmit(accountId, {
          pricedFacts: { kind: "photos", durationMs: null, imageCount: 1 }
        });
        const dear = { ...refused, request: { ...refused.request, modalities: ["comments" as const] } };
        yield* Effect.flip(submit(accountId, dear));
        const accepted = yield* submit(accountId, sampleSubmit(accountId));
        yield* taken.await(accepted.extraction.id);
        assert.isFalse(yield* taken.has(dear.id));
      }),
    SLOW_MS
  );
};
