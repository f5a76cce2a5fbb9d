// @module-tag long
/** Large images are paused while small ones are converted, but never forever. */
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest";
import * as Arbitrary from "effect/Arbitrary";
import * as Schema from "effect/Schema";
import { vi } from "vitest";
import { makePauseBudget } from "../../src/programs/images/PauseBudget.ts";
import { makePicturePauses } from "../../src/programs/images/PicturePauses.ts";

const PAUSE_MAX_MS = 100;

/** A large picture that records its state changes, latest first. */
const makeLarge = () => {
  const told: Array<boolean> = [];
  return { told, setPaused: (isPaused: boolean) => void told.unshift(isPaused) };
};

describe("pauses of large pictures", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("last from the first small picture to the end of the last", () => {
    const pauses = makePicturePauses(PAUSE_MAX_MS);
    const large = makeLarge();
    pauses.largeBegins(large.setPaused);
    assert.deepStrictEqual(large.told, []);
    pauses.smallBegins();
    pauses.smallBegins();
    assert.deepStrictEqual(large.told, [true]);
    pauses.smallEnds();
    assert.deepStrictEqual(large.told, [true]);
    pauses.smallEnds();
    assert.deepStrictEqual(large.told, [false, true]);
  });

  it("include a large image that begins while small ones are converted", () => {
    const pauses = makePicturePauses(PAUSE_MAX_MS);
    const [first, second] = [makeLarge(), makeLarge()];
    pauses.smallBegins();
    pauses.largeBegins(first.setPaused);
    pauses.largeBegins(second.setPaused);
    assert.deepStrictEqual([first.told, second.told], [[true], [true]]);
  });

  it("end for one that is to be ended, and continue for the others", () => {
    const pauses = makePicturePauses(PAUSE_MAX_MS);
    const [first, second] = [makeLarge(), makeLarge()];
    pauses.largeBegins(first.setPaused);
    pauses.largeBegins(second.setPaused);
    pauses.smallBegins();
    pauses.largeEnds(first.setPaused);
    assert.deepStrictEqual([first.told, second.told], [[false, true], [true]]);
  });

  it("end in time for a small one that never ends, and the next has to wait for another", () => {
    const pauses = makePicturePauses(PAUSE_MAX_MS);
    const large = makeLarge();
    pauses.largeBegins(large.setPaused);
    pauses.smallBegins();
    vi.advanceTimersByTime(PAUSE_MAX_MS - 1);
    assert.deepStrictEqual(large.told, [true]);
    vi.advanceTimersByTime(1);
    assert.deepStrictEqual(large.told, [false, true]);
    pauses.smallBegins();
    assert.deepStrictEqual(large.told, [false, true]);
    vi.advanceTimersByTime(PAUSE_MAX_MS / 2);
    pauses.smallBegins();
    assert.deepStrictEqual(large.told, [true, false, true]);
    vi.advanceTimersByTime(PAUSE_MAX_MS / 2);
    assert.deepStrictEqual(large.told, [false, true, false, true]);
  });
});

const intBetween = (minimum: number, maximum: number) =>
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum, maximum })));

describe("the budget of pauses", () => {
  it.prop(
    "never pauses longer than one pause and the time that was not paused",
    {
      steps: Arbitrary.array(Arbitrary.all({ ranMs: intBetween(0, 200), wantedMs: intBetween(0, 300) }), {
        minLength: 1,
        maxLength: 60
      })
    },
    ({ steps }) => {
      const budget = makePauseBudget(PAUSE_MAX_MS);
      let nowMs = 5_000;
      let pausedMs = 0;
      let runningMs = 0;
      for (const { ranMs, wantedMs } of steps) {
        nowMs += ranMs;
        runningMs += ranMs;
        const grantedMs = budget.pause(nowMs);
        assert.isAtMost(grantedMs, PAUSE_MAX_MS);
        const tookMs = Math.min(grantedMs, wantedMs);
        nowMs += tookMs;
        pausedMs += tookMs;
        budget.resume(nowMs);
        assert.isAtMost(pausedMs, PAUSE_MAX_MS + runningMs);
      }
    }
  );
});
