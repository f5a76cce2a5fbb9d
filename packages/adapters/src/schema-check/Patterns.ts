/**
 * The regular expressions of schemas, by Node's own engine, so that they mean what ECMA-262 says. It backtracks, so
 * whatever tests patterns has a time limit. If that ends during a test, all is run again with a limit for each test of
 * that pattern, after which it counts as matched.
 */
import { createContext, Script } from "node:vm";
import type { RegExpEngine, RegExpLike } from "ajv/dist/types/index.js";

/** Maximum processor time of one test; usual ones take microseconds. */
const TEST_PROCESSOR_MS = 50;

/** Maximum processor time of one value's tests; a schema may have many patterns that take long. */
const VALUE_PROCESSOR_MS = 250;

/** A test that takes less is not counted: that is little more than its start. */
const COUNTED_PROCESSOR_MS = 1;

/**
 * Time limits of runs, each after one that did not end during a test: on a busy machine, or if other work takes long.
 * A limit for every test would take longer than most tests.
 */
const RUNS_MS = [100, 400, 1_600];

/**
 * Time limits of a test's attempts. `node:vm` measures them by the wall clock, and on a busy machine, one may be over
 * before the test has had half of its processor time.
 */
const ATTEMPTS_MS = [TEST_PROCESSOR_MS, 200, 800];

/** Maximum duration of all such tests of one value. */
const VALUE_WALL_MS = 5_000;

const RUN = new Script("run()");
const box: { run: () => unknown } = Object.assign(Object.create(null), { run: () => null });
createContext(box);

/** Processor time of this thread; before Node 23.9, the wall clock, so that a test has one attempt. */
const processorMs = (): number => {
  if (process.threadCpuUsage === undefined) return performance.now();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/** Remaining time for the current value. */
const left = { processorMs: VALUE_PROCESSOR_MS, wallMs: VALUE_WALL_MS };

/** Patterns whose tests have a limit each; in the last run, those of all. */
const limited = { patterns: new Set<string>(), all: false };

/** The pattern of the current test, if that has no limit. */
const current: { pattern: string | null } = { pattern: null };

/** Patterns that were not enforced. */
const unchecked = new Set<string>();

/** Patterns that were given up for the last value. */
export const uncheckedPatterns = (): ReadonlyArray<string> => [...unchecked];

/** Time is over, or the engine's stack is full. */
const isUnfinished = (error: unknown): boolean =>
  error instanceof RangeError ||
  (error as { readonly code?: unknown } | null)?.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";

/** Null if it takes more than the limit. */
const attempt = <A>(run: () => A, limitMs: number): { readonly result: A } | null => {
  const [startMs, startProcessorMs] = [performance.now(), processorMs()];
  const count = (leastMs: number): void => {
    const spentMs = processorMs() - startProcessorMs;
    if (spentMs < leastMs) return;
    left.processorMs -= spentMs;
    left.wallMs -= performance.now() - startMs;
  };
  box.run = run;
  try {
    const result = RUN.runInContext(box, { timeout: limitMs }) as A;
    count(COUNTED_PROCESSOR_MS);
    return { result };
  } catch (error) {
    count(0);
    if (isUnfinished(error)) return null;
    throw error;
  }
};

/** Returns true if it cannot be determined in time; the pattern is not tested again for this value. */
const testInTime = (pattern: string, expression: RegExp, text: string): boolean => {
  if (unchecked.has(pattern)) return true;
  const leftAfterwardsMs = Math.max(0, left.processorMs - TEST_PROCESSOR_MS);
  for (const limitMs of ATTEMPTS_MS) {
    if (left.processorMs <= leftAfterwardsMs + TEST_PROCESSOR_MS / 2 || left.wallMs <= 0) break;
    const answer = attempt(() => expression.test(text), limitMs);
    if (answer !== null) return answer.result;
  }
  // On a busy machine, an attempt may get more time than its test has; that is not at the expense of other tests.
  left.processorMs = Math.max(left.processorMs, leftAfterwardsMs);
  unchecked.add(pattern);
  return true;
};

/** Runs what tests patterns, perhaps several times: it must not depend on what an earlier run left. */
export const withTimeLimit = <A>(run: () => A): A => {
  left.processorMs = VALUE_PROCESSOR_MS;
  left.wallMs = VALUE_WALL_MS;
  unchecked.clear();
  limited.patterns.clear();
  limited.all = false;
  for (const limitMs of RUNS_MS) {
    do {
      current.pattern = null;
      const before = { ...left };
      const finished = attempt(run, limitMs);
      if (finished !== null) return finished.result;
      if (current.pattern !== null) limited.patterns.add(current.pattern);
      // No test was too slow: the run is not at the expense of its repetition, unless tests were given up in it.
      else if (unchecked.size === 0) Object.assign(left, before);
    } while (current.pattern !== null);
  }
  // A busy machine may have ended each run outside a slow test. What else takes long, the limits of the process end.
  limited.all = true;
  return run();
};

const testUnlimited = (pattern: string, expression: RegExp, text: string): boolean => {
  current.pattern = pattern;
  const isMatched = expression.test(text);
  current.pattern = null;
  return isMatched;
};

/** Needless escapes, such as `\-`, are an error with the flag `u` and common without. */
const expressionOf = (pattern: string): RegExp => {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return new RegExp(pattern);
  }
};

/**
 * Must be tested within `withTimeLimit`.
 *
 * @throws SyntaxError
 */
export const compilePattern = (pattern: string): RegExpLike => {
  const expression = expressionOf(pattern);
  const matcher: RegExpLike = {
    test: (text) =>
      limited.all || limited.patterns.has(pattern) || left.processorMs <= 0
        ? testInTime(pattern, expression, text)
        : testUnlimited(pattern, expression, text)
  };
  // ajv treats patterns with the same text as equal.
  return Object.assign(matcher, { toString: () => `pattern ${pattern}` });
};

/** A pattern is compiled once, however often ajv requests it. */
export const makePatternEngine = (): RegExpEngine => {
  const compiled = new Map<string, RegExpLike>();
  const engine = (pattern: string): RegExpLike => {
    const known = compiled.get(pattern) ?? compilePattern(pattern);
    compiled.set(pattern, known);
    return known;
  };
  // Names the function for code that ajv writes to a file, which is never done here.
  return Object.assign(engine, { code: "compilePattern" });
};
