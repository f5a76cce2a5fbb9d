import { assert, it } from "vitest";
import {
  backtrackingPattern,
  startBacktracking,
  uncheckedPatterns
} from "../../src/schema-check/Patterns.ts";

const PATTERN = "^(?!x)[a-z]+$";

/** Longer than the wall-clock limit of the first attempt. */
const WAIT_MS = 100;

/** A text whose first reading waits without using the processor, as if other programs had it. */
const readLate = (text: string): string => {
  let isRead = false;
  const late = {
    toString: () => {
      if (!isRead) {
        isRead = true;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
      }
      return text;
    }
  };
  return late as unknown as string;
};

it("a test that had to wait for the processor is repeated, and the pattern enforced", () => {
  startBacktracking();
  const test = backtrackingPattern(PATTERN);
  assert.isTrue(test(readLate("abc")));
  assert.isFalse(test(readLate("xyz")));
  assert.isEmpty(uncheckedPatterns());
});

it("a test that uses its processor time is not repeated, and those of a value end together", () => {
  startBacktracking();
  const test = backtrackingPattern("^(?!x)(a+)+$");
  const startMs = process.threadCpuUsage().user / 1_000;
  for (let index = 0; index < 100; index += 1) assert.isTrue(test(`${"a".repeat(40)}!`));
  assert.isBelow(process.threadCpuUsage().user / 1_000 - startMs, 1_000);
  assert.deepStrictEqual(uncheckedPatterns(), ["^(?!x)(a+)+$"]);
});
