import { assert, describe, it } from "@effect/vitest";
import { GRACE_MS, isCalm, look, NOTHING_SEEN, type Sight } from "../../src/pg-boss/Supervision.ts";

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
