import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Ref from "effect/Ref";
import * as TestClock from "effect/testing/TestClock";
import { decideStart, decideUntaken } from "../../../src/domain/result/Settlement.ts";
import * as CommitHook from "../../../src/engine/CommitHook.ts";
import { endUntaken } from "../../../src/engine/runs/UntakenRuns.ts";
import { Webhooks } from "../../../src/engine/webhooks/Webhooks.ts";
import { Worker } from "../../../src/engine/runs/Worker.ts";
import {
  EXPIRY_GRACE_MS,
  PENDING_STALLED_MS,
  sweep,
  SWEEP_INTERVAL_MS,
  sweepOnSchedule
} from "../../../src/engine/runs/Sweeper.ts";
import { ENGINE_DEFAULTS } from "../../../src/engine/EngineSettings.ts";
import { JobQueue } from "../../../src/ports/JobQueue.ts";
import { Store } from "../../../src/ports/Store.ts";
import {
  ARTICLE,
  assertLaws,
  balanceOf,
  DAY_MS,
  openAccount,
  OPENING_BALANCE,
  read,
  submit,
  world
} from "../World.ts";

/** Takes all jobs without executing them, like a worker that dies at each. */
const loseJobs = Effect.scoped(
  Effect.gen(function* () {
    const queue = yield* JobQueue;
    yield* queue.work(1, () => Effect.void);
    yield* Effect.repeat(Effect.andThen(Effect.yieldNow, queue.depth), {
      until: ({ waiting, active }) => waiting + active === 0
    });
  })
);

const waitingJobs = JobQueue.use((queue) => Effect.map(queue.depth, ({ waiting }) => waiting));

describe("a run that no worker takes", () => {
  const DAYS = 3;
  const end = Effect.provide(endUntaken(), CommitHook.layer);

  it.effect.each([
    ["the plan's retention", { retentionDays: DAYS }, DAYS],
    ["seven days, if the plan keeps results for longer", { retentionDays: 30 }, 7]
  ] as const)("fails after %s as expired, is refunded in full and announced", ([, limits, days]) =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const webhooks = yield* Webhooks;
      yield* webhooks.register(accountId, { url: "https://hooks.example/" });
      for (let count = 0; count < 4; count++) yield* submit(accountId, { url: ARTICLE });
      yield* TestClock.adjust(days * DAY_MS);
      assert.strictEqual(yield* end, 0);
      yield* TestClock.adjust(1);
      const fresh = (yield* submit(accountId, { url: ARTICLE })).extraction;
      assert.strictEqual(yield* end, 4);
      const { extractions } = yield* assertLaws(accountId);
      const failed = extractions.filter(({ failure }) => failure?.reason === "expired");
      assert.deepStrictEqual([failed.length, (yield* read(accountId, fresh.id)).status], [4, "pending"]);
      assert.strictEqual(yield* balanceOf(accountId), OPENING_BALANCE - 50);
      const page = { limit: 10, cursor: null, status: null };
      const { rows: deliveries } = yield* webhooks.deliveries(accountId, page);
      assert.deepStrictEqual(
        deliveries.map(({ event }) => event),
        Array.from({ length: 4 }, () => "extraction.failed")
      );
    }).pipe(Effect.provide(world({ plans: { default: limits } })))
  );

  it.effect("is no longer ended once a worker has it", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const accountId = yield* openAccount();
      const { id } = (yield* submit(accountId, { url: ARTICLE })).extraction;
      yield* TestClock.adjust(8 * DAY_MS);
      yield* store.transact(accountId, decideStart(id, 8 * DAY_MS));
      const late = yield* store.transact(accountId, decideUntaken(id, 9 * DAY_MS));
      assert.isNull(late.value);
      assert.strictEqual(yield* end, 0);
    }).pipe(Effect.provide(world()))
  );
});

describe("the sweeper", () => {
  it.effect("enqueues a pending run again once its job may be lost", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      yield* submit(accountId, { url: ARTICLE });
      yield* loseJobs;
      yield* TestClock.adjust(PENDING_STALLED_MS);
      yield* sweep();
      assert.strictEqual(yield* waitingJobs, 0);
      yield* TestClock.adjust(1);
      yield* sweep();
      assert.strictEqual(yield* waitingJobs, 1);
      yield* sweep();
      assert.strictEqual(yield* waitingJobs, 1);
    }).pipe(Effect.provide(world()))
  );

  it.effect("abandons a run over all limits with a full refund, and starts the next", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const accountId = yield* openAccount();
      const submitted = yield* Effect.forEach([1, 2, 3], () => submit(accountId, { url: ARTICLE }));
      const [stuck, , waiting] = submitted.map(({ extraction }) => extraction.id);
      yield* store.transact(accountId, decideStart(stuck ?? "", 0));
      yield* TestClock.adjust(ENGINE_DEFAULTS.runTimeoutMs + EXPIRY_GRACE_MS);
      assert.deepStrictEqual(yield* sweep(), []);
      yield* TestClock.adjust(1);
      assert.deepStrictEqual(
        (yield* sweep()).map(({ id, failure }) => [id, failure?.reason]),
        [[stuck, "expired"]]
      );
      assert.strictEqual((yield* read(accountId, waiting ?? "")).status, "pending");
      assert.strictEqual(yield* balanceOf(accountId), OPENING_BALANCE - 100);
      yield* assertLaws(accountId);
    }).pipe(Effect.provide(world()))
  );

  it.effect("runs alongside the workers: a lost job completes by itself", () =>
    Effect.gen(function* () {
      const worker = yield* Worker;
      const accountId = yield* openAccount();
      const { extraction } = yield* submit(accountId, { url: ARTICLE });
      yield* loseJobs;
      yield* worker.work(1);
      yield* TestClock.adjust(PENDING_STALLED_MS + SWEEP_INTERVAL_MS);
      assert.strictEqual((yield* read(accountId, extraction.id)).status, "complete");
    }).pipe(Effect.provide(world()))
  );

  it.effect("continues after a failed sweep", () =>
    Effect.gen(function* () {
      const real = yield* Store;
      const calls = yield* Ref.make(0);
      const broken = Store.of({
        ...real,
        findStalled: (query) =>
          Effect.flatMap(
            Ref.updateAndGet(calls, (count) => count + 1),
            (count) => (count === 1 ? Effect.die(new Error("connection lost")) : real.findStalled(query))
          )
      });

      const fiber = yield* Effect.forkChild(Effect.provideService(sweepOnSchedule, Store, broken));
      yield* TestClock.adjust(3 * SWEEP_INTERVAL_MS);
      assert.strictEqual(yield* Ref.get(calls), 4);
      yield* Fiber.interrupt(fiber);
    }).pipe(Effect.provide(world()))
  );
});
