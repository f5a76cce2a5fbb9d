import { assert, it } from "vitest";
import { compilePattern, uncheckedPatterns, withTimeLimit } from "../../src/schema-check/Patterns.ts";

/** Longer than the first run, and than the first attempt of a test. */
const WAIT_MS = 300;

/** Waits without using the processor, as if other programs had it. */
const wait = (): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
};

/** A text whose first reading waits. */
const readLate = (text: string): string => {
  let isRead = false;
  const late = {
    toString: () => {
      if (!isRead) {
        isRead = true;
        wait();
      }
      return text;
    }
  };
  return late as unknown as string;
};

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

const processorMs = (): number => process.threadCpuUsage().user / 1_000;

it("a test that had to wait for the processor is repeated, and the pattern enforced", () => {
  const { test } = compilePattern("^(?!x)[a-z]+$");
  assert.isTrue(withTimeLimit(() => test(readLate("abc"))));
  assert.isFalse(withSlowStart(() => test(readLate("xyz"))));
  assert.isEmpty(uncheckedPatterns());
});

it("tests that use their processor time end together, and count as matched", () => {
  const slow = Array.from({ length: 50 }, (_, index) => compilePattern(`${SLOW}|${index}`));
  const startMs = processorMs();
  assert.isTrue(withTimeLimit(() => slow.every(({ test }) => test(LONG))));
  assert.isBelow(processorMs() - startMs, 500);
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
  const { test } = compilePattern("^[a-z]+$");
  const texts = Array.from({ length: 5_000 }, (_, index) => `${index}`);
  assert.isFalse(withTimeLimit(() => [test(readLate("1")), ...texts.map(test)].some(Boolean)));
  assert.isEmpty(uncheckedPatterns());
});

it("where no pattern is to blame, 100,000 tests have no limit each", () => {
  const { test } = compilePattern("^[a-z]+$");
  const startMs = processorMs();
  const count = withSlowStart(() => Array.from({ length: 100_000 }, () => test("a")).filter(Boolean).length);
  assert.strictEqual(count, 100_000);
  assert.isBelow(processorMs() - startMs, 1_000);
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
