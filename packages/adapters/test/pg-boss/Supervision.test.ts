import { assert, describe, it } from "@effect/vitest";
import { BEAT_RETRY_MS } from "../../src/pg-boss/Work.ts";
import {
  GRACE_MS,
  isCalm,
  look,
  LOOK_INTERVAL_MS,
  LOOK_PAUSE_MS,
  NOTHING_SEEN,
  pauseMs,
  type Sight
} from "../../src/pg-boss/Supervision.ts";

const LONG_UP_MS = 86_400_000;

/** One look every 3 s; what each was answered. */
const after = (answers: ReadonlyArray<number | null>, from: Sight = NOTHING_SEEN): Sight =>
  answers.reduce<Sight>((sight, upMs, index) => look(sight, (index + 1) * 3_000, upMs), from);

describe("whether a worker's silence means something", () => {
  it("does at the first look at a database that has long been up", () => {
    assert.isTrue(isCalm(after([LONG_UP_MS]), 3_000));
  });

  it("does not until workers had the time to be heard again after an outage", () => {
    const sight = after([LONG_UP_MS, null, null, LONG_UP_MS]);
    assert.isFalse(isCalm(sight, 12_000));
    assert.isFalse(isCalm(sight, 9_000 + GRACE_MS - 1));
    assert.isTrue(isCalm(sight, 9_000 + GRACE_MS));
  });

  it("does not for a while after the database was started, whoever looks", () => {
    const sight = look(NOTHING_SEEN, 100_000, 2_000);
    assert.isFalse(isCalm(sight, 100_000));
    assert.isTrue(isCalm(sight, 98_000 + GRACE_MS));
  });

  it("does not for a while after this process stood still", () => {
    const sight = look({ lastMs: 3_000, outageMs: null }, 60_000, LONG_UP_MS);
    assert.isFalse(isCalm(sight, 60_000));
    assert.isTrue(isCalm(sight, 60_000 + GRACE_MS));
  });
});

describe("when the next look is", () => {
  const calm: Sight = { lastMs: 50_000, outageMs: null };
  const uneasy: Sight = { lastMs: 50_000, outageMs: 45_000 };

  it("is after the usual time where nothing is worked on, or every worker was just heard", () => {
    assert.strictEqual(pauseMs(calm, 50_000, null), LOOK_INTERVAL_MS);
    assert.strictEqual(pauseMs(calm, 50_000, 11_000), LOOK_INTERVAL_MS);
  });

  it("is as a silent worker's time is over", () => {
    assert.strictEqual(pauseMs(calm, 50_000, 2_500), 2_500);
  });

  it("is soon where the database did not answer, or a job that is overdue is still its worker's", () => {
    assert.strictEqual(pauseMs(uneasy, 50_000, undefined), LOOK_PAUSE_MS);
    assert.strictEqual(pauseMs(calm, 50_000, -3_000), LOOK_PAUSE_MS);
  });

  it("is as the time is over that workers have after an outage", () => {
    assert.strictEqual(pauseMs(uneasy, 51_000, -3_000), GRACE_MS - 6_000);
  });

  it("leaves a worker that was not heard several tries after an outage", () => {
    assert.isAtLeast(GRACE_MS, 8 * BEAT_RETRY_MS);
  });
});
