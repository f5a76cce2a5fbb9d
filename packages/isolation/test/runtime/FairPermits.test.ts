import { assert, describe, it } from "@effect/vitest";
import * as Arbitrary from "effect/Arbitrary";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Schema from "effect/Schema";
import { makeFairPermits, type FairPermits } from "../../src/runtime/FairPermits.ts";

/** Work that signals its start and ends on request. */
const work = (permits: FairPermits, account: string, begun: Array<string>) =>
  Effect.gen(function* () {
    const end = yield* Deferred.make<void>();
    const working = Effect.sync(() => void begun.push(account)).pipe(Effect.andThen(Deferred.await(end)));
    const fiber = yield* Effect.forkChild(permits.withPermit(account)(working), { startImmediately: true });
    return { fiber, finish: Effect.andThen(Deferred.succeed(end, undefined), Fiber.await(fiber)) };
  });

describe("FairPermits", () => {
  it.effect("a burst of one account does not delay the first permit of another", () =>
    Effect.gen(function* () {
      const permits = makeFairPermits(4);
      const begun: Array<string> = [];
      for (let index = 0; index < 16; index++) yield* work(permits, "burst", begun);
      assert.deepStrictEqual(begun, ["burst", "burst"]);
      yield* work(permits, "other", begun);
      assert.deepStrictEqual(begun, ["burst", "burst", "other"]);
      assert.deepStrictEqual(
        [permits.waiting(), permits.waitingOf("burst"), permits.waitingOf("other")],
        [14, 14, 0]
      );
    })
  );

  it.effect("a returned permit goes to the account that holds the fewest", () =>
    Effect.gen(function* () {
      const permits = makeFairPermits(2);
      const begun: Array<string> = [];
      const first = yield* work(permits, "a", begun);
      const second = yield* work(permits, "b", begun);
      for (const account of ["a", "b", "c"]) yield* work(permits, account, begun);
      yield* first.finish;
      yield* second.finish;
      assert.deepStrictEqual(begun.slice(0, 3), ["a", "b", "c"]);
      assert.lengthOf(begun, 4);
    })
  );

  it.effect("an interrupted waiter or holder loses no permit", () =>
    Effect.gen(function* () {
      const permits = makeFairPermits(2);
      const begun: Array<string> = [];
      const first = yield* work(permits, "a", begun);
      const waiting = yield* work(permits, "a", begun);
      yield* work(permits, "a", begun);
      yield* Fiber.interrupt(waiting.fiber);
      assert.strictEqual(permits.waiting(), 1);
      yield* Fiber.interrupt(first.fiber);
      yield* Effect.yieldNow;
      assert.lengthOf(begun, 2);
      assert.strictEqual(permits.waiting(), 0);
    })
  );

  it.effect("a permit can be returned only once", () =>
    Effect.gen(function* () {
      const permits = makeFairPermits(4);
      const giveBack = yield* Effect.uninterruptibleMask((restore) => permits.acquire("a", restore));
      yield* giveBack;
      yield* giveBack;
      const begun: Array<string> = [];
      for (let index = 0; index < 4; index++) yield* work(permits, "a", begun);
      assert.lengthOf(begun, 2);
    })
  );

  const below = (count: number) =>
    Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: count - 1 })));
  const Step = Arbitrary.all({ kind: below(4), who: below(5), which: below(100) });

  it.effect.prop(
    "no account ever holds more than half, whoever works, ends or is interrupted, and no permit is lost",
    { total: Arbitrary.map(below(8), (more) => more + 2), steps: Arbitrary.array(Step, { maxLength: 60 }) },
    ({ steps, total }) =>
      Effect.gen(function* () {
        const permits = makeFairPermits(total);
        const holding = new Map<string, number>();
        const count = (account: string, by: number) =>
          Effect.sync(() => {
            holding.set(account, (holding.get(account) ?? 0) + by);
            assert.isAtMost(holding.get(account) ?? 0, total / 2);
          });
        const all: Array<{ readonly fiber: Fiber.Fiber<void>; readonly end: Deferred.Deferred<void> }> = [];
        for (const { kind, which, who } of steps) {
          const picked = all[which % Math.max(1, all.length)];
          if (kind < 2 || picked === undefined) {
            const account = `acc${who}`;
            const end = yield* Deferred.make<void>();
            const working = Effect.acquireUseRelease(
              count(account, 1),
              () => Deferred.await(end),
              () => count(account, -1)
            );
            const fiber = yield* Effect.forkChild(permits.withPermit(account)(working), {
              startImmediately: true
            });
            all.push({ fiber, end });
          } else if (kind === 2) yield* Deferred.succeed(picked.end, undefined);
          else yield* Fiber.interrupt(picked.fiber);
          yield* Effect.yieldNow;
        }
        for (const { end } of all) yield* Deferred.succeed(end, undefined);
        for (const { fiber } of all) yield* Fiber.await(fiber);
        assert.strictEqual(permits.waiting(), 0);
        const begun: Array<string> = [];
        for (let index = 0; index < 2 * total; index++) yield* work(permits, `late${index}`, begun);
        assert.lengthOf(begun, total);
      })
  );
});
