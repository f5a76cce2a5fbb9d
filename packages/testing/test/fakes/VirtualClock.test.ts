import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import { assert, describe, it } from "vitest";
import { VirtualClock } from "../../src/fakes/VirtualClock.ts";

describe("VirtualClock", () => {
  const onClock = <A>(clock: VirtualClock, effect: Effect.Effect<A>): Promise<A> =>
    Effect.runPromise(Effect.provide(effect, clock.layer));

  it("stands still until it is moved", async () => {
    const clock = new VirtualClock(1_000);
    assert.strictEqual(await onClock(clock, Clock.currentTimeMillis), 1_000);
    await clock.advance(500);
    assert.strictEqual(await onClock(clock, Clock.currentTimeMillis), 1_500);
    assert.strictEqual(clock.nowMs, 1_500);
  });

  it("wakes sleepers in order, including those that start on the way, and none early", async () => {
    const clock = new VirtualClock(0);
    const woken: Array<readonly [string, number]> = [];
    const sleeper = (name: string, ...naps: ReadonlyArray<number>) =>
      onClock(
        clock,
        Effect.forEach(naps, (nap) =>
          Effect.andThen(
            Effect.sleep(nap),
            Effect.sync(() => woken.push([name, clock.nowMs]))
          )
        )
      );
    const done = Promise.all([sleeper("slow", 100), sleeper("quick", 30, 30), sleeper("late", 101)]);
    await clock.advance(100);
    assert.deepStrictEqual(woken, [
      ["quick", 30],
      ["quick", 60],
      ["slow", 100]
    ]);
    await clock.advance(1);
    await done;
    assert.deepStrictEqual(woken.at(-1), ["late", 101]);
  });

  it("makes time limits expire", async () => {
    const clock = new VirtualClock();
    const limited = onClock(clock, Effect.timeoutOption(Effect.never, "1 hour"));
    await clock.advance(60 * 60_000);
    assert.strictEqual((await limited)._tag, "None");
  });

  it("forgets interrupted sleepers", async () => {
    const clock = new VirtualClock();
    const leave = new AbortController();
    let isWoken = false;
    const nap = Effect.andThen(
      Effect.sleep(10),
      Effect.sync(() => (isWoken = true))
    );
    const left = Effect.runPromise(Effect.provide(nap, clock.layer), { signal: leave.signal });
    leave.abort();
    await left.catch(() => undefined);
    await clock.advance(10);
    assert.isFalse(isWoken);
  });
});
