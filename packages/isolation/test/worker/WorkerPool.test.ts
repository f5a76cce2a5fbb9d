// @module-tag smoke: workers that take all memory and time
/** Whatever a task does can end only its worker, and the next task has another. */
import { existsSync, readFileSync, readlinkSync } from "node:fs";
import { assert, describe, it } from "@effect/vitest";
import { CurrentRun, runFor } from "@winnow/core/ports/CurrentRun";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import { vi } from "vitest";
import { examineSandbox } from "../../src/sandbox/Sandbox.ts";
import { jsonFrame, jsonOf } from "../../src/process/Frames.ts";
import { ProcessorMeter } from "../../src/process/ProcessUse.ts";
import { makeWorkerPool, type WorkerPool } from "../../src/worker/WorkerPool.ts";
import { until } from "../until.ts";
import { descendants } from "../descendants.ts";
import type { EchoTask } from "./echo.ts";

/** Tests start several Node processes, which takes long on a busy machine. */
vi.setConfig({ testTimeout: 120_000 });

const report = await examineSandbox();

/** Limit of a task. */
const PROCESSOR_MS = 1_500;

/** Node processes of the echo worker, without the sandboxes around them. */
const workers = (): ReadonlyArray<string> =>
  descendants().filter((pid) => {
    try {
      const [program, ...args] = readFileSync(`/proc/${pid}/cmdline`, "latin1").split("\0");
      return program === process.execPath && args.some((word) => word.endsWith("/echo.ts"));
    } catch {
      return false;
    }
  });

/** In `npm run test:faults`; otherwise some things are only done in the sandbox. */
const isWhole = process.env["WINNOW_TEST_FAULTS"] !== undefined || !report.works;

for (const sandbox of report.works ? [null, report.sandbox] : [null]) {
  const poolOf = (entry = "./echo", workersMax = 2) =>
    makeWorkerPool({
      entry,
      from: import.meta.url,
      packages: [],
      sandbox,
      workersMax,
      heapMb: 256,
      buffersMb: 64,
      answerBytesMax: 500_000,
      processorMs: PROCESSOR_MS,
      wallMs: 60_000
    });

  const say = (pool: WorkerPool, task: EchoTask, accountId = "acc_test") =>
    pool.run(jsonFrame(task)).pipe(
      Effect.map((answer) => jsonOf(answer) as EchoTask),
      Effect.provideService(CurrentRun, runFor(accountId))
    );

  const reasonOf = (pool: WorkerPool, then: EchoTask["then"]) =>
    Effect.map(
      Effect.flip(say(pool, { text: "x", ...(then === undefined ? {} : { then }) })),
      ({ reason }) => reason
    );

  describe(`a pool of workers, ${sandbox === null ? "without a sandbox" : "in the sandbox"}`, () => {
    it.live("keeps a worker for the next task, whatever characters it has", () =>
      Effect.gen(function* () {
        const pool = yield* poolOf();
        const text = "one \u0000 \ud800 \u{1f600}";
        assert.strictEqual((yield* say(pool, { text })).text, text);
        const first = workers();
        assert.strictEqual((yield* say(pool, { text: "two" })).text, "two");
        assert.deepStrictEqual(workers(), first);
        assert.lengthOf(first, 1);
      }).pipe(Effect.scoped)
    );

    it.live.skipIf(!isWhole && sandbox === null)(
      "says why a task ended its worker, and serves the next one",
      () =>
        Effect.gen(function* () {
          const pool = yield* poolOf();
          assert.strictEqual(yield* reasonOf(pool, "fills its heap"), "too_large");
          assert.strictEqual(yield* reasonOf(pool, "fills buffers"), "too_large");
          assert.strictEqual(yield* reasonOf(pool, "answers at length"), "too_large");
          let countedMs = 0;
          const count = (usedMs: number) => void (countedMs += usedMs);
          const computed = reasonOf(pool, "computes").pipe(Effect.provideService(ProcessorMeter, count));
          assert.strictEqual(yield* computed, "timeout");
          assert.isAtLeast(countedMs, PROCESSOR_MS);
          assert.strictEqual(yield* reasonOf(pool, "throws"), "crashed");
          assert.strictEqual((yield* say(pool, { text: "after all" })).text, "after all");
        }).pipe(Effect.scoped)
    );

    it.live("starts another worker if one ended while it was idle", () =>
      Effect.gen(function* () {
        const pool = yield* poolOf();
        yield* say(pool, { text: "one", then: "exits" });
        yield* until(() => workers().length === 0);
        assert.strictEqual((yield* say(pool, { text: "two" })).text, "two");
      }).pipe(Effect.scoped)
    );

    it.live("fails a task whose worker cannot start instead of starting it forever", () =>
      Effect.gen(function* () {
        const pool = yield* poolOf("./missing");
        assert.strictEqual(yield* reasonOf(pool, undefined), "crashed");
      }).pipe(Effect.scoped)
    );

    it.live("ends the worker of a task that is interrupted, and all workers with its scope", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          const pool = yield* poolOf();
          const busy = yield* Effect.forkChild(say(pool, { text: "x", then: "computes" }));
          yield* until(() => workers().length === 1);
          yield* Fiber.interrupt(busy);
          assert.isEmpty(workers());
          yield* say(pool, { text: "one" });
          assert.lengthOf(workers(), 1);
        }).pipe(Effect.scoped);
        assert.isEmpty(workers());
      })
    );

    it.live("gives one account at most half of its workers", () =>
      Effect.gen(function* () {
        const pool = yield* poolOf("./echo", 4);
        const hog = yield* Effect.forkChild(
          Effect.forEach(
            Array.from({ length: 6 }),
            () => Effect.result(say(pool, { text: "x", then: "computes" }, "acc_hog")),
            { concurrency: "unbounded" }
          )
        );
        yield* until(() => workers().length === 2);
        assert.strictEqual((yield* say(pool, { text: "victim" }, "acc_victim")).text, "victim");
        assert.isUndefined(hog.pollUnsafe());
        yield* Fiber.interrupt(hog);
      }).pipe(Effect.scoped)
    );

    it.live.runIf(existsSync("/proc/self/ns/net"))(
      "runs workers that Linux ends before this process, without network and secrets of the environment",
      () =>
        Effect.gen(function* () {
          const pool = yield* poolOf();
          yield* say(pool, { text: "one" });
          const [pid = ""] = workers();
          const isShared = readlinkSync(`/proc/${pid}/ns/net`) === readlinkSync("/proc/self/ns/net");
          assert.strictEqual(isShared, sandbox === null);
          assert.strictEqual(readFileSync(`/proc/${pid}/oom_score_adj`, "latin1").trim(), "1000");
          const names = readFileSync(`/proc/${pid}/environ`, "latin1")
            .split("\0")
            .map((pair) => pair.split("=", 1)[0]);
          assert.includeMembers(["", "MALLOC_ARENA_MAX", "PATH", "PWD"], names);
        }).pipe(Effect.scoped)
    );
  });
}
