import { assert, describe, it } from "@effect/vitest";
import { Downloader } from "@winnow/core/ports/Downloader";
import { FreeSpace } from "@winnow/core/ports/FreeSpace";
import { Store } from "@winnow/core/ports/Store";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Layer from "effect/Layer";
import * as TestClock from "effect/testing/TestClock";
import * as HealthHttp from "../../../src/routes/system/HealthHttp.ts";
import * as WorkerState from "../../../src/routes/system/WorkerState.ts";

const ready = (ping: Effect.Effect<void>, worker: boolean) =>
  Effect.result(HealthHttp.readiness).pipe(
    Effect.provide([Layer.mock(Store)({ ping }), WorkerState.layer(worker)])
  );

describe("readiness", () => {
  it.effect("is reported if the database responds and the worker is running", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* ready(Effect.void, true))._tag, "Success");
    })
  );

  it.effect("is not reported while a disk has too little space, and says which", () =>
    Effect.gen(function* () {
      const disks = Effect.succeed([{ name: "artifacts" as const, freeBytes: 5 }]);
      const answer = yield* Effect.provideService(ready(Effect.void, true), FreeSpace, { disks });
      assert(answer._tag === "Failure");
      assert.include(answer.failure.message, "WINNOW_MIN_FREE_BYTES");
    })
  );

  it.effect("is not reported while the download programs start", () =>
    Effect.gen(function* () {
      for (const isWarm of [false, true]) {
        const downloader = Layer.mock(Downloader)({ isWarm: Effect.succeed(isWarm) });
        const answer = yield* Effect.provide(ready(Effect.void, true), downloader);
        assert.strictEqual(answer._tag, isWarm ? "Success" : "Failure");
      }
    })
  );

  it.effect("is not reported without a database or a worker, and says which is missing", () =>
    Effect.gen(function* () {
      const message = Effect.fnUntraced(function* (ping: Effect.Effect<void>, worker: boolean) {
        const answer = yield* ready(ping, worker);
        assert(answer._tag === "Failure");
        return answer.failure.message;
      });
      assert.include(yield* message(Effect.die("down"), true), "database");
      const waiting = yield* Effect.forkChild(message(Effect.never, true));
      yield* TestClock.adjust("2 seconds");
      assert.include(yield* Fiber.join(waiting), "database");
      assert.include(yield* message(Effect.void, false), "worker");
    })
  );
});
