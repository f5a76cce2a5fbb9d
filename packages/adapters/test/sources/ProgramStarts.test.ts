import { assert, describe, it } from "@effect/vitest";
import { CurrentRun, runFor } from "@winnow/core/ports/CurrentRun";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as TestClock from "effect/testing/TestClock";
import { makeProgramStarts, START_TIMEOUT_MS } from "../../src/sources/inspect/RoutedServices.ts";

/** A program of the account that never ends. */
const program = (
  startInTurn: ReturnType<typeof makeProgramStarts>,
  accountId: string,
  started: Array<string>
) =>
  Effect.gen(function* () {
    const connected = yield* Deferred.make<void>();
    const running = Effect.andThen(
      Effect.sync(() => void started.push(accountId)),
      Effect.never
    );
    const fiber = yield* startInTurn(Deferred.await(connected))(running).pipe(
      Effect.provideService(CurrentRun, runFor(accountId)),
      Effect.forkChild({ startImmediately: true })
    );
    return { fiber, connect: Effect.andThen(Deferred.succeed(connected, undefined), Effect.yieldNow) };
  });

describe("A program", () => {
  it.effect(
    "waits only for its account's turn to start one, not for programs that wait for their source",
    () =>
      Effect.gen(function* () {
        const startInTurn = makeProgramStarts(2);
        const started: Array<string> = [];
        const first = yield* program(startInTurn, "burst", started);
        for (let more = 0; more < 8; more++) yield* program(startInTurn, "burst", started);
        assert.deepStrictEqual(started, ["burst"]);
        yield* program(startInTurn, "victim", started);
        assert.deepStrictEqual(started, ["burst", "victim"]);
        yield* first.connect;
        assert.deepStrictEqual(started, ["burst", "victim", "burst"]);
      })
  );

  it.effect("that does not connect, ends or is interrupted lets the next one start", () =>
    Effect.gen(function* () {
      const startInTurn = makeProgramStarts(2);
      const started: Array<string> = [];
      yield* program(startInTurn, "burst", started);
      const second = yield* program(startInTurn, "burst", started);
      yield* TestClock.adjust(START_TIMEOUT_MS - 1);
      assert.lengthOf(started, 1);
      yield* TestClock.adjust(1);
      assert.lengthOf(started, 2);
      yield* Fiber.interrupt(second.fiber);
      yield* startInTurn(Effect.never)(Effect.sync(() => void started.push("ended"))).pipe(
        Effect.provideService(CurrentRun, runFor("burst"))
      );
      yield* program(startInTurn, "burst", started);
      assert.deepStrictEqual(started, ["burst", "burst", "ended", "burst"]);
    })
  );
});
