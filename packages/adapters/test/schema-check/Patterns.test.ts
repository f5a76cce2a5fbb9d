import { assert, it, onTestFinished, vi } from "vitest";
import { compilePattern, uncheckedPatterns, withTimeLimit } from "../../src/schema-check/Patterns.ts";

/** Longer than the first run, and than the first attempt of a test. */
const WAIT_MS = 300;

/** Waits, as if other programs had the processor. */
const wait = (): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
};

/** A text that counts its readings, the first of which may be late. */
const readBy = (text: string, onRead: (reading: number) => void): string => {
  let readings = 0;
  const late = {
    toString: () => {
      readings += 1;
      onRead(readings);
      return text;
    }
  };
  return late as unknown as string;
};

const readLate = (text: string): string => readBy(text, (reading) => reading === 1 && wait());

/** What the run returns if its first attempt takes too long. */
const withSlowStart = <A>(run: () => A): A => {
  let isFirst = true;
  return withTimeLimit(() => {
    if (isFirst) {
      isFirst = false;
      wait();
    }
    return run();
  });
};

const SLOW = "^(?!x)(a+)+$";
const LONG = `${"a".repeat(40)}!`;

/** The processor's clock for the current test, which counts how often it is read. */
const processorClock = (microsecondsAt: (reading: number) => number): { readings: number } => {
  const clock = { readings: 0 };
  const spy = vi.spyOn(process, "threadCpuUsage").mockImplementation(() => {
    clock.readings += 1;
    return { user: microsecondsAt(clock.readings), system: 0 };
  });
  onTestFinished(() => spy.mockRestore());
  return clock;
};

it("a test that had to wait for the processor is repeated, and the pattern enforced", () => {
  processorClock(() => 0);
  const { test } = compilePattern("^(?!x)[a-z]+$");
  assert.isTrue(withTimeLimit(() => test(readLate("abc"))));
  assert.isFalse(withSlowStart(() => test(readLate("xyz"))));
  assert.isEmpty(uncheckedPatterns());
});

it("tests that use their processor time end together, and count as matched", () => {
  // As on a machine where nothing else runs.
  processorClock(() => 1_000 * performance.now());
  const slow = Array.from({ length: 50 }, (_, index) => compilePattern(`${SLOW}|${index}`));
  let started = 0;
  const text = readBy(LONG, () => (started += 1));
  assert.isTrue(withTimeLimit(() => slow.every(({ test }) => test(text))));
  assert.isAtMost(started, 10);
  assert.lengthOf(uncheckedPatterns(), 50);
});

it("beside a pattern that takes too long, others are enforced", () => {
  const [slow, quick] = [compilePattern(SLOW), compilePattern("^b$")];
  const results = withTimeLimit(() => [
    ...Array.from({ length: 100 }, () => slow.test(LONG)),
    quick.test("c"),
    quick.test("b")
  ]);
  assert.deepStrictEqual(results.slice(-3), [true, false, true]);
  assert.deepStrictEqual(uncheckedPatterns(), [SLOW]);
});

it("many tests that are quick are all made, although starting them takes longer than they may", () => {
  // Half a millisecond for each start.
  processorClock((reading) => 500 * reading);
  const { test } = compilePattern("^[a-z]+$");
  const texts = Array.from({ length: 1_000 }, (_, index) => `${index}`);
  assert.isFalse(withTimeLimit(() => [test(readLate("1")), ...texts.map(test)].some(Boolean)));
  assert.isEmpty(uncheckedPatterns());
});

it("where no pattern is to blame, 100,000 tests have no limit each", () => {
  const { test } = compilePattern("^[a-z]+$");
  const clock = processorClock(() => 0);
  const count = withSlowStart(() => Array.from({ length: 100_000 }, () => test("a")).filter(Boolean).length);
  assert.strictEqual(count, 100_000);
  assert.isBelow(clock.readings, 100);
});

it("a pattern that takes too long is given up although no run ended during its test", () => {
  const slow = compilePattern(SLOW);
  let runs = 0;
  const result = withTimeLimit(() => {
    runs += 1;
    // As if the time of each limited run were over before its first test.
    if (runs <= 3) throw new RangeError("over");
    return slow.test(LONG);
  });
  assert.isTrue(result);
  assert.deepStrictEqual(uncheckedPatterns(), [SLOW]);
});

it("what fails for another reason than time fails as without a limit", () => {
  const fail = (error: Error) => (): void => {
    throw error;
  };
  assert.throws(() => withTimeLimit(fail(new RangeError("too deep"))), RangeError, "too deep");
  assert.throws(() => withTimeLimit(fail(new TypeError("not a text"))), TypeError, "not a text");
});
