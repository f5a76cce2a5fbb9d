/**
 * Runs patterns without an RE2 equivalent on Node's backtracking engine. Each test has a time limit, after which
 * the pattern is only a hint to the model and no longer checked.
 */
import { createContext, Script } from "node:vm";

/** Maximum processor time of one test; usual ones take microseconds. */
const TEST_PROCESSOR_MS = 50;

/** Maximum processor time of all such tests of one value, which may have a hundred thousand texts. */
const VALUE_PROCESSOR_MS = 250;

/**
 * Time limits of a test's attempts. `node:vm` measures them by the wall clock, and on a busy machine, one may be over
 * before the test has had its processor time.
 */
const ATTEMPTS_MS = [TEST_PROCESSOR_MS, 200, 800];

/** Maximum duration of all such tests of one value. */
const VALUE_WALL_MS = 5_000;

const TEST = new Script("pattern.test(text)");

/** Processor time of this thread; before Node 23.9, the wall clock, so that a test has one attempt. */
const processorMs = (): number => {
  if (process.threadCpuUsage === undefined) return performance.now();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/** Remaining time for the current value. */
const left = { processorMs: VALUE_PROCESSOR_MS, wallMs: VALUE_WALL_MS };

/** Patterns that were not enforced. */
const unchecked = new Set<string>();

/** Must be called before a value is checked. */
export const startBacktracking = (): void => {
  left.processorMs = VALUE_PROCESSOR_MS;
  left.wallMs = VALUE_WALL_MS;
  unchecked.clear();
};

/** Patterns that were given up for the last checked value. */
export const uncheckedPatterns = (): ReadonlyArray<string> => [...unchecked];

const expression = (pattern: string): RegExp => {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return new RegExp(pattern);
  }
};

/** Null if it takes longer than the limit. */
const attempt = (box: object, limitMs: number): boolean | null => {
  const [startMs, startProcessorMs] = [performance.now(), processorMs()];
  try {
    return TEST.runInContext(box, { timeout: limitMs }) === true;
  } catch {
    return null;
  } finally {
    left.processorMs -= processorMs() - startProcessorMs;
    left.wallMs -= performance.now() - startMs;
  }
};

/** Returns true if it cannot be determined in time. */
const testInTime = (box: { text: string }, pattern: string, text: string): boolean => {
  box.text = text;
  const leftAfterwardsMs = Math.max(0, left.processorMs - TEST_PROCESSOR_MS);
  for (const limitMs of ATTEMPTS_MS) {
    if (left.processorMs <= leftAfterwardsMs || left.wallMs <= 0) break;
    const answer = attempt(box, limitMs);
    if (answer !== null) return answer;
  }
  // On a busy machine, an attempt may get more time than its test has; that is not at the expense of other tests.
  left.processorMs = Math.max(left.processorMs, leftAfterwardsMs);
  unchecked.add(pattern);
  return true;
};

/** @throws SyntaxError */
export const backtrackingPattern = (pattern: string): ((text: string) => boolean) => {
  const box = Object.assign(Object.create(null), { pattern: expression(pattern), text: "" });
  createContext(box);
  return (text) => testInTime(box, pattern, text);
};
