import type { Worker } from "node:worker_threads";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { makeWorkerPool } from "../../src/worker/WorkerPool.ts";
import type { EchoTask } from "./echo.ts";

/** The exit of the next worker that any pool starts. */
const nextEnd = (): Promise<unknown> =>
  new Promise((resolve) => process.once("worker", (worker: Worker) => worker.once("exit", resolve)));

const poolOf = (saysReady: boolean) =>
  makeWorkerPool<EchoTask, string>({
    entry: saysReady ? "./echo" : "./missing",
    from: import.meta.url,
    workersMax: 1,
    heapMb: 64,
    buffersMb: 128,
    saysReady
  });

const say = (text: string, thenEnd = false) => [{ text, thenEnd }, alone] as const;

const alone = <A, E>(answer: Effect.Effect<A, E>): Effect.Effect<A, E> => answer;

describe("a pool of workers", () => {
  it.live("a worker that ended while idle does not fail the next task", () =>
    Effect.gen(function* () {
      const ended = nextEnd();
      const { run } = yield* poolOf(true);
      assert.strictEqual(yield* run(...say("one", true)), "one");
      yield* Effect.promise(() => ended);
      assert.strictEqual(yield* run(...say("two")), "two");
    }).pipe(Effect.scoped)
  );

  it.live("a task that fills memory outside the heap ends only its worker", () =>
    Effect.gen(function* () {
      const { run } = yield* poolOf(true);
      const failure = yield* Effect.flip(run({ text: "", thenEnd: false, hoards: true }, alone));
      assert.strictEqual(failure._tag, "WorkerEnded");
      assert.strictEqual(yield* run(...say("after it")), "after it");
    }).pipe(Effect.scoped)
  );

  it.live("a worker that cannot start fails its task instead of restarting forever", () =>
    Effect.gen(function* () {
      const { run } = yield* poolOf(false);
      const failure = yield* Effect.flip(run(...say("one")));
      assert.strictEqual(failure._tag, "WorkerEnded");
    }).pipe(Effect.scoped)
  );
});
